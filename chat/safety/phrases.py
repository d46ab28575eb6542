"""Rows of safety checks, and a matcher of many phrases in folded words.

Where a hospital's published version has no rows of a check, the defaults apply, so that a safety
check cannot be switched off by deleting its rows.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from taxonomy.language.tokens import Token, folded, normalise, tokens
from taxonomy.snapshot import Snapshot

DEFAULTS = Path(__file__).parent.parent / "defaults"
Rows = Sequence[Mapping[str, Any]]


@cache
def defaults(name: str) -> tuple[Mapping[str, Any], ...]:
    """Return the rows of a defaults file."""
    with (DEFAULTS / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def rows_of(snapshot: Snapshot, row_set: str, name: str) -> Rows:
    """Return a version's rows of a check, or the defaults if it has none."""
    return tuple(snapshot.rows_of(row_set)) or defaults(name)


def rows_of_kind(snapshot: Snapshot, row_set: str, name: str, *, kind: str) -> Rows:
    """Return a version's rows of one kind, or the defaults if it has none of it."""
    found = tuple(row for row in snapshot.rows_of(row_set) if row["kind"] == kind)
    return found or tuple(row for row in defaults(name) if row["kind"] == kind)


T = TypeVar("T")
#: Minimum letters of a word with a wildcard after it, and with one before it.
SHORTEST_BEGINNING, SHORTEST_PART = 2, 3
#: "18kg" is read as "18 kg".
_GLUED = re.compile(r"\b(\d+)([^\W\d_]+)")
_BREAK = re.compile(r"[,.;:!?\n]")


class PhraseWord(NamedTuple):
    """A word of a phrase, possibly with wildcards: "zwanger*", "*statin*"."""

    text: str
    begins: bool = False
    ends: bool = False

    def matches(self, word: str) -> bool:
        """Return whether a folded word matches."""
        if self.begins and self.ends:
            return self.text in word
        if self.begins:
            return word.startswith(self.text)
        return word.endswith(self.text) if self.ends else word == self.text


def pattern(phrase: str) -> tuple[PhraseWord, ...]:
    """Return the words of a row; * at either end of a word matches any letters."""
    found: list[PhraseWord] = []
    for piece in phrase.split():
        parts = folded(piece)
        last = len(parts) - 1
        found += (
            PhraseWord(word, piece.endswith("*") and at == last, piece.startswith("*") and not at)
            for at, word in enumerate(parts)
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class PhraseMatch(Generic[T]):
    """A phrase found in a text: its first and last word, and its meaning."""

    start: int
    end: int
    text: str
    meaning: T


Phrase = tuple[tuple[PhraseWord, ...], str, T]


class PhraseBook(Generic[T]):
    """Phrases with their meanings. Immutable once built.

    With a gap of 2, "pijn op de borst" also matches "pijn heel erg op de borst": up to `gap` other
    words may separate two words of a phrase, but no word of `unskipped`.
    """

    def __init__(
        self,
        phrases: Iterable[tuple[str, T]],
        *,
        gap: int = 0,
        unskipped: frozenset[str] = frozenset(),
    ) -> None:
        self._gap, self._unskipped = gap, unskipped
        #: Number of first words that phrases are indexed by: two leave fewer candidates.
        self._known_by = 1 if gap else 2
        self._by_first: dict[tuple[str, ...], list[Phrase[T]]] = {}
        self._by_beginning: dict[str, list[Phrase[T]]] = defaultdict(list)
        self._by_part: dict[str, list[Phrase[T]]] = defaultdict(list)
        for text, meaning in phrases:
            if words := pattern(text):
                self._add((words, text, meaning))

    def _add(self, phrase: Phrase[T]) -> None:
        words = phrase[0]
        first = words[0]
        if first.ends:
            if len(first.text) >= SHORTEST_PART:
                self._by_part[first.text].append(phrase)
        elif first.begins:
            self._by_beginning[first.text].append(phrase)
        else:
            is_open = len(words) > 1 and words[1].begins
            known_by = 1 if is_open else self._known_by
            key = tuple(word.text for word in words[:known_by])
            self._by_first.setdefault(key, []).append(phrase)

    @cached_property
    def _parts(self) -> re.Pattern[str] | None:
        return re.compile("|".join(map(re.escape, self._by_part))) if self._by_part else None

    def find(self, words: Sequence[str]) -> Iterator[PhraseMatch[T]]:
        """Yield every phrase found, in order of its start."""
        words = tuple(words)
        for start in range(len(words)):
            for phrase, text, meaning in self._beginning(words, start):
                if end := self._end(words, start, phrase):
                    yield PhraseMatch(start, end, text, meaning)

    def _beginning(self, words: tuple[str, ...], start: int) -> Iterator[Phrase[T]]:
        """Yield the phrases that may start at a word."""
        for size in range(1, min(self._known_by, len(words) - start) + 1):
            yield from self._by_first.get(words[start : start + size], ())
        word = words[start]
        if self._by_beginning:
            for length in range(SHORTEST_BEGINNING, len(word) + 1):
                yield from self._by_beginning.get(word[:length], ())
        if self._parts and self._parts.search(word):
            for phrases in self._by_part.values():
                yield from (phrase for phrase in phrases if phrase[0][0].matches(word))

    def _end(self, words: Sequence[str], start: int, phrase: Sequence[PhraseWord]) -> int:
        """Return where a phrase that starts here ends; 0 if it does not match."""
        at = start + 1
        for wanted in phrase[1:]:
            for reach in range(at, min(len(words), at + self._gap + 1)):
                if wanted.matches(words[reach]):
                    at = reach + 1
                    break
                if words[reach] in self._unskipped:
                    return 0
            else:
                return 0
        return at


@dataclass(frozen=True, slots=True)
class Text:
    """A text as folded words, with the clause of each."""

    words: tuple[str, ...]
    #: Number of commas, full stops and other breaks before each word.
    clause: tuple[int, ...]

    def __add__(self, other: Text) -> Text:
        offset = self.clause[-1] + 1 if self.clause else 0
        return Text(self.words + other.words, (*self.clause, *(n + offset for n in other.clause)))


def read(text: str) -> Text:
    """Return the words of a text, without case and accents, each with its clause."""
    text = _GLUED.sub(r"\1 \2", normalise(text))
    found = tokens(text)
    return Text(tuple(word.folded for word in found), tuple(_clauses(text, found)))


def _clauses(text: str, words: Sequence[Token]) -> Iterator[int]:
    number, end = 0, 0
    for word in words:
        number += bool(_BREAK.search(text, end, word.start))
        end = word.end
        yield number
