"""A release is replayed beside what is live: what it changes for patients is seen before it is."""

import pytest
from django.urls import reverse
from django.utils import timezone

from chat import services
from chat.behaviours import Behaviour
from chat.channels import sessions
from chat.models import RedFlagPhrase
from chat.services import TurnRequest
from evaluation.models import Preview, PreviewItem
from evaluation.preview import (
    LOST,
    awaiting_preview,
    keep,
    lost_previews,
    questions,
    replay,
    start_preview,
)
from evaluation.tasks import preview_releases
from taxonomy.models import Department, Doctor
from taxonomy.publishing import approval, going_live
from taxonomy.publishing.live import live_snapshot
from tests.taxonomy.releases import approver, author, publish_draft, submitted
from zol.celery import app

OTHER = "011 00 99 99"


@pytest.fixture
def harmful(mini):
    """A release with another telephone number, and without a doctor whom a golden question names."""
    Department.objects.filter(name="Longziekten").update(phone=OTHER)
    Doctor.objects.filter(last_name="Çalışkan").update(status=Doctor.Status.HIDDEN)
    return submitted(mini, is_previewed=False)


def replayed(release):
    preview = start_preview(release)
    replay(preview)
    release.refresh_from_db()
    return preview


def test_every_golden_and_recent_question_is_asked_of_both_sides_and_what_breaks_is_named(
    mini, harmful
):
    conversation = sessions.start(mini, "nl")
    asked = services.answer(conversation, TurnRequest("Wat is het telefoonnummer van Longziekten?"))

    preview = replayed(harmful)

    broken = preview.items.filter(breaks=True)
    assert harmful.broken == broken.count() > 0
    assert harmful.preview["broken"] == [item.key for item in broken]
    assert all(item.data["after"]["reasons"] for item in broken)
    assert preview.state == Preview.State.FINISHED
    assert preview.items.count() == preview.total
    item = preview.items.get(message=asked)
    assert OTHER not in item.data["before"]["answer"]
    assert OTHER in item.data["after"]["answer"]
    assert item.changes == ["evidence", "answer"]


def test_a_lost_preview_is_taken_up_again_only_while_somebody_waits_for_it(mini, harmful):
    preview = start_preview(harmful)
    Preview.objects.filter(pk=preview.pk).update(created_at=timezone.now() - 2 * LOST)

    waited_for = lost_previews()
    approval.reject(harmful, by=approver(mini), reason="Te vroeg")

    assert waited_for == [preview]
    assert lost_previews() == []


def test_a_release_that_changes_no_answer_says_so(mini):
    Department.objects.filter(name="Sociale dienst").update(email="andere@azm-mini.example")
    release = submitted(mini, is_previewed=False)

    replayed(release)

    assert release.broken == 0
    assert release.preview["changes"]["behaviour"] == 0


def test_what_went_live_in_a_hurry_is_held_against_what_was_live_before(mini, harmful):
    going_live.publish_urgently(harmful, by=author(mini), reason="Het nummer was fout")
    harmful.refresh_from_db()

    waiting = awaiting_preview()
    preview = replayed(harmful)

    assert waiting == [harmful]
    assert preview.items.filter(breaks=True).exists()
    assert harmful.broken


def test_a_replay_that_was_killed_is_taken_up_where_it_stopped_and_a_second_start_joins_it(harmful):
    preview = start_preview(harmful)
    assert start_preview(harmful) == preview
    first, message = next(questions(preview))
    keep(preview, first, message, live_snapshot(), live_snapshot())
    kept = PreviewItem.objects.get(preview=preview)

    replay(preview)

    assert preview.items.count() == preview.total
    assert preview.items.get(key=first.key).pk == kept.pk


def test_every_submitted_release_is_replayed_by_itself(harmful):
    app.conf.task_always_eager = True
    try:
        preview_releases()
    finally:
        app.conf.task_always_eager = False

    harmful.refresh_from_db()
    assert harmful.preview["questions"] > 0


def test_what_a_patient_asked_is_forgotten_with_the_conversation(mini, harmful):
    conversation = sessions.start(mini, "nl")
    services.answer(conversation, TurnRequest("Waar is de ingang?"))
    preview = replayed(harmful)
    assert preview.items.filter(is_golden=False).exists()

    services.forget(conversation)

    assert not preview.items.filter(is_golden=False).exists()


def test_the_page_shows_broken_questions_first_with_both_answers(mini, harmful, client):
    preview = replayed(harmful)
    client.defaults["HTTP_HOST"] = "azm-mini.localhost"
    client.force_login(approver(mini))

    page = client.get(
        reverse("admin:evaluation_preview_change", args=[preview.pk])
    ).content.decode()
    release = client.get(
        reverse("admin:taxonomy_release_change", args=[harmful.pk])
    ).content.decode()

    assert f'href="tel:+32{OTHER.replace(" ", "")[1:]}">{OTHER}</a>' in page
    assert "**" not in page
    assert reverse("admin:evaluation_preview_change", args=[preview.pk]) in release


def test_a_release_that_narrows_a_red_flag_is_shown_to_miss_the_emergency(mini):
    """The words are of a row of the hospital's own, and of nothing that comes with the product."""
    row = RedFlagPhrase.objects.create(
        hospital=mini, kind="breathing", language="nl", role="trigger", text="paarse paraplu"
    )
    publish_draft(mini)
    said = "de paarse paraplu van de buren is zoek"
    asked = services.answer(sessions.start(mini, "nl"), TurnRequest(said))
    row.text = "rode paraplu"
    row.save()

    item = replayed(submitted(mini)).items.get(message=asked)

    assert asked.behaviour == Behaviour.EMERGENCY
    assert item.changes, item.data
    assert item.data["before"]["answer"] == asked.answer
    assert item.data["after"]["answer"] != asked.answer
