"""A reranker in the process: the model of `RERANK_MODEL_DIR`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from retrieval.embedding.folder import Folder
from zol.errors import RerankFailed
from zol.processor import computing

#: Pieces of a question and of both together that are read.
ASKED, LONGEST = 128, 512


class FolderReranker:
    """Reads each text together with the question; one number says how well it answers."""

    def __init__(self, path: str) -> None:
        self._folder = Folder("RERANK_MODEL_DIR", path, {})
        try:
            self._judged("a", ["a"])
        except Exception as error:
            fault = f"has a graph that gives no number for a pair: {error}"
            raise self._folder.refused(fault) from error

    def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float | None]:
        try:
            with computing.lent():
                return self._judged(question, texts) if texts else []
        except Exception as error:
            raise RerankFailed(f"The reranker of RERANK_MODEL_DIR failed: {error}") from error

    def _judged(self, question: str, texts: Sequence[str]) -> list[float | None]:
        asked = [0, *self._folder.cut(question)[:ASKED], 2, 2]
        cut = [[*asked, *self._folder.cut(text)[: LONGEST - len(asked) - 1], 2] for text in texts]
        return [float(1 / (1 + np.exp(-self._folder.run(each).item()))) for each in cut]
