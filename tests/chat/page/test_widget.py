"""The assistant on another site: asked, read and closed there, and only where it is allowed."""

import re

import pytest
from playwright.sync_api import expect

from tests.chat.page.site import Site
from tests.chat.page.steps import QUOTED, VISITING
from tests.chat.page.test_accessible import check
from zol.models import WidgetKey

pytestmark = pytest.mark.browser

OPEN, CLOSE = "Stel uw vraag", "Sluit de assistent"


@pytest.fixture
def sites():
    made = {name: Site(f"{name}.localhost") for name in ("www-azm", "elders")}
    yield made
    for site in made.values():
        site.close()


@pytest.fixture
def tag(mini, address, sites):
    origins = [sites["www-azm"].origin, "https://x; script-src *"]
    key = WidgetKey.objects.create(hospital=mini, origins=origins)
    made = f'<script src="{address}/widget.js" data-key="{key.key}" async></script>'
    for site in sites.values():
        site.tag = made
    yield made
    key.delete()


@pytest.fixture
def embedded(browser, sites, tag):
    """Open the page of a site; whatever the browser complains about fails the test."""
    complaints = []

    def opened(site="www-azm", **options):
        context = browser.new_context(**{"locale": "nl-BE"} | options)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
        page.goto(f"{sites[site].origin}/")
        expect(page.get_by_role("button", name=OPEN)).to_be_visible()
        return page

    opened.complaints = complaints
    return opened


def ask(chat, question):
    chat.get_by_label("Uw vraag").fill(question)
    chat.get_by_label("Uw vraag").press("Enter")
    expect(chat.locator(".exchange:has(.tools)")).to_have_count(1)


def test_a_question_is_asked_answered_and_traced_to_its_source_on_the_site(embedded):
    page = embedded()
    check(page, "widget-closed")
    page.get_by_role("button", name=OPEN).click()
    chat = page.frame_locator("iframe")
    expect(chat.get_by_label("Uw vraag")).to_be_visible()
    check(page, "widget-open")

    ask(chat, VISITING)

    expect(chat.locator(".answer .text")).to_contain_text("15:00-19:30")
    check(page, "widget-answered")
    ask(chat, QUOTED)
    chat.locator(".text blockquote .cite").first.click()
    expect(chat.locator("#panel-passage")).to_be_visible()
    assert "widget=" in chat.locator("#panel-viewer").get_attribute("href")
    chat.locator("#panel-close").click()
    chat.get_by_role("button", name=CLOSE).click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name=OPEN)).to_be_focused()
    assert embedded.complaints == []


def test_the_keyboard_alone_opens_asks_and_closes(embedded):
    page = embedded()
    page.get_by_role("button", name=OPEN).focus()
    page.keyboard.press("Enter")
    chat = page.frame_locator("iframe")
    expect(chat.get_by_label("Uw vraag")).to_be_focused()

    page.keyboard.type(VISITING)
    page.keyboard.press("Enter")
    expect(chat.locator(".exchange:has(.tools)")).to_have_count(1)
    chat.locator(".text .cite").first.focus()
    page.keyboard.press("Enter")
    expect(chat.locator("#panel")).to_be_visible()
    page.keyboard.press("Escape")
    expect(chat.locator("#panel")).to_be_hidden()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.get_by_role("button", name=OPEN)).to_be_focused()
    page.keyboard.press("Enter")
    expect(chat.locator(".exchange:has(.tools)")).to_have_count(1)


def test_it_fills_a_phone_without_scrolling_sideways(embedded):
    page = embedded(viewport={"width": 390, "height": 844})
    page.get_by_role("button", name=OPEN).click()
    chat = page.frame_locator("iframe")

    ask(chat, VISITING)

    assert page.locator("iframe").bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 844}
    assert chat.locator("html").evaluate("page => page.scrollWidth") <= 390
    expect(chat.get_by_role("button", name=CLOSE)).to_be_in_viewport()


def test_a_site_that_is_not_on_the_list_says_so_and_leads_to_the_chat_itself(embedded, address):
    page = embedded("elders")
    page.get_by_role("button", name=OPEN).click()

    expect(page.get_by_text("De assistent kan op deze pagina niet worden getoond.")).to_be_visible()
    assert all("widget=" not in frame.url for frame in page.frames)
    link = page.get_by_role("link", name="Open de assistent in een nieuw venster")
    assert link.get_attribute("href").startswith(f"{address}/?widget=")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=OPEN)).to_be_focused()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        pytest.param("el", "Κάντε την ερώτησή σας", id="one of ours"),
        pytest.param("sv", "Ask your question", id="another: English"),
    ],
)
def test_the_button_speaks_the_language_of_its_site(browser, sites, tag, language, words):
    sites["www-azm"].tag = tag.replace(" async", f' data-language="{language}" async')
    page = browser.new_page()
    page.goto(f"{sites['www-azm'].origin}/")

    expect(page.get_by_role("button", name=words)).to_be_visible()


def test_only_pages_with_a_key_may_be_framed(tag, address, browser, sites):
    page = browser.new_page()
    own = page.goto(f"{address}/").headers
    key = re.search('data-key="(.+?)"', tag).group(1)
    framed = page.goto(f"{address}/?widget={key}").headers

    assert own["x-frame-options"] == "DENY"
    assert "frame-ancestors 'self'" in own["content-security-policy"]
    assert "x-frame-options" not in framed
    assert f"frame-ancestors 'self' {sites['www-azm'].origin}" in framed["content-security-policy"]
    assert "script-src *" not in framed["content-security-policy"]
