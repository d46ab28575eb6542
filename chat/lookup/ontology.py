"""How the things of a question relate to others: a block for the prompt, and for the trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from taxonomy.vocabulary import Fact, Thing, Vocabulary

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
