from __future__ import annotations

from dataclasses import replace
from math import exp

from chat.engines.embedded.pool import seen_among
from chat.engines.embedded.quotes import odds_by_passage
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.passage import by_weight

#: How much worse than the worst statement a passage counts that has none.
WORDLESS = 1.0


def skim(ctx: Context, tools: Tools) -> StageResult:
    """Read what was found: a passage counts by the statement in it that answers best."""
    if any(passage.relevance is not None for passage in ctx.passages):
        return StageResult(ctx, {"off": "a reranker has read the passages"})
    seen = seen_among(ctx, tools, ctx.passages)
    if seen is None:
        return StageResult(ctx)
    odds = odds_by_passage(seen)
    best, least = max(odds.values()), min(odds.values()) - WORDLESS
    voice = tools.steering.tuning.skim_voice
    passages = by_weight(
        replace(each, answering=exp(voice * (odds.get(each.chunk_id, least) - best)))
        for each in ctx.passages
    )
    moved = sum(
        one.chunk_id != other.chunk_id for one, other in zip(ctx.passages, passages, strict=True)
    )
    return StageResult(ctx.learn(passages=passages), {"read": len(odds), "moved": moved})
