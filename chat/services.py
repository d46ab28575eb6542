"""What the world may do with the chat: ask, rate, forget."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone
from pgvector import HalfVector

from chat import live
from chat.answer_cache import store as remembering
from chat.answering.certainty import Certainty, certainty_of
from chat.behaviours import Behaviour
from chat.costs import prices_of
from chat.lookup.departments import contact_of
from chat.models import Conversation, Feedback, Message
from chat.models.conversations import LONGEST_WORD
from chat.pipeline import PIPELINE, PipelineStep, run
from chat.safety.redaction import Redaction, redactor_of
from chat.tools import Emit, ignore, widened
from chat.turn import Context, Exchange, Record, Turn, TurnStopped, Witness
from retrieval.boosts import mismatch
from retrieval.models import CategoryMismatch
from retrieval.tuning import Steering
from taxonomy.greeklish import greeklish_of
from taxonomy.live import live_snapshot
from taxonomy.snapshot import Snapshot
from zol.errors import ExpectedError
from zol.llm.base import Call
from zol.postgres.locks import held
from zol.text import storable

logger = logging.getLogger(__name__)

#: Takes work that nobody waits for.
Later: TypeAlias = Callable[[Callable[[], None]], None]
#: Exchanges that a turn remembers.
REMEMBERED = 5
#: Letters of a question that telemetry keeps, redacted.
PREVIEW = 200


@dataclass(frozen=True, slots=True)
class TurnResult:
    """A turn that was carried through: what was learned, how, and how long it took."""

    context: Context
    trace: tuple[Record, ...]
    version: int
    steering: Steering
    seconds: float
    #: Requests to models, with what they cost.
    calls: tuple[Call, ...] = ()
    cost: float = 0.0
    #: How sure the answer is of itself.
    certainty: Certainty = Certainty.NONE

    @property
    def timings_ms(self) -> dict[str, float]:
        """Milliseconds by stage, and in total."""
        stages = {record.stage: round(record.seconds * 1_000, 2) for record in self.trace}
        return stages | {"total": round(self.seconds * 1_000, 2)}


def redacted(question: str) -> Redaction:
    """Return a question without personal data; nothing else of it is ever kept."""
    return live_snapshot().derived(redactor_of).redact(storable(question))


def take_turn(
    turn: Turn,
    emit: Emit = ignore,
    flags: Mapping[str, bool] | None = None,
    steps: Sequence[PipelineStep] = PIPELINE,
) -> TurnResult:
    """Carry one question through the pipeline, without personal data. Nothing is stored."""
    started = perf_counter()
    clean = redacted(turn.question)
    tools = widened(live.tools(emit, flags, turn.at), turn.mode)
    asked = in_own_letters(replace(turn, question=clean.text), tools.snapshot)
    context, trace = run(asked, tools, steps)
    context = context.learn(redacted=clean.kinds)
    seconds = perf_counter() - started
    calls = tuple(tools.meter.calls)
    cost = tools.snapshot.derived(prices_of).cost(calls)
    certainty = certainty_of(context, tools.phrases)
    version, steering = tools.snapshot.version, tools.steering
    return TurnResult(context, trace, version, steering, seconds, calls, cost, certainty)


def in_own_letters(turn: Turn, snapshot: Snapshot) -> Turn:
    """Return a turn with Greek that was typed in Latin letters written in Greek ones."""
    reader = snapshot.derived(greeklish_of)
    history = tuple(replace(e, question=reader.in_greek(e.question)) for e in turn.history)
    return replace(turn, question=reader.in_greek(turn.question), history=history)


def at_once(work: Callable[[], None]) -> None:
    work()


class DuplicateQuestion(ExpectedError):
    """A question with this id was taken before: it was sent once more, and is answered once."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What may come with a question."""

    #: Categories of pages to search; none leaves the choice to the question.
    categories: tuple[str, ...] = ()
    #: The id that the asker gave the message, so that a question sent twice is answered once.
    message: UUID | None = None


def answer(  # noqa: PLR0913 (who is told what, and when)
    conversation: Conversation,
    question: str,
    *,
    mode: str = "standard",
    wishes: Wishes = Wishes(),
    emit: Emit = ignore,
    on_created: Any = ignore,
    later: Later = at_once,
) -> Message:
    """Answer a question of a conversation and remember it. Emits events while it works.

    What need not be done before the visitor reads the answer is handed to `later`.
    """
    message = Message(
        pk=wishes.message or uuid4(),
        hospital_id=conversation.hospital_id,
        conversation=conversation,
        question=redacted(question).text,
        mode=mode,
    )
    with held_message(message.pk):
        answered = answer_of(message, question, wishes, emit, on_created)
    later(lambda: settle(message, answered))
    return message


def answer_of(
    message: Message, question: str, wishes: Wishes, emit: Emit, on_created: Any
) -> TurnResult:
    """Answer a question as its message, and store both."""
    conversation = message.conversation
    try:
        message.save(force_insert=True)
    except IntegrityError as error:
        raise DuplicateQuestion from error
    turn = Turn(
        question=question,
        language=conversation.language,
        history=history_of(conversation, before=message),
        mode=message.mode,  # type: ignore[arg-type]
        channel=conversation.channel,  # type: ignore[arg-type]
        categories=wishes.categories,
    )
    witness = Witness(emit)
    try:
        on_created(message)
        answered = take_turn(turn, witness)
    except BaseException as reason:
        end_without_answer(message, reason, witness.until(reason))
        raise
    remember(message, answered)
    return answered


def settle(message: Message, answered: TurnResult) -> None:
    """Do what is left once the answer was sent: keep it for others, and measure."""
    # Only now that the answer was sent: not every question is compared with others.
    vector = remembering.vector_of(answered.context)
    try:
        _settle(message, answered, vector)
    except DatabaseError:
        # The visitor has the answer; nothing is owed.
        logger.warning("An answer was not settled", exc_info=True)


