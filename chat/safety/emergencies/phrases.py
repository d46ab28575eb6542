"""Red-flag phrases, signed off by a clinician, each of which stops a turn.

A phrase matches folded words in order, with up to two other words in between; a word ending with *
matches every word with that beginning. A negation ("niet", "kein") right before or after a phrase
cancels it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from chat.safety.phrases import PhraseBook, PhraseMatch, Text, defaults, read
from taxonomy.language.tokens import folded
from taxonomy.snapshot import SharedValue, Snapshot
from zol.languages import LANGUAGES

ROWS, FILE = "chat.redflagphrase", "red_flags"
TRIGGER, DENIAL = "trigger", "denial"
#: Key fields of a row.
NAMED = ("kind", "language", "role", "text")
#: Positions of a negation.
BEFORE, AFTER = "before", "after"
#: Maximum words between a negation and its phrase. With one allowed, "dad does not talk his mouth
#: hangs" would be negated.
NEAR = 0
#: Maximum words between two words of a phrase.
GAP = 2
#: Minimum phrases of a language that is safe to answer in.
FEWEST = 100


@dataclass(frozen=True, slots=True)
class Sign:
    """A red-flag phrase in a message, with its situation."""

    kind: str
    phrase: str


class RedFlags:
    """The phrases of all situations. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        by_role: dict[str, dict[str, dict[tuple[str, str], None]]] = defaultdict(
            lambda: defaultdict(dict)
        )
        for row in rows:
            one = (str(row["text"]), str(row["kind"]))
            by_role[str(row["role"])][str(row["language"])][one] = None
        denials = by_role[DENIAL]
        #: Phrases and negations by language: those of two languages do not combine.
        self._books = tuple(
            (
                PhraseBook(found, gap=GAP, unskipped=_single(denials[language])),
                PhraseBook(denials[language], gap=GAP),
            )
            for language, found in by_role[TRIGGER].items()
        )

    def signs(self, message: str, before: str = "") -> tuple[Sign, ...]:
        """Return the signs in a message, one for each situation.

        With an earlier message, return only signs that begin in it and end in this message.
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
                found.setdefault(match.meaning, Sign(match.meaning, words))
        return tuple(found.values())

    def _undenied(self, text: Text) -> Iterator[PhraseMatch[str]]:
        """Yield the phrases that are not negated, in order."""
        found = list[PhraseMatch[str]]()
        for triggers, denials in self._books:
            matches = list(triggers.find(text.words))
            denied = list(denials.find(text.words)) if matches else []
            found += (m for m in matches if not any(_denies(each, m, text) for each in denied))
        yield from sorted(found, key=attrgetter("start"))


def _single(rows: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the one-word negations, which must not be skipped inside a phrase."""
    return frozenset(words[0] for text, _ in rows if len(words := folded(text)) == 1)


def _denies(denial: PhraseMatch[str], match: PhraseMatch[str], text: Text) -> bool:
    """Return whether a negation is right before or after a phrase, within one clause."""
    if match.start <= denial.start < match.end:
        return False
    if denial.meaning == BEFORE:
        is_near = 0 <= match.start - denial.end <= NEAR
        return is_near and text.clause[denial.start] == text.clause[match.start]
    is_near = 0 <= denial.start - match.end <= NEAR
    return is_near and text.clause[denial.start] == text.clause[match.end - 1]


def counts() -> Mapping[str, int]:
    """Return the number of the product's phrases in each language."""
    found = Counter(row["language"] for row in defaults(FILE) if row["role"] == TRIGGER)
    return {code: found[code] for code in LANGUAGES}


def rows_in_force(snapshot: Snapshot) -> tuple[Mapping[str, Any], ...]:
    """Return the product's phrases, which apply at every hospital, and a version's own."""
    own = (row for row in snapshot.rows_of(ROWS) if row["role"] in (TRIGGER, DENIAL))
    every = (*defaults(FILE), *own)
    return tuple({tuple(str(row[name]) for name in NAMED): row for row in every}.values())


def red_flags_of(snapshot: Snapshot) -> RedFlags:
    """Return the phrases in force; use it through `snapshot.derived`."""
    return _red_flags.of(rows_in_force(snapshot))


_red_flags = SharedValue(RedFlags)
