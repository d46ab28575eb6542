"""What the published taxonomy answers to a question: one way of looking for each intent.

To add one, write its file and list it here. What is found is typed and names its source; how it
is said is the engine's matter.
"""

from __future__ import annotations

from collections.abc import Mapping

from chat.lookup.asked import Asked, Handler
from chat.lookup.care import book, tell_care
from chat.lookup.departments import find_at_campus, find_departments
from chat.lookup.doctors import find_doctors, name_doctors, one_of_told
from chat.lookup.finding import Finding
from chat.understanding.cues import ONE
from retrieval.intents import Intent
from taxonomy.kinds import Kind

HANDLERS: Mapping[Intent, Handler] = {
    Intent.DOCTOR_LOOKUP: find_doctors,
    Intent.DEPARTMENT_OR_SERVICE_LOOKUP: tell_care,
    Intent.CONDITION_INFORMATION: tell_care,
    Intent.TREATMENT_OR_EXAM_INFORMATION: tell_care,
    Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION: tell_care,
    Intent.BOOKING_OR_CONTACT: book,
}


def look_up(asked: Asked) -> tuple[Finding, ...]:
    """Return what the taxonomy says to a question, most important first, each once."""
    if asked.meant.matched(Kind.DOCTOR):
        return tuple(name_doctors(asked))
    if asked.meant.of_told == ONE and (told := tuple(one_of_told(asked))):
        return told
    if listed := tuple(find_at_campus(asked)):
        return listed
    handler = HANDLERS.get(asked.meant.intent, find_departments)
    if asked.asks_spot and handler is find_doctors:
        handler = tell_care  # Where they are is asked, not who they are.
    return tuple(dict.fromkeys(handler(asked)))
