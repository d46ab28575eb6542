"""What is kept of a statement for the reader: a byte a number for each piece that it looks at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from retrieval.vectors import Matrix

#: Pieces of what a passage is about, of a heading, of a statement and of a question that are read.
ABOUT, HEADING, STATEMENT, QUESTION = 12, 12, 64, 48
#: The pieces of "passage:" before what a passage is about say nothing.
FIRST = 2
#: The largest number of a byte with a sign.
LARGEST = 127

#: The places of what a passage is about, of a heading and of a statement among a window's pieces.
Span: TypeAlias = Sequence[tuple[int, int]] | NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The narrowed states of pieces, each of length 1 and a byte a number, and of which sort each
    is: 0 what the passage is about, 1 the heading, 2 the statement itself."""

    states: NDArray[np.int8]
    sorts: NDArray[np.int64]

    @property
    def rows(self) -> Matrix:
        made: Matrix = self.states.astype(np.float32) / np.float32(LARGEST)
        return made


def pieces(narrow: NDArray[np.floating], span: Span) -> Pieces:
    """Return what is kept of one statement of a window of narrowed states."""
    places: list[int] = []
    sorts: list[int] = []
    for sort, ((start, end), most) in enumerate(
        zip(span, (ABOUT, HEADING, STATEMENT), strict=True)
    ):
        begun = start + FIRST if sort == 0 else start
        some = range(begun, min(end, begun + most))
        places += some
        sorts += [sort] * len(some)
    states = np.rint(narrow[places] * LARGEST).astype(np.int8)
    return Pieces(states.reshape(-1, narrow.shape[1]), np.array(sorts, dtype=np.int64))
