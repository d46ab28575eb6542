"""The texts of passages cut into statements, once: what is the same whatever is asked of them.

A page comes back question after question, so all of it that a question weighs is kept: in which
statements each word stands, and their letters, figures and paragraphs as columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from chat.question.answer_types import Sort, Sorts
from chat.question.word_matching import Places, Stem
from retrieval.fields import Place
from retrieval.passage import Passage
from retrieval.statements import Line, quotable
from zol.text import words

Column: TypeAlias = NDArray[np.float64]

_FIGURE = re.compile(r"\d")
#: Passages that a process remembers cut: some twenty kilobytes each.
REMEMBERED = 4_096


@dataclass(frozen=True, slots=True, eq=False)
class Cutting:
    """The statements of a text, in reading order; a place counts them from 0."""

    lines: tuple[Line, ...]
    #: Where each stem stands: in the statements themselves,
    own: Places
    #: … and above them: in the page's title, and in what they stand under.
    above: Places
    #: The stems of the page's title.
    title: frozenset[str]
    letters: Column
    has_figure: Column
    is_row: Column
    #: The number of each statement's paragraph, list or table.
    runs: NDArray[np.intp]


def cuttings_of(passages: Sequence[Passage], stem: Stem) -> list[Cutting]:
    """Return each passage cut."""
    return [_cut(p.text, p.placed, p.source.title, stem) for p in passages]


@lru_cache(maxsize=REMEMBERED)
def _cut(text: str, places: tuple[Place, ...], title: str, stem: Stem) -> Cutting:
    lines = quotable(text, places)
    titled = _stems(title, stem)
    return Cutting(
        lines,
        own=_places([_stems(line.text, stem) for line in lines]),
        above=_places([titled | _stems(line.above, stem) for line in lines]),
        title=titled,
        letters=_column(len(line.text) for line in lines),
        has_figure=_column(bool(_FIGURE.search(line.text)) for line in lines),
        is_row=_column(line.is_row for line in lines),
        runs=np.array([line.run for line in lines], dtype=np.intp),
    )


def _stems(text: str, stem: Stem) -> frozenset[str]:
    return frozenset(map(stem, words(text)))


def _places(said: Sequence[frozenset[str]]) -> Places:
    """Return for each word the statements that have it, as bits of one number."""
    found: dict[str, int] = {}
    for place, each in enumerate(said):
        for word in each:
            found[word] = found.get(word, 0) | 1 << place
    return found


def _column(values: Iterator[float]) -> Column:
    return np.fromiter(values, dtype=np.float64)


@lru_cache(maxsize=REMEMBERED)
def given_in(cutting: Cutting, sorts: Sorts) -> Sequence[frozenset[Sort]]:
    """Return for each statement the sorts of answer that it gives."""
    return [sorts.given(line.text) for line in cutting.lines]
