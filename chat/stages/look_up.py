from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from chat.lookup.asked import asked_of
from chat.lookup.doctors import with_absences
from chat.lookup.handlers import look_up as find
from chat.tools import Tools
from chat.turn import Context, StageResult
from taxonomy.vocabulary import Fact, Thing, Vocabulary


def look_up(ctx: Context, tools: Tools) -> StageResult:
    """Ask the published taxonomy: who, where and when, and how the things named relate."""
    meant, snapshot = ctx.understanding, tools.snapshot
    asked = asked_of(meant, snapshot, ctx.turn.question)
    findings = tuple(with_absences(find(asked), tools.today))
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
