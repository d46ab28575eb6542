"""Admin queue of proposals: staff decide, merge entities, and undo a merger."""

import pytest
from django.contrib.admin.models import LogEntry

from taxonomy.models import Alias, Department, Entity, Merger, Proposal
from taxonomy.vocabulary import Kind
from tests.factories import entity
from zol.models import Role

pytestmark = pytest.mark.django_db
LIST = "/admin/taxonomy/proposal/"
SENTENCE = "Hier helpen we u met chronische pijn."
PAGE = "https://x.example/pijn"


@pytest.fixture
def proposal(hospital):
    source = {"path": "pijn.html", "title": "Pijnkliniek", "url": PAGE, "sentence": SENTENCE}
    return Proposal.objects.create(
        hospital=hospital, identity="entity:department:pijnkliniek", sort="entity",
        kind="department", name="Pijnkliniek", language="nl", sources=[source], sentence=SENTENCE,
    )  # fmt: skip


def decide(client, proposal, **values):
    return client.post(f"{LIST}{proposal.pk}/change/", values, follow=True)


def test_the_button_looks_for_doctors_who_may_be_the_same(curator, hospital):
    for first in ("Giulia", "Giovanni"):
        entity(hospital, Kind.DOCTOR, f"Dr. {first} Rossi", first_name=first, last_name="Rossi")

    page = curator.post(f"{LIST}look/", follow=True).text

    assert "1 new proposal." in page
    assert Proposal.objects.get().sort == "merge"


def test_accepting_what_is_shown_adds_it_to_the_draft_and_says_who_did(
    curator, proposal, django_user_model
):
    assert SENTENCE in curator.get(LIST).text
    shown = curator.get(f"{LIST}{proposal.pk}/change/").text
    assert SENTENCE in shown
    assert PAGE in shown

    page = decide(curator, proposal, new_name="Pijncentrum", _accept="1")

    assert "Added to the draft." in page.text
    assert Department.objects.get().name == "Pijncentrum"
    proposal.refresh_from_db()
    assert proposal.decided_by == django_user_model.objects.get(username=Role.CURATOR)
    assert LogEntry.objects.count() == 1


def test_merging_into_what_is_there(curator, hospital, proposal):
    algology = entity(hospital, Kind.DEPARTMENT, "Algologie")

    decide(curator, proposal, into=algology.pk, _merge="1")

    assert Alias.objects.get().entity.name == "Algologie"
    assert Department.objects.count() == 1


def test_rejecting_with_a_reason(curator, proposal):
    decide(curator, proposal, why="gesloten", _reject="1")

    proposal.refresh_from_db()
    assert (proposal.status, proposal.outcome) == ("rejected", "gesloten")
    assert proposal.decided_at is not None
    assert not Department.objects.exists()


def test_one_that_cannot_be_accepted_says_why(curator, hospital, proposal):
    entity(hospital, Kind.DEPARTMENT, "Pijnkliniek")

    page = decide(curator, proposal, _accept="1")

    assert "exists already" in page.text
    assert Department.objects.count() == 1


def test_a_merger_is_shown_before_it_changes_anything_and_undone_after_it_was_asked(
    curator, hospital
):
    old = entity(hospital, Kind.DEPARTMENT, "Pijncentrum", phone="1")
    kept = entity(hospital, Kind.DEPARTMENT, "Pijnkliniek", phone="2")
    address = f"/admin/taxonomy/department/{old.pk}/merge/"

    assert "“2” is kept, “1” is not taken over" in curator.post(address, {"into": kept.pk}).text
    assert not Merger.objects.exists()
    curator.post(address, {"into": kept.pk, "_confirm": "1"})
    assert Merger.objects.get().target.name == "Pijnkliniek"
    assert Entity.objects.get(pk=old.pk).status == "hidden"

    undo = f"/admin/taxonomy/merger/{Merger.objects.get().pk}/undo/"
    assert "a separate entity again" in curator.get(undo).text
    assert Entity.objects.get(pk=old.pk).status == "hidden"
    curator.post(undo)
    assert Entity.objects.get(pk=old.pk).status == "active"
