from __future__ import annotations

from chat.lookup.asked import asked_of
from chat.lookup.handlers import look_up as find
from chat.lookup.ontology import ontology
from chat.tools import Tools
from chat.turn import Context, StageResult


def look_up(ctx: Context, tools: Tools) -> StageResult:
    """Ask the published taxonomy: who, where and when, and how the things named relate."""
    meant, snapshot = ctx.understanding, tools.snapshot
    asked = asked_of(meant, snapshot, ctx.turn.question)
    findings = find(asked)
    routed = asked.routed
    named = [match.thing for match in meant.matches]
    related = ontology((*named, *routed), snapshot.vocabulary)
    return StageResult(
        ctx.learn(findings=findings, routed=routed, ontology=related),
        {
            "findings": [finding.as_data() for finding in findings],
            "routed": [department.name for department in routed],
            "ontology": list(related),
        },
    )
