"""Many phrases looked for at once, in folded words, accents and capitals aside; other ways to write
them; and the sentences of a message."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from taxonomy.tokens import folded

T = TypeVar("T")
_ENDED = re.compile(r"(?<=[.!?;…])\s+|\n+")
#: Sentences of a message that are looked at one by one: the first and the last ones.
MOST = 12
Row = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class PhraseMatch(Generic[T]):
    """A phrase that occurs: from which word up to which, and what it stands for."""

    start: int
    end: int
    text: str
    meaning: T


class PhraseBook(Generic[T]):
    """Phrases and what they stand for. Immutable once built.

    Up to `gap` other words may stand between two words of a phrase: "pijn op de borst" is heard in
    "pijn heel erg op de borst".
    """

    def __init__(self, phrases: Iterable[tuple[str, T]], *, gap: int = 0) -> None:
        self._gap = gap
        #: Where nothing may stand between words, two of them leave fewer to compare than one.
        self._known_by = 1 if gap else 2
        self._by_first: dict[tuple[str, ...], list[tuple[tuple[str, ...], str, T]]] = {}
        for text, meaning in phrases:
            if words := folded(text):
                known = self._by_first.setdefault(words[: self._known_by], [])
                known.append((words, text, meaning))

    def find(self, words: Sequence[str]) -> Iterator[PhraseMatch[T]]:
        """Yield every phrase that occurs, in the order of where it begins."""
        words = tuple(words)
        for start in range(len(words)):
            for size in range(1, min(self._known_by, len(words) - start) + 1):
                for phrase, text, meaning in self._by_first.get(words[start : start + size], ()):
                    if end := self._end(words, start, phrase):
                        yield PhraseMatch(start, end, text, meaning)

    def _end(self, words: Sequence[str], start: int, phrase: tuple[str, ...]) -> int:
        """Return where a phrase that begins here ends; 0 when it is not all there."""
        at = start + 1
        for wanted in phrase[1:]:
            reach = range(at, min(len(words), at + self._gap + 1))
            found = next((position for position in reach if words[position] == wanted), -1)
            if found < 0:
                return 0
            at = found + 1
        return at


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a message of several, as people end them; nothing where it is one."""
    found = [piece.strip() for piece in _ENDED.split(text)]
    said = [piece for piece in found if len(piece) > 1]
    if len(said) > MOST:
        said = [*said[: MOST // 2], *said[-MOST // 2 :]]
    return tuple(said) if len(said) > 1 else ()


def stretches(text: str) -> tuple[str, ...]:
    """Return every two sentences that follow each other; nothing where there are hardly more."""
    said = sentences(text)
    return (
        tuple(" ".join(said[at : at + 2]) for at in range(len(said) - 1)) if len(said) > 2 else ()
    )


class Spellings:
    """Words as they are written in a hurry, in dialect or in chat, by language: "nie" for "niet".
    Immutable once built.

    Rows say it once for each word instead of once for each phrase in which it occurs. What is meant
    may be an ending too ("*yor", written "*yo"): it holds for every word that ends so.
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        """Take what is meant, the language, and how it is also written."""
        self._written: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        self._endings: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for meant, language, written in rows:
            said, other = " ".join(folded(meant)), " ".join(folded(written))
            if said and meant.startswith("*"):
                self._endings[language].append((said, other))
            elif said:
                self._written[language][said].append(other)

    def all_of(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield the rows of phrases, each followed by the other ways to write it."""
        for name, language, phrase in rows:
            yield name, language, phrase
            for other in self._others(phrase, language):
                yield name, language, other

    def _others(self, phrase: str, language: str) -> Iterator[str]:
        """Write one word of a phrase otherwise; endings that are open stay so."""
        ending = "*" if phrase.endswith("*") else ""
        said = f" {' '.join(folded(phrase))} "
        for meant, written in self._written.get(language, {}).items():
            if f" {meant} " in said:
                for other in written:
                    yield said.replace(f" {meant} ", f" {other} ", 1).strip() + ending
        for meant, other in self._endings.get(language, ()):
            if f"{meant} " in said:
                yield said.replace(f"{meant} ", f"{other} ").strip() + ending
