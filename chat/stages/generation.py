"""The answer: written by a model from numbered lines and shown as it is checked, else put together
by code."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Any

from chat.answering import compose
from chat.answering.composition import Composition
from chat.answering.quotation.layout import notes
from chat.answering.refusals import desk_of
from chat.answering.release import Fate, Release
from chat.answering.showing import is_held, opening
from chat.answering.written import WrittenAnswer
from chat.behaviours import Certainty
from chat.checking.base import Line, LineKind, NumberedEvidence
from chat.checking.cited import Asked
from chat.safety.emergencies.alarm import Strength
from chat.sources.numbered import evidence_of, rendered
from chat.tools import Tools, no_rest
from chat.turn import EMBEDDED, Context, StageResult, Token
from retrieval.intents import Intent
from taxonomy.facts.phrases import day_name
from zol.errors import EmbeddingFailed, ExpectedError, LLMError, SearchFailed
from zol.markdown import escaped

logger = logging.getLogger(__name__)

#: Lines that the hospital has published as data.
PUBLISHED = frozenset({LineKind.FACT, LineKind.MOMENT})


def generation(ctx: Context, tools: Tools) -> StageResult:
    """Write the answer, showing it as it is written; where no model is or it fails, code does."""
    if tools.llm is None:
        return _by_code(ctx, tools)
    evidence = evidence_of(ctx, tools)
    ctx = ctx.learn(evidence=evidence)
    release = _release_for(ctx, evidence, tools)
    failure = {}
    try:
        release.follow(ctx)
    except LLMError as error:
        logger.warning("The model did not end its answer; code does", exc_info=True)
        failure = {"model_failure": f"{type(error).__name__}: {error}"}
        ctx = ctx.learn(degraded=True)
        if not release.is_begun:
            result = _by_code(ctx, tools)
            return replace(result, detail={**_told(release), **failure, **result.detail})
        ctx = _followed_by_code(ctx, release, tools)
    ctx = _concluded(ctx, release, tools)
    detail = {**_told(release), **failure, "prompt": rendered(evidence, tools)}
    return StageResult(ctx, detail)


def _release_for(ctx: Context, evidence: NumberedEvidence, tools: Tools) -> Release:
    meant = ctx.understanding
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
            tuple(_days_of(ctx)),
            tools.today,
        ),
        written=WrittenAnswer(evidence, tools.phrases, meant.language),
        show=show,
    )


def _days_of(ctx: Context) -> Iterator[str]:
    """Yield the days that are meant, as they were said and with their names."""
    for moment in ctx.understanding.moments:
        day = date.fromisoformat(moment.from_[:10])
        yield moment.said
        yield f"{day_name(day.isoweekday(), ctx.understanding.language)} {day:%d/%m/%Y}"


def _followed_by_code(ctx: Context, release: Release, tools: Tools) -> Context:
    """Show whole lines of what was said, in which what broke off may stand, and then what code
    finds beside it."""
    written = release.written
    release.is_partial = True
    for each in release.done:
        if each.fate in (Fate.SAID, Fate.UNCONFIRMED):
            lines = release.evidence.lines(each.claim.lines)
            release.show(written.show(lines, is_quotation=True))
    printed = [escaped(line.text) for line in written.printed.values()]
    ctx, composition, _ = _composed(ctx, tools)
    for piece in composition.pieces if composition.found else ():
        if not any(text in piece for text in printed):
            release.show(written.remark(piece.strip(), composition.citations))
    return ctx


def _concluded(ctx: Context, release: Release, tools: Tools) -> Context:
    """Return the turn with its answer, after what the pages lack and what must be said openly
    beside it."""
    written, language = release.written, ctx.understanding.language
    certainty = _certainty_of(release)
    if certainty is Certainty.NOTHING:
        said = tools.phrases.say("not_on_pages", language, **desk_of(ctx, tools))
        release.show(written.remark(said))
    else:
        if release.is_lacking:
            kind = "missing_on_pages" if release.missing else "no_answer_part"
            named, desk = tools.phrases.listed(release.missing, language), desk_of(ctx, tools)
            said = tools.phrases.say(kind, language, missing=named, **desk)
            release.show(written.remark(said))
        for note in tuple(notes(ctx, tools, written.citations, written.text)):
            release.show(written.remark(note))
    is_of_moment = any(line.kind is LineKind.MOMENT for line in _rested_on(release))
    return ctx.learn(
        answer="".join((*opening(ctx, tools), written.text)),
        citations=written.citations,
        certainty=certainty,
        verified=certainty is Certainty.FACT,
        missing=tuple(release.missing),
        lasts=certainty in (Certainty.FACT, Certainty.SURE) and not is_of_moment,
        engine="model",
    )


def _rested_on(release: Release) -> Iterator[Line]:
    """Yield the lines that the statements of an answer name."""
    return (line for each in release.done for line in release.evidence.lines(each.claim.lines))


def _certainty_of(release: Release) -> Certainty:
    """Return how sure an answer is: of published data where these explain every statement."""
    if not release.is_begun:
        return Certainty.NOTHING
    if release.is_partial or any(each.fate not in (Fate.SAID, Fate.SHOWN) for each in release.done):
        return Certainty.NEAR
    is_told = all(each.judgement.is_explained for each in release.done)
    kinds = {line.kind for line in _rested_on(release)}
    return Certainty.FACT if is_told and kinds and kinds <= PUBLISHED else Certainty.SURE


def _told(release: Release) -> dict[str, Any]:
    """Return what staff are told: what became of each statement and why, and of the evidence."""
    return {
        "engine": "model",
        "statements": [each.told() for each in release.done],
        "thrown_away": [each.told() for each in release.thrown_away],
        "asked_anew": list(release.faults),
        "missing": release.missing,
        "tokens": release.evidence.tokens,
        "left_out": list(release.evidence.left_out),
        "citations": len(release.written.citations),
    }


def _by_code(ctx: Context, tools: Tools) -> StageResult:
    """Put the answer together from facts and quotations."""
    ctx, composition, failure = _composed(ctx, tools)
    if _is_told_by_its_alarm(ctx, composition):
        composition = Composition((), (), verified=False, found=False)
    pieces = (*opening(ctx, tools), *composition.pieces)
    # All of it is there at once, and each frame costs whoever waits.
    answer = "".join(pieces)
    if said := answer.removeprefix(ctx.warning):
        tools.emit(Token(said))
    return StageResult(
        ctx.learn(
            answer=answer,
            citations=composition.citations,
            verified=composition.verified,
            missing=composition.missing,
        ),
        {"engine": EMBEDDED, "found": composition.found, "citations": len(composition.citations)}
        | ({"quoting_failure": failure} if failure else {}),
    )


def _is_told_by_its_alarm(ctx: Context, composition: Composition) -> bool:
    """Whether the text of a situation above the answer says all: whoever describes an emergency is
    not sent to a family doctor below it, nor shown pages that only come close."""
    is_complaint = ctx.understanding.intent is Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION
    is_text = ctx.alarm.strength is Strength.TEXT and bool(ctx.warning)
    return is_text and is_complaint and not composition.verified


def _composed(ctx: Context, tools: Tools) -> tuple[Context, Composition, str]:
    """Compose the answer; by the words of what was found alone where more cannot be read."""
    try:
        return ctx, compose(ctx, tools), ""
    except (SearchFailed, EmbeddingFailed) as error:
        logger.warning("Quotations are chosen by their words alone", exc_info=True)
        simple = replace(tools, likeness=None, rest_of=no_rest)
        return ctx.learn(degraded=True), compose(ctx, simple), repr(error)


def apologise(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Point to the hospital's telephone rather than leave the visitor with nothing."""
    said = tools.phrases.say("error", ctx.understanding.language)
    tools.emit(Token(said))
    return StageResult(ctx.learn(answer=f"{ctx.warning}{said}", degraded=True), stop=True)
