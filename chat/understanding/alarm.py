"""Whether a message tells of an emergency, and of which sort, in words that no rule has.

Rules hear the situations that somebody wrote down; people fall ill in others, and tell it in the
middle of a question about parking. Here it is learned what that sounds like: from emergencies as
people tell them, from messages that only come near one, and from ordinary example questions. All
are rows that staff edit; it is fitted anew with every published version, always to the same
weights, and each decision can be read.

It reads the message as a whole, and every two sentences of it; the chance is that of the whole and
of its most alarming stretch together. What it knows of a stretch: its meaning in all languages at
once (the encoder of passages), so that what one language's examples teach serves the others; the
slots that red flags have; and what the rules say of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import exp, log
from typing import Any

import numpy as np
from scipy.optimize import minimize

from chat.safety.heard import Alarm, Danger, danger_of
from chat.safety.red_flags import FILE, ROWS, RedFlags
from chat.safety.rows import rows_of_roles
from chat.safety.sentences import stretches
from chat.understanding.examples import Example
from chat.understanding.features import weighed
from chat.understanding.keeping import packed, texts
from chat.understanding.meaning import Meanings
from taxonomy.snapshot import Snapshot

Weights = np.ndarray[Any, Any]
#: Roles of rows: an emergency as people tell it, and what only comes near one.
TELLS, HARMLESS = "example", "harmless"
DANGERS = tuple(Danger)
#: What the slots of red flags, and what the rules say, count for beside the meaning.
SHARE, SAID = 0.8, 0.5
#: How often a message that only comes near counts, of which there are few beside ordinary ones.
TIMES = 4
#: How strongly weights are held near zero, and the steps that are taken at most.
DECAY, STEPS = 1e-4, 150
#: Chances are kept from being certain, so that their odds are numbers.
SURE = 1e-6
#: Messages that a process remembers the chance of: a turn asks more than once.
REMEMBERED = 2_000
MOST_REASONS = 8
#: The name under which staff see what the meaning as a whole says.
WHOLE = "meaning"


@dataclass(frozen=True, slots=True)
class Told:
    """An example: what sort of emergency it tells of, or comes near, in whose words."""

    kind: str
    language: str
    text: str
    danger: Danger


class Alarms:
    """What emergencies sound like. Immutable once learned."""

    def __init__(self, flags: RedFlags, told: Sequence[Told], hearing: Meanings | None) -> None:
        self.flags, self._hearing = flags, hearing
        self._emergencies = [one for one in told if one.danger is not Danger.NONE]
        self._names: dict[str, int] = {}
        self._weights: Weights = np.zeros((0, len(DANGERS)), dtype=np.float32)
        self._meant: Weights = np.zeros((0, 0), dtype=np.float32)
        self.hear = lru_cache(maxsize=REMEMBERED)(self._hear)

    @classmethod
    def learned(
        cls,
        flags: RedFlags,
        told: Sequence[Told],
        ordinary: Sequence[Told],
        hearing: Meanings | None,
    ) -> Alarms:
        """Learn from examples, and from ordinary questions."""
        alarms = cls(flags, told, hearing)
        examples = [*told, *ordinary]
        parts = [alarms._parts(one.text) for one in examples]
        alarms._names = {name: at for at, name in enumerate(sorted(set(chain(*parts))))}
        meant = alarms._meanings(examples)
        rows = np.array([alarms._row(*each) for each in zip(meant, parts, strict=True)])
        times = [
            TIMES if at < len(told) and one.danger is Danger.NONE else 1.0
            for at, one in enumerate(examples)
        ]
        alarms._weights = _fit(rows, [DANGERS.index(one.danger) for one in examples], times)
        alarms._meant = np.array(
            [row for one, row in zip(told, meant, strict=False) if one.danger is not Danger.NONE],
            dtype=np.float32,
        )
        return alarms

    @property
    def kept(self) -> dict[str, Weights]:
        """What was learned, for `again`."""
        return {
            "names": packed(list(self._names)), "weights": self._weights, "meant": self._meant,
        }  # fmt: skip

    @classmethod
    def again(
        cls,
        flags: RedFlags,
        told: Sequence[Told],
        hearing: Meanings | None,
        kept: Mapping[str, Weights],
    ) -> Alarms:
        """Return what was learned before, from the same examples."""
        alarms = cls(flags, told, hearing)
        alarms._names = {name: at for at, name in enumerate(texts(kept["names"]))}
        alarms._weights, alarms._meant = kept["weights"], kept["meant"]
        return alarms

    def _hear(self, text: str) -> Alarm:
        """Return how likely a message tells of an emergency, and which one it is most like."""
        if not self._emergencies or not len(self._weights):
            return Alarm()
        # Encoders read what is shouted in capitals as names of companies.
        text = text.lower() if text.isupper() else text
        said = (text, *stretches(text))
        rows = np.array([self._row(self._meaning(one), self._parts(one)) for one in said])
        chances = _softmax(rows @ self._weights[:-1] + self._weights[-1])
        at = 1 + int((1 - chances[1:, 0]).argmax()) if len(said) > 1 else 0
        odds = [_odds(1 - float(chances[place, 0])) for place in (0, at)]
        chance = round(1 / (1 + exp(-sum(odds) / 2)), 3)
        danger = DANGERS[1 + int((chances[0] + chances[at])[1:].argmax())]
        like = self._most_like(rows[at], danger)
        return Alarm(like.kind, chance, danger, like.text, self._reasons(rows[at], danger))

    def _most_like(self, row: Weights, danger: Danger) -> Told:
        """Return the emergency of a sort that means what is most like a stretch."""
        of_sort = [at for at, one in enumerate(self._emergencies) if one.danger is danger]
        near = self._meant[of_sort] @ row[: self._meant.shape[1]]
        return self._emergencies[of_sort[int(near.argmax())] if of_sort else 0]

    def _reasons(self, row: Weights, danger: Danger) -> tuple[tuple[str, float], ...]:
        """Return what in a stretch spoke most for a danger, compared with none."""
        size = self._meant.shape[1]
        at = DANGERS.index(danger)
        values = row * (self._weights[:-1, at] - self._weights[:-1, 0])
        found = {name: float(values[size + place]) for name, place in self._names.items()}
        found[WHOLE] = float(values[:size].sum())
        best = sorted((name for name in found if found[name]), key=lambda name: -found[name])
        return tuple((name, round(found[name], 3)) for name in best[:MOST_REASONS])

    def _meanings(self, examples: Sequence[Told]) -> Weights:
        if self._hearing is None:
            return np.zeros((len(examples), 0), dtype=np.float32)
        return self._hearing.of_texts([one.text for one in examples])

    def _meaning(self, text: str) -> Weights:
        if self._hearing is None:
            return np.zeros(0, dtype=np.float32)
        return self._hearing.of_text(text)

    def _parts(self, text: str) -> dict[str, float]:
        """Return what red flags have of a text, and what the rules say of it."""
        parts = weighed(Counter({f"flag:{name}": 1 for name in self.flags.parts(text)}), SHARE)
        if flag := self.flags.sign_in(text):
            parts |= {"rule": SAID, f"rule:{danger_of(flag.kind)}": SAID}
        return parts

    def _row(self, meaning: Weights, parts: Mapping[str, float]) -> Weights:
        row = np.zeros(len(meaning) + len(self._names), dtype=np.float32)
        row[: len(meaning)] = meaning
        for name, value in parts.items():
            if (at := self._names.get(name)) is not None:
                row[len(meaning) + at] = value
        return row


def told_of(snapshot: Snapshot) -> tuple[Told, ...]:
    """Return a version's examples; the defaults where it has none of a role."""
    return tuple(
        Told(
            str(row["kind"]),
            str(row["language"]),
            str(row["text"]),
            danger_of(str(row["kind"])) if role == TELLS else Danger.NONE,
        )
        for role in (TELLS, HARMLESS)
        for row in rows_of_roles(snapshot, ROWS, FILE, {role})
    )


