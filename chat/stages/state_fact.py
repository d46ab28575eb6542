from __future__ import annotations

from chat.answering.plan import PEOPLE
from chat.tools import Tools
from chat.turn import Context, StageResult


def state_fact(ctx: Context, tools: Tools) -> StageResult:
    """Look for the published fact that answers; it is said before what the pages say. Whom the
    taxonomy names, answers by name."""
    if ctx.roster or any(found.says in PEOPLE for found in ctx.findings):
        return StageResult(ctx, {"off": "the taxonomy answers with people"})
    fact = tools.fact(ctx)
    if fact is None:
        return StageResult(ctx)
    entry = fact.entry
    subject = f"{entry.subject.kind}:{entry.subject.key}" if entry.subject else ""
    told = {"need": entry.need, "subject": subject, "chance": round(fact.chance, 3)}
    return StageResult(ctx.learn(fact=fact), told)
