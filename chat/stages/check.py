from __future__ import annotations

from dataclasses import replace
from typing import Any

from chat.answering import compose, fact_said
from chat.behaviours import Behaviour
from chat.checking.evidence import evidence_of
from chat.checking.faults import OF_ANYBODY, faults_of
from chat.checking.knowledge import knowledge_of
from chat.checking.statements import Statement, kept, marks_in, renumbered
from chat.stages.detect_emergency import opening
from chat.stages.supplement import missing, said_of_members, said_of_routing, unnamed
from chat.tools import Tools
from chat.turn import EMBEDDED, Context, Retraction, StageResult, Token
from retrieval.statements import lines

#: What likeness to what an answer rests on weighs, and likeness to what was asked (decision D11).
CONTEXT, QUESTION = 0.7, 0.3


def check(ctx: Context, tools: Tools) -> StageResult:
    """Let only that part of an answer count which is borne out; add what it had to name."""
    checked, detail = corrected(ctx, tools)
    score = quality_of(checked, tools)
    if score < tools.least_quality or not checked.answer.strip():
        checked, again = corrected(quoting(ctx, tools), tools)
        detail = {**detail, "replaced_by": EMBEDDED, "again": again, "needs_review": True}
    elif checked.answer != ctx.answer and ctx.engine != EMBEDDED:
        retract(tools, "corrected", checked.answer)
    return StageResult(checked, {"quality": round(score, 3), **detail})


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
    if unlisted:
        ctx = ctx.learn(answer=joined(ctx.answer, said_of_members(unlisted, ctx, tools)))
    if unrouted:
        ctx = ctx.learn(answer=joined(ctx.answer, said_of_routing(ctx, tools)))
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
    """Return how well a written answer is borne out; what only quotes, is by its nature.

    A short answer is like the passage it comes from, and unlike a whole dossier. Word embeddings
    say nothing across languages (decision D23): there the other checks decide.
    """
    if ctx.engine == EMBEDDED or ctx.behaviour is not Behaviour.ANSWER:
        return 1.0
    # What cites no page repeats facts, or says that our pages do not tell: it is like none.
    if not ctx.citations:
        return 1.0
    language = tools.snapshot.profile.default_language
    if ctx.understanding.language != language and not tools.compares_languages:
        return 1.0
    cited = {citation.document_id for citation in ctx.citations}
    read = [p for block in ctx.dossier.blocks for p in block.passages]
    texts = [p.text for p in read if p.source.document_id in cited] or [p.text for p in read]
    said = [f"{line.above} {line.text}".strip() for text in texts for line in lines(text)]
    context = (*texts, *said, "\n".join(ctx.ontology))
    nearest = max(tools.resembles(ctx.answer, text) for text in context)
    return CONTEXT * nearest + QUESTION * tools.resembles(ctx.question, ctx.answer)


def quoting(ctx: Context, tools: Tools) -> Context:
    """Return the turn with the quoted answer in the place of the written one."""
    written = compose(ctx, tools)
    answer = "".join((*opening(ctx, tools), written.text))
    retract(tools, "unsupported", answer)
    return ctx.learn(
        answer=answer,
        citations=written.citations,
        verified=written.verified,
        engine=EMBEDDED,
        degraded=True,
    )


def retract(tools: Tools, reason: str, instead: str) -> None:
    """Take back what was shown, and show what counts."""
    tools.emit(Retraction(reason))
    tools.emit(Token(instead))
