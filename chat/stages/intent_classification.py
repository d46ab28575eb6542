"""Classify a message (intent, language, entities, days), and refuse what is not answered here."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial

from chat.answering.refusals import DOUBTFUL, WAITING, refused
from chat.question.classification import Classification, moments_meant
from chat.question.content_words import moments_asked
from chat.safety.emergencies.alarm import Alarm, Danger, Strength, each_text_once, situations_of
from chat.safety.emergencies.texts import alarm_detail, warning_of
from chat.sources.searching import found_for
from chat.tools import Step, Tools, in_order
from chat.turn import Context, StageResult, Token, Understanding
from retrieval.intents import Intent
from retrieval.query import SearchResult
from zol.errors import EmbeddingFailed, ExpectedError, SearchFailed

logger = logging.getLogger(__name__)
ADVICE = Intent.OUT_OF_SCOPE_MEDICAL_ADVICE
#: Dangers by the urgency that a model reports; each adds a warning.
DANGERS: Mapping[str, Danger] = {str(each): each for each in Danger if each is not Danger.NONE}


def intent_classification(ctx: Context, tools: Tools) -> StageResult:
    """Understand the question, and refuse what is not answered here."""
    return in_order(
        ctx, tools, Step(_understand, fallback=treat_as_unknown), Step(_refuse, fallback=None)
    )


def _understand(ctx: Context, tools: Tools) -> StageResult:
    """Understand the question; while a model classifies, search for the visitor's own words."""
    by_code = tools.reading.read(ctx.turn, tools.snapshot)
    failures = len(tools.models.failures)
    classified, own = _classified(ctx.learn(understanding=by_code), tools)
    meant = _meaning_of(by_code, classified, ctx, tools)
    learned = _warned(ctx.learn(understanding=meant, own=own), tools)
    # If code detects a request for advice and the model does not, every statement counts as risky.
    is_advice = by_code.intent is ADVICE and learned.understanding.intent is not ADVICE
    learned = learned.learn(is_risky=meant.by_model and is_advice)
    detail = _detail_of(meant) | alarm_detail(learned.alarm)
    if tools.models.failures[failures:]:
        detail["model_failure"] = tools.models.failures[-1]
    return StageResult(learned, detail)


def _classified(ctx: Context, tools: Tools) -> tuple[Classification | None, SearchResult | None]:
    """Return an engine's classification, and the results of the parallel search."""
    classify = partial(tools.engine.classify, ctx.turn, tools)
    if tools.models.aside is None:
        return classify(), None
    waited, own = tools.models.aside(classify), None
    try:
        _query, own = found_for(ctx, tools)
    except (SearchFailed, EmbeddingFailed):
        logger.warning("The parallel search failed", exc_info=True)
    return waited(), own


def _meaning_of(
    by_code: Understanding, classified: Classification | None, ctx: Context, tools: Tools
) -> Understanding:
    """Return the understanding by the engine that classified, with days and times."""
    meant = tools.reading.understand(classified, ctx.turn) if classified else by_code
    days = moments_asked(ctx.learn(understanding=by_code), tools.snapshot, tools.now)
    moment = classified.moment if classified else None
    return replace(meant, moments=moments_meant(moment, days))


def _warned(ctx: Context, tools: Tools) -> Context:
    """Return the turn with its warning, confirmed by the model's urgency.

    A one-line warning is dropped if the model reports no urgency, and becomes the full text if it
    reports a danger. A danger that only the model reports adds a line. A full text is never
    changed.
    """
    meant, classified = ctx.understanding, ctx.understanding.classification
    if classified is None:
        return _shown(ctx, tools)
    alarm, danger = ctx.alarm, DANGERS.get(classified.urgency)
    if alarm.strength is Strength.LINE and classified.urgency == "none":
        return ctx.learn(alarm=Alarm(chance=alarm.chance), warning="")
    if danger is None or alarm.strength not in (Strength.NONE, Strength.LINE):
        return _shown(ctx, tools)
    strength = Strength.TEXT if alarm and tools.models.aside is not None else Strength.LINE
    situation = tools.snapshot.derived(situations_of).general(danger)
    situations = each_text_once((*alarm.situations, situation))
    alarm = replace(alarm, danger=situations[0].danger, situations=situations, strength=strength)
    ctx = ctx.learn(alarm=alarm, warning=warning_of(alarm, meant.answered_in, tools))
    if tools.models.aside is not None:
        tools.emit(Token(ctx.warning))
    return ctx


def _shown(ctx: Context, tools: Tools) -> Context:
    """Show a one-line warning that was held back until the model replied."""
    if tools.models.aside is not None and ctx.alarm.strength is Strength.LINE:
        tools.emit(Token(ctx.warning))
    return ctx


def _detail_of(meant: Understanding) -> dict[str, object]:
    """Return an understanding as plain values for the trace."""
    return {
        "intent": meant.intent,
        "confidence": round(meant.confidence, 3),
        "language": meant.language,
        "query": meant.query,
        "topic": meant.topic,
        "resolved": [
            {"text": m.text, "name": m.thing.name, "kind": m.thing.kind, "by": m.by}
            for m in meant.matches
        ],
        "follow_up": meant.is_followup,
        "wants": meant.wants,
        "moments": [[each.from_, each.to] for each in meant.moments],
        "evidence": dict(meant.evidence),
        **({"model": asdict(meant.classification)} if meant.classification else {}),
    }


def _refuse(ctx: Context, tools: Tools) -> StageResult:
    """Refuse a question that is not answered here, and say where to turn instead."""
    meant = ctx.understanding
    if not meant.intent.is_blocked:
        return StageResult(ctx)
    waiting = WAITING if meant.by_model else {Intent.OFF_TOPIC}
    if meant.intent in waiting and not meant.greeting:
        return StageResult(ctx, {"waits": str(meant.intent)})
    if meant.intent in DOUBTFUL and not meant.greeting and tools.given.curated(ctx).hit:
        return StageResult(ctx, {"answered_by_staff": True})
    return refused(ctx, tools)


def treat_as_unknown(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Continue with the visitor's own words and an unknown intent."""
    meant = Understanding(language=ctx.turn.language, query=ctx.question)
    return StageResult(_shown(ctx.learn(understanding=meant, degraded=True), tools))
