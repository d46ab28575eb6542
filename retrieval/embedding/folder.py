"""A hospital's own model: a folder with `model.onnx`, `tokenizer.json` and `card.json`.

The tokenizer is that of XLM-R and its many children (e5, bge-m3, bge-reranker-v2-m3): pieces with
scores, the first four of which are no text. Its file holds what sentencepiece needs.
"""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from django.core.exceptions import ImproperlyConfigured

from retrieval.embedding.base import Calibration, Remembering, size_of, squeezed
from retrieval.vectors import Matrix, unit

FILES = ("card.json", "tokenizer.json", "model.onnx")
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>"]
INPUTS = {"input_ids", "attention_mask", "token_type_ids"}
POOLINGS = ("mean", "cls", "none")


class Folder:
    """What lies in a folder; what is missing or does not fit is refused in one sentence."""

    def __init__(self, setting: str, path: str, needed: dict[str, type]) -> None:
        # Load for most of a second; only who has a folder needs them.
        from retrieval.embedding.e5.encoder import session  # noqa: PLC0415
        from retrieval.embedding.e5.weights import cutter  # noqa: PLC0415

        self._said = f"{setting}={path}"
        for name in FILES:
            self.expect((Path(path) / name).is_file(), f"has no file {name}")
        try:
            self.card = json.loads((Path(path) / "card.json").read_text("utf-8"))
            told = json.loads((Path(path) / "tokenizer.json").read_text("utf-8"))
            pieces, scores = zip(*told["model"]["vocab"], strict=True)
            letters = (told.get("normalizer") or {}).get("precompiled_charsmap") or ""
            self.expect(list(pieces[:4]) == SPECIAL, f"needs a tokenizer that begins {SPECIAL}")
            self._cut = cutter(pieces, scores, b64decode(letters))
            self._session = session(str(Path(path) / "model.onnx"))
        except ImproperlyConfigured:
            raise
        except Exception as error:
            raise self.refused(f"cannot be read: {error}") from error
        for key, kind in ({"name": str, "licence": str, "languages": list} | needed).items():
            fits = isinstance(self.card, dict) and isinstance(self.card.get(key), kind)
            self.expect(fits, f"has no {key} ({kind.__name__}) in its card.json")
        self._inputs = {each.name for each in self._session.get_inputs()}
        self.expect(self._inputs <= INPUTS, f"has a graph that asks for {sorted(self._inputs)}")

    def expect(self, fits: object, fault: str) -> None:
        if not fits:
            raise self.refused(fault)

    def refused(self, fault: str) -> ImproperlyConfigured:
        return ImproperlyConfigured(f"{self._said} {fault}.")

    def cut(self, text: str) -> list[int]:
        found: list[int] = self._cut.encode(text)
        return found

    def run(self, pieces: Sequence[int]) -> Matrix:
        """Return what the graph says of one text. Each is read by itself: in a graph of bytes what
        stands beside it would change it."""
        numbers = np.asarray([pieces], np.int64)
        given: dict[str, Any] = {
            "input_ids": numbers,
            "attention_mask": np.ones_like(numbers),
            "token_type_ids": np.zeros_like(numbers),
        }
        out = self._session.run(None, {name: given[name] for name in self._inputs})[0]
        return np.asarray(out, np.float32)


class FolderEmbedder(Remembering):
    """The model of `EMBEDDING_MODEL_DIR`."""

    name = "folder"
    is_local = True
    compares_sentences = True

    def __init__(self, path: str, dimensions: int = 0) -> None:
        super().__init__()
        needed = {"dimensions": int, "prefixes": dict, "pooling": str}
        self._folder = Folder("EMBEDDING_MODEL_DIR", path, needed)
        card = self._folder.card
        self.model, self.languages = card["name"], frozenset(card["languages"])
        self._prefixes, self._pooling = card["prefixes"], card["pooling"]
        fault = f"has another pooling in its card.json than {', '.join(POOLINGS)}"
        self._folder.expect(self._pooling in POOLINGS, fault)
        usual = {"floor": 0.0, "low_similarity": 0.0, "duplicate": 0.985, "quality": 0.18}
        self.calibration = Calibration(**usual | card.get("calibration", {}))
        native = card["dimensions"]
        self.dimensions = size_of(dimensions, native)
        try:
            width = self._encoded(["a"]).shape[-1]
        except Exception as error:
            fault = f"has a graph that does not fit its card: {error}"
            raise self._folder.refused(fault) from error
        fault = f"gives {width} numbers, but its card.json says {native}"
        self._folder.expect(width == native, fault)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        before = self._prefixes.get("document", "")
        return self._sized([before + squeezed(text) for text in texts])

    def _question_anew(self, text: str) -> Matrix:
        vector: Matrix = self._sized([self._prefixes.get("query", "") + text])[0]
        return vector

    def _sized(self, texts: Sequence[str]) -> Matrix:
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        if texts:
            found = self._encoded(texts)
            rows[:, : found.shape[-1]] = found
        return rows

    def _encoded(self, texts: Sequence[str]) -> Matrix:
        cut = [[0, *self._folder.cut(text)[:510], 2] for text in texts]
        return unit(np.concatenate([self._pooled(self._folder.run(each)) for each in cut]))

    def _pooled(self, out: Matrix) -> Matrix:
        if self._pooling == "mean":
            mean: Matrix = out.mean(axis=1)
            return mean
        return out[:, 0] if self._pooling == "cls" else out
