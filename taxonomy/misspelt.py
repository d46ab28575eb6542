"""Words with a letter wrong, and surnames written as they sound."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from taxonomy.lexicon import Lexicon
from taxonomy.surnames import Name, heard_as
from taxonomy.tokens import join

FUZZY_FROM = 5
CUTOFF = 0.8
#: From this length on two letters may be wrong; below, one.
TWO_ERRORS_FROM = 9
MOST_ERRORS = 2
#: How sure we are of what sounds alike.
ALIKE = 0.95

#: Words by how they begin and the length of what may be one of them misspelt.
ByLength = dict[tuple[str, int], tuple[str, ...]]
Named = Mapping[str, tuple[Name, ...]]


class Misspellings:
    """Surnames by how they are written and how they sound. Immutable once built."""

    def __init__(self, last: Named, sounds: Named, lexicon: Lexicon) -> None:
        self._last = last
        self._sounds = sounds
        self._lexicon = lexicon
        self._alike = by_length((word[:1], word) for word in last)

    def closest(
        self, words: Sequence[str], among: Collection[Name] | None = None
    ) -> tuple[float, tuple[Name, ...]]:
        """Return the surnames that words sound like, else those they come closest to.

        Among some of all doctors, fewer are compared.
        """
        surname = join(words)
        if len(surname) < FUZZY_FROM or self._lexicon.knows(surname):
            return 0.0, ()
        if alike := self._sounds.get(heard_as(words)):
            return ALIKE, alike
        if among is None:
            choices = self._alike.get((surname[0], len(surname)), ())
        else:
            choices = (*sorted({n.last for n in among if n.last[:1] == surname[0]}),)
        top, nearest = closest(surname, choices)
        return top, tuple(name for known in nearest for name in self._last[known])


def by_length(words: Iterable[tuple[str, str]]) -> ByLength:
    """Group words, each behind how it begins, by the length of what may be one of them misspelt."""
    grouped: dict[tuple[str, int], list[str]] = defaultdict(list)
    for begin, word in words:
        for length in range(len(word) - MOST_ERRORS, len(word) + MOST_ERRORS + 1):
            if abs(length - len(word)) <= _errors(length):
                grouped[begin, length].append(word)
    return {place: tuple(found) for place, found in grouped.items()}


def closest(word: str, choices: Sequence[str]) -> tuple[float, tuple[str, ...]]:
    """Return the choices that a word comes closest to, and how close (0 to 1); none if none is."""
    found = extract(
        word, choices, scorer=OSA.distance, score_cutoff=_errors(len(word)),
        processor=None, limit=None,
    ) if choices else ()  # fmt: skip
    best = {known: OSA.normalized_similarity(word, known) for known, _, _ in found}
    top = max(best.values(), default=0.0)
    if top < CUTOFF:
        return 0.0, ()
    return top, tuple(known for known, score in best.items() if score == top)


def _errors(length: int) -> int:
    return MOST_ERRORS if length >= TWO_ERRORS_FROM else 1
