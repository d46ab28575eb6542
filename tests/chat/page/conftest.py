"""A browser for the tests of the page, and what it visits."""

import os
import re

import pytest
from django.db import connections
from playwright.sync_api import expect, sync_playwright

from tests.answering import HOST, PATIENCE, forget_conversations
from tests.browsers import chromium

FLAGS = ["--no-sandbox", "--disable-dev-shm-usage"]
expect.set_options(timeout=PATIENCE * 1_000)


@pytest.fixture
def address(server, mini):
    """Where the small hospital is reached; nobody has asked it anything yet."""
    forget_conversations()
    yield f"http://{HOST}:{server.port}"
    forget_conversations()


@pytest.fixture(scope="module")
def launched(django_db_blocker):
    # Playwright keeps an event loop in this thread. The tests look at rows from within it, over
    # connections of their own, which nobody else would close.
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield made
        made.close()
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def browser(address, launched):
    yield launched
    for context in launched.contexts:
        context.close()
    connections.close_all()


@pytest.fixture
def visit(browser, address):
    """Open the page; whatever the browser complains about fails the test."""
    complaints = []

    def opened(path="/", *, ignore="", prepare=None, **options):
        context = browser.new_context(**{"locale": "nl-BE"} | options)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        # The first answer of a process that has not learned yet takes long on a busy machine.
        context.set_default_navigation_timeout(120_000)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complain(said, ignore))
        if prepare:
            prepare(page)
        page.goto(f"{address}{path}")
        return page

    def complain(said, ignore):
        if said.type in ("error", "warning") and not (ignore and re.search(ignore, said.text)):
            complaints.append(said.text)

    yield opened
    assert complaints == []
