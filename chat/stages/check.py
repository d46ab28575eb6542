from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from typing import Any

from chat.answering import compose, fact_said
from chat.behaviours import Certainty
from chat.checking.evidence import evidence_of
from chat.checking.faults import OF_ANYBODY, faults_of
from chat.checking.knowledge import knowledge_of
from chat.checking.statements import Statement, kept, marks_in, renumbered
from chat.stages.detect_emergency import opening
from chat.stages.generate import is_held
from chat.stages.supplement import missing, said_of_members, said_of_routing, unnamed
from chat.tools import Tools
from chat.turn import EMBEDDED, Context, StageResult, Token

#: What likeness to what an answer rests on weighs, and likeness to what was asked (decision D11).
CONTEXT, QUESTION = 0.7, 0.3
#: The quality below which staff are asked to look at a written answer: none of 140 right answers of
#: the demonstration lies below, and 86 % of the answers to other questions do.
LEAST_QUALITY = 0.18


def check(ctx: Context, tools: Tools) -> StageResult:
    """Add what an answer had to name; of what code put together, only that counts which is borne
    out. A model's statements were checked before they were shown: of these none is taken back."""
    if ctx.engine:
        return written(ctx, tools)
    checked, detail = corrected(ctx, tools)
    if not checked.answer.strip():
        checked, again = corrected(quoting(ctx, tools), tools)
        detail = {**detail, "replaced_by": EMBEDDED, "again": again, "needs_review": True}
    return StageResult(checked, detail)


def written(ctx: Context, tools: Tools) -> StageResult:
    """Show what a model's answer had to name and does not; mark one that is like nothing it rests
    on, for staff."""
    score = quality_of(ctx, tools)
    detail: dict[str, Any] = {"quality": round(score, 3)}
    detail |= {"needs_review": True} if score < LEAST_QUALITY else {}
    if added := "\n\n".join(unnamed_in(ctx, tools)):
        if not is_held(ctx, tools):
            tools.emit(Token(f"\n\n{added}"))
        detail["added"] = added
    return StageResult(ctx.learn(answer=joined(ctx.answer, added)), detail)


def unnamed_in(ctx: Context, tools: Tools) -> Iterator[str]:
    """Yield what an answer had to name and does not: doctors of a list, a department."""
    if unlisted := missing(ctx):
        yield said_of_members(unlisted, ctx, tools)
    if unnamed(ctx):
        yield said_of_routing(ctx, tools)


def corrected(ctx: Context, tools: Tools) -> tuple[Context, dict[str, Any]]:
    """Return the turn with its answer mended, and what was taken out and added."""
    unknown = sorted(set(marks_in(ctx.answer)) - {citation.n for citation in ctx.citations})
    ctx = cited(ctx)
    facts = (fact_said(each, tools) for each in (ctx, *ctx.parts))
    evidence = evidence_of(ctx, tools.snapshot, *opening(ctx, tools), *facts)
    known = tools.snapshot.derived(knowledge_of)

    def wrong(sentence: str) -> list[str]:
        said = Statement(sentence, language="")
        return [fault.detail for fault in faults_of(said, evidence, known, OF_ANYBODY)]

    text, removed = kept(ctx.answer, lambda sentence: not wrong(sentence))
    ctx = ctx.learn(answer=text)
    unrouted, unlisted = unnamed(ctx), missing(ctx)
    ctx = ctx.learn(answer=reduce(joined, unnamed_in(ctx, tools), ctx.answer))
    ctx = cited(ctx)
    return ctx, {
        "unknown_marks": unknown,
        "removed": [{"sentence": each, "why": wrong(each)} for each in removed],
        "missing_doctors": [doctor.name for doctor in unlisted],
        "unrouted": [department.name for department in unrouted],
    }


def cited(ctx: Context) -> Context:
    """Return the turn with its sources numbered as listed, unknown and unused ones gone."""
    used = marks_in(ctx.answer)
    listed = [c for c in ctx.citations if c.n in used]
    numbers = {citation.n: place for place, citation in enumerate(listed, start=1)}
    citations = tuple(replace(each, n=numbers[each.n]) for each in listed)
    return ctx.learn(answer=renumbered(ctx.answer, numbers), citations=citations)


def joined(answer: str, addition: str) -> str:
    return "\n\n".join(part for part in (answer.rstrip(), addition) if part)


def quality_of(ctx: Context, tools: Tools) -> float:
    """Return how well a written answer is borne out by the lines it names, together or alone."""
    told = [citation.passage for citation in ctx.citations if citation.passage]
    if not told:
        return 1.0
    context = ("\n".join(told), *told)
    nearest = max(tools.resembles(ctx.answer, text) for text in context)
    return CONTEXT * nearest + QUESTION * tools.resembles(ctx.question, ctx.answer)


def quoting(ctx: Context, tools: Tools) -> Context:
    """Return the turn with the quoted answer in the place of one that nobody was shown."""
    composed = compose(ctx, tools)
    return ctx.learn(
        answer="".join((*opening(ctx, tools), composed.text)),
        citations=composed.citations,
        verified=composed.verified,
        certainty=Certainty.NONE,
        missing=composed.missing,
        engine=EMBEDDED,
        degraded=True,
    )
