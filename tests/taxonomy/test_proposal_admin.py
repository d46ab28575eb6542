"""Staff decide on proposals, merge, and take a merger back."""

from __future__ import annotations

from functools import partial

import pytest
from django.contrib.admin.models import LogEntry

from taxonomy.kinds import Kind
from taxonomy.models import Alias, Department, Entity, Merger, PopulationCue, Proposal
from tests.factories import entity
from tests.zol.staff import signed_in
from zol.models import Role

pytestmark = pytest.mark.django_db
LIST = "/admin/taxonomy/proposal/"
SENTENCE = "Hier helpen we u met chronische pijn."
PAGE = "https://x.example/pijn"


@pytest.fixture
def staff(hospital):
    return partial(signed_in, hospital)


@pytest.fixture
def curator(staff):
    return staff(Role.CURATOR)


@pytest.fixture
def proposal(hospital):
    source = {"path": "pijn.html", "title": "Pijnkliniek", "url": PAGE, "sentence": SENTENCE}
    return Proposal.objects.create(
        hospital=hospital, identity="entity:department:pijnkliniek", sort="entity",
        kind="department", name="Pijnkliniek", language="nl", sources=[source], sentence=SENTENCE,
    )  # fmt: skip


def decide(client, proposal, **values):
    return client.post(f"{LIST}{proposal.pk}/change/", values, follow=True)


def test_an_empty_queue_says_where_proposals_come_from(curator):
    page = curator.get(LIST).text

    assert "There is nothing to decide." in page
    assert "needs a language model" in page


def test_the_button_looks_for_doctors_who_may_be_the_same(curator, hospital):
    for first in ("Giulia", "Giovanni"):
        entity(hospital, Kind.DOCTOR, f"Dr. {first} Rossi", first_name=first, last_name="Rossi")

    page = curator.post(f"{LIST}look/", follow=True).text

    assert "1 new proposal." in page
    assert Proposal.objects.get().sort == "merge"


def test_the_button_is_not_for_somebody_who_may_only_read(staff):
    reader = staff(Role.ANALYST)

    assert "Look for doctors" not in reader.get(LIST).text
    assert reader.post(f"{LIST}look/").status_code == 403


def test_only_titles_are_listed_of_an_upgraded_hospitals_words(curator, hospital):
    PopulationCue.objects.create(hospital=hospital, language="nl", phrase="arts")
    PopulationCue.objects.create(
        hospital=hospital, language="nl", phrase="behandelt", sort="handles"
    )

    page = curator.get("/admin/taxonomy/populationcue/").text

    assert "arts" in page
    assert "behandelt" not in page


def test_the_list_and_the_page_show_the_sentence_and_where_it_stands(curator, proposal):
    assert SENTENCE in curator.get(LIST).text
    page = curator.get(f"{LIST}{proposal.pk}/change/").text
    assert SENTENCE in page
    assert PAGE in page


def test_accepting_adds_it_to_the_draft_and_says_who_did(curator, proposal, django_user_model):
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


def test_merging_into_nothing_is_asked_again(curator, proposal):
    page = decide(curator, proposal, _merge="1")

    assert "Choose what to merge it into." in page.text
    proposal.refresh_from_db()
    assert proposal.status == "open"


def test_rejecting_with_a_reason(curator, proposal):
    decide(curator, proposal, why="gesloten", _reject="1")

    proposal.refresh_from_db()
    assert (proposal.status, proposal.outcome) == ("rejected", "gesloten")
    assert not Department.objects.exists()


@pytest.mark.parametrize(
    ("action", "status"), [("accept_selected", "accepted"), ("reject_selected", "rejected")]
)
def test_several_at_once(curator, proposal, action, status):
    curator.post(LIST, {"action": action, "_selected_action": [proposal.pk]})

    proposal.refresh_from_db()
    assert proposal.status == status


def test_one_that_cannot_be_accepted_says_why(curator, hospital, proposal):
    entity(hospital, Kind.DEPARTMENT, "Pijnkliniek")

    page = decide(curator, proposal, _accept="1")

    assert "is there already" in page.text
    assert Department.objects.count() == 1


def test_somebody_who_may_only_read_cannot_decide(staff, proposal):
    reader = staff(Role.ANALYST)

    assert decide(reader, proposal, _accept="1").status_code == 403
    reader.post(LIST, {"action": "accept_selected", "_selected_action": [proposal.pk]})
    assert not Department.objects.exists()


def test_the_home_page_says_what_waits(curator, proposal):
    assert "Proposals to decide" in curator.get("/admin/").text


def test_the_list_costs_the_same_for_any_number_of_proposals(
    curator, hospital, proposal, django_assert_max_num_queries
):
    about = entity(hospital, Kind.DEPARTMENT, "Algologie")
    Proposal.objects.bulk_create(
        Proposal(hospital=hospital, sort="alias", kind="department", identity=str(n), name=str(n), subject=about.entity_ptr)
        for n in range(30)
    )  # fmt: skip

    with django_assert_max_num_queries(14):
        curator.get(LIST)


def test_merging_shows_what_differs_before_anything_changes(curator, hospital):
    old = entity(hospital, Kind.DEPARTMENT, "Pijncentrum", phone="1")
    kept = entity(hospital, Kind.DEPARTMENT, "Pijnkliniek", phone="2")
    address = f"/admin/taxonomy/department/{old.pk}/merge/"

    page = curator.post(address, {"into": kept.pk})

    assert "“2” is kept, “1” is not taken over" in page.text
    assert not Merger.objects.exists()

    curator.post(address, {"into": kept.pk, "_confirm": "1"})

    assert Merger.objects.get().target.name == "Pijnkliniek"
    assert Entity.objects.get(pk=old.pk).status == "hidden"


def test_a_merger_is_undone_after_it_was_asked(curator, hospital):
    old = entity(hospital, Kind.DEPARTMENT, "Pijncentrum")
    kept = entity(hospital, Kind.DEPARTMENT, "Pijnkliniek")
    curator.post(f"/admin/taxonomy/department/{old.pk}/merge/", {"into": kept.pk, "_confirm": "1"})
    address = f"/admin/taxonomy/merger/{Merger.objects.get().pk}/undo/"

    assert "an entity of its own again" in curator.get(address).text
    assert Entity.objects.get(pk=old.pk).status == "hidden"
    curator.post(address)

    assert Entity.objects.get(pk=old.pk).status == "active"


def test_a_reader_can_neither_merge_nor_undo(staff, hospital):
    old = entity(hospital, Kind.DEPARTMENT, "Pijncentrum")

    answer = staff(Role.ANALYST).get(f"/admin/taxonomy/department/{old.pk}/merge/")

    assert answer.status_code == 403
