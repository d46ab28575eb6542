from __future__ import annotations

from chat.tools import Tools
from chat.turn import Context, StageResult, Understanding
from zol.errors import ExpectedError


def understand(ctx: Context, tools: Tools) -> StageResult:
    """Find out what the visitor wants, in which language, about which things."""
    meant = tools.understand(ctx.turn, tools.snapshot)
    return StageResult(
        ctx.learn(understanding=meant),
        {
            "intent": meant.intent,
            "confidence": round(meant.confidence, 3),
            "language": meant.language,
            "query": meant.query,
            "topic": meant.topic,
            "resolved": [
                {"text": m.text, "name": m.thing.name, "kind": m.thing.kind, "by": m.by}
                for m in meant.matches
            ],
            "follow_up": meant.is_followup,
            "wants_list": meant.wants_list,
            "evidence": dict(meant.evidence),
        },
    )


def treat_as_unknown(ctx: Context, tools: Tools, error: ExpectedError) -> StageResult:
    """Search the visitor's own words."""
    meant = Understanding(language=ctx.turn.language, query=ctx.question)
    return StageResult(ctx.learn(understanding=meant, degraded=True))
