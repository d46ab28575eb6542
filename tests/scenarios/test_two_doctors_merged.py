"""Two doctors with one surname and initial were made one, and patients called the wrong one."""

import pytest

from taxonomy.models import Doctor, Entity, Merger, Proposal
from taxonomy.proposals.decisions import accept, propose_mergers, reject
from taxonomy.vocabulary import Kind
from tests.factories import entity

pytestmark = pytest.mark.django_db


@pytest.fixture
def namesakes(hospital):
    return [
        entity(hospital, Kind.DOCTOR, f"Dr. {first} Rossi", first_name=first, last_name="Rossi")
        for first in ("Giulia", "Giovanni")
    ]


def test_they_are_asked_about_and_never_merged_by_themselves(hospital, namesakes):
    propose_mergers(hospital.pk)

    assert Proposal.objects.get().sort == "merge"
    assert Doctor.objects.filter(status=Entity.Status.ACTIVE).count() == 2
    assert not Merger.objects.exists()


def test_once_somebody_says_that_they_are_two_it_is_not_asked_again(hospital, namesakes):
    propose_mergers(hospital.pk)
    reject(Proposal.objects.get(), by=None)

    assert propose_mergers(hospital.pk) == 0
    assert Doctor.objects.filter(status=Entity.Status.ACTIVE).count() == 2


def test_somebody_can_say_that_they_are_one(hospital, namesakes):
    propose_mergers(hospital.pk)

    accept(Proposal.objects.get(), by=None)

    assert Doctor.objects.filter(status=Entity.Status.ACTIVE).count() == 1
    assert Merger.objects.count() == 1


def test_another_initial_is_another_doctor(hospital, namesakes):
    entity(hospital, Kind.DOCTOR, "Dr. Marco Rossi", first_name="Marco", last_name="Rossi")

    propose_mergers(hospital.pk)

    assert Proposal.objects.count() == 1
