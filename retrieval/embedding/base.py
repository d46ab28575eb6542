"""What the product asks of an embedding provider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Matrix: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Cosines that mean something for one provider, and nothing for another (decision D23)."""

    #: Below this a dense hit does not count.
    floor: float
    #: When the best hit stays below this, nothing resembles the question (injection rule 3).
    low_similarity: float
    #: From here on two questions are the same one (tier 2 of the answer cache).
    duplicate: float
    #: From here on an answer counts as supported by its passages.
    quality: float


class Embedder(Protocol):
    """Turns texts into vectors of length 1. Who it is, is kept with the index."""

    name: str
    model: str
    dimensions: int
    calibration: Calibration
    #: Languages in which a question is understood beside its translation; none where it is not.
    languages: frozenset[str]
    #: Whether single sentences are near what they mean, so that quotations are chosen by it.
    compares_sentences: bool
    #: Whether nobody else is asked: no network, no waiting, no bill.
    is_local: bool

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text."""
        ...

    def embed_query(self, text: str) -> Matrix:
        """Return one vector."""
        ...


def normalised(rows: Matrix) -> Matrix:
    """Return vectors at length 1; one of zeros points somewhere, so that it has cosines."""
    vectors = np.array(rows, dtype=np.float32)
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    vectors[..., 0] += lengths[..., 0] == 0
    return (vectors / np.where(lengths == 0, 1.0, lengths)).astype(np.float32)
