"""The learned head: a question read together with each statement, in plain numpy.

Two layers of attention over the narrowed states of both sides. How near each piece comes to the
other side is told to it, which is what it learns from first. Trained in `evaluation/lab/reading`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import erf

from retrieval.reader.pieces import Pieces
from retrieval.vectors import Matrix

HEADS = 4
#: How loudly nearness is told.
LOUD = 4.0
#: Statements that are read at once, of like length.
TOGETHER = 8
EPSILON = 1e-5
FAR = -1e4


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """The weights by name."""

    weights: Mapping[str, Matrix]

    def scores(self, asked: Matrix, said: Sequence[Pieces]) -> Matrix:
        """Return a score for each statement."""
        found = np.zeros(len(said), dtype=np.float32)
        order = sorted(range(len(said)), key=lambda at: len(said[at].sorts))
        for at in range(0, len(order), TOGETHER):
            some = order[at : at + TOGETHER]
            found[some] = self._scores(asked, [said[place] for place in some])
        return found

    def _scores(self, asked: Matrix, said: Sequence[Pieces]) -> Matrix:
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
