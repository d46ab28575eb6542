"""axe-core finds nothing on any state of any page, in any theme, on a desktop and on a phone."""

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from chat.models import Intervention
from retrieval.models import Chunk
from tests.chat.page.steps import CHEST_PAIN, DOSE, LONG_DISEASES, VISITING, Line, answers, ask
from zol.clock import hospital_now

pytestmark = pytest.mark.browser

WIDTHS = {1280: 900, 390: 844}
THEMES = (
    {"color_scheme": "light", "forced_colors": "none"},
    {"color_scheme": "dark", "forced_colors": "none"},
    {"color_scheme": "light", "forced_colors": "active"},
)
#: WCAG 2.2 AA, and what axe holds good practice beside it.
RULES = {"resultTypes": ["violations"]}
#: Other themes have other colours, and all else is the same.
OF_COLOUR = RULES | {"runOnly": ["color-contrast", "link-in-text-block"]}
#: Where pictures of every state go, to be looked at; none are made without it.
PICTURES = os.environ.get("PICTURES")


def check(page, state, frame=None):
    """Look at a state in every theme and width."""
    found = []
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        for theme in THEMES:
            page.emulate_media(**theme, reduced_motion="reduce")
            where = (state, width, *theme.values())
            rules = RULES if theme is THEMES[0] else OF_COLOUR
            found += [
                (*where, rule["id"], [n["html"][:200] for n in rule["nodes"]])
                for rule in Axe().run(frame or page, options=rules).response["violations"]
            ]
            if PICTURES:
                name = "-".join([state, str(width), *theme.values()])
                page.screenshot(path=Path(PICTURES) / f"{name}.png")
    page.emulate_media(color_scheme="light", forced_colors="none")
    assert found == []


def test_nothing_is_wrong_with_a_conversation_in_any_state(visit):
    line = Line()
    page = visit(ignore="WebSocket|ERR_INTERNET", prepare=line.prepare)
    check(page, "empty")

    an_answer_and_what_hangs_on_it(page, line)
    other_answers(page)
    failures(page, line)


def an_answer_and_what_hangs_on_it(page, line):
    line.holds = {"answer"}
    ask(page, VISITING)
    expect(page.locator(".is-streaming")).to_be_visible()
    check(page, "streaming")
    line.release()
    expect(answers(page)).to_have_count(1)
    check(page, "answered")
    page.get_by_role("button", name="Was dit antwoord nuttig? Nee").click()
    expect(page.get_by_role("group", name="Wat kon beter?")).to_be_visible()
    check(page, "feedback")
    page.locator(".text .cite").first.click()
    check(page, "citation")
    page.keyboard.press("Escape")


def other_answers(page):
    asked = [("contact", LONG_DISEASES), ("refused", DOSE), ("emergency", CHEST_PAIN)]
    for count, (state, question) in enumerate(asked, 2):
        ask(page, question)
        expect(answers(page)).to_have_count(count)
        check(page, state)
    card = page.locator(".contact").first
    expect(card).to_contain_text("Longziekten")
    assert card.get_by_role("link", name="Bel 011 00 11 10").get_attribute("href")


def failures(page, line):
    line.holds = {"answer", "token", "progress", "accepted"}
    ask(page, VISITING)
    expect(page.locator(".progress")).to_be_visible()
    line.says(type="error", code="error")
    expect(page.locator(".failed")).to_be_visible()
    check(page, "error")
    page.context.set_offline(True)
    expect(page.locator("#connection")).to_be_visible()
    check(page, "offline")
    page.context.set_offline(False)
    page.get_by_role("button", name="Wis dit gesprek").click()
    check(page, "forget")


@pytest.fixture
def announced(mini, visit):
    """What the whole hospital is told; it is gone from the server before another test asks."""
    row = Intervention.objects.create(
        hospital=mini, kind="bulletin", text_nl="Parking Noord is **dicht**.",
        valid_to=hospital_now().date(),
    )  # fmt: skip
    page = visit()
    told = page.get_by_role("region", name="Mededeling van het ziekenhuis")
    comes(page, told, 1)
    yield told
    row.delete()
    page.goto(page.url.partition("?")[0])
    comes(page, told, 0)


def comes(page, told, count):
    """Wait until the server believes what was decided (chat/selectors.py)."""
    for _ in range(60):
        if told.count() == count:
            return
        page.wait_for_timeout(500)
        page.reload()
    raise AssertionError(f"not {count} on the page")


def test_nothing_is_wrong_with_a_bulletin_and_an_answer_begins_with_it(announced):
    page = announced.page
    expect(announced).to_contain_text("Parking Noord is dicht.")
    check(page, "bulletin")

    ask(page, VISITING)
    expect(answers(page)).to_have_count(1)

    expect(page.locator(".answer .text p").first).to_contain_text("Mededeling van het ziekenhuis")
    check(page, "bulletin-answer")


def test_nothing_is_wrong_with_the_pages_without_script(visit, address):
    page = visit(f"/zoek?q={VISITING}")
    check(page, "results")

    chunk = Chunk.objects.filter(document__path="praktisch/bezoek.html").earliest("ordinal")
    page.goto(f"{address}/bron/{chunk.pk}/")
    check(page, "source")
