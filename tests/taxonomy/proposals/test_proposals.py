"""Proposals have no effect until a person accepts, corrects, merges or rejects them."""

import pytest

from taxonomy.models import Doctor, Proposal, Relation
from taxonomy.proposals.decisions import accept, reject
from taxonomy.vocabulary import Kind, Predicate
from tests.factories import entity
from zol.errors import BadInput

pytestmark = pytest.mark.django_db


@pytest.fixture
def urology(hospital):
    return entity(hospital, Kind.DEPARTMENT, "Urologie")


@pytest.fixture
def clinic(hospital, urology):
    """The proposal of a department that a page is about."""
    return Proposal.objects.create(
        hospital=hospital, identity="entity:department:pijnkliniek", sort="entity",
        kind="department", name="Pijnkliniek", language="nl",
        data={"fields": {"url": "https://x.example/pijn"}, "ties": []},
    )  # fmt: skip


def test_accepting_makes_a_draft_row_with_what_comes_with_it(hospital, urology):
    doctor = Proposal.objects.create(
        hospital=hospital, identity="entity:doctor:nele maris", sort="entity", kind="doctor",
        name="Dr. Nele Maris",
        data={
            "fields": {"title": "Dr.", "first_name": "Nele", "last_name": "Maris"},
            "ties": [["WORKS_IN", "department", "urologie"]],
        },
    )  # fmt: skip

    accept(doctor, by=None)

    made = Doctor.objects.get()
    assert (made.key, made.first_name, made.last_name) == ("nele-maris", "Nele", "Maris")
    assert str(Relation.objects.get()) == "Dr. Nele Maris WORKS_IN Urologie"


def test_a_relation_is_accepted(hospital, urology):
    stones = entity(hospital, Kind.CONDITION, "Nierstenen")
    relation = Proposal.objects.create(
        hospital=hospital, identity="relation", sort="relation", kind="condition",
        predicate=Predicate.HANDLES, subject=urology.entity_ptr, object=stones.entity_ptr,
    )  # fmt: skip

    accept(relation, by=None)

    assert str(Relation.objects.get()) == "Urologie HANDLES Nierstenen"


def test_a_decision_is_made_once(clinic):
    accept(clinic, by=None)

    with pytest.raises(BadInput, match="Pijnkliniek"):
        reject(clinic, by=None)
    clinic.refresh_from_db()
    assert clinic.status == "accepted"
