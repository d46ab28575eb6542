"""Staff read what is heard before anything is searched, as situations, and try a sentence out."""

from __future__ import annotations

import pytest

from chat import services
from chat.channels import sessions
from chat.models import RedFlagPhrase
from taxonomy import needs
from taxonomy.services.publishing import publish
from tests.answering import mini_hospital
from tests.zol.staff import signed_in
from zol import bridge
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


def heard(page):
    return [(h.name, h.chance is None, h.is_answered) for h in page.context["heard"]]


def test_rules_are_shown_as_what_they_hear_and_never_as_patterns(mini):
    page = signed_in(mini, Role.QUALITY).get(PAGE, {"examples": "nl"})

    dosing = situation(page, "how much to take")
    assert dosing.rules > 10
    assert any(example.startswith("hoeveel ") for example in dosing.examples)
    poisoned = situation(page, "overdose or poisoning")
    assert min(poisoned.counts[code] for code in ("nl", "en", "el")) > 0
    visits = situation(page, needs.name("visiting_hours", "en"))
    assert "bezoekuur?" in visits.examples
    assert not any(sign in page.text for sign in ("*u", "{howmuch}", "overdose_poison<"))


def test_each_situation_says_what_is_answered_in_a_language(mini):
    browser = signed_in(mini, Role.QUALITY)

    for language, said in (("nl", "Bel nu"), ("tr", "arayın")):
        page = browser.get(PAGE, {"examples": language})
        texts = {kind: str(text) for kind, _name, text in page.context["texts"]}
        assert situation(page, "pills taken").text == "emergency_poison"
        assert said in texts["emergency_poison"]


def test_matches_of_the_last_month_are_counted_by_situation(mini):
    conversation = sessions.start(mini, "nl")
    services.answer(conversation, "mijn man heeft een hartaanval")
    services.answer(sessions.start(mini, "nl"), "mag ik stoppen met mijn bloedverdunner?")

    page = signed_in(mini, Role.QUALITY).get(PAGE)

    assert situation(page, "chest pain").met == 1
    assert situation(page, "stopping a medicine").met == 1
    assert situation(page, "stroke").met == 0


def test_rows_of_a_situation_are_one_click_away(mini):
    browser = signed_in(mini, Role.QUALITY)
    (_text, address), *_ = situation(browser.get(PAGE), "chest pain").links

    rows = browser.get(address).context["cl"].result_list

    assert rows
    assert {row.kind for row in rows} == {"chest_pain"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("mijn man heeft een hartaanval", ("chest pain", True, True)),
        ("mag ik stoppen met mijn bloedverdunner?", ("stopping a medicine", False, True)),
        ("wat zijn de bezoekuren?", ("visiting hours", False, False)),
    ],
)
def test_a_sentence_is_tried_out(mini, question, expected):
    asked = {"question": question, "language": "nl", "of": "live"}

    page = signed_in(mini, Role.QUALITY).post(PAGE, asked)

    assert expected in heard(page)


def test_what_was_learned_hears_with_its_chance(mini):
    said = "ik voel niets meer als ik mijn billen afveeg en ik heb in mijn broek geplast"

    page = signed_in(mini, Role.QUALITY).post(
        PAGE, {"question": said, "language": "nl", "of": "live"}
    )

    learned = [h for h in page.context["heard"] if h.chance and h.sort == "emergency"]
    assert learned
    assert 0 < learned[0].chance <= 1


def test_a_row_that_is_not_published_is_heard_on_the_draft_alone(mini):
    RedFlagPhrase.objects.create(
        hospital=mini, kind="wasps", language="nl", role="trigger", text="zwerm wespen overal"
    )
    browser = signed_in(mini, Role.QUALITY)
    asked = {"question": "een zwerm wespen overal", "language": "nl"}

    live, draft = (browser.post(PAGE, asked | {"of": of}) for of in ("live", "draft"))

    assert ("wasps", True, True) not in heard(live)
    assert ("wasps", True, True) in heard(draft)


def test_a_full_server_says_so(mini, monkeypatch):
    monkeypatch.setattr(bridge.room, "acquire", lambda **_: False)

    page = signed_in(mini, Role.QUALITY).post(
        PAGE, {"question": "help", "language": "nl", "of": "live"}
    )

    assert "ask again in a moment" in page.text
    assert "heard" not in page.context


def test_a_hospital_without_rows_or_a_version_is_told_so(hospital):
    browser = signed_in(hospital, Role.QUALITY)

    page = browser.get(PAGE)
    tried = browser.post(PAGE, {"question": "help", "language": "nl", "of": "live"})

    assert "those that the product comes with hold" in page.text
    assert "Nothing is published yet" in page.text
    assert tried.status_code == 200
    assert tried.context["form"].non_field_errors()


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
