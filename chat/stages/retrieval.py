"""The search in the hospital's pages: by meaning and by words, fused into one order."""

from __future__ import annotations

from chat.sources.searching import searched
from chat.tools import Tools
from chat.turn import Context, StageResult
from zol.errors import ExpectedError


def retrieval(ctx: Context, tools: Tools) -> StageResult:
    """Search the pages, where the strategy reads them."""
    if not ctx.strategy.reads_pages:
        return StageResult(ctx, {"off": ctx.strategy.why})
    return searched(ctx, tools)


def find_nothing(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Answer from the taxonomy alone."""
    return StageResult(ctx.learn(degraded=True))
