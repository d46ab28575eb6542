"""The share of a question's words that a statement has: the rarer a word among all, the more."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log

import numpy as np

from retrieval.analysis import stems
from retrieval.vectors import Matrix
from zol.text import words


def shares(question: str, language: str, texts: Sequence[str], spoken: Sequence[str]) -> Matrix:
    """Return the share of each text, of which the languages are given too."""
    asked = {word: forms(word, language) for word in words(question)}
    found = np.zeros((len(texts), len(asked)), dtype=np.float32)
    for row, text, own in zip(found, texts, spoken, strict=True):
        said = _said(text, own)
        row[:] = [
            not said.isdisjoint(every)
            or (own != language and not said.isdisjoint(forms(word, own)))
            for word, every in asked.items()
        ]
    worth = np.array([log(1 + len(texts) / (1 + times)) for times in found.sum(axis=0)])
    total = float(worth.sum())
    share: Matrix = (found @ worth / (total or 1.0)).astype(np.float32)
    return share


@lru_cache(maxsize=20_000)
def forms(word: str, language: str) -> frozenset[str]:
    return frozenset((word, *stems([word], language)))


@lru_cache(maxsize=20_000)
def _said(text: str, language: str) -> frozenset[str]:
    found = words(text)
    return frozenset((*found, *stems(found, language)))
