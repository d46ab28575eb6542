from __future__ import annotations

from chat.tools import Tools
from chat.turn import Context, StageResult


def state_fact(ctx: Context, tools: Tools) -> StageResult:
    """Look for the published fact that answers; it is said before what the pages say."""
    fact = tools.fact(ctx)
    if fact is None:
        return StageResult(ctx)
    entry = fact.entry
    subject = f"{entry.subject.kind}:{entry.subject.key}" if entry.subject else ""
    told = {"need": entry.need, "subject": subject, "chance": round(fact.chance, 3)}
    return StageResult(ctx.learn(fact=fact), told)
