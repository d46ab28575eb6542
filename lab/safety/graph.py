"""The trained parts as one graph for onnxruntime: products in bytes, as in the encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OURS = "com.microsoft"
OPSETS, IR_VERSION = (("", 17), (OURS, 1)), 9
#: As in `retrieval.embedding.e5.encoder`: every processor tells the same.
LARGEST = 63
#: What each part counts, as logarithms: the upper layers, the small head, the vector.
SHARES = (0.4, 0.3, 0.3)
#: And for specialties: the upper layers, the vector.
SPECIALTY_SHARES = (0.5, 0.5)
Weights = Mapping[str, Any]


class Graph:
    """Nodes and constants, as they are added."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, values: Any) -> str:
        """Add numbers under a name."""
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, kind: str, inputs: Sequence[str], out: str, **traits: Any) -> str:
        """Add what makes something of something."""
        domain = OURS if kind in OWN else ""
        self.nodes.append(helper.make_node(kind, list(inputs), [out], domain=domain, **traits))
        return out

    def in_bytes(self, at: str, weights: Weights, name: str, out: str) -> str:
        """Multiply in bytes: a scale for each column."""
        columns = weights[f"{name}weight"].numpy().T
        scales = (np.abs(columns).max(axis=0) / LARGEST).astype(np.float32)
        inputs = [
            at,
            self.constant(f"{out}.w", np.rint(columns / scales).astype(np.int8)),
            self.constant(f"{out}.scales", scales),
            self.constant(f"{out}.zero", np.zeros(len(scales), dtype=np.int8)),
            self.constant(f"{out}.b", weights[f"{name}bias"].numpy()),
        ]
        return self.node("DynamicQuantizeMatMul", inputs, out)

    def in_full(self, at: str, weights: Weights, name: str, out: str) -> str:
        """Multiply as it is."""
        matrix = self.constant(f"{out}.w", weights[f"{name}.weight"].numpy().T)
        made = self.node("MatMul", [at, matrix], f"{out}.made")
        return self.node("Add", [made, self.constant(f"{out}.b", weights[f"{name}.bias"])], out)

    def norm(self, at: str, weights: Weights, name: str, out: str, skip: str = "") -> str:
        """Bring to one length, with what was there before added."""
        both = [self.constant(f"{out}.{n}", weights[f"{name}.{n}"]) for n in ("weight", "bias")]
        if skip:
            return self.node("SkipLayerNormalization", [at, skip, *both], out, epsilon=1e-12)
        return self.node("LayerNormalization", [at, *both], out, epsilon=1e-5, axis=-1)

    def attention(self, at: str, width: int, heads: int, out: str) -> str:
        """Let every piece look at all others."""
        parts = [f"{out}.{each}" for each in "qkv"]
        sizes = self.constant(f"{out}.sizes", np.array([width] * 3, dtype=np.int64))
        self.nodes.append(helper.make_node("Split", [at, sizes], parts, axis=-1))
        return self.node("MultiHeadAttention", parts, out, num_heads=heads)

    def pool(self, at: str, weights: Weights, out: str, name: str = "p") -> str:
        """Return the logarithm of the chances that a part gives."""
        asked = self.in_full(at, weights, f"{name}.q", f"{out}.asked")
        share = self.node("Softmax", [asked], f"{out}.share", axis=1)
        turned = self.node("Transpose", [share], f"{out}.turned", perm=[0, 2, 1])
        found = self.node("MatMul", [turned, at], f"{out}.found")
        flat = self.constant(f"{out}.flat", np.array([1, -1], dtype=np.int64))
        found = self.node("Reshape", [found, flat], f"{out}.row")
        mean = self.node("ReduceMean", [at], f"{out}.mean", axes=[1], keepdims=0)
        both = self.node("Concat", [found, mean], f"{out}.both", axis=1)
        hidden = self.in_full(both, weights, f"{name}.o", f"{out}.hidden")
        hidden = self.node("Tanh", [hidden], f"{out}.bent")
        scores = self.in_full(hidden, weights, f"{name}.c", f"{out}.scores")
        return self.node("LogSoftmax", [scores], out, axis=-1)


