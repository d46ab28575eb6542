"""How sure an answer is of itself."""

from __future__ import annotations

from chat.behaviours import Behaviour, Certainty
from chat.turn import Context

__all__ = ["UNSURE", "Certainty", "certainty_of"]

#: With these somebody was not helped, or may not have been.
UNSURE = (Certainty.NEAR, Certainty.NOTHING)


def certainty_of(ctx: Context) -> Certainty:
    """Return how sure the answer of a turn is; only sure ones are remembered for others."""
    if ctx.behaviour is not Behaviour.ANSWER or ctx.reply.certainty:
        return ctx.reply.certainty
    if ctx.reply.is_curated:
        return Certainty.CURATED
    return Certainty.FACT if ctx.reply.verified else Certainty.SURE
