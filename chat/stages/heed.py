from __future__ import annotations

from dataclasses import replace

from chat.behaviours import Behaviour
from chat.safety.red_flags import red_flags_of
from chat.stages.guard import emergency_text
from chat.tools import Tools
from chat.turn import Context, StageResult

#: A red flag of which no more is known.
EMERGENCY = "emergency"


def heed(ctx: Context, tools: Tools) -> StageResult:
    """Answer what sounds like an emergency in words that no red flag has as one, at once."""
    meant = ctx.understanding
    if not meant.emergency:
        return _remind(ctx, tools)
    flags = tools.snapshot.derived(red_flags_of)
    told = flags.check(ctx.question)
    if told.asks or flags.asks_beside(meant.emergency, ctx.question):
        kind = told.kind or meant.emergency
        return StageResult(ctx.learn(red_flag=kind), {"red_flag_beside": kind})
    kind = emergency_text(meant.emergency)
    learned = ctx.learn(
        answer="\n\n".join(tools.phrases.say(kind, code) for code in meant.answered_in),
        behaviour=Behaviour.EMERGENCY,
        red_flag=meant.emergency,
    )
    detail = {"red_flag": meant.emergency, "learned": meant.evidence.get("alarm", {})}
    return StageResult(learned, detail, stop=True)


def _remind(ctx: Context, tools: Tools) -> StageResult:
    """Note an emergency that was answered before: its number comes first once more."""
    earlier = next((one for one in reversed(ctx.turn.history) if one.was_emergency), None)
    if ctx.red_flag or earlier is None:
        return StageResult(ctx)
    before = replace(ctx.turn, question=earlier.question, history=())
    # Told in several messages, or by rows that have changed since, it is one all the same.
    kind = tools.read(before, tools.snapshot).emergency or EMERGENCY
    return StageResult(ctx.learn(red_flag=kind), {"earlier_red_flag": kind})
