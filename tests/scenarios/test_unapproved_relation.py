"""A published page exposed an unapproved related entry.

A department was published while a doctor who worked there was still hidden; the relation went along,
and with it the doctor's name.
"""

import pytest
from django.db import IntegrityError, transaction

from chat import services
from chat.turn import Turn
from taxonomy.models import Doctor, PublishedEntity, PublishedRelation, Relation
from taxonomy.publishing.content import content_of
from taxonomy.publishing.differences import pending
from taxonomy.publishing.live import live_snapshot
from taxonomy.publishing.versions import live_version, publish
from taxonomy.vocabulary import Kind, Predicate
from tests import factories


@pytest.fixture
def hidden_doctor(hospital):
    department = factories.entity(hospital, Kind.DEPARTMENT, "Longziekten")
    known = factories.entity(hospital, Kind.DOCTOR, "Lotte Claes", last_name="Claes")
    hidden = factories.entity(
        hospital, Kind.DOCTOR, "Nog Niemand", last_name="Niemand", status=Doctor.Status.HIDDEN
    )
    factories.relate(known, Predicate.WORKS_IN, department)
    factories.relate(hidden, Predicate.WORKS_IN, department)
    return hidden


@pytest.mark.django_db
def test_what_is_hidden_is_not_reached_through_what_is_published(hospital, hidden_doctor):
    factories.with_defaults(hospital)
    publish(hospital, by=None)

    snapshot = live_snapshot()
    department = next(snapshot.vocabulary.of_kind(Kind.DEPARTMENT))
    answer = services.take_turn(Turn("Welke artsen werken bij Longziekten?")).context.answer

    assert [doctor.name for doctor in snapshot.vocabulary.doctors_in(department)] == ["Lotte Claes"]
    assert "Claes" in answer
    assert "Niemand" not in answer


@pytest.mark.django_db
def test_the_relation_of_the_hidden_one_waits_in_the_draft(hospital, hidden_doctor):
    publish(hospital, by=None)

    Doctor.objects.filter(pk=hidden_doctor.pk).update(status=Doctor.Status.ACTIVE)
    found = pending(hospital)

    assert Relation.objects.count() == 2
    assert [item.name for item in found.section("relation").items] == [
        "Nog Niemand WORKS_IN Longziekten"
    ]


@pytest.mark.django_db
def test_the_database_refuses_a_relation_into_another_version(hospital, hidden_doctor):
    first = publish(hospital, by=None)
    department = PublishedEntity.objects.get(version=first, kind=Kind.DEPARTMENT)
    from taxonomy.publishing.versions import freeze

    with transaction.atomic():
        other = freeze(hospital, by=None)
    doctor = PublishedEntity.objects.get(version=other, kind=Kind.DOCTOR)

    with pytest.raises(IntegrityError), transaction.atomic():
        PublishedRelation.objects.create(
            hospital=hospital,
            version=other,
            predicate=Predicate.WORKS_IN,
            subject=doctor,
            object=department,
        )
        with transaction.get_connection().cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")

    assert content_of(live_version()).dangling() == ()