@transaction.atomic
def _settle(message: Message, answered: TurnResult, vector: HalfVector | None) -> None:
    """Write nothing of a conversation that was forgotten, and let none be forgotten meanwhile."""
    lasting = Conversation.objects.select_for_update(no_key=True)
    if not lasting.filter(pk=message.conversation_id).exists():
        return
    seconds = answered.steering.tuning.cache_seconds
    remembering.keep(
        answered.context, seconds=seconds, conversation=message.conversation_id, vector=vector
    )
    record_mismatch(message, answered)


def end_without_answer(message: Message, reason: BaseException, trace: tuple[Record, ...]) -> None:
    """Note that a question got no answer, and why: its visitor stopped it, or we failed."""
    is_stopped = isinstance(reason, TurnStopped)
    state = Message.State.STOPPED if is_stopped else Message.State.FAILED
    told = {"stages": [record.plain for record in trace]}
    Message.objects.filter(pk=message.pk).update(
        state=state, finished_at=timezone.now(), trace=told
    )


def history_of(conversation: Conversation, *, before: Message) -> tuple[Exchange, ...]:
    """Return the last finished exchanges of a conversation, oldest first."""
    rows = (
        conversation.messages.filter(state=Message.State.FINISHED, created_at__lt=before.created_at)
        .order_by("-created_at")
        .values_list("question", "answer", "citations", "behaviour")[:REMEMBERED]
    )
    return tuple(
        Exchange(
            question,
            text,
            tuple(citation["url"] for citation in citations),
            was_emergency=behaviour == Behaviour.EMERGENCY,
        )
        for question, text, citations, behaviour in reversed(rows)
    )


def remember(message: Message, answered: TurnResult) -> Message:
    """Store an answer with everything that explains it."""
    told = told_of(answered)
    # Written only where the question still is: it may have been forgotten meanwhile.
    if not Message.objects.filter(pk=message.pk).update(**told):
        raise TurnStopped
    for field, value in told.items():
        setattr(message, field, value)
    return message


def told_of(answered: TurnResult) -> dict[str, Any]:
    """Return what a message tells of an answer, by field."""
    ctx = answered.context
    return {
        "answer": ctx.answer,
        "state": Message.State.FINISHED,
        "language": ctx.understanding.language,
        "behaviour": ctx.behaviour,
        "intent": ctx.understanding.intent,
        "citations": [asdict(citation) for citation in ctx.citations],
        "follow_ups": list(ctx.follow_ups),
        "contact": contact_of(ctx, live_snapshot()),
        "verified": ctx.verified,
        "certainty": answered.certainty,
        "missing": [word[:LONGEST_WORD] for word in ctx.missing],
        "degraded": ctx.degraded,
        "cached": ctx.cached,
        "engine": ctx.engine,
        "version": answered.version,
        "timings_ms": answered.timings_ms,
        "trace": trace_of(answered),
        "cost": answered.cost,
        "finished_at": timezone.now(),
    }


def trace_of(answered: TurnResult) -> dict[str, Any]:
    """Return the trace as plain values, as staff see it."""
    return {
        "stages": [record.plain for record in answered.trace],
        "redacted": list(answered.context.redacted),
        "version": answered.version,
        "calls": [asdict(call) for call in answered.calls],
        "cost": answered.cost,
    }


def record_mismatch(message: Message, answered: TurnResult) -> None:
    """Keep how far the best passages were from the subject, for every answer that searched."""
    for ctx in answered.context.parts or (answered.context,):
        if ctx.passages and not answered.context.cached:
            record_mismatch_of(ctx, message, answered.steering)


def record_mismatch_of(ctx: Context, message: Message, steering: Steering) -> None:
    off = mismatch(ctx.passages, ctx.steering_row, steering, top=steering.tuning.primary_top)
    logger.info(
        "category_mismatch_rate=%.2f row=%s primary=%s off=%d/%d",
        off.rate, ctx.steering_row, ctx.primary_category, off.off, off.total,
    )  # fmt: skip
    CategoryMismatch.objects.create(
        hospital_id=message.hospital_id,
        conversation_id=message.conversation_id,
        message_id=message.pk,
        steering_row=ctx.steering_row,
        intent=ctx.understanding.intent,
        primary_category=ctx.primary_category,
        mismatch_rate=off.rate,
        chunks_total=off.total,
        chunks_off_category=off.off,
        query_preview=ctx.question[:PREVIEW],
    )


def rate(message: Message, *, is_good: bool, reason: str = "") -> Feedback:
    """Keep what a visitor thought of an answer; the last word counts."""
    feedback, _created = Feedback.objects.update_or_create(
        message=message,
        defaults={"hospital_id": message.hospital_id, "is_good": is_good, "reason": reason},
    )
    return feedback


def held_message(key: UUID) -> AbstractContextManager[bool]:
    """Hold a message while it is answered; False when somebody else does."""
    return held(f"chat.message.{key}")


def end_if_abandoned(message: Message) -> bool:
    """End a question that is "being answered" and that nobody answers: its process was killed."""
    with held_message(message.pk) as is_free:
        running = Message.objects.filter(pk=message.pk, state=Message.State.RUNNING)
        return is_free and bool(
            running.update(state=Message.State.FAILED, finished_at=timezone.now())
        )


@transaction.atomic
def forget(conversation: Conversation) -> None:
    """Erase a conversation and everything kept of it."""
    # What is still being settled comes first, so that it is erased too.
    Conversation.objects.select_for_update().filter(pk=conversation.pk).first()
    CategoryMismatch.objects.filter(conversation_id=conversation.pk).delete()
    conversation.delete()
