"""What the taxonomy says to a question: one way of looking for each intent."""

from __future__ import annotations

from collections.abc import Mapping

from chat.lookup.departments import book, find_at_campus, find_departments, tell_care
from chat.lookup.doctors import find_doctors, name_doctors
from chat.lookup.finding import Finding
from chat.lookup.lookup_question import Handler, LookupQuestion
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from taxonomy.vocabulary import Thing

HANDLERS: Mapping[Intent, Handler] = {
    Intent.DOCTOR_LOOKUP: find_doctors,
    Intent.DEPARTMENT_OR_SERVICE_LOOKUP: tell_care,
    Intent.CONDITION_INFORMATION: tell_care,
    Intent.TREATMENT_OR_EXAM_INFORMATION: tell_care,
    Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION: tell_care,
    Intent.BOOKING_OR_CONTACT: book,
}


def findings_of(asked: LookupQuestion) -> tuple[Finding, ...]:
    """Return what the taxonomy says to a question, most important first, each once."""
    if asked.meant.matched(Kind.DOCTOR):
        return tuple(name_doctors(asked))
    if listed := tuple(find_at_campus(asked)):
        return listed
    handler = HANDLERS.get(asked.meant.intent, find_departments)
    if asked.asks_spot and handler is find_doctors:
        handler = tell_care  # Where they are is asked, not who they are.
    return tuple(dict.fromkeys(handler(asked)))


ROSTER_INTENTS = (Intent.DOCTOR_LOOKUP, Intent.DEPARTMENT_OR_SERVICE_LOOKUP)
#: What a department is found by, most direct first.
NAMING = (Kind.DEPARTMENT, Kind.SPECIALTY, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION)


def department_listed(asked: LookupQuestion) -> Thing | None:
    """Return the department whose doctors are all asked for; None when not all are."""
    if asked.meant.intent not in ROSTER_INTENTS or not asked.meant.wants_list:
        return None
    for kind in NAMING:
        for thing in asked.meant.matched(kind):
            if departments := asked.departments_of(thing):
                return departments[0]
    return None
