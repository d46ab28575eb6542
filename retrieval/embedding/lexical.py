"""Embeddings without a model: hashed words and letter n-grams.

Two texts are near when they share words or pieces of words, so that inflections, compounds and
misspellings still meet. It knows no meaning: "kanker" and "tumor" are strangers to it, and so are
languages to each other. The same text gives the same vector on every machine.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from retrieval.embedding.base import Calibration
from retrieval.vectors import Matrix, normalised
from zol.text import words

#: Pieces of words, from three to five letters, with the word's ends marked.
SIZES = (3, 4, 5)
#: All pieces of a word together weigh this much of the word itself.
PIECES_WEIGHT = 0.5
#: A word's weight grows with its length up to here: frequent words are short.
LONGEST_WEIGHED = 9
#: Words whose places are remembered; a hospital's vocabulary fits.
REMEMBERED = 200_000

Places = tuple[NDArray[np.intp], NDArray[np.float32]]


class LexicalEmbedder:
    """Signed feature hashing with sublinear term frequency."""

    name = "lexical"
    model = "hashed-words-1"
    languages: frozenset[str] = frozenset()
    is_local = True
    compares_sentences = False
    calibration = Calibration(floor=0.12, low_similarity=0.10, duplicate=0.95, quality=0.30)

    def __init__(self, dimensions: int = 1536) -> None:
        self.dimensions = dimensions
        self._of = lru_cache(maxsize=REMEMBERED)(self._places_of)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            self._add(row, text)
        return normalised(rows)

    def embed_query(self, text: str) -> Matrix:
        vector: Matrix = self.embed_documents([text])[0]
        return vector

    def _add(self, row: Matrix, text: str) -> None:
        counted = Counter(words(text))
        if not counted:
            return
        found = [self._of(word) for word in counted]
        times = [1.0 + math.log(count) for count in counted.values()]
        places = np.concatenate([place for place, _ in found])
        values = np.concatenate(
            [value * time for (_, value), time in zip(found, times, strict=True)]
        )
        row += np.bincount(places, weights=values, minlength=self.dimensions)

    def _places_of(self, word: str) -> Places:
        """Return where a word and its pieces point, and how strongly."""
        weight = min(len(word), LONGEST_WEIGHED) / LONGEST_WEIGHED
        pieces = tuple(_pieces(word))
        each = PIECES_WEIGHT * weight / math.sqrt(len(pieces)) if pieces else 0.0
        hashed = [crc32(word.encode()), *(crc32(piece.encode(), 1) for piece in pieces)]
        places = np.array([(number >> 1) % self.dimensions for number in hashed], dtype=np.intp)
        signs = np.array([1.0 if number & 1 else -1.0 for number in hashed], dtype=np.float32)
        return places, signs * np.array([weight, *[each] * len(pieces)], dtype=np.float32)


def _pieces(word: str) -> list[str]:
    marked = f"<{word}>"
    return [
        marked[start : start + size]
        for size in SIZES
        if size < len(marked)
        for start in range(len(marked) - size + 1)
    ]
