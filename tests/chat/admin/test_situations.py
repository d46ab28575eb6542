"""A clinician prints and signs the situations that are recognised before anything is searched."""

import pytest

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
    (one,) = [each for each in page.context["situations"] if each.name == name]
    return one


def test_every_situation_has_its_phrases_and_its_text_in_a_language(mini):
    browser = signed_in(mini, Role.QUALITY)

    for language, phrase, said in (("nl", "water gebroken", "bel anders"), ("tr", "", "arayın")):
        page = browser.get(PAGE, {"examples": language})
        texts = {kind: str(text) for kind, _name, text in page.context["texts"]}
        assert situation(page, "fumes or gas inhaled").text == "alarm_poison"
        assert said in texts["alarm_poison"]
        assert all(each.phrases for each in page.context["situations"][:-2])
        assert phrase in page.text
        assert ("waters broke" in page.text, "Signature" in page.text) == (False, True)


def test_denials_and_requests_for_advice_are_signed_too(mini):
    page = signed_in(mini, Role.QUALITY).get(PAGE, {"examples": "nl"})

    assert "niet" in situation(page, "Words that deny a phrase").phrases
    assert situation(page, "advice in general").phrases


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
