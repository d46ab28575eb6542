"""What the published taxonomy answers to a question: one way of looking for each intent.

To add one, write its file in `chat/lookup` and list it here. What is found is typed and names its
source; how it is said is the engine's matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from chat.lookup.departments import book, find_at_campus, find_departments, tell_care
from chat.lookup.doctors import find_doctors, name_doctors, one_of_told, with_absences
from chat.lookup.finding import Finding
from chat.lookup.lookup_question import Handler, LookupQuestion, asked_of
from chat.question.cues import ONE
from chat.tools import Tools
from chat.turn import Context, StageResult
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from taxonomy.vocabulary import Fact, Thing, Vocabulary

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
    if asked.meant.of_told == ONE and (told := tuple(one_of_told(asked))):
        return told
    if listed := tuple(find_at_campus(asked)):
        return listed
    handler = HANDLERS.get(asked.meant.intent, find_departments)
    if asked.asks_spot and handler is find_doctors:
        handler = tell_care  # Where they are is asked, not who they are.
    return tuple(dict.fromkeys(handler(asked)))


def look_up(ctx: Context, tools: Tools) -> StageResult:
    """Ask the published taxonomy: who, where and when, and how the things named relate."""
    meant, snapshot = ctx.understanding, tools.snapshot
    asked = asked_of(meant, snapshot, ctx.turn.question)
    findings = tuple(with_absences(findings_of(asked), tools.today))
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


#: Relations told of one thing, and in all.
MOST_OF_ONE, MOST = 12, 40


def ontology(things: Iterable[Thing], vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the relations of things, as "Palpitaties (condition) TREATED_BY Cardiologie"."""
    found: dict[str, None] = {}
    for thing in dict.fromkeys(things):
        related = islice(relations(thing, vocabulary), MOST_OF_ONE)
        found |= dict.fromkeys(line(fact) for fact in related)
    return tuple(islice(found, MOST))


def relations(thing: Thing, vocabulary: Vocabulary) -> Iterator[Fact]:
    """Yield what a thing relates to, then what relates to it."""
    yield from vocabulary.facts_from(thing)
    yield from vocabulary.facts_to(thing)


def line(fact: Fact) -> str:
    return f"{named(fact.subject)} {fact.predicate} {named(fact.object)}"


def named(thing: Thing) -> str:
    return f"{thing.name} ({thing.kind})"
