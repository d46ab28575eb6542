from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import date
from typing import Any

from chat.answering.notes import notes
from chat.answering.release import Fate, Release
from chat.answering.written import WrittenAnswer
from chat.behaviours import Certainty
from chat.checking.base import Form, Line, LineKind, NumberedEvidence
from chat.checking.cited import Asked
from chat.safety.emergencies.alarm import Strength
from chat.sources.numbered import evidence_of, rendered
from chat.stages.detect_emergency import opening
from chat.stages.refuse import desk_of
from chat.tools import Tools
from chat.turn import Context, StageResult, Token
from retrieval.intents import Intent
from taxonomy.facts.phrases import day_name
from zol.errors import ExpectedError, LLMError

logger = logging.getLogger(__name__)

#: Intents for which an answer that no guardrail and no judge could look at stands (spec 06).
HARMLESS = frozenset(
    {
        Intent.NAVIGATION_OR_PRACTICAL_INFO,
        Intent.BOOKING_OR_CONTACT,
        Intent.DOCTOR_LOOKUP,
        Intent.DEPARTMENT_OR_SERVICE_LOOKUP,
    }
)
#: Lines that the hospital has published as data.
PUBLISHED = frozenset({LineKind.FACT, LineKind.MOMENT})


def generate(ctx: Context, tools: Tools) -> StageResult:
    """Show an answer as an engine gives it; where a model fails, the engine beside it goes on."""
    if is_told_by_its_alarm(ctx):
        return StageResult(ctx.learn(answer="".join(opening(ctx, tools))), {"told": "by its alarm"})
    engine, failure = tools.engine, {}
    ctx = ctx.learn(evidence=evidence_of(ctx, tools, for_asker=tools.llm is None))
    release = release_for(ctx, tools)
    try:
        release.follow(ctx, engine.generate)
    except LLMError as error:
        if engine.spare is None:
            raise
        logger.warning("The model did not end its answer; code does", exc_info=True)
        failure = {"model_failure": f"{type(error).__name__}: {error}"}
        engine, ctx = engine.spare, ctx.learn(degraded=True)
        if not release.is_begun:
            ctx = ctx.learn(evidence=evidence_of(ctx, tools, for_asker=True))
            release = release_for(ctx, tools)
        release.is_partial = release.is_begun
        release.follow(ctx, engine.generate)
    ctx = concluded(ctx, release, tools, tools.engine.name if release.is_partial else engine.name)
    prompt = {"prompt": rendered(release.evidence, tools)} if tools.llm else {}
    return StageResult(ctx, {**told(release), **failure, **prompt, "engine": ctx.engine})


def is_held(ctx: Context, tools: Tools) -> bool:
    """Whether an answer is shown only once guardrail and judge have seen it whole."""
    has_guardrail = tools.guardrail is not None and tools.is_on("guardrails")
    has_judge = tools.judge is not None and tools.is_on("judge")
    return (has_guardrail or has_judge) and ctx.understanding.intent not in HARMLESS


def release_for(ctx: Context, tools: Tools) -> Release:
    meant, evidence = ctx.understanding, ctx.evidence or NumberedEvidence()
    before = [text for text in opening(ctx, tools) if text != ctx.warning]

    def show(piece: str) -> None:
        if piece and not is_held(ctx, tools):
            tools.emit(Token("".join((*before, piece))))
            before.clear()

    return Release(
        tools=tools,
        evidence=evidence,
        asked=Asked(
            ctx.question,
            tuple(exchange.question for exchange in ctx.turn.history),
            meant.language,
            tools.snapshot.profile.default_language,
            ctx.is_risky,
            tuple(days_of(ctx)),
            tools.today,
        ),
        written=WrittenAnswer(evidence, tools.phrases, meant.language),
        show=show,
    )


def days_of(ctx: Context) -> Iterator[str]:
    """Yield the days that are meant, as they were said and with their names."""
    for moment in ctx.understanding.moments:
        day = date.fromisoformat(moment.from_[:10])
        yield moment.said
        yield f"{day_name(day.isoweekday(), ctx.understanding.language)} {day:%d/%m/%Y}"


def concluded(ctx: Context, release: Release, tools: Tools, engine: str) -> Context:
    """Return the turn with its answer, after what the pages lack and what must be said openly
    beside it."""
    written, language = release.written, ctx.understanding.language
    certainty, desk = certainty_of(release), desk_of(ctx, tools)
    if kind := lacking(release, certainty):
        named = tools.phrases.listed(release.missing, language)
        release.show(written.remark(tools.phrases.say(kind, language, missing=named, **desk)))
    for note in notes(ctx, written, tools):
        release.show(written.remark(note))
    is_of_moment = any(line.kind is LineKind.MOMENT for line in rested_on(release))
    return ctx.learn(
        answer="".join((*opening(ctx, tools), written.text)),
        citations=written.citations,
        certainty=certainty,
        verified=certainty is Certainty.FACT,
        missing=tuple(release.missing),
        lasts=certainty in (Certainty.FACT, Certainty.SURE) and not is_of_moment,
        engine=engine,
    )


def lacking(release: Release, certainty: Certainty) -> str:
    """Return which text says what an answer lacks; none where it lacks nothing."""
    if certainty is Certainty.NOTHING:
        return "not_on_pages"
    if release.is_near:
        return "uncertain_contact"
    if release.is_lacking:
        return "missing_on_pages" if release.missing else "no_answer_part"
    return ""


def rested_on(release: Release) -> Iterator[Line]:
    """Yield the lines that the statements of an answer name."""
    claims = (each.claim for each in release.done if each.claim.form is not Form.PAGE)
    return (line for claim in claims for line in release.evidence.lines(claim.lines))


def certainty_of(release: Release) -> Certainty:
    """Return how sure an answer is: of published data where these explain every statement."""
    if not any(each.fate is not Fate.LEFT_OUT for each in release.done):
        return Certainty.NOTHING
    if release.is_partial or any(each.fate not in (Fate.SAID, Fate.SHOWN) for each in release.done):
        return Certainty.NEAR
    is_told = all(each.judgement.is_explained for each in release.done)
    kinds = {line.kind for line in rested_on(release)}
    return Certainty.FACT if is_told and kinds and kinds <= PUBLISHED else Certainty.SURE


def told(release: Release) -> dict[str, Any]:
    """Return what staff are told: what became of each statement and why, and of the evidence."""
    return {
        "statements": [each.told() for each in release.done],
        "thrown_away": [each.told() for each in release.thrown_away],
        "asked_anew": list(release.faults),
        "missing": release.missing,
        "tokens": release.evidence.tokens,
        "left_out": list(release.evidence.left_out),
        "citations": len(release.written.citations),
    }


def is_told_by_its_alarm(ctx: Context) -> bool:
    """Whether the text of a situation above the answer says all: whoever describes an emergency is
    not sent to a family doctor below it, nor shown pages that only come close."""
    is_complaint = ctx.understanding.intent is Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION
    return ctx.alarm.strength is Strength.TEXT and bool(ctx.warning) and is_complaint


def apologise(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Point to the hospital's telephone rather than leave the visitor with nothing."""
    said = tools.phrases.say("error", ctx.understanding.language)
    tools.emit(Token(said))
    return StageResult(ctx.learn(answer=f"{ctx.warning}{said}", degraded=True), stop=True)
