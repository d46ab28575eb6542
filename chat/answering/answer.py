"""Compose an answer around an engine's statements: opening, certainty, and remarks on gaps."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from chat.answering.refusals import WAITING, desk_of, refused
from chat.answering.release import Fate, Release
from chat.answering.written import WrittenAnswer
from chat.behaviours import UNSURE, Certainty
from chat.checking.base import CheckedQuestion, Form, Line, LineKind, NumberedEvidence, Role
from chat.question.content_words import asked_words
from chat.sources.lookup import is_complaint, lookup_in
from chat.sources.numbered import evidence_of
from chat.tools import Generate, Tools
from chat.turn import EMBEDDED, Context, Token
from retrieval.intents import Intent
from retrieval.units import units_of
from taxonomy.facts.phrases import day_name
from zol.text import words

#: Maximum letters of an unanswered word kept for staff.
LONGEST = 80
#: Line kinds of published data.
PUBLISHED = frozenset({LineKind.FACT, LineKind.MOMENT})
#: Age from which a page's figures may be outdated.
OLD = timedelta(days=4 * 365)
#: Intents whose answers are shown even if neither guardrail nor judge could check them (spec 06).
HARMLESS = frozenset(
    {
        Intent.NAVIGATION_OR_PRACTICAL_INFO,
        Intent.BOOKING_OR_CONTACT,
        Intent.DOCTOR_LOOKUP,
        Intent.DEPARTMENT_OR_SERVICE_LOOKUP,
    }
)


def answered_anew(ctx: Context, tools: Tools, generate: Generate) -> tuple[Context, Release]:
    """Return the turn with an answer of the embedded engine, on evidence in the asker's language
    where there is any."""
    ctx = ctx.learn(evidence=evidence_of(ctx, tools, for_asker=True))
    release = release_for(ctx, tools, quotes=True)
    if is_complaint(ctx, tools):
        remark = tools.phrases.say("ask_gp", ctx.understanding.language)
        release.show(release.written.remark(remark))
    release.follow(ctx, generate)
    return concluded(ctx, release, tools, EMBEDDED), release


def release_for(ctx: Context, tools: Tools, *, quotes: bool = False) -> Release:
    """Return the release of an answer on the turn's evidence; `quotes` shows page lines as
    quotations."""
    meant, evidence = ctx.understanding, ctx.dossier.evidence or NumberedEvidence()
    before = [text for text in opening(ctx, tools) if text != ctx.warning]

    def show(piece: str) -> None:
        if piece and not is_held(ctx, tools):
            tools.emit(Token("".join((*before, piece))))
            before.clear()

    return Release(
        tools=tools,
        evidence=evidence,
        asked=CheckedQuestion(
            ctx.question,
            tuple(exchange.question for exchange in ctx.turn.history),
            meant.language,
            meant.answered_in[1:],
            ctx.safety.is_risky,
            tuple(_days_of(ctx)),
            tools.today,
        ),
        written=WrittenAnswer(evidence, tools.phrases, meant.language, quotes=quotes),
        show=show,
    )


def _days_of(ctx: Context) -> Iterator[str]:
    """Yield the days that a question means, in its words and as weekday and date."""
    for moment in ctx.understanding.moments:
        day = date.fromisoformat(moment.from_[:10])
        yield moment.said
        yield f"{day_name(day.isoweekday(), ctx.understanding.language)} {day:%d/%m/%Y}"


def concluded(ctx: Context, release: Release, tools: Tools, engine: str) -> Context:
    """Return the turn with its complete answer, or with a refusal if nothing was found."""
    written, language = release.written, ctx.understanding.language
    certainty = _certainty_of(release)
    if certainty is Certainty.NOTHING and ctx.understanding.intent in WAITING:
        return refused(ctx, tools).context
    desk = desk_of(ctx, tools, written.text if engine != EMBEDDED else "")
    if kind := _lacking(release, certainty):
        named = tools.phrases.listed(release.missing, language)
        remark = tools.phrases.say(kind, language, missing=named, **desk)
        page = tools.corpus.pages.contact(language) if certainty is Certainty.NOTHING else None
        release.show(written.remark(remark, page))
    for note in notes(ctx, written, tools):
        release.show(written.remark(note))
    is_of_moment = any(line.kind is LineKind.MOMENT for line in _rested_on(release))
    return ctx.learn(
        text="".join((*opening(ctx, tools), written.text)),
        citations=written.citations,
        certainty=certainty,
        verified=certainty is Certainty.FACT
        and (engine != EMBEDDED or _is_what_was_asked(ctx, release, tools)),
        missing=tuple(release.missing) or tuple(_unmentioned(ctx, written.text, certainty, tools)),
        lasts=certainty in (Certainty.FACT, Certainty.SURE) and not is_of_moment,
        engine=engine,
    )


def _unmentioned(ctx: Context, text: str, certainty: Certainty, tools: Tools) -> Iterator[str]:
    """Yield the words of a question that an unsure answer does not mention, for staff."""
    mentioned = frozenset(map(tools.corpus.stem, words(text)))
    asked = asked_words(ctx, tools.snapshot) if certainty in UNSURE else ()
    yield from (word[:LONGEST] for word in asked if tools.corpus.stem(word) not in mentioned)


def _lacking(release: Release, certainty: Certainty) -> str:
    """Return the kind of the text for an incomplete answer; empty for a complete one."""
    if certainty is Certainty.NOTHING:
        return "not_on_pages"
    if release.is_near:
        return "uncertain_contact"
    if release.is_lacking:
        return "missing_on_pages" if release.missing else "no_answer_part"
    return ""


def _rested_on(release: Release) -> Iterator[Line]:
    """Yield the lines cited by the statements of an answer."""
    claims = (each.claim for each in release.done if each.claim.form is not Form.PAGE)
    return (line for claim in claims for line in release.evidence.lines(claim.lines))


def _certainty_of(release: Release) -> Certainty:
    """Return the certainty of an answer: FACT if published data explain every statement."""
    if not any(each.fate is not Fate.LEFT_OUT for each in release.done):
        return Certainty.NOTHING
    if release.is_partial or any(each.fate not in (Fate.SAID, Fate.SHOWN) for each in release.done):
        return Certainty.NEAR
    is_explained = all(each.judgement.is_explained for each in release.done)
    lines = tuple(_rested_on(release))
    # A day that was computed from a page's line has the chunk of that line.
    is_published = bool(lines) and all(x.kind in PUBLISHED and not x.chunk_id for x in lines)
    return Certainty.FACT if is_explained and is_published else Certainty.SURE


def _is_what_was_asked(ctx: Context, release: Release, tools: Tools) -> bool:
    """Return whether a published fact or the taxonomy answers the whole question."""
    if any(line.role is Role.FACT for line in _rested_on(release)):
        return True
    parts = ctx.parts or (ctx,)
    return all(lookup_in(part, tools).is_answered_by(part.published.findings) for part in parts)


def detail_of(release: Release, ctx: Context) -> dict[str, Any]:
    """Return the details for the trace: the fate of each statement, and the evidence."""
    return {
        "engine": ctx.reply.engine,
        "statements": [each.detail() for each in release.done],
        "thrown_away": [each.detail() for each in release.thrown_away],
        "asked_anew": list(release.faults),
        "missing": release.missing,
        "tokens": release.evidence.tokens,
        "left_out": list(release.evidence.left_out),
        "citations": len(release.written.citations),
    }


def opening(ctx: Context, tools: Tools) -> tuple[str, ...]:
    """Return the texts before every answer: a warning, and a note on an unsupported language."""
    languages = ctx.understanding.answered_in
    noted = languages if len(languages) > 1 else ()
    notices = (tools.phrases.say("unsupported_language", code) for code in noted)
    return tuple(filter(None, (ctx.warning, *(f"{notice}\n\n" for notice in notices))))


def is_held(ctx: Context, tools: Tools) -> bool:
    """Return whether an answer is held back until guardrail and judge have checked it."""
    has_guardrail = tools.models.guardrail is not None and tools.is_on("guardrails")
    has_judge = tools.models.judge is not None and tools.is_on("judge")
    return (has_guardrail or has_judge) and ctx.understanding.intent not in HARMLESS


def notes(ctx: Context, written: WrittenAnswer, tools: Tools) -> Iterator[str]:
    """Yield the remarks below an answer, in the asker's language."""
    language, say = ctx.understanding.language, tools.phrases.say
    if note := unit_note(ctx, written.text, tools):
        yield note
    years = [day.year for day in _changed(written) if tools.today - day > OLD]
    if years and (note := say("source_is_old", language, year=min(years))):
        yield f"*{note}*"
    translated = {each.language for each in written.citations if each.translated}
    for kind, codes in (
        ("quote_is_translated", translated),
        ("source_is_dutch", written.paraphrased_from - {language}),
    ):
        if codes:
            names = [say(f"language_name_{code}", language) for code in sorted(codes)]
            named = tools.phrases.listed(names, language)
            yield f"*{say(kind, language, language_name=named)}*"


def _changed(written: WrittenAnswer) -> Iterator[date]:
    """Yield the dates of the pages whose figures were printed."""
    for each in written.citations:
        if each.updated_on and any(map(str.isdecimal, each.passage)):
            yield date.fromisoformat(each.updated_on)


def unit_note(ctx: Context, shown: str, tools: Tools) -> str:
    """Return a note if amounts are in another unit than asked about; else nothing."""
    language = ctx.understanding.language
    gap = units_of(tools.snapshot).gap(ctx.question, shown, language)
    if gap is None:
        return ""
    found = tools.phrases.listed(list(gap.found), language)
    return tools.phrases.say("unit_note", language, asked_unit=gap.asked, found_unit=found)
