"""The reader: which statements answer a question, and whether any does.

It looks at the states that the encoder of passages makes anyway, half-way: those of statements are
kept, narrowed, when a page is read (`pieces.py`), those of the question come with its vector. What
was learned is one file, `reader.npz`; `reader.md` is its card. Only the most likely statements are
read closely by the learned head, the others are judged by words and likeness.

The head reads a question together with each statement, in plain numpy: two layers of attention over
the narrowed states of both sides. How near each piece comes to the other side is told to it, which
is what it learns from first. Trained in `evaluation/lab/reading`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np
from scipy.special import erf

from retrieval.reader.pieces import QUESTION, STATEMENT, NarrowedStates, Span, pieces, shares
from retrieval.vectors import Matrix, unit

HEADS = 4
#: How loudly nearness is told.
LOUD = 4.0
#: Statements that are read at once, of like length.
TOGETHER = 8
EPSILON = 1e-5
FAR = -1e4


@dataclass(frozen=True, slots=True, eq=False)
class ReaderWeights:
    """The weights by name."""

    weights: Mapping[str, Matrix]

    def scores(self, asked: Matrix, said: Sequence[NarrowedStates]) -> Matrix:
        """Return a score for each statement."""
        found = np.zeros(len(said), dtype=np.float32)
        order = sorted(range(len(said)), key=lambda at: len(said[at].sorts))
        for at in range(0, len(order), TOGETHER):
            some = order[at : at + TOGETHER]
            found[some] = self._scores(asked, [said[place] for place in some])
        return found

    def _scores(self, asked: Matrix, said: Sequence[NarrowedStates]) -> Matrix:
        count, size, most = len(said), len(asked), max(len(each.sorts) for each in said)
        rows = np.zeros((count, most, asked.shape[1]), dtype=np.float32)
        sorts = np.full((count, most), 2)
        is_there = np.zeros((count, size + most), dtype=bool)
        is_there[:, :size] = True
        for at, each in enumerate(said):
            rows[at, : len(each.sorts)], sorts[at, : len(each.sorts)] = each.rows, each.sorts
            is_there[at, size : size + len(each.sorts)] = True
        near = np.where(is_there[:, None, size:], asked @ rows.transpose(0, 2, 1), -1.0)
        best = np.concatenate([near.max(axis=2), near.max(axis=1)], axis=1)
        both = np.concatenate([np.broadcast_to(asked, (count, *asked.shape)), rows], axis=1)
        told = np.concatenate([self._norm(both, "norm"), LOUD * best[..., None]], axis=2)
        kinds = np.concatenate([np.zeros((count, size), dtype=np.int64), sorts + 1], axis=1)
        read = self._linear(told, "enter") + self.weights["sides.weight"][kinds]
        for layer in (0, 1):
            read = self._layer(read, is_there, f"layers.layers.{layer}.")
        itself = (is_there[:, size:] & (sorts == 2))[..., None]
        own = read[:, size:]
        pooled = [
            read[:, :size].mean(axis=1),
            (own * itself).sum(axis=1) / itself.sum(axis=1).clip(1),
            np.where(itself, own, FAR).max(axis=1).clip(-1e3),
        ]
        made = self._norm(np.concatenate(pooled, axis=1), "left")
        score: Matrix = self._linear(_bent(self._linear(made, "out.0")), "out.3")[:, 0]
        return score

    def _layer(self, read: Matrix, is_there: np.ndarray, name: str) -> Matrix:
        count, size, width = read.shape
        threes = self._linear(self._norm(read, f"{name}norm1"), f"{name}self_attn.in_proj", "_")
        parts = threes.reshape(count, size, 3, HEADS, width // HEADS).transpose(2, 0, 3, 1, 4)
        odds = parts[0] @ parts[1].transpose(0, 1, 3, 2) / np.sqrt(width // HEADS, dtype=np.float32)
        odds = np.where(is_there[:, None, None], odds, FAR)
        share = np.exp(odds - odds.max(axis=-1, keepdims=True))
        share /= share.sum(axis=-1, keepdims=True)
        heard = (share @ parts[2]).transpose(0, 2, 1, 3).reshape(count, size, width)
        read = read + self._linear(heard, f"{name}self_attn.out_proj")
        wide = _bent(self._linear(self._norm(read, f"{name}norm2"), f"{name}linear1"))
        return read + self._linear(wide, f"{name}linear2")

    def _linear(self, rows: Matrix, name: str, joint: str = ".") -> Matrix:
        weight, bias = self.weights[f"{name}{joint}weight"], self.weights[f"{name}{joint}bias"]
        made: Matrix = rows @ weight.T + bias
        return made

    def _norm(self, rows: Matrix, name: str) -> Matrix:
        middle = rows - rows.mean(axis=-1, keepdims=True)
        spread = np.sqrt((middle * middle).mean(axis=-1, keepdims=True) + EPSILON)
        made: Matrix = (
            middle / spread * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]
        )
        return made


def _bent(rows: Matrix) -> Matrix:
    made: Matrix = (rows * 0.5 * (1 + erf(rows * np.float32(0.70710678)))).astype(np.float32)
    return made


__all__ = ["WIDTH", "NarrowedStates", "Question", "Reader", "Statement", "Verdict", "reader"]

FILE = Path(__file__).parent / "reader.npz"
#: Numbers that are kept of the state of a piece.
WIDTH = 128
#: Statements that are read closely.
CLOSELY = 32
#: What one that is not read closely lacks.
UNREAD = -8.0
#: Pieces before and after a question's own: that it is one, and its end.
BEFORE, AFTER = 3, 1


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """What is asked: the text, its language, and its narrowed states (`Reader.asked`)."""

    text: str
    language: str
    states: Matrix


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """One statement: its words and those it stands under, its language, the cosine of its vector
    with the question's, and what is kept of it (`Reader.kept`)."""

    text: str
    above: str
    language: str
    likeness: float
    pieces: NarrowedStates