def ordinary_of(examples: Iterable[Example], said: Iterable[str]) -> tuple[Told, ...]:
    """Return the example questions, as they are said, to tell emergencies from."""
    return tuple(
        Told("", example.language, text, Danger.NONE)
        for example, text in zip(examples, said, strict=True)
    )


def _fit(rows: Weights, labels: Sequence[int], times: Sequence[float]) -> Weights:
    """Return the weights under which the examples are likeliest: a softmax regression."""
    wanted = np.eye(len(DANGERS), dtype=np.float32)[list(labels)]
    share = np.array(times, dtype=np.float32)
    calm = wanted[:, 0] > 0
    # What fewer examples tell of counts for more, so that it is not drowned.
    share[~calm] /= np.sqrt((wanted * wanted.sum(axis=0)).sum(axis=1))[~calm]
    # Half of what is learned from is an emergency, however many ordinary questions there are.
    share[calm] /= 2 * share[calm].sum() or 1
    share[~calm] /= 2 * share[~calm].sum() or 1
    rows = np.concatenate([rows, np.ones((len(rows), 1), dtype=np.float32)], axis=1)
    shape = (rows.shape[1], len(DANGERS))

    def slope(flat: Weights) -> tuple[float, Weights]:
        weights = flat.reshape(shape).astype(np.float32)
        likely = _softmax(rows @ weights)
        lost = -(share[:, None] * wanted * np.log(likely + 1e-9)).sum()
        down = rows.T @ (share[:, None] * (likely - wanted))
        # What is always there is not held back.
        down[:-1] += 2 * DECAY * weights[:-1]
        held = DECAY * float((weights[:-1] ** 2).sum())
        return float(lost) + held, down.ravel().astype(np.float64)

    found = minimize(
        slope, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options={"maxiter": STEPS}
    )
    weights: Weights = found.x.reshape(shape).astype(np.float32)
    return weights


def _softmax(scores: Weights) -> Weights:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    likely: Weights = powers / powers.sum(axis=1, keepdims=True)
    return likely


def _odds(chance: float) -> float:
    chance = min(max(chance, SURE), 1 - SURE)
    return log(chance / (1 - chance))
