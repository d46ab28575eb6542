"""Whether a question as a whole tells of an emergency that no red flag has words for.

Rules hear the situations that somebody wrote down; people fall ill in others. Here it is learned
what telling of an emergency sounds like: from emergencies as people tell them, from questions that
only come near one, and from all ordinary example questions. All are rows that staff edit; it is
fitted anew with every published version, always to the same weights, and each decision can be
read. It only adds to the rules, which are looked at first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt
from typing import Any

import numpy as np

from chat.safety.red_flags import FILE, ROWS, RedFlags
from chat.safety.rows import rows_of_roles
from chat.understanding.classifier import Classifier, Features, Weights
from chat.understanding.features import Sketch, weighed
from chat.understanding.keeping import packed, texts
from taxonomy.snapshot import Snapshot

#: Roles of rows: an emergency as people tell it, and what only comes near one.
TELLS, HARMLESS = "example", "harmless"
#: The probability from which it is an emergency. Set where of the questions of `HARMLESS` rows, of
#: kinds that were left out when it was learned, few remain above it.
FROM = 0.86
#: The same in languages where it is less sure of everything: as few harmless questions remain above
#: these, and far more emergencies.
FROM_IN = {"tr": 0.73, "it": 0.81, "ro": 0.76, "el": 0.74}
#: What the slots of red flags count for beside the groups of `features`.
SHARE = 1.3
#: How often a question that only comes near counts, of which there are few beside ordinary ones.
TIMES = 2


class Danger(StrEnum):
    """What a question is told apart by."""

    NOW = "emergency"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Told:
    """An example: what sort of emergency it tells of, or comes near, in whose words."""

    kind: str
    language: str
    text: str
    danger: Danger


@dataclass(frozen=True, slots=True)
class Alarm:
    """How likely a question tells of an emergency, and why; false when it does not."""

    kind: str = ""
    chance: float = 0.0
    #: The chance from which it is one, in its language.
    least: float = FROM
    #: The example that is most like it.
    like: str = ""
    reasons: tuple[tuple[str, float], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.kind)


@dataclass(frozen=True, slots=True)
class Heard:
    """Examples as they are compared: features, and one row of meaning for each."""

    features: tuple[Features, ...]
    meant: Weights | None


class Alarms:
    """What emergencies sound like. Immutable once learned."""

    def __init__(
        self, flags: RedFlags, told: Sequence[Told], heard: Heard, ordinary: Heard
    ) -> None:
        """Learn from examples, as they are heard, and from ordinary questions."""
        self.flags = flags
        calm = [at for at, one in enumerate(told) if one.danger is Danger.NONE]
        taken = [*range(len(told)), *calm * (TIMES - 1)]
        examples = [(told[at].danger, heard.features[at]) for at in taken]
        examples += [(Danger.NONE, features) for features in ordinary.features]
        self._learned = Classifier(examples, _meant(heard, ordinary, taken), labels=tuple(Danger))
        self._emergencies = [
            (one, heard.features[at], None if heard.meant is None else heard.meant[at])
            for at, one in enumerate(told)
            if one.danger is Danger.NOW
        ]

    @property
    def kept(self) -> dict[str, Weights]:
        """What was learned, for `again`."""
        meant = [row for _, _, row in self._emergencies if row is not None]
        return {
            **self._learned.kept,
            "heard": packed([features for _, features, _ in self._emergencies]),
            "meant": np.array(meant, dtype=np.float32),
        }

    @classmethod
    def again(cls, flags: RedFlags, told: Sequence[Told], kept: Mapping[str, Weights]) -> Alarms:
        """Return what was learned before, from the same examples."""
        alarms = cls.__new__(cls)
        alarms.flags, alarms._learned = flags, Classifier.again(kept, tuple(Danger))
        meant = kept["meant"]
        alarms._emergencies = [
            (one, features, meant[at] if len(meant) else None)
            for at, (one, features) in enumerate(
                zip(_emergencies(told), texts(kept["heard"]), strict=True)
            )
        ]
        return alarms

    def hear(self, text: str, sketch: Sketch, meaning: Weights | None, language: str) -> Alarm:
        """Return whether a question tells of an emergency, and which one it is most like."""
        features, least = heard_as(text, sketch, self.flags), least_in(language)
        chance = round(self.chance(features, meaning), 3)
        if chance < least or not self._emergencies:
            return Alarm(chance=chance if self._emergencies else 0.0, least=least)
        like = max(self._emergencies, key=lambda one: _likeness(features, meaning, one[1:]))[0]
        reasons = self._learned.reasons(features, Danger.NOW, meaning)
        why = tuple((reason.feature, reason.weight) for reason in reasons)
        return Alarm(like.kind, chance, least, like.text, why)

    def chance(self, features: Features, meaning: Weights | None) -> float:
        """Return how likely what was heard is an emergency."""
        return self._learned.scores(features, meaning)[Danger.NOW]


def least_in(language: str) -> float:
    """Return the chance from which a question in a language is an emergency."""
    return FROM_IN.get(language, FROM)


def _emergencies(told: Sequence[Told]) -> list[Told]:
    return [one for one in told if one.danger is Danger.NOW]


def told_of(snapshot: Snapshot) -> tuple[Told, ...]:
    """Return a version's examples; the defaults where it has none of a role."""
    return tuple(
        Told(
            str(row["kind"]),
            str(row["language"]),
            str(row["text"]),
            Danger.NOW if role == TELLS else Danger.NONE,
        )
        for role in (TELLS, HARMLESS)
        for row in rows_of_roles(snapshot, ROWS, FILE, {role})
    )


def heard_as(text: str, sketch: Sketch, flags: RedFlags) -> dict[str, float]:
    """Return the features of a question, with the parts of red flags that it has."""
    parts = weighed(Counter(f"flag:{name}" for name in flags.parts(text)), SHARE)
    return {**sketch.features, **parts}


def _meant(heard: Heard, ordinary: Heard, taken: Sequence[int]) -> Weights | None:
    if heard.meant is None or ordinary.meant is None:
        return None
    rows: Weights = np.concatenate([heard.meant[list(taken)], ordinary.meant])
    return rows


def _likeness(
    features: Features, meaning: Weights | None, other: tuple[Features, Weights | None]
) -> float:
    words = _cosine(features, other[0])
    if meaning is None or other[1] is None:
        return words
    return words + float(meaning @ other[1])


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    shared = sum(value * other[name] for name, value in one.items() if name in other)
    return shared / (_length(one.values()) * _length(other.values()) or 1.0)


def _length(values: Iterable[Any]) -> float:
    return sqrt(sum(value * value for value in values))
