"""The card says whom to call: the department's own number, told and dialled."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.chat.page.steps import CHEST_PAIN, LONG_DISEASES, answers, ask
from tests.chat.page.test_accessible import check

pytestmark = pytest.mark.browser


def has_card_of_long_diseases(card):
    expect(card).to_contain_text("Longziekten")
    expect(card).to_contain_text("raadpleging maandag-vrijdag 9:00-16:00")
    call = card.get_by_role("link", name="Bel 011 00 11 10")
    assert call.get_attribute("href") == "tel:+3211001110"


def test_the_department_that_an_answer_names_can_be_called_from_its_card(visit):
    page = visit()
    ask(page, LONG_DISEASES)
    expect(answers(page)).to_have_count(1)

    card = page.locator(".contact")
    has_card_of_long_diseases(card)
    card.scroll_into_view_if_needed()
    check(page, "contact")


def test_it_stands_on_the_page_without_script_too(visit):
    page = visit(f"/zoek?q={LONG_DISEASES}")

    has_card_of_long_diseases(page.locator(".contact"))


def test_an_emergency_says_only_what_to_do_now(visit):
    page = visit()
    ask(page, CHEST_PAIN)
    expect(answers(page)).to_have_count(1)

    expect(page.locator(".call")).to_be_visible()
    expect(page.locator(".contact, .disclaimer")).to_have_count(0)
