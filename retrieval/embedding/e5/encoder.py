"""Texts to vectors: pieces, their numbers, the graph, and the mean of what comes out.

Each text is read by itself: what comes in is scaled to its own largest number, so a text has the
same vector whatever else is read, and reading many at once is no faster on one thread.

The graph for onnxruntime is made from the weights when a process first needs it. Products of
matrices are done in bytes: a column of weights has one scale, what comes in is scaled as it comes.
Beside the same weights in full precision the cosine is 0.996 in the mean, at two thirds of the
time. Making the graph takes half a second and needs no file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from retrieval.embedding.e5.weights import Tokens, TrainedLayers, Weights, load, read
from retrieval.vectors import Matrix, unit

#: Operations that onnxruntime adds to the standard.
OURS = "com.microsoft"
OPSETS = (("", 17), (OURS, 1))
IR_VERSION = 9
#: Layers after which a text is understood well enough for what was trained to read on from there.
MIDDLE = 9


class ModelGraph:
    """Nodes and constants of some layers, as they are added."""

    def __init__(self, weights: Weights, of: Weights | TrainedLayers | None = None) -> None:
        self._sizes, self._weights = weights, of or weights
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []

    def serialised(self, layers: range) -> bytes:
        """Return layers of the encoder: (1, tokens, width) becomes the same, understood further."""
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
    """One per process; may be asked by several threads at once."""

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
        """Return the pieces of texts, without the marks of a beginning and an end."""
        return [each[1:-1] for each in self._tokens.of(texts)]

    def half_read(self, text: str) -> tuple[Matrix, Matrix]:
        """Return a text's row by the package's own layers, and one for each of its pieces as they
        are after `MIDDLE` layers."""
        middle = self._middle(self._tokens.of([text])[0])
        return self._whole(self._upper, middle), middle

    def understood(self, middle: Matrix) -> Matrix:
        """Return the row, by the trained layers, of a text that was half read."""
        return self._whole(self._trained, middle)

    def read(self, pieces: Sequence[int]) -> tuple[Matrix, Matrix]:
        """Return a row for each piece, as read in context: by the trained layers, and after
        `MIDDLE`."""
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


#: Errors only: warnings of onnxruntime are about the machine.
ERRORS = 3


def session(graph: bytes) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    # One thread each: a process answers many questions at a time.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = ERRORS
    # What a long batch took is given back.
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
