"""What was understood lately. Whoever asks on is understood from the question before, which was
mostly understood a minute ago, by this very process."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import TypeAlias

from chat.turn import Turn, Understanding
from retrieval.pages import Headings

#: How many are held, of each version.
MOST = 512
#: A fingerprint of all that a question came with, and the pages that there were.
Key: TypeAlias = tuple[bytes, Headings]


class Recent:
    """What one reader made of the latest questions, found again by a fingerprint of each."""

    def __init__(self) -> None:
        self._known: OrderedDict[Key, Understanding] = OrderedDict()
        self._lock = Lock()

    def keep(self, turn: Turn, headings: Headings, found: Understanding) -> None:
        with self._lock:
            self._known[_key(turn, headings)] = found
            if len(self._known) > MOST:
                self._known.popitem(last=False)

    def of(
        self, turn: Turn, headings: Headings, understand: Callable[[], Understanding]
    ) -> Understanding:
        """Return how a turn was understood, or understand it now."""
        known = self._known.get(_key(turn, headings))
        return understand() if known is None else known


def _key(turn: Turn, headings: Headings) -> Key:
    return hashlib.sha256(repr(turn).encode()).digest(), headings
