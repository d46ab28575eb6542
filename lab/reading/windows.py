"""Passages cut into windows for the encoder, and where in each which statements stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from retrieval.embedding.base import squeezed
from retrieval.embedding.e5 import ABOUT
from retrieval.embedding.e5.encoder import BEGINNING, END, LONGEST, Encoder

#: Pieces of a heading and of a statement that are read.
HEADING, STATEMENT = 60, 300


@dataclass(frozen=True, slots=True)
class EncoderPassage:
    """A passage as it is read: what it is about, then its statements, each under its heading."""

    about: str
    statements: tuple[tuple[str, str], ...]


class StatementSpan(NamedTuple):
    """Where in a window a statement stands, and the heading that it stands under."""

    number: int
    start: int
    end: int
    heading: tuple[int, int]


@dataclass(slots=True)
class Window:
    """As much of a passage as is read at once, and where in it which statements stand."""

    passage: int
    pieces: list[int]
    #: The first pieces, which say what the passage is about.
    about: int
    spans: list[StatementSpan] = field(default_factory=list)


def windows_of(encoder: Encoder, passages: Sequence[EncoderPassage]) -> Iterator[Window]:
    """Yield each passage as windows, cut between statements."""
    for number, passage in enumerate(passages):
        headings = list(dict.fromkeys(heading for heading, _ in passage.statements))
        texts = [f"passage: {squeezed(passage.about)}", *headings]
        about, *above = encoder.pieces_of(texts)
        called = {name: pieces[:HEADING] for name, pieces in zip(headings, above, strict=True)}
        pieces = encoder.pieces_of([text for _, text in passage.statements])
        beginning = [BEGINNING, *about[:ABOUT]]
        window, last = Window(number, list(beginning), len(beginning)), ""
        headed = (0, 0)
        for place, (heading, _) in enumerate(passage.statements):
            said = pieces[place][:STATEMENT]
            if len(window.pieces) + len(called[heading]) + len(said) >= LONGEST:
                window.pieces.append(END)
                yield window
                window, last = Window(number, list(beginning), len(beginning)), ""
                headed = (0, 0)
            if heading != last:
                start = len(window.pieces)
                window.pieces += called[heading]
                last, headed = heading, (start, len(window.pieces))
            start = len(window.pieces)
            window.pieces += said
            window.spans.append(StatementSpan(place, start, len(window.pieces), headed))
        window.pieces.append(END)
        yield window
