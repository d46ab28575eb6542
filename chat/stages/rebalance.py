from __future__ import annotations

from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval import boosts


def rebalance(ctx: Context, tools: Tools) -> StageResult:
    """Reorder passages by how well their subject suits what was asked."""
    steering, meant = tools.steering, ctx.understanding
    row = steering.row_for(meant.intent, meant.topic)
    passages = boosts.rebalance(ctx.passages, row, steering)
    top = steering.tuning.primary_top
    primary = boosts.primary_category(passages, top=top)
    off = boosts.mismatch(passages, row, steering, top=top)
    return StageResult(
        ctx.learn(passages=passages, steering_row=row, primary_category=primary),
        {"row": row, "primary": primary, "mismatch": round(off.rate, 3), "off": off.off},
    )
