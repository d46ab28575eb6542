"""Normalise embedding vectors."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

#: One row per text, or a single vector; length 1 unless stated otherwise.
Matrix: TypeAlias = NDArray[np.float32]


def normalised(rows: Matrix) -> Matrix:
    """Return vectors at length 1; a zero vector becomes an arbitrary unit vector."""
    vectors = np.array(rows, dtype=np.float32)
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    vectors[..., 0] += lengths[..., 0] == 0
    return (vectors / np.where(lengths == 0, 1.0, lengths)).astype(np.float32)


def unit(rows: Matrix) -> Matrix:
    """Return rows at length 1; a zero row stays zero."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    made: Matrix = (rows / np.where(lengths == 0, 1.0, lengths)).astype(np.float32)
    return made
