"""Blocks to pieces of a size that can be quoted and embedded.

A piece stays within one section; small sections that follow each other share one. Sentences and
table rows are never cut unless one alone is over the ceiling, and rows keep the names of their
columns. A piece that follows in a section repeats the end of the one before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from retrieval.analysis import count_tokens
from retrieval.ingestion.read.blocks import Block, Sort
from zol.text import fold, sentences

#: Tokens that a piece is filled up to, repeats of the one before, and never exceeds.
TARGET, OVERLAP, CEILING = 350, 70, 450
#: A section of fewer tokens shares a piece with the next one.
SMALL = 80
PATH = " \u203a "
#: How a heading inside a piece begins.
HEADING = "## "
LONGEST_PATH = 300


@dataclass(frozen=True, slots=True)
class DocumentPiece:
    """A stretch of a document, cut from its source and not yet enriched."""

    text: str
    section: str = ""
    page: int = 0

    @property
    def source_hash(self) -> str:
        return hashlib.sha256(f"{self.section}\n{self.text}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is never cut: a sentence, an item, a row."""

    text: str
    page: int
    #: Begins a new line.
    is_first: bool = True
    header: str = ""

    @property
    def tokens(self) -> int:
        return count_tokens(self.text)


@dataclass(frozen=True, slots=True)
class _Section:
    path: tuple[str, ...]
    units: tuple[_Unit, ...]

    @property
    def tokens(self) -> int:
        return sum(unit.tokens for unit in self.units)


def split(blocks: Iterable[Block], *, title: str = "") -> tuple[DocumentPiece, ...]:
    """Return the pieces of a document in reading order."""
    return tuple(
        piece for section in _share(_sections(blocks, fold(title))) for piece in _pieces(section)
    )


def _sections(blocks: Iterable[Block], title: str) -> Iterator[_Section]:
    """Give the sections with their headings' path; the document's own title is not part of it."""
    path: list[tuple[int, str]] = []
    units: list[_Unit] = []
    for block in blocks:
        if block.sort is not Sort.HEADING:
            units += _units(block)
            continue
        if units:
            yield _Section(tuple(text for _, text in path), tuple(units))
            units = []
        path = [each for each in path if each[0] < block.level]
        if fold(block.text) != title:
            path.append((block.level, block.text))
    if units:
        yield _Section(tuple(text for _, text in path), tuple(units))


def _units(block: Block) -> Iterator[_Unit]:
    whole = [block.text] if block.sort is Sort.ROW else sentences(block.text)
    is_first, mark = True, block.mark
    for text in whole:
        for part in _within_ceiling(text):
            yield _Unit(f"{mark}{part}", block.page, is_first=is_first, header=block.header)
            is_first, mark = False, ""


def _within_ceiling(text: str) -> Iterator[str]:
    """Give a text whole, or in pieces at word ends when it alone is over the ceiling."""
    if count_tokens(text) <= TARGET:
        yield text
        return
    words: list[str] = []
    size = 0
    for word in (part for each in text.split() for part in _short_words(each)):
        tokens = count_tokens(word)
        if words and size + tokens > TARGET:
            yield " ".join(words)
            words, size = [], 0
        words.append(word)
        size += tokens
    yield " ".join(words)


def _short_words(word: str, longest: int = TARGET) -> Iterator[str]:
    """Give a word, or its parts when it is absurdly long."""
    for start in range(0, len(word), longest):
        yield word[start : start + longest]


def _share(sections: Iterable[_Section]) -> Iterator[_Section]:
    """Let a small section share with the next; the next one's heading becomes a line of text."""
    kept: _Section | None = None
    for section in sections:
        if kept is None:
            kept = section
        elif kept.tokens < SMALL and kept.tokens + section.tokens <= TARGET:
            heading = [_heading(section)] if section.path else []
            kept = replace(kept, units=(*kept.units, *heading, *section.units))
        else:
            yield kept
            kept = section
    if kept is not None:
        yield kept


def _heading(section: _Section) -> _Unit:
    """Return a section's heading as a line that can be told from its sentences."""
    return _Unit(f"{HEADING}{section.path[-1]}", section.units[0].page)


def _pieces(section: _Section) -> Iterator[DocumentPiece]:
    path = PATH.join(section.path)[:LONGEST_PATH]
    taken: list[_Unit] = []
    for number, unit in enumerate(section.units):
        if taken and _size([*taken, unit]) > _limit(section.units[number:]):
            yield DocumentPiece(_text(taken), path, taken[0].page)
            taken = _repeated(taken, unit)
        taken.append(unit)
    yield DocumentPiece(_text(taken), path, taken[0].page)


def _limit(rest: Sequence[_Unit]) -> int:
    """Return how full a piece may get: a short rest is not worth a piece of its own."""
    tail = sum(unit.tokens + 1 for unit in rest)
    return CEILING if tail <= CEILING - TARGET else TARGET


def _repeated(taken: Sequence[_Unit], following: _Unit) -> list[_Unit]:
    """Return the end of a piece that the next one begins with; a table repeats its header only."""
    found: list[_Unit] = []
    size = 0
    for unit in reversed(taken):
        size += unit.tokens
        if unit.header or size > OVERLAP or size + following.tokens > TARGET:
            break
        found.insert(0, unit)
    return found


def _size(units: Sequence[_Unit]) -> int:
    return count_tokens(_text(units))


def _text(units: Sequence[_Unit]) -> str:
    lines: list[str] = []
    header = ""
    for unit in units:
        if unit.header and unit.header != header:
            lines.append(unit.header)
        header = unit.header
        if unit.is_first or not lines:
            lines.append(unit.text)
        else:
            lines[-1] += f" {unit.text}"
    return "\n".join(lines)
