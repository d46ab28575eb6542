from __future__ import annotations

from chat.question.content_words import without_marks
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.reranking.base import read_as, reordered
from zol.errors import ExpectedError


def rerank(ctx: Context, tools: Tools) -> StageResult:
    """Have a model that reads question and passage together put the best of them in order."""
    if tools.rerank is None or not ctx.passages:
        return StageResult(ctx, {"off": "RERANK_URL is not set"} if tools.rerank is None else {})
    meant = ctx.understanding
    asked = meant.query if meant.is_followup else without_marks(ctx.question)
    count = tools.steering.tuning.rerank_candidates
    first, others = ctx.passages[:count], ctx.passages[count:]
    relevance = tools.rerank(asked or ctx.question, [read_as(passage) for passage in first])
    passages = reordered(first, relevance)
    moved = sum(one.chunk_id != other.chunk_id for one, other in zip(first, passages, strict=True))
    return StageResult(
        ctx.learn(passages=(*passages, *others)),
        {"judged": sum(score is not None for score in relevance), "moved": moved},
    )


def keep_order(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Go on in the order of the search, which is what there is without a reranker."""
    return StageResult(ctx)
