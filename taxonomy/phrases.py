"""Complaints as people tell them: words of a sentence that stand for one, in any order.

"Ik hoor de laatste tijd niet goed" has no word for hearing loss. A phrase names the parts that
must be said near each other (+), each in one of several ways (|), by how a word begins (*), and
what must not be said (-): "hoor|hoort + niet goed|slecht - telefoon". The first part is the telling
one.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from typing import Any, NamedTuple

from taxonomy.snapshot import SharedValue, Snapshot
from taxonomy.tokens import folded

logger = logging.getLogger(__name__)

ROWS = "taxonomy.complaintphrase"
#: Between parts, between ways of saying one, before what must not be said, and after a beginning.
PARTS, WAYS, UNLESS, BEGINS = "+", "|", " - ", "*"
#: Words between the parts of a phrase at most, all together.
GAP = 5
#: Places that a part is looked for at, at most: who says one word a thousand times waits no longer.
MOST = 12
#: Letters of a beginning at least: shorter ones begin too many words.
SHORTEST = 3

#: A word as it must be said, or how it must begin.
Word = tuple[str, bool]
#: Words that follow each other.
Way = tuple[Word, ...]
Ways = tuple[Way, ...]


class PhraseFlaw(StrEnum):
    """What is wrong with a phrase that cannot be read."""

    TWICE = "twice"
    EMPTY = "empty"
    SHORT = "short"


class UnreadablePhrase(ValueError):
    """A phrase that cannot be read: why, and the words that it is about."""

    def __init__(self, flaw: PhraseFlaw, text: str, piece: str = "") -> None:
        super().__init__(f"{flaw}: {text}")
        self.flaw, self.text, self.piece = flaw, text, piece


class Phrase(NamedTuple):
    """What must be said for a complaint, and what must not."""

    complaint: str
    parts: tuple[Ways, ...]
    unless: Ways = ()


class ComplaintMention(NamedTuple):
    """A complaint that is told, and the places of the words that tell it."""

    complaint: str
    at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Begun:
    """Phrases by the first word of their first part, as written or as it begins."""

    written: Mapping[str, list[Phrase]]
    beginning: Mapping[str, list[Phrase]]

    def by(self, word: str) -> Iterator[Phrase]:
        yield from self.written.get(word, ())
        for size in range(SHORTEST, len(word) + 1):
            yield from self.beginning.get(word[:size], ())


class _WordPlaces(NamedTuple):
    """The words of a question, and where each stands."""

    words: Sequence[str]
    at: Mapping[str, list[int]]


def _heard(words: Sequence[str]) -> _WordPlaces:
    at: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        at.setdefault(word, []).append(place)
    return _WordPlaces(words, at)


class ComplaintPhrases:
    """All phrases that can be read, found in the words of a question. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        read: dict[str, tuple[dict[str, list[Phrase]], dict[str, list[Phrase]]]] = {}
        for row in rows:
            try:
                phrase = phrase_of(str(row["complaint"]), str(row["text"]))
            except UnreadablePhrase as error:
                # Loaded past the back office: one row must not be the end of every question.
                logger.warning("a phrase for a complaint is left out: %s", error)
                continue
            written, beginning = read.setdefault(
                str(row["language"]), (defaultdict(list), defaultdict(list))
            )
            for word, is_beginning in dict.fromkeys(way[0] for way in phrase.parts[0]):
                (beginning if is_beginning else written)[word].append(phrase)
        self._begun = {code: _Begun(*found) for code, found in read.items()}

    def find(self, words: Sequence[str], language: str) -> tuple[ComplaintMention, ...]:
        """Return what folded words tell; of phrases that share words the one that says most."""
        begun = self._begun.get(language)
        if begun is None:
            return ()
        heard = _heard(words)
        known = {phrase for word in heard.at for phrase in begun.by(word)}
        told = (ComplaintMention(p.complaint, at) for p in known if (at := _said(p, heard)))
        taken: set[int] = set()
        found = []
        for one in sorted(told, key=lambda t: (-len(t.at), t.at[-1] - t.at[0], t)):
            if taken.isdisjoint(one.at):
                taken.update(one.at)
                found.append(one)
        return tuple(found)


def phrases_of(snapshot: Snapshot) -> ComplaintPhrases:
    """Return a version's phrases; use it through `snapshot.derived(phrases_of)`."""
    return _phrases.of(snapshot.rows_of(ROWS))


_phrases = SharedValue(ComplaintPhrases)


def phrase_of(complaint: str, text: str) -> Phrase:
    """Return what a row says; an `UnreadablePhrase` tells what is wrong with it."""
    said, *unless = text.split(UNLESS)
    if len(unless) > 1:
        raise UnreadablePhrase(PhraseFlaw.TWICE, text)
    parts = tuple(_ways(part, text) for part in said.split(PARTS))
    return Phrase(complaint, parts, _ways(unless[0], text) if unless else ())


def _ways(part: str, text: str) -> Ways:
    return tuple(_way(way, text) for way in part.split(WAYS))


def _way(way: str, text: str) -> Way:
    words: list[Word] = []
    for piece in way.split():
        parts = folded(piece)
        words += [(part, False) for part in parts]
        if parts and piece.endswith(BEGINS):
            if len(parts[-1]) < SHORTEST:
                raise UnreadablePhrase(PhraseFlaw.SHORT, text, piece)
            words[-1] = (parts[-1], True)
    if not words:
        raise UnreadablePhrase(PhraseFlaw.EMPTY, text)
    return tuple(words)


def _said(phrase: Phrase, heard: _WordPlaces) -> tuple[int, ...]:
    """Return where the parts of a phrase stand, nearest to each other; nothing if they do not."""
    parts = []
    for ways in phrase.parts:
        places = [place for way in ways for place in _places(way, heard)]
        if not places:
            return ()
        parts.append(places[:MOST])
    if any(_places(way, heard) for way in phrase.unless):
        return ()
    found = (
        tuple(sorted({at for place in chosen for at in place}))
        for chosen in product(*parts)
        if len({at for place in chosen for at in place}) == sum(map(len, chosen))
    )
    near = (at for at in found if at[-1] - at[0] < len(at) + GAP)
    return min(near, key=lambda at: (at[-1] - at[0], at), default=())


def _places(way: Way, heard: _WordPlaces) -> list[tuple[int, ...]]:
    """Return where words that follow each other stand."""
    (first, is_beginning), *rest = way
    words = heard.words
    if is_beginning:
        starts = [at for at, word in enumerate(words) if word.startswith(first)]
    else:
        starts = heard.at.get(first, [])
    size = len(way)
    return [
        tuple(range(start, start + size))
        for start in starts
        if start + size <= len(words)
        and all(_is(word, words[start + at]) for at, word in enumerate(rest, 1))
    ]


def _is(word: Word, said: str) -> bool:
    written, is_beginning = word
    return said.startswith(written) if is_beginning else said == written
