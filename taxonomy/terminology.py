"""Words for the hospital's things that a reference terminology knows, and how things are related.

Only what may lead to something of this hospital is kept: terms of the concepts that its entities
are stamped with, and of narrower ones. Terms are kept as their hashes, twelve bytes each, so that
a hundred thousand of them cost about a megabyte. Plain values; `taxonomy.snomed.linking` fills it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from taxonomy.vocabulary import Thing


class ReferenceTerm(NamedTuple):
    """A way to write a concept that something of the hospital is, or is a broader form of."""

    key: str
    language: str
    #: Words of the term.
    size: int
    things: tuple[Thing, ...]
    #: Steps up from the term's concept to that of the things; 0 for their own.
    distance: int


class TermMeaning(NamedTuple):
    """What a term stands for."""

    things: tuple[Thing, ...]
    language: str
    size: int
    is_narrower: bool


class Terminology:
    """Immutable once built; empty when no terminology is loaded, and then it costs nothing."""

    def __init__(
        self,
        terms: Iterable[ReferenceTerm] = (),
        synonyms: Mapping[Thing, Sequence[str]] | None = None,
        broader: Mapping[Thing, Sequence[Thing]] | None = None,
    ) -> None:
        self._synonyms = dict(synonyms or {})
        self._broader = dict(broader or {})
        self._meanings: tuple[TermMeaning, ...] = ()
        self._hashes, self._places = array("q"), array("i")
        self._index(terms)

    def __len__(self) -> int:
        return len(self._hashes)

    def find(self, key: str) -> TermMeaning | None:
        """Return what words, joined, stand for in the terminology."""
        hashed = hash(key)
        at = bisect_left(self._hashes, hashed)
        if at < len(self._hashes) and self._hashes[at] == hashed:
            return self._meanings[self._places[at]]
        return None

    def synonyms(self, thing: Thing) -> tuple[str, ...]:
        """Return other words for a thing in the hospital's language, the usual ones first."""
        return tuple(self._synonyms.get(thing, ()))

    def broader(self, thing: Thing) -> tuple[Thing, ...]:
        """Return the hospital's things of which this is a narrower form, the nearest first."""
        return tuple(self._broader.get(thing, ()))

    def words_for(self, thing: Thing) -> tuple[str, ...]:
        """Return what a search for a thing gains: a synonym or two, then its broader forms here."""
        return (*self.synonyms(thing)[:2], *(other.name for other in self.broader(thing)))

    def among(self, things: Iterable[Thing]) -> Terminology:
        """Return what is known of the same things as another version has them."""
        now = {thing: thing for thing in things}
        other = Terminology(
            synonyms={now[thing]: words for thing, words in self._synonyms.items()},
            broader={now[thing]: [now[wider] for wider in found]
                     for thing, found in self._broader.items()},
        )  # fmt: skip
        other._hashes, other._places = self._hashes, self._places
        other._meanings = tuple(
            meaning._replace(things=tuple(now[thing] for thing in meaning.things))
            for meaning in self._meanings
        )
        return other

    def _index(self, terms: Iterable[ReferenceTerm]) -> None:
        nearest: dict[int, tuple[int, TermMeaning]] = {}
        for term in terms:
            hashed = hash(term.key)
            known = nearest.get(hashed)
            if known and known[0] < term.distance:
                continue
            things = term.things
            if known and known[0] == term.distance:
                things = tuple(dict.fromkeys((*known[1].things, *things)))
            meaning = TermMeaning(things, term.language, term.size, term.distance > 0)
            nearest[hashed] = (term.distance, meaning)
        places: dict[TermMeaning, int] = {}
        for hashed in sorted(nearest):
            self._hashes.append(hashed)
            self._places.append(places.setdefault(nearest[hashed][1], len(places)))
        self._meanings = tuple(places)
