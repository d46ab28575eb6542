"""Services of the chat: answer questions, store and rate answers, erase conversations."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any, TypeAlias
from uuid import UUID, uuid4

from django.db import DatabaseError, Error, IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from pgvector import HalfVector

from chat import wiring
from chat.answer_cache import store as answer_cache
from chat.answering.additions import suggested
from chat.behaviours import Behaviour, Certainty, Mode
from chat.models import Conversation, Feedback, Message, ModelCall
from chat.models.conversations import LONGEST_WORD
from chat.pipeline import PIPELINE, STOPS, Stage, run
from chat.safety.redaction import Redaction, redactor_of
from chat.selectors import prices_of
from chat.sources.lookup import contact_of
from chat.tools import Emit, Tools, ignore, widened
from chat.turn import Context, Exchange, Record, Suggested, TraceRecorder, Turn
from retrieval.models import CategoryMismatch
from retrieval.ranking import changed_by, mismatch
from retrieval.tuning import Steering
from taxonomy.language.greeklish import greeklish_of
from taxonomy.publishing.live import live_snapshot
from taxonomy.snapshot import Snapshot
from zol.errors import ExpectedError
from zol.llm import meter_of_turn
from zol.llm.base import Call, Meter
from zol.postgres.locks import held, process_lock
from zol.postgres.pool import AWAY, stores_nothing
from zol.runtime.stopping import TurnStopped
from zol.tenancy import required_hospital_id
from zol.text import storable

logger = logging.getLogger(__name__)

#: Queues work that the visitor does not wait for.
Later: TypeAlias = Callable[[Callable[[], None]], None]
#: Questions of this process that ended while the database was away, so that this is not stored.
_not_ended: dict[UUID, Message] = {}
#: Maximum exchanges of the history of a turn.
HISTORY = 5
#: Maximum letters of a redacted question in telemetry.
PREVIEW = 200


@dataclass(frozen=True, slots=True)
class TurnResult:
    """A completed turn: its context, trace and timings."""

    context: Context
    trace: tuple[Record, ...]
    version: int
    steering: Steering
    seconds: float
    #: Model requests with their costs.
    calls: tuple[Call, ...] = ()
    cost: float = 0.0
    #: Finds follow-up suggestions after the answer was sent; None if they are known already.
    suggest: Callable[[Meter], tuple[str, ...]] | None = None

    @property
    def certainty(self) -> Certainty:
        return self.context.certainty

    @property
    def is_emergency(self) -> bool:
        return self.context.behaviour is Behaviour.EMERGENCY

    @property
    def timings_ms(self) -> dict[str, float]:
        """Return milliseconds by stage and in total."""
        stages = {record.stage: round(record.seconds * 1_000, 2) for record in self.trace}
        return stages | {"total": round(self.seconds * 1_000, 2)}


def redacted(question: str) -> Redaction:
    """Return a question without personal data; the original is never stored."""
    return live_snapshot().derived(redactor_of).redact(storable(question))


def take_turn(
    turn: Turn,
    emit: Emit = ignore,
    flags: Mapping[str, bool] | None = None,
    stages: Sequence[Stage] = PIPELINE,
    meter: Meter | None = None,
) -> TurnResult:
    """Run a question through the pipeline, without its personal data; store nothing."""
    meter = meter or meter_of(turn.mode)
    return _run(turn, lambda: widened(wiring.tools(emit, flags, turn.at, meter), turn.mode), stages)


def tried(turn: Turn) -> Message:
    """Answer a turn without the cache; return an unsaved message."""
    answered = take_turn(turn, flags={"cache": False})
    return Message(question=answered.context.question, mode=turn.mode, **fields_of(answered))


def meter_of(mode: str) -> Meter:
    """Return the meter that counts and limits the model calls of a turn, which starts now."""
    return meter_of_turn(is_escalated=mode == Mode.ESCALATED)


def stop_of(turn: Turn) -> TurnResult | None:
    """Return the answer to an emergency, attack or intervention; None for any other question.

    It needs no search, no model and no place in the queue.
    """
    answered = _run(turn, wiring.tools_for_stops, STOPS)
    return answered if answered.context.answer else None


def _run(turn: Turn, get_tools: Callable[[], Tools], stages: Sequence[Stage]) -> TurnResult:
    started = perf_counter()
    clean = redacted(turn.question)
    tools = get_tools()
    asked = without_greeklish(replace(turn, question=clean.text), tools.snapshot)
    context, trace = run(asked, tools, stages)
    context = context.learn(redacted=clean.kinds)
    seconds = perf_counter() - started
    calls = tuple(tools.models.meter.calls)
    cost = tools.snapshot.derived(prices_of).cost(calls)
    version, steering = tools.snapshot.version, tools.steering
    suggest = partial(suggested, context, tools) if context.was_written else None
    return TurnResult(context, trace, version, steering, seconds, calls, cost, suggest)


def without_greeklish(turn: Turn, snapshot: Snapshot) -> Turn:
    """Return a turn with Greek in Latin letters rewritten in Greek letters."""
    reader = snapshot.derived(greeklish_of)
    history = tuple(replace(e, question=reader.in_greek(e.question)) for e in turn.history)
    return replace(turn, question=reader.in_greek(turn.question), history=history)


class DuplicateQuestion(ExpectedError):
    """The question was sent before under this id; it is answered once."""


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """A question as received from a channel."""

    question: str
    #: The page's language; used for a new conversation.
    language: str = ""
    mode: Mode = Mode.STANDARD
    #: Categories of pages to search; if empty, the question decides.
    categories: tuple[str, ...] = ()
    #: Client-side id of the message, so that a question sent twice is answered once.
    message: UUID | None = None


def answer(
    conversation: Conversation,
    asked: TurnRequest,
    *,
    emit: Emit = ignore,
    on_created: Any = ignore,
    later: Later = lambda work: work(),
) -> Message:
    """Answer a question of a conversation, emit events meanwhile, and store question and answer.

    Work that the visitor need not wait for is passed to `later`.
    """
    end_interrupted()
    message = message_of(conversation, asked)
    message.process = process_lock.hold()
    create(message)
    turn = turn_of(conversation, asked, before=message)
    recorder, meter = TraceRecorder(emit), meter_of(turn.mode)
    try:
        on_created(message)
        answered = take_turn(turn, recorder, meter=meter)
    except BaseException as reason:
        end_without_answer(message, reason, recorder.failed(reason))
        note_calls(message.hospital_id, meter.calls, message)
        raise
    remember(message, answered)
    later(lambda: note_calls(message.hospital_id, answered.calls, message))
    if message.is_kept:
        later(lambda: settle(message, answered, emit))
    return message


def keep_stop(conversation: Conversation, asked: TurnRequest, stopped: TurnResult) -> Message:
    """Store a question that stopped its turn, with its answer, if the database accepts writes."""
    message = message_of(conversation, asked)
    for field, value in fields_of(stopped).items():
        setattr(message, field, value)
    try:
        # An emergency is answered even if another window erased the conversation.
        store(conversation)
        create(message)
    except Error as error:
        note_unkept(message, error)
    return message


def message_of(conversation: Conversation, asked: TurnRequest) -> Message:
    """Return a redacted question as an unsaved message."""
    return Message(
        pk=asked.message or uuid4(),
        hospital_id=conversation.hospital_id,
        conversation=conversation,
        question=redacted(asked.question).text,
        mode=asked.mode,
    )


def create(message: Message) -> None:
    """Store a question before it is answered, with its conversation if it starts one.

    If the database is read-only or full, nothing is stored and the question is answered anyway.

    :raises DuplicateQuestion: if it was stored before.
    """
    try:
        if message.conversation._state.adding:
            store(message.conversation)
        message.save(force_insert=True)
    except IntegrityError as error:
        raise DuplicateQuestion from error
    except DatabaseError as error:
        if not stores_nothing(error):
            raise
        note_unkept(message, error)


def store(conversation: Conversation) -> None:
    """Store a conversation unless it exists: two questions at once may both start it."""
    Conversation.objects.bulk_create([conversation], ignore_conflicts=True)


def note_unkept(message: Message, error: Error) -> None:
    """Mark a message as not stored."""
    message.is_kept = False
    logger.warning("A message was not stored: %s", " ".join(str(error).split()))


def turn_of(conversation: Conversation, asked: TurnRequest, before: Message | None = None) -> Turn:
    """Return a question with its conversation's language, channel and history."""
    return Turn(
        question=asked.question,
        language=conversation.language,
        history=history_of(conversation, before=before),
        mode=asked.mode,
        channel=conversation.channel,  # type: ignore[arg-type]
        categories=asked.categories,
    )


