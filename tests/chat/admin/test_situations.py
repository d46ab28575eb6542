"""Staff print the situations that are heard before anything is searched, for a clinician to sign."""

import pytest

from chat import services
from chat.channels import sessions
from taxonomy.publishing.versions import publish
from tests.answering import mini_hospital
from tests.zol.staff import signed_in
from zol.models import Role
from zol.tenancy import serving

pytestmark = pytest.mark.django_db
PAGE = "/admin/chat/redflagphrase/situations/"


@pytest.fixture
def mini(untouched, db):
    """The small hospital, in a transaction: a test may change its rows."""
    row = mini_hospital()
    with serving(row):
        yield row


def situation(page, name):
    found = [each for _title, rows in page.context["groups"] for each in rows]
    (one,) = [each for each in found if each.name == name]
    return one


def test_phrases_are_shown_in_every_language_and_never_as_patterns(mini):
    page = signed_in(mini, Role.QUALITY).get(PAGE, {"examples": "nl"})

    poisoned = situation(page, "overdose or poisoning")
    assert min(poisoned.counts[code] for code in ("nl", "en", "el")) > 0
    assert situation(page, "advice in general").examples
    assert not any(sign in page.text for sign in ("*u", "overdose_poison<", "<textarea"))
    assert "Signature" in page.text


def test_each_situation_says_what_is_answered_in_a_language(mini):
    browser = signed_in(mini, Role.QUALITY)

    for language, said in (("nl", "bel anders"), ("tr", "arayın")):
        page = browser.get(PAGE, {"examples": language})
        texts = {kind: str(text) for kind, _name, text in page.context["texts"]}
        assert situation(page, "fumes or gas inhaled").text == "alarm_poison"
        assert said in texts["alarm_poison"]


def test_matches_of_the_last_month_are_counted_by_situation_and_by_how_they_were_shown(mini):
    for question in (
        "mijn man heeft een hartaanval",
        "mag ik stoppen met mijn bloedverdunner?",
        "waar kan ik parkeren",
    ):
        services.answer(sessions.start(mini, "nl"), question)

    page = signed_in(mini, Role.QUALITY).get(PAGE)

    names = ("chest pain", "advice in general", "stroke")
    assert [situation(page, name).met for name in names] == [1, 1, 0]
    assert [number for _name, number in page.context["shown"]] == [0, 0, 1]


def test_rows_of_a_situation_are_one_click_away(mini):
    browser = signed_in(mini, Role.QUALITY)
    (_text, address), *_ = situation(browser.get(PAGE), "chest pain").links

    rows = browser.get(address).context["cl"].result_list

    assert rows
    assert {row.kind for row in rows} == {"chest_pain"}


def test_a_hospital_without_a_version_is_told_so(hospital):
    page = signed_in(hospital, Role.QUALITY).get(PAGE)

    assert "Nothing is published yet" in page.text


def test_who_may_not_read_the_rows_may_not_read_the_situations(hospital):
    publish(hospital, by=None)

    assert signed_in(hospital, Role.IT).get(PAGE).status_code == 403
    menu = signed_in(hospital, Role.ANALYST).get("/admin/")
    assert PAGE in menu.text


def test_the_page_costs_few_queries(mini, django_assert_max_num_queries):
    browser = signed_in(mini, Role.QUALITY)
    browser.get(PAGE)

    with django_assert_max_num_queries(25):
        browser.get(PAGE)
