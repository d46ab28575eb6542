"""Red-flag phrases: whole phrases that a clinician has signed, each of which stops a turn.

A phrase is found in folded words, in order, with up to two other words in between; a word that
ends with * stands for every word that begins so. A denial ("niet", "kein") right before or after a
phrase takes it back.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from chat.safety.rows import defaults
from chat.safety.slots import SlotBook, SlotMatch, Text, read
from taxonomy.snapshot import SharedValue, Snapshot
from taxonomy.tokens import folded
from zol.languages import LANGUAGES

ROWS, FILE = "chat.redflagphrase", "red_flags"
TRIGGER, DENIAL = "trigger", "denial"
#: What names a row.
NAMED = ("kind", "language", "role", "text")
#: Where a denial stands.
BEFORE, AFTER = "before", "after"
#: Words that may stand between a denial and what it denies. With one, "dad does not talk his mouth
#: hangs" is denied.
NEAR = 0
#: Phrases below which a language is not safe to answer in.
FEWEST = 100


@dataclass(frozen=True, slots=True)
class Sign:
    """A red-flag phrase in a message: the situation it tells of, and the words as they stand."""

    kind: str
    phrase: str


class RedFlags:
    """The phrases of all situations. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        by_role: dict[str, dict[tuple[str, str, str], None]] = defaultdict(dict)
        for row in rows:
            one = (str(row["kind"]), str(row["language"]), str(row["text"]))
            by_role[str(row["role"])][one] = None
        self._triggers = SlotBook(by_role[TRIGGER], _single(by_role[DENIAL]))
        self._denials = SlotBook(by_role[DENIAL])

    def signs(self, message: str, before: str = "") -> tuple[Sign, ...]:
        """Return the situations that a message tells of, one sign each.

        With the message before it: only the signs that begin in that one and end in this one.
        """
        text = read(message)
        since = 0
        if before:
            earlier = read(before)
            since = len(earlier.words)
            text = earlier + text
        found: dict[str, Sign] = {}
        for match in self._undenied(text):
            if not before or match.start < since < match.end:
                words = " ".join(text.words[match.start : match.end])
                found.setdefault(match.slot, Sign(match.slot, words))
        return tuple(found.values())

    def _undenied(self, text: Text) -> Iterator[SlotMatch]:
        matches = self._triggers.find(text.words)
        denials = self._denials.find(text.words) if matches else ()
        for match in matches:
            if not any(_denies(denial, match, text) for denial in denials):
                yield match


def _single(rows: Iterable[tuple[str, str, str]]) -> dict[str, frozenset[str]]:
    """Return the denials of one word by language: none may stand inside a phrase unsaid."""
    found: dict[str, set[str]] = defaultdict(set)
    for _, language, text in rows:
        if len(words := folded(text)) == 1:
            found[language].update(words)
    return {language: frozenset(words) for language, words in found.items()}


def _denies(denial: SlotMatch, match: SlotMatch, text: Text) -> bool:
    """Tell whether a denial stands beside a phrase of its language, in the same stretch."""
    if denial.language != match.language or match.start <= denial.start < match.end:
        return False
    stretch = text.stretch
    if denial.slot == BEFORE:
        is_near = 0 <= match.start - denial.end <= NEAR
        return is_near and stretch[denial.start] == stretch[match.start]
    is_near = 0 <= denial.start - match.end <= NEAR
    return is_near and stretch[denial.start] == stretch[match.end - 1]


def counts() -> Mapping[str, int]:
    """Return how many phrases the product has in each language."""
    found = Counter(row["language"] for row in defaults(FILE) if row["role"] == TRIGGER)
    return {code: found[code] for code in LANGUAGES}


def rows_in_force(snapshot: Snapshot) -> tuple[Mapping[str, Any], ...]:
    """Return the product's phrases and a version's own, each once.

    The product's phrases hold at every hospital, whichever edition of the default rows it has.
    """
    own = (row for row in snapshot.rows_of(ROWS) if row["role"] in (TRIGGER, DENIAL))
    every = (*defaults(FILE), *own)
    return tuple({tuple(str(row[name]) for name in NAMED): row for row in every}.values())


def red_flags_of(snapshot: Snapshot) -> RedFlags:
    """Return what finds the phrases in force; use through `snapshot.derived`."""
    return _red_flags.of(rows_in_force(snapshot))


_red_flags = SharedValue(RedFlags)
