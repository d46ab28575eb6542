"""Generate the answer from numbered lines, and show each statement once it is checked."""

from __future__ import annotations

import logging
from dataclasses import replace

from chat.answering.answer import answered_anew, concluded, detail_of, opening, release_for
from chat.behaviours import Behaviour
from chat.safety.emergencies.alarm import Strength
from chat.sources.numbered import evidence_of, rendered
from chat.tools import Tools
from chat.turn import Context, StageResult, Token
from retrieval.intents import Intent
from zol.errors import ExpectedError, LLMError

logger = logging.getLogger(__name__)


def generation(ctx: Context, tools: Tools) -> StageResult:
    """Show an answer as an engine generates it; a refusal ends the turn."""
    result = _generated(ctx, tools)
    return replace(result, stop=result.context.behaviour is not Behaviour.ANSWER)


def _generated(ctx: Context, tools: Tools) -> StageResult:
    """Show an answer as an engine generates it; on failure the spare engine continues."""
    if _is_answered_by_alarm(ctx):
        return StageResult(ctx.learn(text="".join(opening(ctx, tools))), {"told": "by its alarm"})
    engine = tools.engine
    if engine.spare is None:
        ctx, release = answered_anew(ctx, tools, engine.generate)
        return StageResult(ctx, detail_of(release, ctx))
    ctx, failure = ctx.learn(evidence=evidence_of(ctx, tools)), {}
    release = release_for(ctx, tools)
    try:
        release.follow(ctx, engine.generate)
    except LLMError as error:
        logger.warning("The model's answer broke off; falling back", exc_info=True)
        failure = {"model_failure": f"{type(error).__name__}: {error}"}
        ctx = ctx.learn(degraded=True)
        if not release.is_begun:
            ctx, instead = answered_anew(ctx, tools, engine.spare.generate)
            return StageResult(
                ctx, {**detail_of(release, ctx), **failure, **detail_of(instead, ctx)}
            )
        release.is_partial = release.written.quotes = True
        release.follow(ctx, engine.spare.generate)
    ctx = concluded(ctx, release, tools, engine.name)
    detail = {**detail_of(release, ctx), **failure, "prompt": rendered(release.evidence, tools)}
    return StageResult(ctx, detail)


def _is_answered_by_alarm(ctx: Context) -> bool:
    """Return whether the alarm text is the whole answer, so that no other advice follows it."""
    is_complaint = ctx.understanding.intent is Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION
    return ctx.alarm.strength is Strength.TEXT and bool(ctx.warning) and is_complaint


def apologise(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Give the hospital's telephone number instead of an answer."""
    text = tools.phrases.say("error", ctx.understanding.language)
    tools.emit(Token(text))
    return StageResult(ctx.learn(text=f"{ctx.warning}{text}", degraded=True), stop=True)
