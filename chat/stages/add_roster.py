from __future__ import annotations

from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from taxonomy.vocabulary import Thing

ROSTER_INTENTS = (Intent.DOCTOR_LOOKUP, Intent.DEPARTMENT_OR_SERVICE_LOOKUP)


def add_roster(ctx: Context, tools: Tools) -> StageResult:
    """Add every doctor of a department, when all of them are asked for."""
    department = department_listed(ctx, tools)
    if department is None:
        return StageResult(ctx)
    vocabulary = tools.snapshot.vocabulary
    campuses = ctx.understanding.matched(Kind.CAMPUS)
    doctors = vocabulary.at_campuses(vocabulary.doctors_in(department), campuses)
    return StageResult(
        ctx.learn(roster=doctors), {"department": department.name, "doctors": len(doctors)}
    )


def department_listed(ctx: Context, tools: Tools) -> Thing | None:
    """Return the department whose doctors are all asked for; None when not all are."""
    meant = ctx.understanding
    if meant.intent not in ROSTER_INTENTS or not meant.wants_list:
        return None
    for kind in (Kind.DEPARTMENT, Kind.SPECIALTY, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION):
        for thing in meant.matched(kind):
            if departments := tools.snapshot.vocabulary.departments_of(thing):
                return departments[0]
    return None
