"""Resolve the words of a question to entities of the hospital.

Twelve resolvers in order, the most precise first; for the same words the first match wins, and
longer names win over shorter ones within them. People are recognised before all others, since a
surname may be anything. To add a resolver, write the function and give it its place in the list.

Beside them stands where a message leads as a whole (`with_led`), by what was learned: a complaint
that is told in many words has no name that a resolver could find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from taxonomy.resolvers import recognise
from taxonomy.resolvers.complaints import NOWHERE, led
from taxonomy.resolvers.entries import Match
from taxonomy.resolvers.index import ResolverIndex, build_index, resolver_index
from taxonomy.resolvers.question import Level, ResolverCandidate, ResolverQuestion, read
from taxonomy.resolvers.recognise import BODY
from taxonomy.vocabulary import Kind, Thing

__all__ = [
    "RESOLVERS",
    "Match",
    "ResolverIndex",
    "build_index",
    "resolve",
    "resolve_wording",
    "resolver_index",
]

Find = Callable[
    [ResolverQuestion, ResolverIndex, tuple[ResolverCandidate, ...]], Iterable[ResolverCandidate]
]
DOCTOR_NAME = "doctor_name"


@dataclass(frozen=True, slots=True)
class Resolver:
    find: Find
    #: Whether it looks at what the others have found, rather than competes with them.
    comes_after: bool = False

    @property
    def name(self) -> str:
        return _name(self.find)


def _name(find: Find) -> str:
    return str(find.__name__)  # type: ignore[attr-defined]


RESOLVERS = (
    Resolver(recognise.enrichment_trigger),
    Resolver(recognise.campus_exact),
    Resolver(recognise.department_skip_gram),
    Resolver(recognise.department_n_gram),
    Resolver(recognise.department_single_alias),
    Resolver(recognise.department_exact_name),
    Resolver(recognise.condition),
    Resolver(recognise.department_from_condition, comes_after=True),
    Resolver(recognise.treatment),
    Resolver(recognise.examination),
    Resolver(recognise.specialty),
    Resolver(recognise.fuzzy, comes_after=True),
)

#: What a question is about, before where and by whom it is done.
IMPORTANCE = {
    kind: rank
    for rank, kind in enumerate(
        (
            Kind.DOCTOR, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION,
            Kind.DEPARTMENT, Kind.SPECIALTY, Kind.CAMPUS, Kind.HOSPITAL,
        )
    )
}  # fmt: skip

Named = tuple[str, ResolverCandidate]
#: What is looked for last, since it follows from all the rest.
FOLLOWS = recognise.department_from_condition


def resolve(text: str, index: ResolverIndex, language: str = "") -> tuple[Match, ...]:
    """Return all that a question names, most important first; nothing is chosen silently.

    The language is the question's, when it is known: it settles words that two languages share.
    """
    question = read(text, index, language)
    return _resolved(question, index, [*_people(question, index)], (recognise.fuzzy, FOLLOWS))


def resolve_wording(text: str, index: ResolverIndex, language: str) -> tuple[Match, ...]:
    """Return what an example of a question names: it has no misspellings, and names nobody."""
    return _resolved(read(text, index, language), index, [], (FOLLOWS,))


def _resolved(
    question: ResolverQuestion, index: ResolverIndex, people: list[Named], after: Iterable[Find]
) -> tuple[Match, ...]:
    found = [*people, *_choose(question, people, _compete(question, index))]
    for find in after:
        chosen = tuple(candidate for _, candidate in found)
        found += [(_name(find), candidate) for candidate in find(question, index, chosen)]
    matches = [_match(question, name, candidate, index) for name, candidate in found]
    return _distinct(_settle(matches, index), index)


def _people(question: ResolverQuestion, index: ResolverIndex) -> Iterable[Named]:
    for found in index.names.find(question.tokens):
        at = tuple(range(found.start, found.end))
        yield DOCTOR_NAME, ResolverCandidate(at, found.doctors, found.confidence)


def _compete(question: ResolverQuestion, index: ResolverIndex) -> list[tuple[int, Named]]:
    return [
        (rank, (resolver.name, candidate))
        for rank, resolver in enumerate(RESOLVERS)
        if not resolver.comes_after
        for candidate in resolver.find(question, index, ())
    ]


def _choose(
    question: ResolverQuestion, people: list[Named], candidates: list[tuple[int, Named]]
) -> list[Named]:
    """Keep the longest names, each word used once; for the same words the first resolver wins."""
    taken = {position for _, candidate in people for position in candidate.at}
    chosen = []
    for _, (name, candidate) in sorted(candidates, key=lambda item: _order(question, *item)):
        if taken.isdisjoint(candidate.at):
            taken.update(candidate.at)
            chosen.append((name, candidate))
    return chosen


def _order(question: ResolverQuestion, rank: int, named: Named) -> tuple[bool, int, bool, int, int]:
    candidate = named[1]
    guessed = candidate.level is Level.BORROWED
    # A terminology only speaks where none of the hospital's own words does.
    is_fallback = candidate.level >= Level.TERM
    return is_fallback, -question.letters(candidate.at), guessed, rank, int(candidate.level)


def _match(
    question: ResolverQuestion, name: str, candidate: ResolverCandidate, index: ResolverIndex
) -> Match:
    first, last = question.tokens[candidate.at[0]], question.tokens[candidate.at[-1]]
    thing, *others = candidate.things
    start, end = first.start, last.end
    return Match(
        thing,
        question.text[start:end],
        name,
        candidate.confidence,
        tuple(others),
        start,
        end,
        candidate.level is Level.BORROWED,
    )


def _settle(matches: list[Match], index: ResolverIndex) -> list[Match]:
    """Let what else is named, and where that is done, decide between doctors of one name."""
    named = {
        department
        for match in matches
        if match.thing.kind is not Kind.DOCTOR
        for department in index.vocabulary.departments_of(match.thing)
    }
    return [_narrowed(match, named, index) for match in matches]


def _narrowed(match: Match, departments: set[Thing], index: ResolverIndex) -> Match:
    if match.thing.kind is not Kind.DOCTOR or not match.alternatives:
        return match
    doctors = (match.thing, *match.alternatives)
    there = [d for d in doctors if departments & set(index.vocabulary.departments_of(d))]
    if not there:
        return match
    return replace(match, thing=there[0], alternatives=tuple(there[1:]))


def _distinct(matches: list[Match], index: ResolverIndex) -> tuple[Match, ...]:
    """Order by importance, what is named before what is not, codes of wards last; say each once."""
    ordered = sorted(
        matches,
        key=lambda match: (
            index.is_bare_ward(match.thing), IMPORTANCE[match.thing.kind],
            match.is_borrowed, match.start,
        ),
    )  # fmt: skip
    return tuple({match.thing: match for match in reversed(ordered)}.values())[::-1]


#: Who names one of these needs no complaint to be led by.
NAMED = frozenset(
    {
        Kind.DOCTOR, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION,
        Kind.DEPARTMENT, Kind.SPECIALTY,
    }
)  # fmt: skip


#: What may be named in passing: who tells that a scan found something asks about that.
IN_PASSING = frozenset({Kind.EXAMINATION, Kind.TREATMENT, Kind.DEPARTMENT})
#: How likely a message as a whole must lead to a department where nothing is named, and where
#: something is in passing; how likely one that leads to none is; and which others are as good.
LED_FROM, LED_OVER, TO_NONE, AS_GOOD = 0.12, 0.5, 0.65, 0.6


def with_led(
    matches: tuple[Match, ...], specialties: Mapping[str, float], index: ResolverIndex
) -> tuple[Match, ...]:
    """Return what a question names, and the department that it leads to as a whole, by how likely
    it leads to each specialty (`NOWHERE` among them). A route that decides comes before that."""
    found = led(specialties, index.specialists)
    decided = any(m.by == FOLLOWS.__name__ and m.confidence > BODY for m in matches)
    if not found or decided or specialties[NOWHERE] >= TO_NONE:
        return matches
    best, chance = found[0]
    others = tuple(each for each, share in found[1:3] if share >= AS_GOOD * chance)
    # No word of it is a name: what asks, and what is searched for, stays what it was.
    whole = Match(best, "", FOLLOWS.__name__, BODY, others)
    named = [m for m in matches if m.by != FOLLOWS.__name__ and m.thing.kind in NAMED]
    if not named and chance >= LED_FROM:
        return (*(m for m in matches if m.by != FOLLOWS.__name__), whole)
    kinds = {match.thing.kind for match in named}
    if named and chance >= LED_OVER and kinds <= IN_PASSING and best not in _theirs(named, index):
        return (whole, *matches)
    return matches


def _theirs(named: Iterable[Match], index: ResolverIndex) -> frozenset[Thing]:
    """Return the departments that are named, and those of what is."""
    things = [match.thing for match in named]
    of_things = (each for thing in things for each in index.vocabulary.departments_of(thing))
    return frozenset((*things, *of_things))