def settle(message: Message, answered: TurnResult, emit: Emit = ignore) -> None:
    """Suggest next questions, cache the answer and record measurements, after it was sent."""
    meter = Meter()
    if answered.suggest is not None and (follow_ups := answered.suggest(meter)):
        emit(Suggested(str(message.pk), follow_ups))
        answered = replace(answered, context=answered.context.learn(follow_ups=follow_ups))
    note_calls(message.hospital_id, meter.calls, message)
    # Embed only after the answer was sent: not every question needs it.
    vector = answer_cache.vector_of(answered.context)
    try:
        _settle(message, answered, vector)
    except DatabaseError:
        # The answer was delivered: a failure here is only logged.
        logger.warning("The work after an answer failed", exc_info=True)


@transaction.atomic
def _settle(message: Message, answered: TurnResult, vector: HalfVector | None) -> None:
    """Store what `settle` found unless the conversation was erased; block erasure meanwhile."""
    locked = Conversation.objects.select_for_update(no_key=True)
    if not locked.filter(pk=message.conversation_id).exists():
        return
    if answered.suggest is not None:
        follow_ups = list(answered.context.reply.follow_ups)
        Message.objects.filter(pk=message.pk).update(follow_ups=follow_ups)
    seconds = answered.steering.tuning.cache_seconds
    answer_cache.store(
        answered.context, seconds=seconds, conversation=message.conversation_id, vector=vector
    )
    record_mismatch(message, answered)


