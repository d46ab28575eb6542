"""A whole visit without a mouse, and what a screen reader is told on the way."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from chat.models import Conversation, Feedback
from tests.chat.page.steps import LONG_DISEASES, answers

pytestmark = pytest.mark.browser

#: Tabs within which everything on the page is reached.
MOST_TABS = 60


def tab_to(page, target, key="Tab"):
    """Press Tab until an element has the focus, as somebody without a mouse does."""
    for _ in range(MOST_TABS):
        if target.evaluate("element => element === document.activeElement"):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{target} is not reached by Tab")


def test_a_visit_without_a_mouse(visit):
    page = visit()
    heard = listen(page)
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type(LONG_DISEASES)
    page.keyboard.press("Enter")
    expect(answers(page)).to_have_count(1)
    assert heard() == ["Bezig met uw vraag", "Het antwoord is klaar."]

    open_a_citation_and_return(page)
    tab_to(page, page.locator(".follow-ups .chip").first)
    page.keyboard.press("Enter")
    expect(answers(page)).to_have_count(2)
    rate_the_last_answer(page)
    forget_everything(page)
    assert heard()[-1] == "Het gesprek is gewist."
    assert not Conversation.objects.exists()


def open_a_citation_and_return(page):
    number = page.locator(".text .cite").first
    tab_to(page, number, "Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_role("heading", level=2)).to_be_focused()
    page.keyboard.press("Escape")
    expect(number).to_be_focused()


def rate_the_last_answer(page):
    tab_to(page, answers(page).last.get_by_role("button", name="nuttig? Nee"), "Shift+Tab")
    page.keyboard.press("Enter")
    tab_to(page, answers(page).last.get_by_role("button", name="Er ontbreekt iets"))
    page.keyboard.press("Space")
    expect(answers(page).last.locator(".rated")).to_have_text("Bedankt voor uw mening.")
    for _ in range(100):
        if Feedback.objects.filter(reason="incomplete").exists():
            return
        page.wait_for_timeout(50)
    raise AssertionError("The reason was not kept")


def forget_everything(page):
    tab_to(page, page.get_by_role("button", name="Wis dit gesprek"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Annuleren")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".exchange")).to_have_count(0)
    expect(page.get_by_label("Uw vraag")).to_be_focused()


def listen(page):
    """Collect what the live region says; a screen reader says each of it once."""
    page.locator("#status").evaluate("""region => {
        window.heard = [];
        new MutationObserver(() => region.textContent && heard.push(region.textContent))
            .observe(region, { childList: true, characterData: true, subtree: true });
    }""")
    return lambda: page.evaluate("heard")
