"""Resolve the words of a question to entities of the hospital.

Twelve resolvers in order, the most precise first; for the same words the first match wins, and
longer names win over shorter ones within them. People are recognised before all others, since a
surname may be anything. To add a resolver, write the function and give it its place in the list.

Beside them stands where a message leads as a whole (`with_led`), by what was learned: a complaint
that is told in many words has no name that a resolver could find.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from taxonomy.resolvers.complaints import NOWHERE, led
from taxonomy.resolvers.entries import FROM_CONDITION, Match
from taxonomy.resolvers.index import ResolverIndex, build_index, resolver_index
from taxonomy.resolvers.question import Level, ResolverCandidate, ResolverQuestion, read
from taxonomy.resolvers.recognise import AFTERWARDS, BODY, RESOLVERS
from taxonomy.vocabulary import Kind, Thing

__all__ = ["Match", "ResolverIndex", "build_index", "resolve", "resolver_index", "with_led"]

DOCTOR_NAME = "doctor_name"
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

#: The name of a resolver, and what it found.
Named = tuple[str, ResolverCandidate]


def resolve(text: str, index: ResolverIndex, language: str = "") -> tuple[Match, ...]:
    """Return all that a question names, most important first; nothing is chosen silently.

    The language is the question's, when it is known: it settles words that two languages share.
    """
    question = read(text, index, language)
    people: list[Named] = [
        (DOCTOR_NAME, ResolverCandidate(tuple(range(n.start, n.end)), n.doctors, n.confidence))
        for n in index.names.find(question.tokens)
    ]
    found = [*people, *_chosen(question, index, people)]
    for name, find in AFTERWARDS.items():
        chosen = tuple(candidate for _, candidate in found)
        found += [(name, candidate) for candidate in find(question, index, chosen)]
    matches = [_match(question, name, candidate) for name, candidate in found]
    return _distinct(_settle(matches, index), index)


def _chosen(
    question: ResolverQuestion, index: ResolverIndex, people: Iterable[Named]
) -> Iterator[Named]:
    """Keep the longest names, each word used once; for the same words the first resolver wins."""

    def order(item: tuple[int, Named]) -> tuple[bool, int, bool, int, int]:
        rank, (_name, candidate) = item
        # A terminology only speaks where none of the hospital's own words does.
        is_fallback, is_guess = candidate.level >= Level.TERM, candidate.level is Level.BORROWED
        size = question.letters(candidate.at)
        return is_fallback, -size, is_guess, rank, int(candidate.level)

    candidates = [
        (rank, (name, candidate))
        for rank, (name, find) in enumerate(RESOLVERS.items())
        for candidate in find(question, index)
    ]
    taken = {position for _, candidate in people for position in candidate.at}
    for _rank, (name, candidate) in sorted(candidates, key=order):
        if taken.isdisjoint(candidate.at):
            taken.update(candidate.at)
            yield name, candidate


def _match(question: ResolverQuestion, name: str, candidate: ResolverCandidate) -> Match:
    start, end = question.tokens[candidate.at[0]].start, question.tokens[candidate.at[-1]].end
    thing, *others = candidate.things
    is_borrowed, text = candidate.level is Level.BORROWED, question.text[start:end]
    return Match(thing, text, name, candidate.confidence, tuple(others), start, end, is_borrowed)


def _settle(matches: list[Match], index: ResolverIndex) -> list[Match]:
    """Let what else is named, and where that is done, decide between doctors of one name."""
    of = index.vocabulary.departments_of
    others = [match.thing for match in matches if match.thing.kind is not Kind.DOCTOR]
    named = {department for thing in others for department in of(thing)}

    def narrowed(match: Match) -> Match:
        doctors = (match.thing, *match.alternatives)
        there = [doctor for doctor in doctors if named.intersection(of(doctor))]
        if match.thing.kind is not Kind.DOCTOR or not there:
            return match
        return replace(match, thing=there[0], alternatives=tuple(there[1:]))

    return [narrowed(match) for match in matches]


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
    decided = any(m.by == FROM_CONDITION and m.confidence > BODY for m in matches)
    if not found or decided or specialties[NOWHERE] >= TO_NONE:
        return matches
    best, chance = found[0]
    others = tuple(each for each, share in found[1:3] if share >= AS_GOOD * chance)
    # No word of it is a name: what asks, and what is searched for, stays what it was.
    whole = Match(best, "", FROM_CONDITION, BODY, others)
    named = [m for m in matches if m.by != FROM_CONDITION and m.thing.kind in NAMED]
    if not named and chance >= LED_FROM:
        return (*(m for m in matches if m.by != FROM_CONDITION), whole)
    kinds = {match.thing.kind for match in named}
    if named and chance >= LED_OVER and kinds <= IN_PASSING and best not in _theirs(named, index):
        return (whole, *matches)
    return matches


def _theirs(named: Iterable[Match], index: ResolverIndex) -> frozenset[Thing]:
    """Return the departments that are named, and those of what is."""
    things = [match.thing for match in named]
    of_things = (each for thing in things for each in index.vocabulary.departments_of(thing))
    return frozenset((*things, *of_things))
