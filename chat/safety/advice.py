"""Questions for medical advice about a person, told apart without any model.

Two ways: phrases that only ask for advice ("welke dosis", "heb ik kanker"), and how a question is
built: a medicine or an amount of it, beside a weight or an age ("kind van 18 kg"), or asked for
("hoeveel", "mag"). All words are rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import exp
from typing import Any

from chat.safety.phrases import PhraseBook
from taxonomy.snapshot import Snapshot
from taxonomy.tokens import folded, join

ROWS = "chat.cue"
PHRASES, PARTS = "advice", "advice_part"
#: From this confidence on a question is not answered.
BLOCKS = 0.70
#: A phrase of this weight is enough by itself.
DECISIVE = 3.0
#: Words that may stand between two words of a phrase.
GAP = 2
STRUCTURAL = 0.9
_NUMBER = re.compile(r"^\d+(?:[.,]\d+)?$")
_NUMBER_AND_UNIT = re.compile(r"^(\d+)([^\W\d_]+)$")


@dataclass(frozen=True, slots=True)
class Advice:
    """How certain it is that advice is asked for, and why."""

    confidence: float = 0.0
    evidence: tuple[str, ...] = ()

    @property
    def blocks(self) -> bool:
        return self.confidence >= BLOCKS


class AdviceCues:
    """The words of questions for advice. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        rows = tuple(rows)
        self._phrases = PhraseBook(
            ((str(row["text"]), float(row["weight"])) for row in rows if row["kind"] == PHRASES),
            gap=GAP,
        )
        self._parts = PhraseBook(
            (str(row["text"]), str(row["target"])) for row in rows if row["kind"] == PARTS
        )

    def check(self, text: str) -> Advice:
        """Return how certain it is that a text asks for advice."""
        words = _apart(folded(text))
        if reason := self._structure(words):
            return Advice(STRUCTURAL, reason)
        said = {spoken.text: spoken.meaning for spoken in self._phrases.find(words)}
        weight = sum(_longest_only(said).values())
        return Advice(round(1 - exp(-weight / 2), 3), tuple(said)) if said else Advice()

    def _structure(self, words: tuple[str, ...]) -> tuple[str, ...]:
        parts: dict[str, list[tuple[int, str]]] = {}
        for spoken in self._parts.find(words):
            parts.setdefault(spoken.meaning, []).append((spoken.start, spoken.text))
        for needed in SHAPES:
            if all(self._has(part, parts, words) for part in needed):
                return tuple(parts[part][0][1] for part in needed if part in parts)
        return ()

    def _has(
        self, part: str, parts: Mapping[str, list[tuple[int, str]]], words: tuple[str, ...]
    ) -> bool:
        """Tell whether a part is there; weights, ages and amounts only beside a number."""
        if part not in COUNTED:
            return part in parts
        return any(at > 0 and _NUMBER.match(words[at - 1]) for at, _ in parts.get(part, ()))


#: Parts that mean something beside a number only: "18 kg", "11 jaar", "500 mg".
COUNTED = frozenset({"weight", "age", "amount"})
#: What, together, makes a question one for advice about a person.
SHAPES = (
    ("medicine", "weight"),
    ("medicine", "age", "ask"),
    ("dose", "weight"),
    ("dose", "age"),
    ("amount", "weight"),
    ("amount", "age"),
    ("amount", "medicine", "ask"),
    ("person", "weight", "ask"),
    ("drug", "quantity", "intake"),
    ("drug", "ask", "intake"),
    ("medicine", "howmuch"),
)


def advice_cues_of(snapshot: Snapshot) -> AdviceCues:
    """Return a version's cues; use it through `snapshot.derived(advice_cues_of)`."""
    return AdviceCues(snapshot.rows_of(ROWS))


def _apart(words: tuple[str, ...]) -> tuple[str, ...]:
    """Write "18kg" as two words."""
    apart: list[str] = []
    for word in words:
        found = _NUMBER_AND_UNIT.match(word)
        apart += found.groups() if found else (word,)
    return tuple(apart)


def _longest_only(said: Mapping[str, float]) -> dict[str, float]:
    """Leave out phrases that are a part of another: "dosis" within "welke dosis"."""
    joined = {text: join(folded(text)) for text in said}
    return {
        text: weight
        for text, weight in said.items()
        if not any(other != text and joined[text] in joined[other] for other in said)
    }
