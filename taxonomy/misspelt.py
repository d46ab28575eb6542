"""Surnames written as they sound, or with a letter wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from taxonomy.lexicon import Lexicon
from taxonomy.surnames import Name, heard_as
from taxonomy.tokens import join

FUZZY_FROM = 5
CUTOFF = 0.8
#: From this length on two letters may be wrong; below, one.
TWO_ERRORS_FROM = 9
#: How sure we are of what sounds alike.
ALIKE = 0.95

Named = Mapping[str, tuple[Name, ...]]


class Misspellings:
    """Surnames by how they are written and how they sound. Immutable once built."""

    def __init__(self, last: Named, sounds: Named, lexicon: Lexicon) -> None:
        self._last = last
        self._sounds = sounds
        self._lexicon = lexicon
        self._buckets = _buckets(last)

    def closest(self, words: Sequence[str]) -> tuple[float, tuple[Name, ...]]:
        """Return the surnames that words sound like, else those they come closest to."""
        surname = join(words)
        if len(surname) < FUZZY_FROM or self._lexicon.knows(surname):
            return 0.0, ()
        if alike := self._sounds.get(heard_as(words)):
            return ALIKE, alike
        errors = 2 if len(surname) >= TWO_ERRORS_FROM else 1
        best = {
            known: OSA.normalized_similarity(surname, known)
            for length in range(len(surname) - errors, len(surname) + errors + 1)
            for known, _, _ in extract(
                surname, self._buckets.get((surname[0], length), ()), scorer=OSA.distance,
                score_cutoff=errors, processor=None, limit=None,
            )
        }  # fmt: skip
        top = max(best.values(), default=0.0)
        if top < CUTOFF:
            return 0.0, ()
        return top, tuple(
            n for known, score in best.items() if score == top for n in self._last[known]
        )


def _buckets(surnames: Iterable[str]) -> dict[tuple[str, int], tuple[str, ...]]:
    buckets: dict[tuple[str, int], list[str]] = defaultdict(list)
    for surname in surnames:
        buckets[surname[0], len(surname)].append(surname)
    return {place: tuple(found) for place, found in buckets.items()}
