"""From a wrong answer on the page of patients to a right one, as staff go, in a real browser."""

from uuid import uuid4

import pytest
from playwright.sync_api import expect

from taxonomy.models import Department
from tests.chat.page.steps import answers, ask
from tests.zol.staff import PASSWORD, member
from zol.models import Role

pytestmark = pytest.mark.browser
PHONE = "Wat is het telefoonnummer van Longziekten?"
NEW = "011 00 99 99"


@pytest.fixture
def operator(mini):
    """Somebody of the staff, who has edited a telephone number."""
    rows = Department.objects.filter(name="Longziekten")
    before = rows.values_list("phone", flat=True)[0]
    rows.update(phone=NEW)
    # The audit log keeps who has signed in.
    yield member(mini, Role.OPERATOR, username=f"operator-{uuid4()}")
    rows.update(phone=before)


def sign_in(page, user):
    page.fill("#id_username", user.username)
    page.fill("#id_password", PASSWORD)
    page.click("input[type=submit]")
    page.wait_for_load_state("networkidle")


def width(page):
    return page.evaluate("document.documentElement.scrollWidth")


def lefts(page):
    return {round(each.bounding_box()["x"]) for each in page.locator(".answers > section").all()}


def test_staff_go_from_an_answer_to_the_draft_that_mends_it(visit, operator, address):
    page = visit("/admin/")
    sign_in(page, operator)
    page.goto(f"{address}/")
    ask(page, PHONE)
    expect(answers(page)).to_have_count(1)

    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Dit verbeteren").click()
    turn = opened.value
    turn.get_by_role("button", name="Opnieuw vragen").click()

    columns = turn.locator(".answers > section")
    expect(columns).to_have_count(3)
    expect(columns.nth(2).locator(".differs", has_text=NEW).first).to_be_visible()
    turn.set_viewport_size({"width": 1280, "height": 900})
    assert (len(lefts(turn)), width(turn)) == (3, 1280)
    turn.set_viewport_size({"width": 390, "height": 844})
    assert (len(lefts(turn)), width(turn)) == (1, 390)
