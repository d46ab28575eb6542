"""Releases: what goes live, who approves it, and the way back."""

import pytest
from django.db import IntegrityError, transaction

from chat import services
from chat.turn import Turn
from evaluation.preview import replay, start_preview
from taxonomy.models import (
    Department,
    Doctor,
    PublishedEntity,
    PublishedRelation,
    Relation,
    Release,
)
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing.content import content_of
from taxonomy.publishing.differences import pending
from taxonomy.publishing.going_live import activate
from taxonomy.publishing.live import forget_snapshots, live_snapshot
from taxonomy.publishing.versions import live_version, publish
from taxonomy.vocabulary import Kind, Predicate
from tests import factories
from tests.taxonomy.releases import approver, publish_draft, submitted

# A wrong telephone number went live; going back has to give the very answers of before.
QUESTIONS = (
    "Wat is het telefoonnummer van Longziekten?",
    "Welke artsen werken bij Longziekten?",
    "Quel service traite l’asthme ?",
    "Wat zijn de bezoekuren op B3?",
)


def answers():
    forget_snapshots()
    return [services.take_turn(Turn(question)).context.answer for question in QUESTIONS]


def test_after_going_back_every_answer_is_as_before(mini):
    first, before = live_version(), answers()
    department = Department.objects.get(name="Longziekten")
    department.phone = "089 99 99 99"
    department.save()
    publish_draft(mini)
    wrong = answers()

    activate(first, by=approver(mini), why="Fout nummer")

    assert "089 99 99 99" in wrong[0]
    assert answers() == before
    assert live_snapshot().version == first.number


# A department was hidden, approved and published in half a minute.
#
# Six golden questions broke, and the back office told so minutes later. Now nothing is approved
# before its impact preview has finished, by whatever way it is asked for.
@pytest.fixture
def hidden(mini):
    """A release that hides a doctor whom a golden question names; nobody has previewed it."""
    Doctor.objects.filter(last_name="Çalışkan").update(status=Doctor.Status.HIDDEN)
    return submitted(mini, "Arts weg", is_previewed=False)


@pytest.fixture
def operator(mini, client):
    client.defaults |= {"HTTP_HOST": "azm-mini.localhost", "HTTP_ACCEPT_LANGUAGE": "en"}
    client.force_login(approver(mini))
    return client


def by_page(operator, release, text):
    address = f"/admin/taxonomy/release/{release.pk}/step/approve/"
    return operator.post(address, {"text": text}, follow=True).text


def by_api(operator, release, text):
    address = f"/api/v1/admin/releases/{release.pk}/approve/"
    return operator.post(address, {"text": text}, content_type="application/json").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("approve", [by_page, by_api])
def test_it_is_approved_no_sooner_than_its_preview_has_finished(operator, hidden, approve):
    said = approve(operator, hidden, "Haast")

    assert "preview of this release is not finished" in said
    assert Release.objects.get(pk=hidden.pk).state == ReleaseState.IN_REVIEW


@pytest.mark.django_db
def test_what_it_breaks_is_known_and_answered_for_before_patients_notice(operator, hidden):
    address = f"/admin/taxonomy/release/{hidden.pk}/change/"
    before = operator.get(address)

    replay(start_preview(hidden))
    after = operator.get(address)
    refused = by_page(operator, hidden, "")
    by_page(operator, hidden, "De arts is vertrokken; de vraag wordt aangepast.")

    release = Release.objects.get(pk=hidden.pk)
    assert "approve" not in [step.name for step in before.context["steps"]]
    assert "ask IT to start one" in before.text
    assert "approve" in [step.name for step in after.context["steps"]]
    assert "Why should it go live anyway?" in after.text
    assert f"{release.broken} golden questions would fail" in refused
    assert (release.state, release.broken_by.username) == (ReleaseState.APPROVED, "bert")


# A published page exposed an unapproved related entry.
#
# A department was published while a doctor who worked there was still hidden; the relation went along,
# and with it the doctor's name.
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
        "Nog Niemand werkt bij Longziekten"
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