def end_without_answer(message: Message, reason: BaseException, trace: tuple[Record, ...]) -> None:
    """Store that a question ended without an answer, stopped by its visitor or failed."""
    if not message.is_kept:
        return
    is_stopped = isinstance(reason, TurnStopped)
    state = Message.State.STOPPED if is_stopped else Message.State.FAILED
    stages = {"stages": [record.plain for record in trace]}
    try:
        Message.objects.filter(pk=message.pk).update(
            state=state, finished_at=timezone.now(), trace=stages
        )
    except DatabaseError:
        _not_ended[message.pk] = message
        raise


def end_interrupted() -> None:
    """Store that questions ended for which the database was away before."""
    served = required_hospital_id()
    mine = [key for key, message in _not_ended.items() if message.hospital_id == served]
    running = Message.objects.filter(pk__in=mine, state=Message.State.RUNNING)
    with suppress(DatabaseError):
        if mine:
            running.update(state=Message.State.FAILED, finished_at=timezone.now())
        for key in mine:
            _not_ended.pop(key, None)


def history_of(
    conversation: Conversation, *, before: Message | None = None
) -> tuple[Exchange, ...]:
    """Return the last finished exchanges, oldest first; none while the database is away."""
    if conversation._state.adding:
        return ()
    finished = conversation.messages.filter(state=Message.State.FINISHED)
    if before is not None:
        finished = finished.filter(created_at__lt=before.created_at)
    newest = finished.order_by("-created_at")
    rows: list[Any] = []
    with suppress(*AWAY):
        rows += newest.values_list("question", "answer", "citations")[:HISTORY]
    return tuple(
        Exchange(question, text, tuple(citation["url"] for citation in citations))
        for question, text, citations in reversed(rows)
    )


def remember(message: Message, answered: TurnResult) -> Message:
    """Store an answer with its trace, if the database accepts writes."""
    values = fields_of(answered)
    try:
        # Update only if the question still exists: it may have been erased meanwhile.
        if message.is_kept and not Message.objects.filter(pk=message.pk).update(**values):
            raise TurnStopped
    except Error as error:
        _not_ended[message.pk] = message
        note_unkept(message, error)
    for field, value in values.items():
        setattr(message, field, value)
    return message


