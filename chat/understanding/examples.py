"""The labelled examples that a question is most like, and how much.

Cosine over three lanes: words and pairs of words, groups of letters (which forgive misspellings),
and concepts of the lexicon (which cross languages). Names of the hospital's own things are
masked on both sides, so that "wie is {doctor}" is one example for all doctors.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np

from retrieval.intents import Intent
from taxonomy.kinds import Kind
from taxonomy.lexicon import Lexicon
from taxonomy.resolvers import Match
from taxonomy.tokens import normalise
from zol.text import fold

ROWS = "chat.intentexample"
WORDS, LETTERS, CONCEPTS = 0.4, 0.3, 0.3
GROUP = 4
#: What an example in another language than the question's counts for.
OTHER_LANGUAGE = 0.75
#: Examples of one intent that vote, and what the best one counts for among them.
VOTERS, BEST = 3, 0.6
#: How sure a match must be for its words to give way to what they name.
MASKED = 0.7
_TOKEN = re.compile(r"\{\w+\}|[^\W_]+")
SLOTS = {
    Kind.DOCTOR: "{doctor}", Kind.DEPARTMENT: "{department}", Kind.SPECIALTY: "{department}",
    Kind.CONDITION: "{condition}", Kind.TREATMENT: "{treatment}",
    Kind.EXAMINATION: "{examination}", Kind.CAMPUS: "{campus}",
}  # fmt: skip

Features = dict[str, float]


@dataclass(frozen=True, slots=True)
class Example:
    intent: Intent
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Similar:
    """How much a question is like the examples of each intent, and the nearest ones."""

    scores: Mapping[Intent, float]
    nearest: tuple[tuple[Example, float], ...]


def examples_of(rows: Iterable[Mapping[str, Any]]) -> tuple[Example, ...]:
    return tuple(
        Example(Intent(row["intent"]), str(row["language"]), str(row["text"])) for row in rows
    )


def mask(text: str, matches: Iterable[Match]) -> str:
    """Return the text with the hospital's own things replaced by what they are."""
    text = normalise(text)
    spans = {(match.start, match.end): SLOTS[match.thing.kind] for match in reversed(tuple(matches))
             if match.end > match.start and match.confidence >= MASKED
             and match.thing.kind in SLOTS}  # fmt: skip
    for (start, end), slot in sorted(spans.items(), reverse=True):
        text = f"{text[:start]}{slot}{text[end:]}"
    return text


def masked_words(text: str) -> list[str]:
    """Return the folded words of a masked text; "{doctor}" is one."""
    return [fold(word) for word in _TOKEN.findall(normalise(text))]


class ExampleIndex:
    """All examples as sparse vectors. Immutable once built."""

    def __init__(
        self, examples: Sequence[Example], masked: Sequence[str], lexicon: Lexicon
    ) -> None:
        """Take examples and their texts in which names are masked."""
        self._lexicon = lexicon
        self.examples = tuple(examples)
        lanes = [
            self._lanes(text, e.language) for text, e in zip(masked, self.examples, strict=True)
        ]
        seen = Counter(name for found in lanes for lane in found for name in lane)
        self._rarity = {name: log((1 + len(lanes)) / (1 + n)) + 1 for name, n in seen.items()}
        self._postings = self._invert(lanes)
        self._languages = np.array([example.language for example in self.examples])
        self._by_intent = {
            intent: np.array(
                [at for at, e in enumerate(self.examples) if e.intent is intent], dtype=np.intp
            )
            for intent in Intent
        }

    def compare(self, masked: str, language: str) -> Similar:
        """Return how much a masked question is like the examples of each intent."""
        if not self.examples:
            return Similar({}, ())
        scores = np.zeros(len(self.examples))
        for name, value in self._weigh(self._lanes(masked, language)).items():
            if posting := self._postings.get(name):
                at, values = posting
                scores[at] += value * values
        scores *= np.where(self._languages == language, 1.0, OTHER_LANGUAGE)
        top = np.argsort(scores)[::-1][:5]
        nearest = tuple((self.examples[at], round(float(scores[at]), 3)) for at in top)
        return Similar({i: _vote(scores[at]) for i, at in self._by_intent.items()}, nearest)

    def _lanes(self, text: str, language: str) -> tuple[Counter[str], ...]:
        words = masked_words(text)
        plain = [word for word in words if not word.startswith("{")]
        pairs = [f"{a} {b}" for a, b in zip(["^", *words], [*words, "$"], strict=True)]
        padded = (f" {word} " for word in plain)
        groups = [
            f"~{word[at : at + GROUP]}"
            for word in padded
            for at in range(max(1, len(word) - GROUP + 1))
        ]
        concepts = [f"#{use.concepts[0].name}" for use in self._lexicon.read(plain, language)]
        slots = [f"#{word}" for word in words if word.startswith("{")]
        return Counter([*words, *pairs]), Counter(groups), Counter([*concepts, *slots])

    def _weigh(self, lanes: Sequence[Counter[str]]) -> Features:
        features: Features = {}
        for lane, share in zip(lanes, (WORDS, LETTERS, CONCEPTS), strict=True):
            weights = {
                name: (1 + log(times)) * self._rarity.get(name, self._unseen)
                for name, times in lane.items()
            }
            length = sqrt(sum(weight * weight for weight in weights.values()))
            scale = sqrt(share) / length if length else 0.0
            features |= {name: weight * scale for name, weight in weights.items()}
        return features

    @property
    def _unseen(self) -> float:
        return log(1 + len(self.examples)) / 2 + 1

    def _invert(
        self, lanes: Sequence[Sequence[Counter[str]]]
    ) -> dict[str, tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
        postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for at, found in enumerate(lanes):
            for name, value in self._weigh(found).items():
                postings[name].append((at, value))
        return {
            name: (
                np.array([at for at, _ in found], dtype=np.intp),
                np.array([v for _, v in found]),
            )
            for name, found in postings.items()
        }


def _vote(scores: np.ndarray[Any, Any]) -> float:
    if not len(scores):
        return 0.0
    best = np.sort(scores)[::-1][:VOTERS]
    return float(BEST * best[0] + (1 - BEST) * best.mean())
