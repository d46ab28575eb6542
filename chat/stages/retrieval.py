"""Retrieve from the hospital's pages: dense and keyword search, fused into one ranking."""

from __future__ import annotations

from chat.sources.searching import as_rewritten, found_for
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.query import fused, preferring

#: Minimum passages of preferred kinds; with fewer no kind is preferred.
FEWEST_FILTERED = 3
#: Weight of passages on pages of other kinds than the preferred ones.
OTHER_KINDS = 0.8


def retrieval(ctx: Context, tools: Tools) -> StageResult:
    """Search the pages if the strategy uses them; preferred kinds rank higher.

    A model's rewritten question is searched beside the visitor's own words.
    """
    if not ctx.strategy.reads_pages:
        return StageResult(ctx, {"off": ctx.strategy.why})
    query, found = found_for(as_rewritten(ctx, tools), tools)
    if ctx.found.own is not None and ctx.understanding.by_model:
        found = fused(found, ctx.found.own)
    passages, kinds = found.passages, ctx.strategy.preferred
    suitable = sum(passage.source.category in kinds for passage in passages)
    dropped = bool(kinds) and suitable < FEWEST_FILTERED
    if kinds and not dropped:
        passages = preferring(passages, kinds, factor=OTHER_KINDS)
    learned = ctx.learn(
        passages=passages, best_similarity=found.best_similarity, dense_hits=found.dense_hits
    )
    detail = {
        "query": query.text,
        "words": {word: round(weight, 2) for word, weight in query.words.items()},
        "categories": sorted(query.categories or kinds),
        "filter_dropped": dropped,
        "found": len(passages),
        "dense": sum(passage.dense_rank > 0 for passage in passages),
        "keyword": sum(passage.keyword_rank > 0 for passage in passages),
        "best_similarity": round(found.best_similarity, 4),
    }
    return StageResult(learned, detail)
