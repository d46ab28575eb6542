"""“Borstkas” and “Hoofdverpleegkundige” became doctors; a urologist's page gave it dementia."""

from __future__ import annotations

import pytest

from retrieval.models import Chunk, Document
from retrieval.population import propose
from taxonomy.kinds import Kind, Predicate
from taxonomy.models import Doctor, PopulationCue, Proposal, Relation
from tests.factories import entity, relate
from zol.versioned import default_rows

pytestmark = pytest.mark.django_db


def publish_page(hospital, category, title, text):
    document = Document.objects.create(
        hospital=hospital, path=f"{title}.html", title=title, category=category, status="ready"
    )
    Chunk.objects.create(hospital=hospital, document=document, ordinal=0, content=text)


@pytest.fixture
def urology(hospital):
    PopulationCue.objects.bulk_create(default_rows(PopulationCue, hospital.pk))
    memory = entity(hospital, Kind.DEPARTMENT, "Geheugenkliniek")
    relate(memory, Predicate.HANDLES, entity(hospital, Kind.CONDITION, "Dementie"))
    return entity(hospital, Kind.DEPARTMENT, "Urologie")


def test_words_of_a_list_are_not_taken_for_doctors(hospital, urology):
    listed = "Dr. Nele Maris\nDr. Wout Smet\nDr. Borstkas Foto\nHoofdverpleegkundige\nBorstkas"
    publish_page(hospital, "Department", "Urologie", f"{listed}\nDr. Hoofdverpleegkundige Els")

    propose(hospital)

    assert set(Proposal.objects.values_list("name", flat=True)) == {
        "Dr. Nele Maris",
        "Dr. Wout Smet",
    }
    assert not Doctor.objects.exists()


@pytest.mark.parametrize(
    "text",
    [
        "Mensen met dementie hebben vaker last van incontinentie.",
        "Wij behandelen incontinentie bij dementie samen met Geheugenkliniek.",
        "Wij behandelen ook mensen met dementie.",
    ],
)
def test_a_condition_does_not_come_to_a_department_by_being_named(hospital, urology, text):
    publish_page(hospital, "Department", "Urologie", text)

    propose(hospital)

    assert not Proposal.objects.filter(sort="relation").exists()
    assert Relation.objects.get().subject.name == "Geheugenkliniek"


def test_what_is_proposed_waits_for_somebody(hospital, urology):
    publish_page(hospital, "Department", "Urologie", "Wij behandelen nierstenen.")
    entity(hospital, Kind.CONDITION, "Nierstenen")

    propose(hospital)

    told = Proposal.objects.get()
    assert (str(told), told.status) == ("Urologie HANDLES Nierstenen", "open")
    assert told.sentence == "Wij behandelen nierstenen."
    assert Relation.objects.count() == 1
