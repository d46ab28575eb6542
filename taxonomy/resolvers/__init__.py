"""Resolve the words of a question to entities of the hospital.

Twelve resolvers run in order, most precise first. For the same words the first match wins; longer
names win over shorter ones within them. Doctors come before all others, since a surname may be any
word. To add a resolver, write its function and insert it into the list.

`with_likely_department` adds the department that a classifier finds for the message as a whole: a
complaint described in many words has no name that a resolver could match.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from taxonomy.resolvers.complaints import NOWHERE, likely_departments
from taxonomy.resolvers.entries import FROM_CONDITION, Match
from taxonomy.resolvers.index import ResolverIndex, resolver_index
from taxonomy.resolvers.question import Level, ResolverCandidate, ResolverQuestion, read
from taxonomy.resolvers.recognise import AFTERWARDS, BODY, RESOLVERS
from taxonomy.vocabulary import Kind, Thing

__all__ = ["Match", "ResolverIndex", "resolve", "resolver_index", "with_likely_department"]

DOCTOR_NAME = "doctor_name"
#: Ranks of kinds in the results, the subject of a question before its place.
IMPORTANCE = {
    kind: rank
    for rank, kind in enumerate(
        (
            Kind.DOCTOR, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION,
            Kind.DEPARTMENT, Kind.SPECIALTY, Kind.CAMPUS, Kind.HOSPITAL,
        )
    )
}  # fmt: skip

#: The name of a resolver, and a candidate that it found.
Named = tuple[str, ResolverCandidate]


def resolve(text: str, index: ResolverIndex, language: str = "") -> tuple[Match, ...]:
    """Return the entities that a question names, most important first.

    Equally good ones are alternatives of one match. The language of the question, if known,
    decides on words that two languages share.
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
    """Yield the longest non-overlapping candidates; for the same words the first resolver wins."""

    def order(item: tuple[int, Named]) -> tuple[bool, int, bool, int, int]:
        rank, (_name, candidate) = item
        # The terminology counts only where no spelling of the hospital matches.
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
    """Choose between doctors of one name by the departments of everything else that is named."""
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
    """Return each entity once: by importance, named before borrowed, ward codes last."""
    ordered = sorted(
        matches,
        key=lambda match: (
            index.is_bare_ward(match.thing), IMPORTANCE[match.thing.kind],
            match.is_borrowed, match.start,
        ),
    )  # fmt: skip
    return tuple({match.thing: match for match in reversed(ordered)}.values())[::-1]


#: Kinds that, if named, make the likely department of the whole message unnecessary.
NAMED = frozenset(
    {
        Kind.DOCTOR, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION,
        Kind.DEPARTMENT, Kind.SPECIALTY,
    }
)  # fmt: skip


#: Kinds that may be mentioned in passing: "the scan found a stone" is not about the scan.
IN_PASSING = frozenset({Kind.EXAMINATION, Kind.TREATMENT, Kind.DEPARTMENT})
#: Minimum likelihood of a department if nothing is named, and if something is named in passing; of
#: no department at all; and the share of the best likelihood from which others are alternatives.
LIKELY_ALONE, LIKELY_IN_PASSING, LIKELY_NONE, ALTERNATIVE_SHARE = 0.12, 0.5, 0.65, 0.6


def with_likely_department(
    matches: tuple[Match, ...], specialties: Mapping[str, float], index: ResolverIndex
) -> tuple[Match, ...]:
    """Add the likeliest department of the whole message to its matches.

    `specialties` are likelihoods, `NOWHERE` among them. A route that decides takes precedence.
    """
    found = likely_departments(specialties, index.specialists)
    decided = any(m.by == FROM_CONDITION and m.confidence > BODY for m in matches)
    if not found or decided or specialties[NOWHERE] >= LIKELY_NONE:
        return matches
    best, chance = found[0]
    others = tuple(each for each, share in found[1:3] if share >= ALTERNATIVE_SHARE * chance)
    # It has no text, since no word names it: follow-up questions and search stay unchanged.
    whole = Match(best, "", FROM_CONDITION, BODY, others)
    named = [m for m in matches if m.by != FROM_CONDITION and m.thing.kind in NAMED]
    if not named and chance >= LIKELY_ALONE:
        return (*(m for m in matches if m.by != FROM_CONDITION), whole)
    is_in_passing = bool(named) and {match.thing.kind for match in named} <= IN_PASSING
    is_other = best not in _with_departments(named, index)
    if is_in_passing and is_other and chance >= LIKELY_IN_PASSING:
        return (whole, *matches)
    return matches


def _with_departments(named: Iterable[Match], index: ResolverIndex) -> frozenset[Thing]:
    """Return the entities that are named, and their departments."""
    things = [match.thing for match in named]
    of_things = (each for thing in things for each in index.vocabulary.departments_of(thing))
    return frozenset((*things, *of_things))