@dataclass(frozen=True, slots=True)
class ReaderVerdict:
    """The chance of each statement that it answers, in their order, and that none does."""

    answers: tuple[float, ...]
    nothing: float
    #: What orders them: higher is likelier.
    scores: tuple[float, ...]
    #: The same beside that none does, which scores 0.
    odds: tuple[float, ...] = ()


class Reader:
    """What was learned. Immutable; may be asked by several threads at once."""

    def __init__(self, stored: Mapping[str, Matrix], digest: str) -> None:
        #: What the kept states of statements depend on, and nothing else of the file.
        self.edition = sha256(stored["mean"].tobytes() + stored["directions"].tobytes()).hexdigest()
        self.digest = digest
        numbers = {name: each.astype(np.float32) for name, each in stored.items()}
        self.mean, self.directions = numbers["mean"], numbers["directions"]
        self._prior, self._nothing = numbers["prior"], float(numbers["nothing"][1])
        self._answers, self._none = numbers["answers"], numbers["none"]
        self._head = ReaderWeights(numbers)

    def asked(self, text: str, language: str, states: Matrix) -> Question:
        """Return a question, of which the encoder's half-read states are given."""
        return Question(text, language, self.narrowed(states)[:QUESTION])

    def kept(self, states: Matrix, spans: Sequence[Span]) -> list[NarrowedStates]:
        """Return what to keep of the statements of a window, of which the half-read states and the
        places are given."""
        narrow = self.narrowed(states)
        return [pieces(narrow, span) for span in spans]

    def narrowed(self, states: Matrix) -> Matrix:
        moved = (states.astype(np.float32) - self.mean) @ self.directions
        return unit(moved.astype(np.float32))

    def read(self, question: Question, statements: Sequence[Statement]) -> ReaderVerdict:
        """Judge statements, in any order."""
        if not statements:
            return ReaderVerdict((), 1.0, ())
        known = features(question, statements)
        before = known @ self._prior
        # Those of equal odds in the order of their texts, so that the order given does not matter.
        names = np.array([each.text for each in statements])
        best = np.lexsort((names, -before))[:CLOSELY]
        scores = before + UNREAD
        closely = self._head.scores(question.states, [statements[at].pieces for at in best])
        scores[best] = before[best] + closely
        odds = scores - self._nothing
        answers = _chance(self._answers[0] * odds + self._answers[1])
        none = _chance(np.array(-(self._none[0] * odds.max() + self._none[1])))
        return ReaderVerdict(
            tuple(answers.tolist()), float(none), tuple(scores.tolist()), tuple(odds.tolist())
        )


def features(question: Question, statements: Sequence[Statement]) -> Matrix:
    """Return words, words with those above, likeness and nearness of pieces of each statement."""
    spoken = [each.language for each in statements]
    own = [each.text for each in statements]
    whole = [f"{each.above} {each.text}" for each in statements]
    found = [shares(question.text, question.language, texts, spoken) for texts in (own, whole)]
    likeness = np.array([each.likeness for each in statements], dtype=np.float32)
    return np.stack([*found, likeness, _nearness(question, statements)], axis=1)


def _nearness(question: Question, statements: Sequence[Statement]) -> Matrix:
    """Return the mean, over the pieces of a question, of the best cosine in each statement."""
    asked = question.states[BEFORE:-AFTER]
    asked = asked if len(asked) else question.states
    own = [each.pieces.rows[each.pieces.sorts == 2][:STATEMENT] for each in statements]
    near = asked @ np.concatenate([np.zeros((1, asked.shape[1]), np.float32), *own]).T
    found = np.zeros(len(statements), dtype=np.float32)
    start = 1
    for place, rows in enumerate(own):
        if len(rows):
            found[place] = near[:, start : start + len(rows)].max(axis=1).mean()
        start += len(rows)
    return found


def _chance(odds: Matrix) -> Matrix:
    made: Matrix = (1 / (1 + np.exp(-np.clip(odds, -30, 30)))).astype(np.float32)
    return made


@cache
def reader(file: Path = FILE) -> Reader:
    """Return what a file holds; one per process."""
    stored = file.read_bytes()
    with np.load(file) as arrays:
        return Reader({name: arrays[name] for name in arrays.files}, sha256(stored).hexdigest())
