"""The certainty of an answer."""

from __future__ import annotations

from chat.behaviours import Behaviour, Certainty
from chat.turn import Context

__all__ = ["UNSURE", "Certainty", "certainty_of"]

#: Certainties of answers that may not have helped.
UNSURE = (Certainty.NEAR, Certainty.NOTHING)


def certainty_of(ctx: Context) -> Certainty:
    """Return the certainty of a turn's answer; only sure ones are cached."""
    if ctx.behaviour is not Behaviour.ANSWER or ctx.reply.certainty:
        return ctx.reply.certainty
    if ctx.reply.is_curated:
        return Certainty.CURATED
    return Certainty.FACT if ctx.reply.verified else Certainty.SURE
