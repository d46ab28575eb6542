"""Models in folders: a real graph embeds and reranks, and what does not fit is told."""

from __future__ import annotations

import json

import numpy as np
import onnx
import pytest
from django.core.checks import run_checks
from onnx import TensorProto, helper, numpy_helper

from retrieval.embedding import get_embedder
from retrieval.reranking import get_reranker

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁bezoek", "▁auto", "▁uur"]
CARD = {
    "name": "klein", "licence": "MIT", "languages": ["nl"], "dimensions": 7,
    "prefixes": {}, "pooling": "mean",
}  # fmt: skip


def folder(path, *, columns: np.ndarray, reduced: bool, card=CARD):
    """Make a graph that looks each piece up in `columns`, and adds them up where it is asked."""
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["looked"])]
    if reduced:
        nodes.append(helper.make_node("ReduceSum", ["looked", "axis"], ["out"], keepdims=0))
    else:
        nodes.append(helper.make_node("Identity", ["looked"], ["out"]))
    shape = ["texts", 1] if reduced else ["texts", "pieces", columns.shape[1]]
    graph = helper.make_graph(
        nodes,
        "klein",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["texts", "pieces"])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, shape)],
        [
            numpy_helper.from_array(columns.astype(np.float32), "table"),
            numpy_helper.from_array(np.array([1], dtype=np.int64), "axis"),
        ],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(made, path / "model.onnx")
    vocabulary = [[piece, -float(n)] for n, piece in enumerate(PIECES)]
    (path / "tokenizer.json").write_text(json.dumps({"model": {"vocab": vocabulary}}))
    (path / "card.json").write_text(json.dumps(card))
    return str(path)


def test_a_folder_embeds_questions_and_documents(tmp_path, settings):
    settings.EMBEDDING_MODEL_DIR = folder(tmp_path, columns=np.eye(7), reduced=False)
    embedder = get_embedder()
    visit, car = embedder.embed_documents(["bezoek uur", "auto"])
    asked = embedder.embed_query("bezoek")

    assert (embedder.name, embedder.model, embedder.dimensions) == ("folder", "klein", 7)
    assert float(asked @ visit) > float(asked @ car)
    assert np.linalg.norm(visit) == pytest.approx(1.0)


def test_a_folder_reranks(tmp_path, settings):
    columns = np.array([[0.0], [0], [0], [0], [2], [-2], [0]])
    settings.RERANK_MODEL_DIR = folder(tmp_path, columns=columns, reduced=True)

    car, visit = get_reranker()("uur", ["auto", "bezoek"])

    assert visit > 0.8
    assert car < 0.2


@pytest.mark.parametrize(
    ("card", "missing", "said"),
    [
        (CARD, "tokenizer.json", "has no file tokenizer.json."),
        (CARD | {"dimensions": 9}, "", "gives 7 numbers, but its card.json says 9."),
        (CARD | {"licence": None}, "", "has no licence (str) in its card.json."),
        (CARD | {"pooling": "max"}, "", "has another pooling in its card.json than"),
    ],
)
def test_the_check_says_what_does_not_fit(tmp_path, settings, card, missing, said):
    path = folder(tmp_path, columns=np.eye(7), reduced=False, card=card)
    if missing:
        (tmp_path / missing).unlink()
    settings.EMBEDDING_MODEL_DIR = path

    assert any(said in error.msg for error in run_checks())


def test_the_check_says_that_a_graph_judges_no_pair(tmp_path, settings):
    settings.RERANK_MODEL_DIR = folder(tmp_path, columns=np.eye(7), reduced=False)

    assert any("gives no number for a pair" in error.msg for error in run_checks())
