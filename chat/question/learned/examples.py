"""The labelled examples that a question is most like, and how much.

Cosine over three lanes: words and pairs of words, groups of letters (which forgive misspellings),
and concepts of the lexicon (which cross languages). Names of the hospital's own things are
masked on both sides, so that "wie is {doctor}" is one example for all doctors.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log, sqrt
from typing import Any, TypeAlias

import numpy as np

from chat.question.learned.store import packed, texts
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from taxonomy.resolvers import Match
from taxonomy.tokens import normalise
from zol.text import fold

ROWS = "chat.intentexample"
#: What words, groups of letters and concepts count for.
SHARES = (0.4, 0.3, 0.3)
GROUP = 4
#: Words up to which a question and an example in another language are compared as wholes.
BRIEF = 3
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

Numbers: TypeAlias = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Example:
    intent: Intent
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class MaskedText:
    """Folded words, in which names are masked ("{doctor}"), and the concepts and masks in them."""

    words: tuple[str, ...]
    concepts: tuple[str, ...]


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
    """All examples as one sparse matrix. Immutable once built."""

    def __init__(self, examples: Sequence[Example], worded: Sequence[MaskedText]) -> None:
        """Take examples and their words, in which names are masked."""
        self._columns: dict[str, int] = {}
        cells = self._cells(worded)
        count = len(examples)
        seen = np.bincount(cells.columns, minlength=len(self._columns))
        self._rarity = np.log((1 + count) / (1 + seen)) + 1
        order = np.argsort(cells.columns, kind="stable")
        self._rows = cells.rows[order]
        self._values = self._weighed(cells, count)[order]
        self._starts = np.concatenate(([0], np.cumsum(seen)))
        #: What is said, word for word, by examples of a few words, whatever their language.
        self._brief = {
            (example.intent, one.concepts)
            for example, one in zip(examples, worded, strict=True)
            if one.concepts and len(one.words) <= BRIEF and not _is_masked(one)
        }
        self._take(examples)

    def _take(self, examples: Sequence[Example]) -> None:
        """Note what needs no reading of the examples."""
        self.examples = tuple(examples)
        self._unseen = log(1 + len(examples)) / 2 + 1
        languages = np.array([example.language for example in examples])
        #: What each example counts for, by the language of the question.
        self._shares = {
            language: np.where(languages == language, 1.0, OTHER_LANGUAGE)
            for language in {example.language for example in examples}
        }
        self._by_intent = {
            intent: np.array(
                [at for at, e in enumerate(examples) if e.intent is intent], dtype=np.intp
            )
            for intent in Intent
        }

    @property
    def kept(self) -> dict[str, Numbers]:
        """What was read from the examples, for `again`."""
        return {
            "names": packed(list(self._columns)),
            "brief": packed(sorted([intent, *concepts] for intent, concepts in self._brief)),
            "rarity": self._rarity,
            "rows": self._rows.astype(np.int32),
            "values": self._values,
            "starts": self._starts,
        }

    @classmethod
    def again(cls, examples: Sequence[Example], kept: Mapping[str, Numbers]) -> ExampleIndex:
        """Return the index of these examples, from what was read from them before."""
        index = cls.__new__(cls)
        index._columns = {name: at for at, name in enumerate(texts(kept["names"]))}
        index._brief = {(Intent(first), tuple(rest)) for first, *rest in texts(kept["brief"])}
        index._rarity, index._values = kept["rarity"], kept["values"]
        index._rows, index._starts = kept["rows"], kept["starts"]
        index._take(examples)
        return index

    def says_the_same(self, worded: MaskedText, intent: Intent) -> bool:
        """Tell whether a few words say what an example of an intent says in some language."""
        return len(worded.words) <= BRIEF and (intent, worded.concepts) in self._brief

    def compare(self, worded: MaskedText, language: str) -> Similar:
        """Return how much a masked question is like the examples of each intent."""
        if not self.examples:
            return Similar({}, ())
        scores = np.zeros(len(self.examples))
        for name, value in self._weigh(worded):
            column = self._columns.get(name)
            if column is not None:
                cells = slice(self._starts[column], self._starts[column + 1])
                scores[self._rows[cells]] += value * self._values[cells]
        scores *= self._shares.get(language, OTHER_LANGUAGE)
        top = _best(scores, 5)
        nearest = tuple((self.examples[at], round(float(scores[at]), 3)) for at in top)
        return Similar({i: _vote(scores[at]) for i, at in self._by_intent.items()}, nearest)

    def _cells(self, worded: Sequence[MaskedText]) -> _Cells:
        """Return what occurs in which example, in which lane and how often."""
        rows, columns, times, lanes = array("l"), array("l"), array("l"), array("l")
        known = self._columns
        for at, one in enumerate(worded):
            for lane, counted in enumerate(_lanes(one)):
                columns.extend([known.setdefault(name, len(known)) for name in counted])
                times.extend(counted.values())
                rows.extend([at] * len(counted))
                lanes.extend([at * len(SHARES) + lane] * len(counted))
        return _Cells(*(np.array(found, dtype=np.intp) for found in (rows, columns, times, lanes)))

    def _weighed(self, cells: _Cells, count: int) -> Numbers:
        """Return what each cell counts for: every lane of an example has its share."""
        weights = (1 + np.log(cells.times)) * self._rarity[cells.columns]
        size = count * len(SHARES)
        lengths = np.sqrt(np.bincount(cells.lanes, weights * weights, minlength=size))
        shares = np.sqrt(np.tile(SHARES, count))
        scales = np.divide(shares, lengths, out=np.zeros_like(shares), where=lengths > 0)
        weighed: Numbers = weights * scales[cells.lanes]
        return weighed

    def _weigh(self, worded: MaskedText) -> Iterator[tuple[str, float]]:
        for lane, share in zip(_lanes(worded), SHARES, strict=True):
            weights = {name: (1 + log(n)) * self._rare(name) for name, n in lane.items()}
            length = sqrt(sum(weight * weight for weight in weights.values()))
            scale = sqrt(share) / length if length else 0.0
            yield from ((name, weight * scale) for name, weight in weights.items())

    def _rare(self, name: str) -> float:
        column = self._columns.get(name)
        return self._unseen if column is None else float(self._rarity[column])


@dataclass(frozen=True, slots=True)
class _Cells:
    """What is not empty in a sparse matrix."""

    rows: Numbers
    columns: Numbers
    times: Numbers
    #: Example and lane as one number.
    lanes: Numbers


def _is_masked(worded: MaskedText) -> bool:
    return any(concept.startswith("{") for concept in worded.concepts)


def _lanes(worded: MaskedText) -> tuple[Counter[str], ...]:
    words = worded.words
    pairs = [f"{a} {b}" for a, b in zip(["^", *words], [*words, "$"], strict=True)]
    groups = [
        group for word in words if not word.startswith("{") for group in _groups_of_letters(word)
    ]
    concepts = [f"#{name}" for name in worded.concepts]
    return Counter([*words, *pairs]), Counter(groups), Counter(concepts)


@lru_cache(maxsize=20_000)
def _groups_of_letters(word: str) -> tuple[str, ...]:
    padded = f" {word} "
    return tuple(f"~{padded[at : at + GROUP]}" for at in range(max(1, len(padded) - GROUP + 1)))


def _vote(scores: Numbers) -> float:
    best = scores[_best(scores, VOTERS)]
    return float(BEST * best[0] + (1 - BEST) * sum(best) / len(best)) if len(best) else 0.0


def _best(scores: Numbers, most: int) -> list[int]:
    """Return the places of the highest scores, best first; of equals the first."""
    left, found = scores.copy(), list[int]()
    while len(found) < min(most, len(scores)):
        found.append(int(left.argmax()))
        left[found[-1]] = -np.inf
    return found
