"""Resolvers: find entities of the hospital in the words of a question.

They match names and aliases exactly, by sound or stem, in another word order or misspelt, and
derive departments from conditions and complaints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile

from taxonomy.language.dictionary import is_word_of
from taxonomy.language.lexicon import FUNCTION
from taxonomy.language.tokens import FUZZY_FROM, TWO_ERRORS_FROM, closest, join, sound
from taxonomy.resolvers.complaints import DECIDES, route
from taxonomy.resolvers.entries import FROM_CONDITION, Entry
from taxonomy.resolvers.index import ResolverIndex
from taxonomy.resolvers.question import (
    CONFIDENCE,
    Hit,
    Level,
    ResolverCandidate,
    ResolverQuestion,
    confidence,
)
from taxonomy.vocabulary import Kind, Thing

Find = Callable[[ResolverQuestion, ResolverIndex], Iterable[ResolverCandidate]]
Chosen = tuple[ResolverCandidate, ...]
#: Order of preference if words name entities of several kinds.
FIRST_KINDS = (
    Kind.DEPARTMENT, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION, Kind.SPECIALTY, Kind.CAMPUS,
)  # fmt: skip
#: Maximum words in between those of a name in another order.
GAP = 2
#: Minimum letters of a word whose first letter may be wrong.
FIRST_LETTER_FROM = 8
#: Minimum letters of the second half of a compound, which must be a word: "hartproblemen".
REST_FROM = 4
#: Minimum letters of each of two words that are matched together: "sint barbra".
PAIRED_FROM = 3
#: Minimum letters of a name that begins a compound.
COMPOUND_FROM = 5
#: The same in a language that is neither the question's nor the hospital's.
FOREIGN_FROM = 8
#: Letters between the halves of a compound.
LINKS = ("s", "n", "en", "er", "es")
MEDICAL = frozenset({Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION})
#: Confidence in a department derived from a part of the body, and from a condition.
BODY, DERIVED = 0.6, 0.9


def _trigger(question: ResolverQuestion, index: ResolverIndex) -> Iterator[ResolverCandidate]:
    """Find the entity whose name is the whole rest of "meer informatie over de …"."""
    words = [token.folded for token in question.tokens]
    language = question.language or index.language
    for end in range(1, len(words)):
        if join(words[:end]) in index.triggers:
            meant = (index.lexicon.find(word, language) for word in words[end:])
            is_idle = (any(concept.kind == FUNCTION for concept in found) for found in meant)
            start = end + len(list(takewhile(bool, is_idle)))
            rest = [hit for hit in question.hits if (hit.start, hit.end) == (start, len(words))]
            yield from _candidates(rest, question, index)


def _spelled(kind: Kind, fits: Callable[[Entry], bool] = lambda entry: True) -> Find:
    """Return a resolver for entities of a kind by their spellings."""

    def find(question: ResolverQuestion, index: ResolverIndex) -> Iterator[ResolverCandidate]:
        entries = ((hit, hit.entry) for hit in question.hits)
        hits = (hit for hit, entry in entries if entry.thing.kind is kind and fits(entry))
        yield from _candidates(hits, question, index)

    return find


def _candidates(
    hits: Iterable[Hit], question: ResolverQuestion, index: ResolverIndex
) -> Iterator[ResolverCandidate]:
    """Yield one candidate for each range of words, with the hits that fit best."""
    spans: dict[tuple[int, int], list[Hit]] = {}
    for hit in hits:
        spans.setdefault((hit.start, hit.end), []).append(hit)
    for (start, end), found in spans.items():
        ranks = [_rank(hit, question, index) for hit in found]
        best = min(ranks)
        kept = [hit for hit, rank in zip(found, ranks, strict=True) if rank == best]
        yield ResolverCandidate(
            tuple(range(start, end)),
            of_first_kind(hit.entry.thing for hit in kept),
            max(confidence(hit, question, index) for hit in kept),
            kept[0].level,
        )


def _rank(hit: Hit, question: ResolverQuestion, index: ResolverIndex) -> tuple[bool, int, bool]:
    """Rank hits on the same words: ward codes last, then by level, then by language."""
    at_home = hit.entry.language in ("", question.language or index.language)
    return index.is_bare_ward(hit.entry.thing), int(hit.level), not at_home


def of_first_kind(things: Iterable[Thing]) -> tuple[Thing, ...]:
    """Return the distinct entities of the most preferred kind."""
    distinct = tuple(dict.fromkeys(things))
    for kind in FIRST_KINDS:
        if fitting := tuple(thing for thing in distinct if thing.kind is kind):
            return fitting
    return distinct


def _skip_gram(question: ResolverQuestion, index: ResolverIndex) -> Iterator[ResolverCandidate]:
    """Find a department by its identifying words in any order: "intensive zorgen"."""
    at: dict[str, int] = {}
    for position, token in enumerate(question.tokens):
        at.setdefault(sound(token.folded), position)
    for phrase in (phrase for key in at for phrase in index.phrases.get(key, ())):
        if not phrase.sounds <= at.keys():
            continue
        positions = tuple(sorted(at[key] for key in phrase.sounds))
        there = question.tokens[positions[0] : positions[-1] + 1]
        # The next resolvers find names as written.
        is_written = tuple(token.folded for token in there) == phrase.entry.words
        if len(there) <= len(positions) + GAP and not is_written:
            things = (phrase.entry.thing,)
            yield ResolverCandidate(positions, things, CONFIDENCE[Level.LOOSE], Level.LOOSE)


#: Resolvers that compete for the words of a question, by name, most precise first.
RESOLVERS: Mapping[str, Find] = {
    "enrichment_trigger": _trigger,
    # By its name, town or alias.
    "campus_exact": _spelled(Kind.CAMPUS),
    "department_skip_gram": _skip_gram,
    "department_n_gram": _spelled(Kind.DEPARTMENT, lambda e: not e.is_name and e.size > 1),
    "department_single_alias": _spelled(Kind.DEPARTMENT, lambda e: not e.is_name and e.size == 1),
    "department_exact_name": _spelled(Kind.DEPARTMENT, lambda e: e.is_name),
    "condition": _spelled(Kind.CONDITION),
    "treatment": _spelled(Kind.TREATMENT),
    "examination": _spelled(Kind.EXAMINATION),
    # By its name or its profession: "orthopedisch chirurg".
    "specialty": _spelled(Kind.SPECIALTY),
}


def _from_condition(
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    """Derive the department from a condition or, failing that, a part of the body."""
    kinds = {thing.kind for candidate in chosen for thing in candidate.things}
    if kinds & {Kind.DEPARTMENT, Kind.SPECIALTY}:
        return
    for candidate in chosen:
        if candidate.things[0].kind is Kind.CONDITION:
            first, *others = map(index.vocabulary.departments_of, candidate.things)
            common = (each for each in first if all(each in other for other in others))
            if department := next(common, None):
                yield ResolverCandidate(candidate.at, (department,), DERIVED * candidate.confidence)
                return
    if not kinds & {*MEDICAL, Kind.DOCTOR}:
        yield from _from_body(question, index, chosen)


def _from_body(
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    taken = {position for candidate in chosen for position in candidate.at}
    language = question.language or index.language
    uses = index.lexicon.read([token.folded for token in question.tokens], language)
    free = [use for use in uses if taken.isdisjoint(range(use.start, use.end))]
    if found := route(free, index.complaints):
        at, sure = tuple(range(found.start, found.end)), found.weight >= DECIDES
        yield ResolverCandidate(at, found.departments, DERIVED if sure else BODY, Level.LOOSE)


def _fuzzy(
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    """Find misspelt names; a word that exists in a language is never one."""
    taken = {position for candidate in chosen for position in candidate.at}
    odd = [
        position
        for position, token in enumerate(question.tokens)
        if position not in taken and _may_be_misspelt(token.folded, question, index)
    ]
    for candidate in _misspelt(odd, taken, question, index):
        if taken.isdisjoint(candidate.at):
            taken.update(candidate.at)
            yield candidate


#: Resolvers that depend on what the others found, in order.
AFTERWARDS = {"fuzzy": _fuzzy, FROM_CONDITION: _from_condition}


def _misspelt(
    odd: list[int], taken: set[int], question: ResolverQuestion, index: ResolverIndex
) -> Iterator[ResolverCandidate]:
    """Yield entities for unknown words, first together with a neighbour, then alone."""
    words = [token.folded for token in question.tokens]
    for at in ((start, start + 1) for odd_one in odd for start in (odd_one - 1, odd_one)):
        pair = words[max(at[0], 0) : at[1] + 1]
        is_long = all(len(word) >= PAIRED_FROM for word in pair)
        is_free = len(pair) == 2 and taken.isdisjoint(at)
        if is_free and is_long and len(join(pair)) >= TWO_ERRORS_FROM:
            yield from _closest(at, join(pair), question, index)
    for position in odd:
        yield from _closest((position,), words[position], question, index)
        yield from _compound(position, words[position], question, index)


def _compound(
    position: int, word: str, question: ResolverQuestion, index: ResolverIndex
) -> Iterator[ResolverCandidate]:
    """Yield the entity that begins a compound, if the rest is a word: "spataderlaser"."""
    language = question.language or index.language

    def is_word(text: str, language: str) -> bool:
        return bool(index.lexicon.find(text, language)) or is_word_of(text, language)

    for size in range(len(word) - REST_FROM, COMPOUND_FROM - 1, -1):
        entries = [
            entry
            for entry in _beginning(word[:size], index)
            if entry.thing.kind in MEDICAL
            and is_word(word[size:], entry.language or index.language)
            and (entry.language in ("", language, index.language) or size >= FOREIGN_FROM)
        ]
        if entries:
            leading = of_first_kind(entry.thing for entry in entries)
            yield ResolverCandidate((position,), leading, BODY, Level.LOOSE)
            return


def _beginning(head: str, index: ResolverIndex) -> tuple[Entry, ...]:
    """Return the entries of the first half of a compound, with or without linking letters."""
    for link in ("", *LINKS):
        name = head.removesuffix(link)
        is_name = head.endswith(link) and len(name) >= COMPOUND_FROM
        if is_name and (found := index.exact.get(name)):
            return found
    return ()


def _may_be_misspelt(word: str, question: ResolverQuestion, index: ResolverIndex) -> bool:
    """Return whether a word is unknown and long enough to be a misspelt name."""
    foreign = question.language not in ("", index.language)
    if len(word) < FUZZY_FROM + foreign or not word.isalpha() or word in index.generic:
        return False
    languages = {question.language or index.language, index.language}
    return not any(index.is_ordinary(word, code) for code in languages)


def _closest(
    at: tuple[int, ...], word: str, question: ResolverQuestion, index: ResolverIndex
) -> Iterator[ResolverCandidate]:
    """Yield the entities with the closest spelling, preferably in the question's language."""
    alike = index.fuzzy.get(sound(word)[:1], ())
    if len(word) >= FIRST_LETTER_FROM:
        alike = sum((index.tails.get(tail, ()) for tail in (word, word[1:], word[2:])), alike)
    top, nearest = closest(word, alike)
    if entries := [entry for known in nearest for entry in index.exact[known]]:
        languages = ("", question.language or index.language, index.language)
        at_home = [entry for entry in entries if entry.language in languages] or entries
        leading = of_first_kind(entry.thing for entry in at_home)
        yield ResolverCandidate(at, leading, round(top, 3), Level.LOOSE)
