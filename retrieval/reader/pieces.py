"""What is kept of statements for the reader: a byte a number for each piece that it looks at.

Beside it the share of a question's words that one has: the rarer a word among all, the more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

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


#: Pieces of what a passage is about, of a heading, of a statement and of a question that are read.
ABOUT, HEADING, STATEMENT, QUESTION = 12, 12, 64, 48
#: The pieces of "passage:" before what a passage is about say nothing.
FIRST = 2
#: The largest number of a byte with a sign.
LARGEST = 127

#: The places of what a passage is about, of a heading and of a statement among a window's pieces.
Span: TypeAlias = Sequence[Sequence[int]] | NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class NarrowedStates:
    """The narrowed states of pieces, each of length 1 and a byte a number, and of which sort each
    is: 0 what the passage is about, 1 the heading, 2 the statement itself."""

    states: NDArray[np.int8]
    sorts: NDArray[np.int64]

    @property
    def rows(self) -> Matrix:
        made: Matrix = self.states.astype(np.float32) / np.float32(LARGEST)
        return made


def pieces(narrow: NDArray[np.floating], span: Span) -> NarrowedStates:
    """Return what is kept of one statement of a window of narrowed states."""
    places, sorts = _read_of(span)
    return NarrowedStates(packed(narrow[places]).reshape(-1, narrow.shape[1]), sorts)


def packed(narrow: NDArray[np.floating]) -> NDArray[np.int8]:
    """Return narrowed states, a byte a number."""
    made: NDArray[np.int8] = np.rint(narrow * LARGEST).astype(np.int8)
    return made


def stored(windows: Sequence[NDArray[np.int8]], spans: NDArray[np.uint16]) -> bytes:
    """Return as bytes the states of a passage's windows, and where its statements stand in them."""
    size = np.array([len(spans)], dtype="<u2").tobytes()
    return size + spans.astype("<u2").tobytes() + b"".join(each.tobytes() for each in windows)


def unpacked(kept: bytes, width: int) -> list[NarrowedStates]:
    """Return what was kept of each statement of a passage (`stored`)."""
    size = int(np.frombuffer(kept, dtype="<u2", count=1)[0])
    spans = np.frombuffer(kept, dtype="<u2", count=6 * size, offset=2).reshape(size, 3, 2)
    states = np.frombuffer(kept, dtype=np.int8, offset=2 + 12 * size).reshape(-1, width)
    found = []
    for span in spans.tolist():
        places, sorts = _read_of(span)
        found.append(NarrowedStates(states[places], sorts))
    return found


def _read_of(span: Span) -> tuple[list[int], NDArray[np.int64]]:
    """Return the places of the pieces that are read of a statement, and of which sort each is."""
    places: list[int] = []
    sorts: list[int] = []
    for sort, ((start, end), most) in enumerate(
        zip(span, (ABOUT, HEADING, STATEMENT), strict=True)
    ):
        begun = start + FIRST if sort == 0 else start
        some = range(begun, min(end, begun + most))
        places += some
        sorts += [sort] * len(some)
    return places, np.array(sorts, dtype=np.int64)