class Shipped(Graph):
    """The weights of a graph that was written, under the names that they are trained by."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._found = {
            each.name: numpy_helper.to_array(each) for each in onnx.load(file).graph.initializer
        }
        self.weights: dict[str, Any] = {}

    def in_bytes(self, at: str, weights: Weights, name: str, out: str) -> str:
        """Take a product in bytes: its scales make numbers of it again."""
        columns = self._found[f"{out}.w"].astype(np.float32) * self._found[f"{out}.scales"]
        return self._take(f"{name}weight", columns.T, f"{name}bias", out)

    def in_full(self, at: str, weights: Weights, name: str, out: str) -> str:
        """Take a product as it is."""
        return self._take(f"{name}.weight", self._found[f"{out}.w"].T, f"{name}.bias", out)

    def norm(self, at: str, weights: Weights, name: str, out: str, skip: str = "") -> str:
        """Take what brings to one length."""
        for each in ("weight", "bias"):
            self.weights[f"{name}.{each}"] = self._found[f"{out}.{each}"]
        return out

    def _take(self, name: str, weight: Any, bias: str, out: str) -> str:
        self.weights |= {name: weight, bias: self._found[f"{out}.b"]}
        return out


OWN = {"DynamicQuantizeMatMul", "SkipLayerNormalization", "MultiHeadAttention", "Gelu"}


def _upper(graph: Graph, weights: Weights) -> str:
    at = "states"
    for layer in range(3):
        own, out = f"L.{layer}.", f"u{layer}."
        wide = graph.in_bytes(at, weights, f"{own}qkv.", f"{out}qkv")
        heard = graph.attention(wide, 384, 12, f"{out}heard")
        told = graph.in_bytes(heard, weights, f"{own}ao.", f"{out}told")
        at = graph.norm(told, weights, f"{own}aln", f"{out}attended", at)
        wide = graph.in_bytes(at, weights, f"{own}fi.", f"{out}wide")
        wide = graph.node("Gelu", [wide], f"{out}bent")
        told = graph.in_bytes(wide, weights, f"{own}fo.", f"{out}narrow")
        at = graph.norm(told, weights, f"{own}oln", f"{out}left", at)
    graph.pool(at, weights, "w", "s")
    return graph.pool(at, weights, "u")


def _small(graph: Graph, weights: Weights) -> str:
    at = graph.in_bytes(graph.norm("states", weights, "n", "s.n"), weights, "i.", "s.i")
    for layer in range(2):
        own, out = f"e.layers.{layer}.", f"s{layer}."
        normed = graph.norm(at, weights, f"{own}norm1", f"{out}n1")
        wide = graph.in_bytes(normed, weights, f"{own}self_attn.in_proj_", f"{out}qkv")
        heard = graph.attention(wide, 128, 4, f"{out}heard")
        told = graph.in_bytes(heard, weights, f"{own}self_attn.out_proj.", f"{out}told")
        at = graph.node("Add", [at, told], f"{out}attended")
        normed = graph.norm(at, weights, f"{own}norm2", f"{out}n2")
        wide = graph.in_bytes(normed, weights, f"{own}linear1.", f"{out}wide")
        wide = graph.node("Gelu", [wide], f"{out}bent")
        told = graph.in_bytes(wide, weights, f"{own}linear2.", f"{out}narrow")
        at = graph.node("Add", [at, told], f"{out}left")
    return graph.pool(at, weights, "s")


def _vector(graph: Graph, found: Mapping[str, Any]) -> str:
    mean = graph.constant("v.mean", found["mean"])
    at = graph.node("Sub", ["vector", mean], "v.middle")
    at = graph.node("Mul", [at, graph.constant("v.scale", found["scale"])], "v.scaled")
    _networks(graph, at, found["specialties"], "x")
    _networks(graph, at, found["networks"], "v")
    _networks(graph, at, found["after"], "a")
    graph.node("Exp", ["a"], "goes_on")
    return "v"


def _networks(graph: Graph, at: str, networks: Sequence[Weights], out: str) -> None:
    """Add the logarithm of the mean chances that networks give."""
    chances = []
    for number, weights in enumerate(networks):
        hidden = graph.in_full(at, weights, "0", f"{out}{number}.hidden")
        hidden = graph.node("Gelu", [hidden], f"{out}{number}.bent")
        scores = graph.in_full(hidden, weights, "3", f"{out}{number}.scores")
        chances.append(graph.node("Softmax", [scores], f"{out}{number}", axis=-1))
    graph.node("Log", [graph.node("Mean", chances, f"{out}.chances")], out)


def _mixed(graph: Graph, parts: Sequence[str], shares: Sequence[float], out: str) -> None:
    """Add the chances that parts give together."""
    shared = [
        graph.node("Mul", [part, graph.constant(f"{part}.part", np.float32(share))], f"{part}.mul")
        for part, share in zip(parts, shares, strict=True)
    ]
    graph.node("Softmax", [graph.node("Sum", shared, f"{out}.sum")], out, axis=-1)


def specialties_of(file: Path) -> list[str]:
    """Return what a graph that was written leads to, in its order."""
    named = {each.key: each.value for each in onnx.load(file).metadata_props}
    return named["specialties"].split(",")


def read(file: Path, part: str) -> dict[str, Any]:
    """Return the weights of `upper` or `small` in a graph that was written."""
    shipped = Shipped(file)
    {"upper": _upper, "small": _small}[part](shipped, {})
    return shipped.weights


def write(
    upper: Weights,
    small: Weights,
    vector: Mapping[str, Any],
    specialties: Sequence[str],
    file: Path,
) -> None:
    """Write one graph of all parts."""
    graph = Graph()
    parts = [_upper(graph, upper), _small(graph, small), _vector(graph, vector)]
    _mixed(graph, parts, SHARES, "chances")
    _mixed(graph, ("w", "x"), SPECIALTY_SHARES, "leads")

    def info(name: str, *shape: int | str) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, list(shape))

    made = helper.make_graph(
        graph.nodes,
        "emergencies",
        [info("vector", 1, 384), info("states", 1, "pieces", 384)],
        [info("chances", 1, 4), info("leads", 1, len(specialties)), info("goes_on", 1, 2)],
        graph.constants,
    )
    opsets = [helper.make_opsetid(*each) for each in OPSETS]
    model = helper.make_model(made, opset_imports=opsets, ir_version=IR_VERSION)
    helper.set_model_props(model, {"specialties": ",".join(specialties)})
    onnx.save(model, file)
