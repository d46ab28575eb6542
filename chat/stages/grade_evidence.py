from __future__ import annotations

from dataclasses import replace

from chat.question.content_words import asked_words, without_marks
from chat.stages.boost import hints_for
from chat.stages.search import dampened, query_for
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.boosts import boost, rebalance
from retrieval.grading import Grade, GradedEvidence, cover
from retrieval.grading import grade as graded
from retrieval.passage import Passage, by_weight

#: Passages of the second search that join, at most.
JOINING = 5
SECOND = "second search"


def grade_evidence(ctx: Context, tools: Tools) -> StageResult:
    """Judge what was found: enough, doubtful (search once more), or no answer at all."""
    if is_answered_by_taxonomy(ctx):
        return StageResult(ctx, {"bypassed": "the taxonomy answers"})
    first = verdict(ctx, tools)
    detail: dict[str, object] = {"grade": str(first), **shown(ctx, tools)}
    if first is Grade.CORRECT:
        return StageResult(ctx, detail)
    wider = broadened(ctx, tools)
    second = verdict(wider, tools)
    detail |= {"after_second_search": str(second), "second": shown(wider, tools)}
    if second is Grade.INCORRECT:
        return StageResult(wider.learn(passages=()), detail | {"left_out": len(wider.passages)})
    return StageResult(wider, detail)


def is_answered_by_taxonomy(ctx: Context) -> bool:
    """Whether the published taxonomy answers, whatever the pages say (spec 04, incident 15)."""
    return bool(ctx.roster) or (bool(ctx.findings) and ctx.dossier.with_facts)


def verdict(ctx: Context, tools: Tools) -> Grade:
    """Return the grade; a question whose language nobody hears here is never found wanting."""
    found = graded(evidence_of(ctx, tools))
    if found is Grade.INCORRECT and not can_judge(ctx, tools):
        return Grade.AMBIGUOUS
    return found


def can_judge(ctx: Context, tools: Tools) -> bool:
    """Whether question and pages can be compared: by words, or by an embedding that hears both."""
    asker = ctx.understanding.detected or ctx.understanding.language
    if asker == tools.snapshot.profile.default_language:
        return True
    return not tools.hears or asker in tools.hears


def evidence_of(ctx: Context, tools: Tools) -> GradedEvidence:
    read = ctx.passages[: tools.steering.tuning.limit]
    return GradedEvidence(
        likeness=ctx.best_similarity / tools.low_similarity,
        cover=cover(asked_words(ctx, tools.snapshot), read, tools.stem),
    )


def shown(ctx: Context, tools: Tools) -> dict[str, float]:
    found = evidence_of(ctx, tools)
    return {"likeness": round(found.likeness, 3), "cover": round(found.cover, 3)}


def broadened(ctx: Context, tools: Tools) -> Context:
    """Search again in other words, without floor or filter; return the turn with what is new."""
    meant = ctx.understanding
    text = meant.query or without_marks(ctx.question)
    query = replace(query_for(ctx, tools, text), categories=frozenset(), floor=-1.0)
    found = tools.search(query)
    known = {passage.chunk_id for passage in ctx.passages}
    new = [passage for passage in found.passages if passage.chunk_id not in known][:JOINING]
    joining = ranked([marked(passage, ctx.passages) for passage in new], ctx, tools)
    return ctx.learn(
        passages=by_weight((*ctx.passages, *joining)),
        best_similarity=max(ctx.best_similarity, found.best_similarity),
    )


def marked(passage: Passage, others: tuple[Passage, ...]) -> Passage:
    """Return a passage below those that the question itself found."""
    return dampened(passage, others).changed(entered_by=SECOND)


def ranked(passages: list[Passage], ctx: Context, tools: Tools) -> tuple[Passage, ...]:
    """Return passages with the factors that the others have."""
    tuning = tools.steering.tuning
    lifted = boost(passages, hints_for(ctx, tools), tuning) if tools.is_on("boosts") else passages
    if not tools.is_on("value_framework"):
        return tuple(lifted)
    return rebalance(lifted, ctx.steering_row, tools.steering)
