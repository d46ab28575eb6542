"""A cached answer is reused for the same question, and for no other."""

from datetime import timedelta
from itertools import count

import pytest
from django.db import transaction
from django.utils import timezone

from chat import services
from chat.answer_cache import store as answer_cache
from chat.behaviours import Mode
from chat.channels import sessions
from chat.models import CachedAnswer, FixedText, Message, PromptSection
from chat.services import TurnRequest
from chat.turn import Turn, details_of
from evaluation.interview import Interview
from retrieval.ingestion.store import bump_revision
from retrieval.models import AffinityCell, CategoryMismatch
from taxonomy.publishing.live import answering_from, live_snapshot
from tests import factories
from tests.databases import databases
from tests.taxonomy.releases import publish_draft
from zol.tenancy import serving

PARKING = "Hoeveel kost parkeren?"


@pytest.fixture(autouse=True)
def served(mini):
    """Serve the small hospital, with an empty cache."""


def ask(hospital, question, language="nl", channel="web", mode=Mode.STANDARD, **kit):
    conversation = sessions.start(hospital, language, channel=channel)
    return services.answer(conversation, TurnRequest(question, mode=mode), **kit)


def within(hospital):
    """Return a conversation with an earlier question."""
    conversation = sessions.start(hospital, "nl")
    services.answer(conversation, TurnRequest("Wie behandelt cataract?"))
    return conversation


def tier(message):
    steps = ("read_cache_exact", "read_cache")
    told = (each for step in steps for each in details_of(step, message.trace["stages"]))
    return next((each["tier"] for each in told if each.get("tier")), "")


def test_an_identical_question_is_answered_without_being_understood(mini):
    first, measured = ask(mini, PARKING), CategoryMismatch.objects.count()
    second = ask(mini, PARKING)
    first.refresh_from_db()

    assert (first.cached, second.cached, tier(second)) == (False, True, "exact")
    assert CategoryMismatch.objects.count() == measured
    assert [stage["stage"] for stage in second.trace["stages"]] == [
        "input_processing",
        "post_processing",
    ]
    assert (second.answer, second.citations, second.follow_ups, second.language) == (
        first.answer, first.citations, first.follow_ups, first.language,
    )  # fmt: skip
    assert (second.verified, second.engine, second.behaviour) == (
        first.verified, first.engine, first.behaviour,
    )  # fmt: skip


def test_other_words_for_the_same_question_get_the_cached_answer(mini):
    first = ask(mini, "Welke artsen werken op oogziekten?")
    second = ask(mini, "Welke dokters zijn er op de afdeling oogziekten?")

    assert second.cached
    assert not ask(mini, "Welke artsen werken op longziekten?").cached
    assert tier(second) in ("rewritten", "similar")
    assert (second.answer, second.intent) == (first.answer, first.intent)


def test_modes_channels_and_languages_are_cached_separately(mini):
    ask(mini, PARKING)

    assert not ask(mini, PARKING, mode=Mode.FULL).cached
    assert not ask(mini, PARKING, channel="api").cached
    assert not ask(mini, "Otopark ücreti ne kadar?", "tr").cached
    assert ask(mini, PARKING).cached


def change_a_row(model, field):
    """Return a function that changes a row of a set and publishes it."""

    def change(hospital):
        row = model.objects.first()
        before = getattr(row, field)
        after = f"{before} {timezone.now()}" if isinstance(before, str) else before + 0.1
        model.objects.filter(pk=row.pk).update(**{field: after})
        publish_draft(hospital)

    return change


CHANGES = (
    ("a page that was ingested", lambda row: bump_revision(row.pk)),
    ("a purge", lambda row: answer_cache.forget_answers()),
    ("an affinity", change_a_row(AffinityCell, "factor")),
    ("a prompt", change_a_row(PromptSection, "text")),
    ("a text", change_a_row(FixedText, "text")),
)


def test_a_change_makes_earlier_answers_unreachable_at_once(mini):
    try:
        for name, change in CHANGES:
            ask(mini, PARKING)
            assert ask(mini, PARKING).cached, name

            change(mini)

            assert not ask(mini, PARKING).cached, name
    finally:
        databases.spoil()


def test_an_answer_written_during_a_purge_is_not_reused(mini):
    waiting = []
    ask(mini, PARKING, later=waiting.append)
    answer_cache.forget_answers()
    for work in waiting:
        work()

    assert not ask(mini, PARKING).cached


def test_a_cached_answer_expires(mini):
    ask(mini, PARKING)
    kept = CachedAnswer.objects.get()

    assert timedelta(minutes=59) < kept.expires_at - timezone.now() <= timedelta(hours=1)
    CachedAnswer.objects.update(expires_at=timezone.now())
    assert not ask(mini, PARKING).cached


