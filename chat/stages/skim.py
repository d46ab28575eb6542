from __future__ import annotations

from chat.engines.embedded.held import held
from chat.engines.embedded.pool import seen_among
from chat.engines.embedded.quotes import best_by_passage, readings
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.grading import weigh


def skim(ctx: Context, tools: Tools) -> StageResult:
    """Read what was found: a passage counts by the statement in it that answers best, by what it
    has of what the taxonomy answers, and by what else speaks for it, as loudly as passages that
    people judged ask for."""
    if any(passage.relevance is not None for passage in ctx.passages):
        return StageResult(ctx, {"off": "a reranker has read the passages"})
    seen = seen_among(ctx, tools, ctx.passages)
    if seen is None:
        return StageResult(ctx)
    odds = best_by_passage(seen, readings(seen))
    # Of what is out of date no statement was read: it bears nothing out.
    read = [passage for passage in ctx.passages if passage.chunk_id in odds]
    bear_out = held(ctx.findings, seen.reading.wanted.sorts, read)
    passages = weigh(ctx.passages, odds, tools.steering.tuning, bear_out)
    moved = sum(
        one.chunk_id != other.chunk_id for one, other in zip(ctx.passages, passages, strict=True)
    )
    return StageResult(ctx.learn(passages=passages), {"read": len(odds), "moved": moved})
