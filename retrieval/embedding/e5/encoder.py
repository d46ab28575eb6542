"""Texts to vectors: pieces, their numbers, the graph, and the mean of what comes out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from retrieval.embedding.e5.graph import OUT, Graph
from retrieval.embedding.e5.tokens import PADDING, Tokens
from retrieval.embedding.e5.weights import Weights, load, read
from retrieval.vectors import Matrix, unit

#: Pieces, padding included, that are read together: more takes memory and gains nothing.
BATCH = 1_024
#: Errors only: warnings of onnxruntime are about the machine.
ERRORS = 3


class Encoder:
    """One per process; may be asked by several threads at once."""

    def __init__(self, weights: Weights | None = None) -> None:
        weights = weights or load()
        self.width = weights.width
        self._tokens = Tokens(weights)
        self._words = weights.blocks("emb.word", weights.width)
        places = weights.plain("emb.pos").reshape(-1, weights.width)
        self._places = places + weights.plain("emb.type")[: weights.width]
        self._session = session(Graph(weights).serialised())

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text, each of length 1."""
        pieces = self._tokens.of(texts)
        rows = np.zeros((len(texts), self.width), dtype=np.float32)
        for batch in batches([len(each) for each in pieces]):
            rows[batch] = self._encoded([pieces[place] for place in batch])
        return rows

    def pieces_of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the pieces of texts, without the marks of a beginning and an end."""
        return [each[1:-1] for each in self._tokens.of(texts)]

    def states(self, windows: Sequence[Sequence[int]]) -> Iterator[tuple[int, Matrix, Matrix]]:
        """Give the place of each window of pieces with a row for each piece, as read in context:
        after all layers, and after `MIDDLE`."""
        for batch in batches([len(each) for each in windows]):
            left, middle, _ = self._read([windows[place] for place in batch])
            for place, last, half in zip(batch, left, middle, strict=True):
                size = len(windows[place])
                yield place, last[:size], half[:size]

    def half_read(self, text: str) -> tuple[Matrix, Matrix]:
        """Return a text's row, and one for each of its pieces as they are after `MIDDLE` layers."""
        left, middle, _ = self._read(self._tokens.of([text]))
        return unit(left.sum(axis=1))[0], middle[0]

    def _encoded(self, pieces: Sequence[Sequence[int]]) -> Matrix:
        left, _, mask = self._read(pieces)
        sums: Matrix = (left * mask[..., None]).sum(axis=1)
        return unit(sums)

    def _read(self, pieces: Sequence[Sequence[int]]) -> tuple[Matrix, Matrix, NDArray[np.int32]]:
        longest = max(map(len, pieces))
        numbers: NDArray[np.int64] = np.full((len(pieces), longest), PADDING)
        mask = np.zeros(numbers.shape, dtype=np.int32)
        for row, each in enumerate(pieces):
            numbers[row, : len(each)] = each
            mask[row, : len(each)] = 1
        entered = read(self._words[numbers]) + self._places[:longest]
        left, middle = self._session.run(OUT, {"x": entered, "mask": mask})
        return left, middle, mask


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Give the places of texts that are read together: of like length, so that little is padded."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[place] > BATCH:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def session(graph: bytes | str) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    # One thread each: a process answers many questions at a time.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = ERRORS
    # What a long batch took is given back.
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
