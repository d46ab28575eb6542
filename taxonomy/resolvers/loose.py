"""Resolvers for words in another order, for misspellings, and for what follows from the rest."""

from __future__ import annotations

from collections.abc import Iterator

from taxonomy.dictionary import is_word_of
from taxonomy.kinds import Kind
from taxonomy.resolvers.complaints import DECIDES, route
from taxonomy.resolvers.entries import Entry
from taxonomy.resolvers.index import DepartmentPhrase, ResolverIndex
from taxonomy.resolvers.question import CONFIDENCE, Candidate, Level, Question
from taxonomy.resolvers.spellings import Chosen, of_first_kind
from taxonomy.surnames import FUZZY_FROM, TWO_ERRORS_FROM, closest
from taxonomy.tokens import join, sound
from taxonomy.vocabulary import Thing

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
#: What we believe when only a part of the body was named.
BODY = 0.6
DERIVED = 0.9


def department_skip_gram(
    question: Question, index: ResolverIndex, chosen: Chosen
) -> Iterator[Candidate]:
    """Recognise a department by its telling words in any order: "intensive zorgen"."""
    at: dict[str, int] = {}
    for position, token in enumerate(question.tokens):
        at.setdefault(sound(token.folded), position)
    for heard in at:
        for phrase in index.phrases.get(heard, ()):
            if phrase.sounds <= at.keys() and (positions := _places(phrase, at, question)):
                thing = phrase.entry.thing
                yield Candidate(positions, (thing,), CONFIDENCE[Level.LOOSE], Level.LOOSE)


def _places(phrase: DepartmentPhrase, at: dict[str, int], question: Question) -> tuple[int, ...]:
    """Return where the words of a name stand near each other, if not just as it is written."""
    positions = tuple(sorted(at[heard] for heard in phrase.sounds))
    is_near = positions[-1] - positions[0] < len(positions) + GAP
    # Just as it is written, it is the next resolvers' business.
    there = question.tokens[positions[0] : positions[-1] + 1]
    is_written = tuple(token.folded for token in there) == phrase.entry.words
    return positions if is_near and not is_written else ()


def department_from_condition(
    question: Question, index: ResolverIndex, chosen: Chosen
) -> Iterator[Candidate]:
    """Follow a condition, or a part of the body, to the department that helps with it."""
    kinds = {thing.kind for candidate in chosen for thing in candidate.things}
    if kinds & {Kind.DEPARTMENT, Kind.SPECIALTY}:
        return
    for candidate in chosen:
        departments = _common_departments(candidate.things, index)
        if candidate.things[0].kind is Kind.CONDITION and departments:
            yield Candidate(candidate.at, departments[:1], DERIVED * candidate.confidence)
            return
    if not kinds & {Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION, Kind.DOCTOR}:
        yield from _from_body(question, index, chosen)


def fuzzy(question: Question, index: ResolverIndex, chosen: Chosen) -> Iterator[Candidate]:
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


def _misspelt(
    odd: list[int], taken: set[int], question: Question, index: ResolverIndex
) -> Iterator[Candidate]:
    """Yield what odd words may be, together with a neighbour before they are looked at alone."""
    words = [token.folded for token in question.tokens]
    for position in odd:
        for start in (position - 1, position):
            at = (start, start + 1)
            if start >= 0 and taken.isdisjoint(at) and _may_be_a_pair(words[start : start + 2]):
                yield from _closest(at, join(words[start : start + 2]), question, index)
    for position in odd:
        yield from _closest((position,), words[position], question, index)
        yield from _made_of(position, words[position], question, index)


def _may_be_a_pair(words: list[str]) -> bool:
    long_enough = all(len(word) >= PAIRED_FROM for word in words)
    return len(words) == 2 and long_enough and len(join(words)) >= TWO_ERRORS_FROM


def _made_of(
    position: int, word: str, question: Question, index: ResolverIndex
) -> Iterator[Candidate]:
    """Yield what a compound begins with, when the rest is a word: "spataderlaser"."""
    spoken = question.language or index.language
    for size in range(len(word) - REST_FROM, COMPOUND_FROM - 1, -1):
        entries = [
            entry
            for entry in _beginning(word[:size], index)
            if entry.thing.kind in MEDICAL
            and _is_word(word[size:], entry.language or index.language, index)
            and (entry.language in ("", spoken, index.language) or size >= FOREIGN_FROM)
        ]
        if entries:
            leading = of_first_kind(entry.thing for entry in entries)
            yield Candidate((position,), leading, BODY, Level.LOOSE)
            return


def _beginning(head: str, index: ResolverIndex) -> tuple[Entry, ...]:
    """Return what the first half of a compound names, with or without what links the halves."""
    for link in ("", *LINKS):
        name = head.removesuffix(link)
        is_name = head.endswith(link) and len(name) >= COMPOUND_FROM
        if is_name and (found := index.exact.get(name)):
            return found
    return ()


def _is_word(word: str, language: str, index: ResolverIndex) -> bool:
    return bool(index.lexicon.find(word, language)) or is_word_of(word, language)


def _common_departments(things: tuple[Thing, ...], index: ResolverIndex) -> tuple[Thing, ...]:
    """Return the departments that help with all of these, in the order of the first."""
    first, *others = (index.vocabulary.departments_of(thing) for thing in things)
    return tuple(found for found in first if all(found in other for other in others))


def _from_body(question: Question, index: ResolverIndex, chosen: Chosen) -> Iterator[Candidate]:
    taken = {position for candidate in chosen for position in candidate.at}
    language = question.language or index.language
    uses = index.lexicon.read([token.folded for token in question.tokens], language)
    free = [use for use in uses if taken.isdisjoint(range(use.start, use.end))]
    if found := route(free, index.complaints):
        at, sure = tuple(range(found.start, found.end)), found.weight >= DECIDES
        yield Candidate(at, found.departments, DERIVED if sure else BODY, Level.LOOSE)


def _may_be_misspelt(word: str, question: Question, index: ResolverIndex) -> bool:
    """Tell whether a word is none that we know: a known word is not a misspelt one."""
    foreign = question.language not in ("", index.language)
    if len(word) < FUZZY_FROM + foreign or not word.isalpha() or word in index.generic:
        return False
    spoken = {question.language or index.language, index.language}
    return not any(index.is_ordinary(word, code) for code in spoken)


def _closest(
    at: tuple[int, ...], word: str, question: Question, index: ResolverIndex
) -> Iterator[Candidate]:
    top, nearest = closest(word, _neighbours(word, index))
    entries = [entry for known in nearest for entry in index.exact[known]]
    if not entries:
        return
    spoken = ("", question.language or index.language, index.language)
    at_home = [entry for entry in entries if entry.language in spoken] or entries
    leading = of_first_kind(entry.thing for entry in at_home)
    yield Candidate(at, leading, round(top, 3), Level.LOOSE)


def _neighbours(word: str, index: ResolverIndex) -> tuple[str, ...]:
    """Return the spellings that a word may be, few enough to compare with each."""
    alike = index.fuzzy.get((sound(word)[:1], len(word)), ())
    if len(word) < FIRST_LETTER_FROM:
        return alike
    tails = (index.tails.get(tail, ()) for tail in (word, word[1:], word[2:]))
    return sum(tails, alike)
