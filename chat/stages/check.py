from __future__ import annotations

from dataclasses import replace
from typing import Any

from chat.behaviours import Behaviour
from chat.checks.answers.evidence import Evidence, evidence_of
from chat.checks.answers.names import NameCheck, name_check_of
from chat.checks.answers.numbers import unsupported
from chat.checks.answers.quality import quality
from chat.checks.answers.repairs import missing, said_of_members, said_of_routing, unnamed
from chat.checks.answers.text import QUOTED, kept, marks_in, renumbered
from chat.engines.embedded import compose, fact_said
from chat.stages.guard import opening
from chat.tools import Tools
from chat.trace import Retracted, Token
from chat.turn import EMBEDDED, Context, StageResult
from retrieval.statements import lines

#: Why a quotation goes that names no page.
NO_SOURCE = "no source"


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
    judge = Judge(
        evidence_of(
            ctx,
            tools.snapshot,
            *opening(ctx, tools),
            *(fact_said(each, tools) for each in (ctx, *ctx.parts)),
        ),
        tools.snapshot.derived(name_check_of),
    )
    text, removed = kept(ctx.answer, judge.holds)
    ctx = ctx.learn(answer=text)
    unrouted, unlisted = unnamed(ctx), missing(ctx)
    if unlisted:
        ctx = ctx.learn(answer=joined(ctx.answer, said_of_members(unlisted, ctx, tools)))
    if unrouted:
        ctx = ctx.learn(answer=joined(ctx.answer, said_of_routing(ctx, tools)))
    ctx = cited(ctx)
    return ctx, {
        "unknown_marks": unknown,
        "removed": [{"sentence": each, "why": judge.why(each)} for each in removed],
        "missing_doctors": [doctor.name for doctor in unlisted],
        "unrouted": [department.name for department in unrouted],
    }


class Judge:
    """Tells whether a sentence may stay, and why not."""

    def __init__(self, evidence: Evidence, names: NameCheck) -> None:
        self._evidence = evidence
        self._names = names

    def holds(self, sentence: str) -> bool:
        return not self._wrong(sentence)

    def why(self, sentence: str) -> list[str]:
        return list(self._wrong(sentence))

    def _wrong(self, sentence: str) -> tuple[str, ...]:
        if sentence.startswith(QUOTED) and not marks_in(sentence):
            return (NO_SOURCE,)
        text = self._evidence.for_sentence(sentence)
        return (*unsupported(sentence, text), *self._names.unknown(sentence, text))


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

    Word embeddings say nothing across languages (decision D23): there the other checks decide.
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
    return quality(ctx.answer, context, ctx.question, tools.resembles)


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
    tools.emit(Retracted(reason))
    tools.emit(Token(instead))
