"""Match curated answers by question similarity, subject and conditions.

A question is compared with every example of every answer, in all languages. Similarity alone hardly
separates "what does parking cost" from "what does a bicycle box cost", so the named entities must
be the answer's, and each piece of the question must be close to a piece of an example. The weights
of these features were fitted on `lab/curated/wordings.jsonl`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from chat.sources.records import HOSPITAL, CuratedAnswer, Ref
from retrieval.vectors import Matrix
from taxonomy.language.lexicon import Lexicon
from taxonomy.resolvers.entries import Match
from taxonomy.vocabulary import Kind, Thing, Vocabulary
from zol.text import words

ROWS = "chat.curatedanswer"
WEIGHTS = Path(__file__).parent.parent / "defaults" / "curated_weights.csv"
#: Candidates scored in full: those with the nearest examples.
CLOSELY = 4
#: Examples per answer that are averaged.
FEW = 3
#: Minimum similarity assumed for the second-best answer; without one, every answer would stand out.
OTHERS = 0.3
#: Number of least similar pieces that count.
STRANGEST = 3
#: Probability below which a need is excluded.
RAREST = 0.001
#: Key of the probability threshold in the weights.
SURE = "threshold"


@dataclass(frozen=True, slots=True, eq=False)
class TextVectors:
    """Vectors of a text, as a whole and by piece, each of length 1."""

    whole: Matrix
    pieces: Matrix


@dataclass(frozen=True, slots=True)
class CuratedQuestion:
    """A question for comparison: in its own words, or completed if a follow-up."""

    text: str
    #: Language of the words, and of the answer.
    language: str
    answered_in: str
    vectors: TextVectors
    matches: tuple[Match, ...] = ()
    #: Probability of each need.
    needs: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate answer, with the reasons for or against it."""

    answer: CuratedAnswer
    #: The nearest example.
    example: str = ""
    chance: float = 0.0
    #: Feature values, by name.
    features: Mapping[str, float] = field(default_factory=dict)
    #: Reason for rejection; empty if none.
    rejected: str = ""

    def as_data(self) -> dict[str, Any]:
        """Return plain values for the trace."""
        return {
            "key": self.answer.key, "example": self.example, "chance": round(self.chance, 3),
            "against": self.rejected,
            "signs": {name: round(value, 3) for name, value in self.features.items()},
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class CuratedResult:
    """The result of a search for a curated answer: the answer, if any, and the candidates."""

    hit: CuratedAnswer | None = None
    near: tuple[Candidate, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return the answer and the candidates with reasons, for the trace."""
        if not self.near:
            return {}
        hit = self.hit.key if self.hit else ""
        return {"curated": hit, "near": [each.as_data() for each in self.near]}


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    """An answer with its indexed examples."""

    answer: CuratedAnswer
    #: Indices of its examples.
    places: range
    texts: tuple[str, ...]
    pieces: Matrix
    #: Words and concepts of its examples and texts.
    words: frozenset[str]
    concepts: frozenset[str]


class CuratedIndex:
    """The curated answers of a version. Immutable once built."""

    def __init__(
        self,
        answers: Sequence[CuratedAnswer],
        vectors: Mapping[str, TextVectors],
        lexicon: Lexicon,
        vocabulary: Vocabulary,
    ) -> None:
        self._lexicon, self._vocabulary = lexicon, vocabulary
        self.entries = tuple(self._entries(answers, vectors))
        texts = [text for entry in self.entries for text in entry.texts]
        none = np.zeros((0, 1), dtype=np.float32)
        self._examples = np.stack([vectors[text].whole for text in texts]) if texts else none

    def _entries(
        self, answers: Sequence[CuratedAnswer], vectors: Mapping[str, TextVectors]
    ) -> Iterable[_Entry]:
        start = 0
        for answer in answers:
            asked = [(code, text) for code in answer.examples for text in answer.examples[code]]
            texts = (*asked, *answer.answer.items())
            yield _Entry(
                answer,
                range(start, start + len(asked)),
                tuple(text for _, text in asked),
                np.concatenate([vectors[text].pieces for _, text in asked]),
                frozenset(word for _, text in texts for word in words(text)),
                frozenset().union(*(self.subjects_in(text, code) for code, text in texts)),
            )
            start += len(asked)

    def subjects_in(self, text: str, language: str) -> frozenset[str]:
        """Return the names of a text's concepts, without function words."""
        return self._lexicon.subjects_in(words(text), language)

    def look_up(self, asked: CuratedQuestion, today: date) -> CuratedResult:
        """Return the best answer to a question if it is certain enough, with all candidates."""
        near = self.nearest(asked, today)
        best = next((each for each in near if not each.rejected), None)
        if best is None or best.chance < weights()[SURE]:
            return CuratedResult(None, near)
        return CuratedResult(best.answer, near)

    def nearest(self, asked: CuratedQuestion, today: date) -> tuple[Candidate, ...]:
        """Return the answers with the nearest examples, likeliest first."""
        if not self.entries:
            return ()
        near: Matrix = self._examples @ asked.vectors.whole
        tops = np.array([_mean_of_best(near[list(entry.places)]) for entry in self.entries])
        order = np.argsort(-tops, kind="stable")
        found = [
            self._candidate(asked, today, self.entries[at], near, tops[at] - _next(tops, at))
            for at in order[:CLOSELY]
        ]
        return tuple(sorted(found, key=lambda each: (bool(each.rejected), -each.chance)))

    def _candidate(
        self, asked: CuratedQuestion, today: date, entry: _Entry, near: Matrix, margin: float
    ) -> Candidate:
        own = near[list(entry.places)]
        features, known = self._features(asked, entry, own) | {"margin": float(margin)}, weights()
        odds = known["constant"] + sum(
            known.get(name, 0.0) * value for name, value in features.items()
        )
        chance = float(1 / (1 + np.exp(-odds)))
        rejected = self._rejection(asked, today, entry)
        return Candidate(entry.answer, entry.texts[int(own.argmax())], chance, features, rejected)

    def _features(self, asked: CuratedQuestion, entry: _Entry, own: Matrix) -> dict[str, float]:
        strangest = np.sort((asked.vectors.pieces @ entry.pieces.T).max(axis=1))[:STRANGEST]
        new = self.subjects_in(asked.text, asked.language) - entry.concepts
        long = [word for word in words(asked.text) if len(word) > FEW]
        return {
            "near": float(_mean_of_best(own)),
            "strangest": float(strangest.mean()),
            "new_concepts": float(len(new)),
            **_of_need(asked.needs, entry.answer.need),
            "whole": float(entry.answer.subject == HOSPITAL),
            "unnamed": float(self._is_unnamed(entry.answer, asked)),
            "new_words": sum(word not in entry.words for word in long) / max(1, len(long)),
        }

    def _rejection(self, asked: CuratedQuestion, today: date, entry: _Entry) -> str:
        """Return why an answer must not be given, however similar its examples; empty if it may."""
        answer = entry.answer
        if not answer.answer.get(asked.answered_in):
            return "language"
        if not answer.holds(today):
            return "day"
        named = {thing for match in asked.matches for thing in (match.thing, *match.alternatives)}
        subject = self._thing(answer.subject)
        if answer.subject != HOSPITAL and subject is None:
            return "subject"
        campuses = {thing.key for thing in named if thing.kind is Kind.CAMPUS}
        campus = answer.conditions.get("campus")
        if campus and campuses and campus not in campuses:
            return "campus"
        mine = {subject, *(self._vocabulary.departments_of(subject) if subject else ())}
        for match in asked.matches:
            if match.thing in mine or match.thing.key == campus or match.is_borrowed:
                continue
            if not entry.words.issuperset(words(match.text)):
                return f"{match.thing.kind}:{match.thing.key}"
        return ""

    def _is_unnamed(self, answer: CuratedAnswer, asked: CuratedQuestion) -> bool:
        """Return whether a question names neither the subject nor a treatment given only there."""
        subject = self._thing(answer.subject)
        return subject is not None and not any(
            thing == subject
            or (thing.kind is not Kind.DOCTOR and subject in self._vocabulary.departments_of(thing))
            for match in asked.matches
            for thing in (match.thing, *match.alternatives)
        )

    def _thing(self, ref: Ref) -> Thing | None:
        kind, key = ref
        return self._vocabulary.get(Kind(kind), key) if kind in set(Kind) else None


def _of_need(chances: Mapping[str, float], need: str) -> dict[str, float]:
    """Return a need's log probability, absolute and relative to the likeliest need."""
    own, most = chances.get(need, 0.0), max(chances.values(), default=1.0)
    return {
        "need": float(np.log(max(own, RAREST))),
        "rival": float(np.log(max(own / most, RAREST))),
    }


def _mean_of_best(near: Matrix) -> float:
    return float(np.sort(near)[-FEW:].mean())


def _next(tops: Matrix, at: int) -> float:
    """Return the similarity of the best other answer, at least `OTHERS`."""
    return float(max(np.delete(tops, at).max(initial=OTHERS), OTHERS))


@cache
def weights() -> Mapping[str, float]:
    """Return the weight of each feature."""
    with WEIGHTS.open(encoding="utf-8", newline="") as file:
        return {row["sign"]: float(row["weight"]) for row in csv.DictReader(file)}