def fields_of(answered: TurnResult) -> dict[str, Any]:
    """Return an answer as values of the fields of its message."""
    ctx = answered.context
    return {
        "answer": ctx.answer,
        "state": Message.State.FINISHED,
        "language": ctx.understanding.language,
        "behaviour": ctx.behaviour,
        "warning": ctx.alarm.danger,
        "warned_by": ctx.alarm.strength,
        "intent": ctx.understanding.intent,
        "citations": [asdict(citation) for citation in ctx.citations],
        "follow_ups": list(ctx.reply.follow_ups),
        "contact": contact_of(ctx, live_snapshot()),
        "verified": ctx.reply.verified,
        "certainty": answered.certainty,
        "missing": [word[:LONGEST_WORD] for word in ctx.reply.missing],
        "degraded": ctx.degraded,
        "cached": ctx.reply.cached,
        "engine": ctx.reply.engine,
        "version": answered.version,
        "timings_ms": answered.timings_ms,
        "trace": trace_of(answered),
        "cost": answered.cost,
        "finished_at": timezone.now(),
    }


def trace_of(answered: TurnResult) -> dict[str, Any]:
    """Return the trace as plain values for staff."""
    return {
        "stages": [record.plain for record in answered.trace],
        "redacted": list(answered.context.safety.redacted),
        "version": answered.version,
        "calls": [asdict(call) for call in answered.calls],
        "cost": answered.cost,
    }


def note_calls(hospital_id: int, calls: Sequence[Call], message: Message | None = None) -> None:
    """Store requests to models, without their texts, if the database accepts writes."""
    if not calls:
        return
    prices = live_snapshot().derived(prices_of)
    rows = [
        ModelCall(
            hospital_id=hospital_id,
            message=message.pk if message else None,
            cost=prices.cost((call,)),
            **asdict(call),
        )
        for call in calls
    ]
    try:
        ModelCall.objects.bulk_create(rows)
    except DatabaseError:
        logger.warning("Model calls were not recorded", exc_info=True)


def record_mismatch(message: Message, answered: TurnResult) -> None:
    """Store how many of the best passages are off the subject, for each search of an answer."""
    steering = answered.steering
    for ctx in answered.context.parts or (answered.context,):
        if not ctx.passages or answered.context.reply.cached:
            continue
        off = mismatch(ctx.passages, ctx.found.steering_row, steering)
        logger.info(
            "category_mismatch_rate=%.2f row=%s primary=%s off=%d/%d",
            off.rate, ctx.found.steering_row, ctx.found.primary_category, off.off, off.total,
        )  # fmt: skip
        CategoryMismatch.objects.create(
            hospital_id=message.hospital_id,
            conversation_id=message.conversation_id,
            message_id=message.pk,
            steering_row=ctx.found.steering_row,
            intent=ctx.understanding.intent,
            primary_category=ctx.found.primary_category,
            mismatch_rate=off.rate,
            chunks_total=off.total,
            chunks_off_category=off.off,
            categories=sorted({p.category for p in ctx.passages[: steering.tuning.limit]}),
            changed_by=changed_by(ctx.passages),
            query_preview=ctx.question[:PREVIEW],
        )


def rate(message: Message, *, is_good: bool, reason: str = "") -> Feedback:
    """Store a visitor's rating of an answer, replacing an earlier one."""
    feedback, _created = Feedback.objects.update_or_create(
        message=message,
        defaults={"hospital_id": message.hospital_id, "is_good": is_good, "reason": reason},
    )
    if not is_good:
        answer_cache.evict(message)
    return feedback


def end_if_abandoned(message: Message) -> bool:
    """End a running question whose process is gone; return whether it was.

    A process of version 1.1 holds a lock for each message.
    """
    with held(message.process or f"chat.message.{message.pk}") as is_free:
        running = Message.objects.filter(pk=message.pk, state=Message.State.RUNNING)
        return is_free and bool(
            running.update(state=Message.State.FAILED, finished_at=timezone.now())
        )


def mismatches_of(conversations: Iterable[Conversation]) -> QuerySet[Any]:
    return CategoryMismatch.objects.filter(conversation_id__in=[each.pk for each in conversations])


#: Functions that return copies of conversations which no cascade deletes; other apps append theirs.
copies: list[Callable[[Iterable[Conversation]], QuerySet[Any]]] = [mismatches_of]


@transaction.atomic
def forget(conversation: Conversation) -> None:
    """Erase a conversation and everything derived from it."""
    # Wait for work after an answer (`_settle`), so that its rows are erased too.
    Conversation.objects.select_for_update().filter(pk=conversation.pk).first()
    for copies_of in copies:
        copies_of([conversation]).delete()
    conversation.delete()
