from __future__ import annotations

from chat.lookup.doctors import roster, with_absences
from chat.lookup.finding import Says
from chat.lookup.lookup_question import LookupQuestion, asked_of, reach
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from taxonomy.vocabulary import Thing

ROSTER_INTENTS = (Intent.DOCTOR_LOOKUP, Intent.DEPARTMENT_OR_SERVICE_LOOKUP)
#: What a department is found by, most direct first.
NAMING = (Kind.DEPARTMENT, Kind.SPECIALTY, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION)


def add_roster(ctx: Context, tools: Tools) -> StageResult:
    """Add every doctor of a department, when all of them are asked for."""
    asked = asked_of(ctx.understanding, tools.snapshot, ctx.turn.question)
    department = department_listed(asked)
    if department is None:
        return StageResult(ctx)
    found = (*roster(asked, department), *reach(asked, department))
    findings = tuple(with_absences(found, tools.today))
    doctors = tuple(each.about for each in findings if each.says is Says.MEMBER)
    return StageResult(
        ctx.learn(roster=doctors, roster_of=department, findings=findings),
        {"department": department.name, "doctors": len(doctors)},
    )


def department_listed(asked: LookupQuestion) -> Thing | None:
    """Return the department whose doctors are all asked for; None when not all are."""
    if asked.meant.intent not in ROSTER_INTENTS or not asked.meant.wants_list:
        return None
    for kind in NAMING:
        for thing in asked.meant.matched(kind):
            if departments := asked.departments_of(thing):
                return departments[0]
    return None
