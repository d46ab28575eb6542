"""From the words of a question to the things of the hospital.

Twelve resolvers in order, the most precise first; for the same words the first match wins, and
longer names win over shorter ones within them. People are recognised before all others, since a
surname may be anything. To add a resolver, write the function and give it its place in the list.

Beside them stands where a complaint leads that is told in many words (`with_told`). That is no
resolver: emergencies are learned from what those find, and a complaint that is told in yet another
way must change nothing about what is heard as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from taxonomy.kinds import Kind
from taxonomy.lexicon import Lexicon, Use
from taxonomy.phrases import ComplaintMention
from taxonomy.resolvers import loose, spellings
from taxonomy.resolvers.complaints import route
from taxonomy.resolvers.entries import Match
from taxonomy.resolvers.index import ResolverIndex, build_index, resolver_index
from taxonomy.resolvers.loose import BODY
from taxonomy.resolvers.question import Candidate, Level, Question, read
from taxonomy.tokens import Token
from taxonomy.vocabulary import Thing

__all__ = [
    "RESOLVERS",
    "Match",
    "ResolverIndex",
    "build_index",
    "resolve",
    "resolve_wording",
    "resolver_index",
]

Find = Callable[[Question, ResolverIndex, tuple[Candidate, ...]], Iterable[Candidate]]
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
    Resolver(spellings.enrichment_trigger),
    Resolver(spellings.campus_exact),
    Resolver(loose.department_skip_gram),
    Resolver(spellings.department_n_gram),
    Resolver(spellings.department_single_alias),
    Resolver(spellings.department_exact_name),
    Resolver(spellings.condition),
    Resolver(loose.department_from_condition, comes_after=True),
    Resolver(spellings.treatment),
    Resolver(spellings.examination),
    Resolver(spellings.specialty),
    Resolver(loose.fuzzy, comes_after=True),
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

Named = tuple[str, Candidate]
#: What is looked for last, since it follows from all the rest.
FOLLOWS = loose.department_from_condition


def resolve(text: str, index: ResolverIndex, language: str = "") -> tuple[Match, ...]:
    """Return all that a question names, most important first; nothing is chosen silently.

    The language is the question's, when it is known: it settles words that two languages share.
    """
    question = read(text, index, language)
    return _resolved(question, index, [*_people(question, index)], (loose.fuzzy, FOLLOWS))


def resolve_wording(text: str, index: ResolverIndex, language: str) -> tuple[Match, ...]:
    """Return what an example of a question names: it has no misspellings, and names nobody."""
    return _resolved(read(text, index, language), index, [], (FOLLOWS,))


def _resolved(
    question: Question, index: ResolverIndex, people: list[Named], after: Iterable[Find]
) -> tuple[Match, ...]:
    found = [*people, *_choose(question, people, _compete(question, index))]
    for find in after:
        chosen = tuple(candidate for _, candidate in found)
        found += [(_name(find), candidate) for candidate in find(question, index, chosen)]
    matches = [_match(question, name, candidate, index) for name, candidate in found]
    return _distinct(_settle(matches, index), index)


def _people(question: Question, index: ResolverIndex) -> Iterable[Named]:
    for found in index.names.find(question.tokens):
        at = tuple(range(found.start, found.end))
        yield DOCTOR_NAME, Candidate(at, found.doctors, found.confidence)


def _compete(question: Question, index: ResolverIndex) -> list[tuple[int, Named]]:
    return [
        (rank, (resolver.name, candidate))
        for rank, resolver in enumerate(RESOLVERS)
        if not resolver.comes_after
        for candidate in resolver.find(question, index, ())
    ]


def _choose(
    question: Question, people: list[Named], candidates: list[tuple[int, Named]]
) -> list[Named]:
    """Keep the longest names, each word used once; for the same words the first resolver wins."""
    taken = {position for _, candidate in people for position in candidate.at}
    chosen = []
    for _, (name, candidate) in sorted(candidates, key=lambda item: _order(question, *item)):
        if taken.isdisjoint(candidate.at):
            taken.update(candidate.at)
            chosen.append((name, candidate))
    return chosen


def _order(question: Question, rank: int, named: Named) -> tuple[bool, int, bool, int, int]:
    candidate = named[1]
    guessed = candidate.level is Level.BORROWED
    # A terminology only speaks where none of the hospital's own words does.
    is_fallback = candidate.level >= Level.TERM
    return is_fallback, -question.letters(candidate.at), guessed, rank, int(candidate.level)


def _match(question: Question, name: str, candidate: Candidate, index: ResolverIndex) -> Match:
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
    """Let a department that is named decide between doctors of one name."""
    named = {
        department
        for match in matches
        if match.thing.kind in (Kind.DEPARTMENT, Kind.SPECIALTY)
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


def with_told(
    matches: tuple[Match, ...],
    told: Sequence[ComplaintMention],
    uses: Sequence[Use],
    words: Sequence[Token],
    index: ResolverIndex,
) -> tuple[Match, ...]:
    """Return what a question names, and the department that complaints told in it lead to; `uses`
    are those of `uses_beside`."""
    kinds = {match.thing.kind for match in matches if match.by != FOLLOWS.__name__}
    found = route(uses, index.complaints) if told and NAMED.isdisjoint(kinds) else None
    if found is None:
        return matches
    start, end = words[found.start].start, words[found.end - 1].end
    text = " ".join(word.text for word in words[found.start : found.end])
    thing, *others = found.departments
    kept = (match for match in matches if match.by != FOLLOWS.__name__)
    return (*kept, Match(thing, text, FOLLOWS.__name__, BODY, tuple(others), start, end))


def uses_beside(
    told: Sequence[ComplaintMention], uses: Sequence[Use], lexicon: Lexicon
) -> tuple[Use, ...]:
    """Return what words stand for: complaints that are told first, then what the rest says."""
    taken = {at for one in told for at in one.at}
    complaints = (
        Use(one.at[0], one.at[-1] + 1, (lexicon.concepts[one.complaint],))
        for one in told
        if one.complaint in lexicon.concepts
    )
    rest = (use for use in uses if taken.isdisjoint(range(use.start, use.end)))
    return (*complaints, *rest)
