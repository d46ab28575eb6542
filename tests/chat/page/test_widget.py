"""The assistant on another site: only where the hospital allows it, and within 390 pixels."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from zol.models import WidgetKey

pytestmark = pytest.mark.browser

SITE = "http://www.azm-mini.test"


@pytest.fixture
def tag(mini, address):
    key = WidgetKey.objects.create(hospital=mini, origins=[SITE, "https://x; script-src *"])
    yield f'<script src="{address}/static/chat/widget.js" data-key="{key.key}" async></script>'
    key.delete()


def embedded(browser, site, tag):
    """Open a page of another site that holds the tag, on a phone."""
    page = browser.new_page(viewport={"width": 390, "height": 844}, locale="nl-BE")
    html = f"<!doctype html><html lang=nl><title>Site</title><body><h1>Site</h1>{tag}"
    page.route(f"{site}/", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto(f"{site}/")
    page.get_by_role("button", name="Stel uw vraag").click(timeout=15_000)
    return page


def test_a_site_on_the_list_shows_the_chat(browser, tag):
    page = embedded(browser, SITE, tag)

    chat = page.frame_locator("iframe")
    expect(chat.get_by_label("Uw vraag")).to_be_visible()
    assert chat.locator("html").evaluate("page => page.scrollWidth") <= 390


def test_another_site_is_refused_by_the_browser(browser, tag):
    page = embedded(browser, "http://elders.test", tag)

    page.wait_for_timeout(1_500)
    assert all("widget=" not in frame.url for frame in page.frames)
    expect(page.frame_locator("iframe").get_by_label("Uw vraag")).to_have_count(0)


def test_only_pages_with_a_key_may_be_framed(tag, address, browser):
    page = browser.new_page()
    own = page.goto(f"{address}/").headers
    key = tag.partition('data-key="')[2].partition('"')[0]
    framed = page.goto(f"{address}/?widget={key}").headers

    assert own["x-frame-options"] == "DENY"
    assert "frame-ancestors 'self'" in own["content-security-policy"]
    assert "x-frame-options" not in framed
    assert f"frame-ancestors 'self' {SITE}" in framed["content-security-policy"]
    assert "script-src *" not in framed["content-security-policy"]
