"""Staff see what would be understood of a question, and why."""

from __future__ import annotations

import pytest

from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
PAGE = "/admin/chat/intentexample/try/"


def test_a_question_is_explained(mini):
    client = signed_in(mini, Role.CURATOR)
    page = client.post(PAGE, {"question": "Waar kan ik parkeren?", "language": "nl"})

    assert "navigation_or_practical_info" in page.text
    assert "parking" in page.text
    assert page.context["found"]["rewrite"].startswith("Waar kan ik parkeren")
    assert page.context["examples"]
    assert page.context["reasons"]


def test_safety_is_shown_and_personal_data_is_not(mini):
    client = signed_in(mini, Role.CURATOR)
    sent = {"question": "bel mij op 0470 12 34 56, ik krijg geen lucht", "language": "nl"}
    page = client.post(PAGE, sent)

    assert "0470 12 34 56" not in page.context["found"]["text"]
    assert page.context["found"]["red_flag"]


def test_an_empty_question_gets_a_message(mini):
    page = signed_in(mini, Role.CURATOR).post(PAGE, {"question": " ", "language": "nl"})

    assert page.status_code == 200
    assert "found" not in page.context


def test_a_hospital_that_has_published_nothing_is_told_so(hospital):
    page = signed_in(hospital, Role.CURATOR).post(PAGE, {"question": "hallo", "language": "nl"})

    assert page.context["form"].non_field_errors()


@pytest.mark.parametrize("start", ["/admin/", "/admin/chat/intentexample/", "/admin/chat/cue/"])
def test_it_is_found_from_where_staff_are(hospital, start):
    assert PAGE in signed_in(hospital, Role.CURATOR).get(start).text


def test_who_may_not_see_examples_may_not_try(hospital):
    assert signed_in(hospital, Role.IT).get(PAGE).status_code in (302, 403)