def test_outdated_answers_are_deleted_with_every_twentieth_new_one(mini, monkeypatch):
    monkeypatch.setattr(answer_cache, "_stored", count(1))
    ask(mini, PARKING)
    CachedAnswer.objects.update(expires_at=timezone.now(), exact="of another wording")

    for _ in range(answer_cache.SWEEPING - 1):
        ask(mini, PARKING)
        CachedAnswer.objects.exclude(exact="of another wording").delete()

    assert not CachedAnswer.objects.filter(exact="of another wording").exists()


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("Mag ik dubbel zoveel paracetamol nemen?", id="a refusal"),
        pytest.param("Bel mij op 0478 12 34 56 over parkeren", id="personal data"),
        pytest.param("hallo", id="a greeting"),
        pytest.param("Mijn vader heeft pijn op de borst en krijgt geen adem", id="an emergency"),
    ],
)
def test_answers_that_are_not_for_others_are_not_cached(mini, question):
    ask(mini, question)

    assert not CachedAnswer.objects.exists()


def test_follow_ups_are_neither_cached_nor_answered_from_the_cache(mini):
    conversation = sessions.start(mini, "nl")
    services.answer(conversation, TurnRequest("Wie behandelt cataract?"))
    kept = CachedAnswer.objects.count()
    services.answer(conversation, TurnRequest("En op welke campus is dat?"))

    assert CachedAnswer.objects.count() == kept
    assert not Message.objects.filter(conversation=conversation, cached=True).exists()


def test_a_self_contained_question_in_a_conversation_is_cached_too(mini):
    first = services.answer(within(mini), TurnRequest(PARKING))

    second = ask(mini, PARKING)
    third = ask(mini, PARKING)

    assert (tier(second), tier(third)) == ("rewritten", "rewritten")
    answer_cache.forget_answers()
    alone = ask(mini, PARKING)

    assert second.answer == first.answer
    assert (alone.answer, alone.citations, alone.follow_ups) == (
        first.answer, first.citations, first.follow_ups,
    )  # fmt: skip


def test_forgetting_a_conversation_deletes_its_cached_answer(mini):
    conversation = sessions.start(mini, "nl")
    services.answer(conversation, TurnRequest(PARKING))
    services.forget(conversation)

    assert not CachedAnswer.objects.exists()
    assert not ask(mini, PARKING).cached


def test_a_renewed_answer_belongs_to_the_conversation_that_renewed_it(mini):
    first, last = (within(mini), within(mini))
    services.answer(first, TurnRequest(PARKING))
    CachedAnswer.objects.update(expires_at=timezone.now())
    services.answer(last, TurnRequest(PARKING))

    services.forget(first)
    assert CachedAnswer.objects.filter(question=PARKING).exists()
    services.forget(last)
    assert not CachedAnswer.objects.filter(question=PARKING).exists()


def test_a_forgotten_conversation_caches_no_answer_afterwards(mini):
    waiting = []
    conversation = sessions.start(mini, "nl")
    services.answer(conversation, TurnRequest(PARKING), later=waiting.append)
    name = conversation.pk
    services.forget(conversation)
    for work in waiting:
        work()

    assert not CachedAnswer.objects.exists()
    assert not CategoryMismatch.objects.filter(conversation_id=name).exists()


def test_a_trial_does_not_use_the_cache(mini):
    ask(mini, PARKING)
    with answering_from(live_snapshot()):
        answered = services.take_turn(Turn(PARKING))

    assert not answered.context.reply.cached
    assert answered.context.reply.ticket is None


def test_an_evaluation_has_its_own_cache(mini):
    ask(mini, PARKING)
    run = Interview("nl", {"cache": True})

    assert not run.ask(PARKING, ()).context.reply.cached
    assert run.ask(PARKING, ()).context.reply.cached
    assert not Interview("nl", {"cache": False}).ask(PARKING, ()).context.reply.cached


def test_two_hospitals_never_share_an_entry(mini):
    first = ask(mini, PARKING)
    assert ask(mini, PARKING).cached
    kept = CachedAnswer.objects.get(exact__isnull=False, answer=first.answer)
    keys = [
        (answer_cache.EXACT, [kept.room, kept.exact]),
        (answer_cache.REWORDED, [kept.room, kept.reworded]),
        (answer_cache.SIMILAR, [kept.vector, kept.room, kept.knowledge]),
    ]

    def found():
        rows = [row for statement, values in keys for row in answer_cache.run(statement, values)]
        return [row for row in rows if first.answer in row]

    assert len(found()) == len(keys)
    with transaction.atomic():
        elders = factories.hospital(slug="elders")
        with serving(elders):
            # The same keys find nothing at another hospital.
            assert found() == []
            ((_, has_others, *_rest),) = answer_cache.run(*keys[1])
            assert not has_others
            assert not CachedAnswer.objects.exists()
        transaction.set_rollback(True)
