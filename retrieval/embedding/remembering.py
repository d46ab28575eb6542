"""Vectors of the questions of late: each is made once, whoever asks for it at the same time."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition

from cachetools import LRUCache, cached

from retrieval.vectors import Matrix

#: Questions that a process remembers for each encoder: 2 KB each.
REMEMBERED = 1_000


class Remembered:
    """Embeds a question, or knows its vector, which nobody can change.

    Who asks for a vector that another thread is making waits for it.
    """

    def __init__(self, embed: Callable[[str], Matrix]) -> None:
        self._vectors: LRUCache[str, Matrix] = LRUCache(REMEMBERED)
        self._known = cached(self._vectors, key=str, condition=Condition())(_sealed(embed))

    def __call__(self, text: str) -> Matrix:
        return self._known(text)

    def forget(self) -> None:
        self._known.cache_clear()


def _sealed(embed: Callable[[str], Matrix]) -> Callable[[str], Matrix]:
    def embedded(text: str) -> Matrix:
        vector = embed(text)
        vector.flags.writeable = False
        return vector

    return embedded
