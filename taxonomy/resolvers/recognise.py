"""Resolvers: recognise things of the hospital among the words of a question.

By name or alias as written, by sound or stem, in another order, misspelt, or by what follows from
the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from taxonomy.language.dictionary import is_word_of
from taxonomy.language.lexicon import FUNCTION
from taxonomy.language.surnames import FUZZY_FROM, TWO_ERRORS_FROM, closest
from taxonomy.language.tokens import join, sound
from taxonomy.resolvers.complaints import DECIDES, route
from taxonomy.resolvers.entries import Entry
from taxonomy.resolvers.index import DepartmentPhrase, ResolverIndex
from taxonomy.resolvers.question import (
    CONFIDENCE,
    Hit,
    Level,
    ResolverCandidate,
    ResolverQuestion,
    confidence,
    joined,
)
from taxonomy.vocabulary import Kind, Thing

Chosen = tuple[ResolverCandidate, ...]
#: Which kind words are taken for, when they name things of several and no resolver decides.
FIRST_KINDS = (
    Kind.DEPARTMENT, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION, Kind.SPECIALTY, Kind.CAMPUS,
)  # fmt: skip


def enrichment_trigger(
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    """Recognise "meer informatie over …": the rest, without articles, is one thing's name."""
    size = len(question.tokens)
    for end in range(1, size):
        if joined(question, 0, end) in index.triggers:
            start = end
            while start < size and _is_function_word(question, start, index):
                start += 1
            yield from _candidates(
                [h for h in question.hits if (h.start, h.end) == (start, size)], question, index
            )


def campus_exact(
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    """Recognise a campus by its name, its town, or what people call it."""
    yield from _of_kind(question, index, Kind.CAMPUS)


def department_n_gram(
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    """Recognise a department by two or more words that follow each other."""
    yield from _of_kind(question, index, Kind.DEPARTMENT, lambda e: not e.is_name and e.size > 1)


def department_single_alias(
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    """Recognise a department by one word: "cardio", "huidarts"."""
    yield from _of_kind(question, index, Kind.DEPARTMENT, lambda e: not e.is_name and e.size == 1)


def department_exact_name(
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    """Recognise a department by its own name."""
    yield from _of_kind(question, index, Kind.DEPARTMENT, lambda entry: entry.is_name)


def condition(
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    """Recognise a condition by its name, an alias, its Latin name, or a word for the same."""
    yield from _of_kind(question, index, Kind.CONDITION)


def treatment(
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    """Recognise a treatment."""
    yield from _of_kind(question, index, Kind.TREATMENT)


def examination(
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    """Recognise an examination."""
    yield from _of_kind(question, index, Kind.EXAMINATION)


def specialty(
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    """Recognise a specialty by its name or its profession: "orthopedisch chirurg"."""
    yield from _of_kind(question, index, Kind.SPECIALTY)


def _of_kind(
    question: ResolverQuestion,
    index: ResolverIndex,
    kind: Kind,
    fits: Callable[[Entry], bool] = lambda entry: True,
) -> Iterator[ResolverCandidate]:
    if of_kind := question.by_kind.get(kind):
        yield from _candidates([hit for hit in of_kind if fits(hit.entry)], question, index)


def _candidates(
    hits: list[Hit], question: ResolverQuestion, index: ResolverIndex
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


def _is_function_word(question: ResolverQuestion, at: int, index: ResolverIndex) -> bool:
    found = index.lexicon.find(question.tokens[at].folded, question.language or index.language)
    return any(concept.kind == FUNCTION for concept in found)


def of_first_kind(things: Iterable[Thing]) -> tuple[Thing, ...]:
    """Return the things of the kind that comes first, each once."""
    distinct = tuple(dict.fromkeys(things))
    for kind in FIRST_KINDS:
        if fitting := tuple(thing for thing in distinct if thing.kind is kind):
            return fitting
    return distinct


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
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    """Recognise a department by its telling words in any order: "intensive zorgen"."""
    at: dict[str, int] = {}
    for position, token in enumerate(question.tokens):
        at.setdefault(sound(token.folded), position)
    for heard in at:
        for phrase in index.phrases.get(heard, ()):
            if phrase.sounds <= at.keys() and (positions := _places(phrase, at, question)):
                thing = phrase.entry.thing
                yield ResolverCandidate(positions, (thing,), CONFIDENCE[Level.LOOSE], Level.LOOSE)


def _places(
    phrase: DepartmentPhrase, at: dict[str, int], question: ResolverQuestion
) -> tuple[int, ...]:
    """Return where the words of a name stand near each other, if not just as it is written."""
    positions = tuple(sorted(at[heard] for heard in phrase.sounds))
    is_near = positions[-1] - positions[0] < len(positions) + GAP
    # Just as it is written, it is the next resolvers' business.
    there = question.tokens[positions[0] : positions[-1] + 1]
    is_written = tuple(token.folded for token in there) == phrase.entry.words
    return positions if is_near and not is_written else ()


def department_from_condition(
    question: ResolverQuestion, index: ResolverIndex, chosen: Chosen
) -> Iterator[ResolverCandidate]:
    """Follow a condition, or a part of the body, to the department that helps with it."""
    kinds = {thing.kind for candidate in chosen for thing in candidate.things}
    if kinds & {Kind.DEPARTMENT, Kind.SPECIALTY}:
        return
    for candidate in chosen:
        departments = _common_departments(candidate.things, index)
        if candidate.things[0].kind is Kind.CONDITION and departments:
            yield ResolverCandidate(candidate.at, departments[:1], DERIVED * candidate.confidence)
            return
    if not kinds & {Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION, Kind.DOCTOR}:
        yield from _from_body(question, index, chosen)


def fuzzy(
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


def _misspelt(
    odd: list[int], taken: set[int], question: ResolverQuestion, index: ResolverIndex
) -> Iterator[ResolverCandidate]:
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
    position: int, word: str, question: ResolverQuestion, index: ResolverIndex
) -> Iterator[ResolverCandidate]:
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


def _is_word(word: str, language: str, index: ResolverIndex) -> bool:
    return bool(index.lexicon.find(word, language)) or is_word_of(word, language)


def _common_departments(things: tuple[Thing, ...], index: ResolverIndex) -> tuple[Thing, ...]:
    """Return the departments that help with all of these, in the order of the first."""
    first, *others = (index.vocabulary.departments_of(thing) for thing in things)
    return tuple(found for found in first if all(found in other for other in others))


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
    top, nearest = closest(word, _neighbours(word, index))
    entries = [entry for known in nearest for entry in index.exact[known]]
    if not entries:
        return
    spoken = ("", question.language or index.language, index.language)
    at_home = [entry for entry in entries if entry.language in spoken] or entries
    leading = of_first_kind(entry.thing for entry in at_home)
    yield ResolverCandidate(at, leading, round(top, 3), Level.LOOSE)


def _neighbours(word: str, index: ResolverIndex) -> tuple[str, ...]:
    """Return the spellings that a word may be, few enough to compare with each."""
    alike = index.fuzzy.get((sound(word)[:1], len(word)), ())
    if len(word) < FIRST_LETTER_FROM:
        return alike
    tails = (index.tails.get(tail, ()) for tail in (word, word[1:], word[2:]))
    return sum(tails, alike)
