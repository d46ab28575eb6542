"""Resolvers: recognise things of the hospital among the words of a question.

By name or alias as written, by sound or stem, in another order, misspelt, or by what follows from
the rest.
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
#: Which kind words are taken for, when they name things of several and no resolver decides.
FIRST_KINDS = (
    Kind.DEPARTMENT, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION, Kind.SPECIALTY, Kind.CAMPUS,
)  # fmt: skip
#: Words between those of a name, at most, when they stand in another order.
GAP = 2
#: A first letter may only be wrong in a word this long.
FIRST_LETTER_FROM = 8
#: Letters of the other half of a compound, which must be a word: "hartproblemen", not "huidige".
REST_FROM = 4
#: Letters of each of two words that are misspelt together: "sint barbra".
PAIRED_FROM = 3
#: Letters of a name that begins a compound, and what may stand between it and the rest.
COMPOUND_FROM = 5
#: From this length on a beginning in a language that nobody speaks here is no coincidence.
FOREIGN_FROM = 8
LINKS = ("s", "n", "en", "er", "es")
MEDICAL = frozenset({Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION})
#: Confidence when only a part of the body was named, and in what follows from a condition.
BODY, DERIVED = 0.6, 0.9


def _trigger(question: ResolverQuestion, index: ResolverIndex) -> Iterator[ResolverCandidate]:
    """Recognise "meer informatie over …": the rest, without articles, is one thing's name."""
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
    """Return a resolver that recognises things of a kind by their spellings."""

    def find(question: ResolverQuestion, index: ResolverIndex) -> Iterator[ResolverCandidate]:
        hits = [hit for hit in question.by_kind.get(kind, ()) if fits(hit.entry)]
        yield from _candidates(hits, question, index)

    return find


def _candidates(
    hits: Iterable[Hit], question: ResolverQuestion, index: ResolverIndex
) -> Iterator[ResolverCandidate]:
    """Make one candidate of all hits on the same words, keeping those that fit best."""
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
    """Order hits on the same words: a code of a ward last, then the level, then the language."""
    at_home = hit.entry.language in ("", question.language or index.language)
    return index.is_bare_ward(hit.entry.thing), int(hit.level), not at_home


def of_first_kind(things: Iterable[Thing]) -> tuple[Thing, ...]:
    """Return the things of the kind that comes first, each once."""
    distinct = tuple(dict.fromkeys(things))
    for kind in FIRST_KINDS:
        if fitting := tuple(thing for thing in distinct if thing.kind is kind):
            return fitting
    return distinct


def _skip_gram(question: ResolverQuestion, index: ResolverIndex) -> Iterator[ResolverCandidate]:
    """Recognise a department by its telling words in any order: "intensive zorgen"."""
    at: dict[str, int] = {}
    for position, token in enumerate(question.tokens):
        at.setdefault(sound(token.folded), position)
    for phrase in (phrase for heard in at for phrase in index.phrases.get(heard, ())):
        if not phrase.sounds <= at.keys():
            continue
        positions = tuple(sorted(at[heard] for heard in phrase.sounds))
        there = question.tokens[positions[0] : positions[-1] + 1]
        # Just as it is written, it is the next resolvers' business.
        is_written = tuple(token.folded for token in there) == phrase.entry.words
        if len(there) <= len(positions) + GAP and not is_written:
            things = (phrase.entry.thing,)
            yield ResolverCandidate(positions, things, CONFIDENCE[Level.LOOSE], Level.LOOSE)


#: The resolvers that compete for the words of a question, by name, the most precise first.
RESOLVERS: Mapping[str, Find] = {
    "enrichment_trigger": _trigger,
    # Also by its town, or what people call it.
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
    """Follow a condition, or a part of the body, to the department that helps with it."""
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
    """Recognise a misspelt word, never a word that is simply another one."""
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


#: The resolvers that look at what the others have found, in this order.
AFTERWARDS = {"fuzzy": _fuzzy, FROM_CONDITION: _from_condition}


def _misspelt(
    odd: list[int], taken: set[int], question: ResolverQuestion, index: ResolverIndex
) -> Iterator[ResolverCandidate]:
    """Yield what odd words may be, together with a neighbour before they are looked at alone."""
    words = [token.folded for token in question.tokens]
    for at in ((start, start + 1) for odd_one in odd for start in (odd_one - 1, odd_one)):
        pair = words[max(at[0], 0) : at[1] + 1]
        is_long = all(len(word) >= PAIRED_FROM for word in pair)
        is_free = len(pair) == 2 and taken.isdisjoint(at)
        if is_free and is_long and len(join(pair)) >= TWO_ERRORS_FROM:
            yield from _closest(at, join(pair), question, index)
    for position in odd:
        yield from _closest((position,), words[position], question, index)
        yield from _made_of(position, words[position], question, index)


def _made_of(
    position: int, word: str, question: ResolverQuestion, index: ResolverIndex
) -> Iterator[ResolverCandidate]:
    """Yield what a compound begins with, when the rest is a word: "spataderlaser"."""
    spoken = question.language or index.language

    def is_word(text: str, language: str) -> bool:
        return bool(index.lexicon.find(text, language)) or is_word_of(text, language)

    for size in range(len(word) - REST_FROM, COMPOUND_FROM - 1, -1):
        entries = [
            entry
            for entry in _beginning(word[:size], index)
            if entry.thing.kind in MEDICAL
            and is_word(word[size:], entry.language or index.language)
            and (entry.language in ("", spoken, index.language) or size >= FOREIGN_FROM)
        ]
        if entries:
            leading = of_first_kind(entry.thing for entry in entries)
            yield ResolverCandidate((position,), leading, BODY, Level.LOOSE)
            return


def _beginning(head: str, index: ResolverIndex) -> tuple[Entry, ...]:
    """Return what the first half of a compound names, with or without what links the halves."""
    for link in ("", *LINKS):
        name = head.removesuffix(link)
        is_name = head.endswith(link) and len(name) >= COMPOUND_FROM
        if is_name and (found := index.exact.get(name)):
            return found
    return ()


def _may_be_misspelt(word: str, question: ResolverQuestion, index: ResolverIndex) -> bool:
    """Tell whether a word is none that we know: a known word is not a misspelt one."""
    foreign = question.language not in ("", index.language)
    if len(word) < FUZZY_FROM + foreign or not word.isalpha() or word in index.generic:
        return False
    spoken = {question.language or index.language, index.language}
    return not any(index.is_ordinary(word, code) for code in spoken)


def _closest(
    at: tuple[int, ...], word: str, question: ResolverQuestion, index: ResolverIndex
) -> Iterator[ResolverCandidate]:
    """Yield the things whose spelling is closest to a word, of a language spoken here if any."""
    alike = index.fuzzy.get((sound(word)[:1], len(word)), ())
    if len(word) >= FIRST_LETTER_FROM:
        alike = sum((index.tails.get(tail, ()) for tail in (word, word[1:], word[2:])), alike)
    top, nearest = closest(word, alike)
    if entries := [entry for known in nearest for entry in index.exact[known]]:
        spoken = ("", question.language or index.language, index.language)
        at_home = [entry for entry in entries if entry.language in spoken] or entries
        leading = of_first_kind(entry.thing for entry in at_home)
        yield ResolverCandidate(at, leading, round(top, 3), Level.LOOSE)
