from __future__ import annotations

from collections.abc import Iterator

from chat.lookup.departments import visiting_hours
from chat.lookup.finding import Says
from chat.lookup.lookup_question import LookupQuestion, asked_of
from chat.tools import Tools
from chat.turn import Context, StageResult
from taxonomy.vocabulary import Thing
from zol.text import fold


def suggest(ctx: Context, tools: Tools) -> StageResult:
    """Offer next questions that the taxonomy can answer; where it cannot, none.

    A page's headings are no questions: whoever asked one would read what was not asked for.
    """
    asked = fold(ctx.question)
    offered = (question for question in about_department(ctx, tools) if fold(question) != asked)
    return StageResult(ctx.learn(follow_ups=tuple(offered)))


def about_department(ctx: Context, tools: Tools) -> Iterator[str]:
    """Yield what can be asked of the department at hand and was not answered yet."""
    asked = asked_of(ctx.understanding, tools.snapshot)
    for department in asked.departments[:1]:
        for kind in kinds_for(ctx, asked, department):
            said = tools.phrases.say(kind, ctx.understanding.language, department=department.name)
            if said:
                yield said


def kinds_for(ctx: Context, asked: LookupQuestion, department: Thing) -> Iterator[str]:
    """Yield the questions that the taxonomy can answer of a department."""
    told = {finding.says for finding in ctx.findings}
    doctors = asked.vocabulary.doctors_in(department)
    if Says.ROSTER not in told and doctors:
        yield "suggest_doctors"
    # Where nobody holds consultations there is nothing to book: one goes there, or is sent.
    if Says.BOOKED_AT not in told and any(doctor.get("schedule") for doctor in doctors):
        yield "suggest_booking"
    if Says.VISITING_HOURS not in told and any(visiting_hours(asked, department)):
        yield "suggest_hours"
