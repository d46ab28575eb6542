"""Units of prices and durations: detect an answer whose unit differs from the question's."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from taxonomy.snapshot import Snapshot
from zol.text import fold, words

_AMOUNT = re.compile(r"(?:€|eur\b|euro\b)\s*\d|\d\s*(?:€|eur\b|euro\b)")
#: End of a statement about one amount: a row, a sentence or a clause.
_CLAUSE = re.compile(r"\n|[.,;:]\s")
#: Shortest word that identifies a unit, also as the beginning of another word.
SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit in words, such as "per uur"."""

    phrase: str
    name: str
    language: str = ""
    #: The phrase as it was written.
    text: str = ""

    def cut_from(self, folded: str) -> str | None:
        """Return a text without this unit; None if it is not in the text."""
        # Nearly no sentence has the first word.
        if self.phrase.partition(" ")[0] not in folded:
            return None
        left, count = _pattern(self.phrase).subn(" ", folded)
        return left if count else None


@dataclass(frozen=True, slots=True)
class UnitGap:
    """The unit asked for and those of the quoted prices, in the asker's language."""

    asked: str
    found: tuple[str, ...]


class Units:
    """The units of all languages. Immutable once built."""

    def __init__(self, units: Iterable[Unit] = ()) -> None:
        known = tuple(units)
        self._units = sorted(known, key=lambda unit: -len(unit.phrase))
        self._texts: dict[tuple[str, str], str] = {}
        for unit in known:
            self._texts.setdefault((unit.name, unit.language), unit.text or unit.phrase)
        self._distinctive = _distinctive(known)

    def gap(self, question: str, shown: str, language: str) -> UnitGap | None:
        """Return the gap between the unit asked for and those of the quoted amounts; None if there
        is none, or if a quoted amount may be in the unit asked for."""
        asked = self._in(fold(question))
        if len(asked) != 1:
            return None
        name = next(iter(asked))
        priced: dict[str, None] = {}
        for clause in _CLAUSE.split(fold(shown)):
            if _AMOUNT.search(clause):
                if self._may_be(name, clause):
                    return None
                priced |= dict.fromkeys(sorted(self._in(clause)))
        names = [self._texts.get((unit, language), "") for unit in (name, *priced)]
        return UnitGap(names[0], tuple(names[1:])) if priced and all(names) else None

    def _in(self, folded: str) -> set[str]:
        """Return the units in a text; the longer of overlapping phrases."""
        found = set()
        for unit in self._units:
            if (left := unit.cut_from(folded)) is not None:
                found.add(unit.name)
                folded = left
        return found

    def _may_be(self, name: str, clause: str) -> bool:
        """Return whether a clause has a unit or a word that begins like it: "dagmaximum"."""
        distinctive = self._distinctive.get(name, ())
        is_begun = any(word.startswith(each) for word in words(clause) for each in distinctive)
        return is_begun or name in self._in(clause)


def units_of(snapshot: Snapshot) -> Units:
    return snapshot.derived(_read_units)


def _read_units(snapshot: Snapshot) -> Units:
    rows = snapshot.rows_of("retrieval.unitphrase")
    phrases = ((row["question_phrase"], row["unit"], row["language"]) for row in rows)
    return Units(Unit(fold(text), name, language, text) for text, name, language in phrases)


def _distinctive(units: Iterable[Unit]) -> dict[str, frozenset[str]]:
    """Return the words that identify each unit: a word of several units identifies the one with the
    shortest phrase, and none if two are equally short."""
    briefest: dict[str, dict[str, int]] = defaultdict(dict)
    for name, phrase in ((unit.name, words(unit.phrase)) for unit in units):
        for word in phrase:
            if len(word) >= SHORTEST:
                briefest[word][name] = min(len(phrase), briefest[word].get(name, len(phrase)))
    distinctive: dict[str, set[str]] = defaultdict(set)
    for word, sizes in briefest.items():
        first, *others = sorted(sizes, key=lambda name: sizes[name])
        if not others or sizes[first] < sizes[others[0]]:
            distinctive[first].add(word)
    return {name: frozenset(found) for name, found in distinctive.items()}


@cache
def _pattern(phrase: str) -> re.Pattern[str]:
    """Match a phrase with up to one more word between its words: "per begonnen uur"."""
    gapped = r"(?:\s+\w+)?\s+".join(map(re.escape, phrase.split()))
    return re.compile(rf"(?<!\w){gapped}(?!\w)")
