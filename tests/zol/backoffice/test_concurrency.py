"""Concurrent edits of a row never overwrite each other silently."""

import pytest

from chat.models import Cue
from taxonomy.models import Department, Relation
from taxonomy.vocabulary import Kind, Predicate
from tests import factories
from tests.zol.staff import filled_in, signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna(hospital):
    return signed_in(hospital, Role.CURATOR, username="anna")


@pytest.fixture
def bert(hospital):
    return signed_in(hospital, Role.OPERATOR, username="bert")


@pytest.fixture
def cardiology(hospital):
    return factories.entity(hospital, Kind.DEPARTMENT, "Cardiologie")


def address(row):
    return f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/change/"


def opened(browser, row):
    """What the form of a page would send back."""
    page = browser.get(address(row))
    return page, values_of(page)


def values_of(page):
    return filled_in(page) | {"_seen": page.context["seen"]}


def test_the_second_of_two_is_shown_both_texts_and_saves_knowingly(anna, bert, cardiology):
    _page, mine = opened(anna, cardiology)
    _page, theirs = opened(bert, cardiology)
    assert anna.post(address(cardiology), mine | {"hours": "9:00-12:00"}).status_code == 302

    told = bert.post(address(cardiology), theirs | {"hours": "13:00-17:00"})

    assert "anna (" in told.text
    assert "<del>9:00-12:00</del>" in told.text
    assert "<ins>13:00-17:00</ins>" in told.text
    assert Department.objects.get().hours == "9:00-12:00"
    again = bert.post(address(cardiology), values_of(told))
    assert again.status_code == 302
    assert Department.objects.get().hours == "13:00-17:00"


def test_a_relation_that_a_colleague_added_is_told(hospital, anna, cardiology):
    _page, mine = opened(anna, cardiology)
    doctor = factories.entity(hospital, Kind.DOCTOR, "Ann Peeters", last_name="Peeters")
    Relation.objects.create(
        hospital=hospital, predicate=Predicate.WORKS_IN, subject=doctor, object=cardiology,
        subject_kind=Kind.DOCTOR, object_kind=Kind.DEPARTMENT,
    )  # fmt: skip

    told = anna.post(address(cardiology), mine | {"hours": "9:00-12:00"})

    assert "Doctors of this department" in told.text[told.text.index("Also changed") :][:200]


def from_list(browser, url, **values):
    page = browser.get(url)
    seen = {
        part.split('"')[0]: part.split('value="')[1].split('"')[0]
        for part in page.text.split('name="_seen-')[1:]
    }
    return {f"_seen-{pk}": said for pk, said in seen.items()} | values


@pytest.fixture
def cue(hospital):
    return Cue.objects.create(
        hospital=hospital, kind="intent", target="x", language="nl", text="hallo", weight=1
    )


def test_an_action_on_a_row_that_changed_meanwhile_does_nothing_and_says_so(anna, cue):
    url = "/admin/chat/cue/"
    mine = from_list(anna, url, action="delete_selected", _selected_action=[cue.pk], post="yes")
    Cue.objects.filter(pk=cue.pk).update(text="goedendag")

    told = anna.post(url, mine, follow=True)

    assert "after you opened this list" in told.text
    assert Cue.objects.exists()
    again = from_list(anna, url, action="delete_selected", _selected_action=[cue.pk], post="yes")
    anna.post(url, again)
    assert not Cue.objects.exists()


def test_a_number_typed_in_a_list_is_shown_beside_what_a_colleague_typed(anna, cue):
    url = "/admin/chat/cue/"
    form = {
        "form-TOTAL_FORMS": 1, "form-INITIAL_FORMS": 1, "form-0-id": cue.pk, "form-0-weight": 5,
        "_save": "Save",
    }  # fmt: skip
    mine = from_list(anna, url, **form)
    Cue.objects.filter(pk=cue.pk).update(weight=3)

    told = anna.post(url, mine, follow=True)

    assert "now 3" in told.text
    assert "yours 5" in told.text
    assert Cue.objects.get().weight == 3
    anna.post(url, from_list(anna, url, **form))
    assert Cue.objects.get().weight == 5
