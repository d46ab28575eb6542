"""Split a document's blocks into chunks small enough to quote and embed.

A chunk stays within one section; adjacent small sections share one. A sentence or table row is cut
only if it alone exceeds the ceiling, and rows keep their column names. A chunk that continues a
section repeats the end of the one before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from retrieval.analysis import count_tokens
from retrieval.fields import HEADING, PATH, Place
from retrieval.reading.blocks import Block, Sort
from zol.text import cells_of, fold, sentences

#: Tokens of a chunk: target, overlap with the chunk before, ceiling.
TARGET, OVERLAP, CEILING = 350, 70, 450
#: A section of fewer tokens shares a chunk with the next one.
SMALL = 80
LONGEST_PATH = 300
#: Letters of the first cell repeated in parts of a cut row.
LONGEST_CELL = 80


@dataclass(frozen=True, slots=True)
class Draft:
    """A chunk as ingestion would store it, before staff edit it."""

    content: str
    section: str = ""
    page: int = 0
    questions: tuple[str, ...] = ()
    entity_kinds: tuple[str, ...] = ()
    #: Of each line of the content (retrieval/fields.py).
    places: tuple[Place, ...] = ()
    #: Its place in the document; only staff fill it in.
    context: str = ""

    @property
    def source_hash(self) -> str:
        return hashlib.sha256(f"{self.section}\n{self.content}".encode()).hexdigest()


@dataclass(frozen=True)
class _Unit:
    """An indivisible unit: a sentence, an item or a row."""

    text: str
    page: int
    #: Begins a new line.
    is_first: bool = True
    header: str = ""
    place: Place = Place()

    @cached_property
    def tokens(self) -> int:
        return count_tokens(self.text)

    def tokens_after(self, header: str) -> int:
        """Return its tokens in a chunk; its header counts unless the row before has the same."""
        is_named = self.header and self.header != header
        return self.tokens + (count_tokens(self.header) if is_named else 0)


@dataclass(frozen=True)
class _Section:
    path: tuple[str, ...]
    units: tuple[_Unit, ...]

    @cached_property
    def tokens(self) -> int:
        return sum(unit.tokens for unit in self.units)


def split(blocks: Iterable[Block], *, title: str = "") -> tuple[Draft, ...]:
    """Return the chunks of a document in reading order, without questions and entities."""
    return tuple(
        piece for section in _share(_sections(blocks, fold(title))) for piece in _pieces(section)
    )


def _sections(blocks: Iterable[Block], title: str) -> Iterator[_Section]:
    """Yield the sections, each with the path of its headings, without the document's title."""
    path: list[tuple[int, str]] = []
    #: Headings as read; those of a PDF use coarser levels for cutting.
    over: list[tuple[int, str, str]] = []
    units: list[_Unit] = []
    for block in blocks:
        if block.sort is not Sort.HEADING:
            anchor = next((name for _, _, name in reversed(over) if name), "")
            units += _units(block, tuple(text for _, text, _ in over), anchor)
            continue
        if units:
            yield _Section(tuple(text for _, text in path), tuple(units))
            units = []
        path = [each for each in path if each[0] < block.level]
        over = [each for each in over if each[0] < (block.rank or block.level)]
        if fold(block.text) != title:
            path.append((block.level, block.text))
            over.append((block.rank or block.level, block.text, block.anchor))
    if units:
        yield _Section(tuple(text for _, text in path), tuple(units))


def _units(block: Block, path: tuple[str, ...], anchor: str) -> Iterator[_Unit]:
    whole = [block.text] if block.sort is Sort.ROW else sentences(block.text)
    names = block.header or block.heads
    heads = cells_of(names) if names else ()
    lead = tuple(filter(None, block.lead.split("\n")))
    place = Place(path, block.caption, heads, lead, anchor=anchor)
    is_first, mark = True, block.mark
    for text in whole:
        column = 0
        for part in _within_ceiling(text):
            stands = place
            if block.sort is Sort.ROW and not is_first:
                begins = cells_of(text)[0][:LONGEST_CELL]
                stands = replace(place, heads=(*heads[:1], *heads[column:]), row=begins)
            yield _Unit(f"{mark}{part}", block.page, is_first, block.header, stands)
            is_first, mark = False, ""
            column += part.count("|")


def _within_ceiling(text: str) -> Iterator[str]:
    """Yield a text, cut at word ends if it alone exceeds the target."""
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


def _short_words(word: str) -> Iterator[str]:
    """Yield a word, or parts of one that is absurdly long."""
    for start in range(0, len(word), TARGET):
        yield word[start : start + TARGET]


def _share(sections: Iterable[_Section]) -> Iterator[_Section]:
    """Merge a small section with the next; the next one's heading becomes a line of text."""
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
    first = section.units[0]
    place = Place(first.place.path, anchor=first.place.anchor)
    return _Unit(f"{HEADING}{section.path[-1]}", first.page, place=place)


def _pieces(section: _Section) -> Iterator[Draft]:
    path = PATH.join(section.path)[:LONGEST_PATH]
    taken: list[_Unit] = []
    size, rest = 0, sum(unit.tokens + 1 for unit in section.units)
    for unit in section.units:
        # A short rest gets no chunk of its own.
        limit = CEILING if rest <= CEILING - TARGET else TARGET
        if taken and size + unit.tokens_after(taken[-1].header) > limit:
            yield _piece(taken, path)
            taken = _repeated(taken, unit)
            size = sum(each.tokens for each in taken)
        size += unit.tokens_after(taken[-1].header if taken else "")
        rest -= unit.tokens + 1
        taken.append(unit)
    yield _piece(taken, path)


def _piece(units: Sequence[_Unit], path: str) -> Draft:
    lines = _lines(units)
    text, places = "\n".join(text for text, _ in lines), tuple(place for _, place in lines)
    return Draft(text, path, units[0].page, places=places)


def _repeated(taken: Sequence[_Unit], following: _Unit) -> list[_Unit]:
    """Return the units that the next chunk repeats; none of a table, which repeats its header."""
    found: list[_Unit] = []
    size = 0
    for unit in reversed(taken):
        size += unit.tokens
        if unit.header or size > OVERLAP or size + following.tokens > TARGET:
            break
        found.insert(0, unit)
    return found


def _lines(units: Sequence[_Unit]) -> list[tuple[str, Place]]:
    """Return the lines of a chunk, each with the place of its first unit."""
    lines: list[tuple[str, Place]] = []
    header = ""
    for unit in units:
        is_first = unit.is_first or not lines
        if unit.header and unit.header != header:
            lines.append((unit.header, unit.place))
            is_first = True
        header = unit.header
        if is_first:
            lines.append((unit.text, unit.place))
        else:
            text, place = lines[-1]
            lines[-1] = f"{text} {unit.text}", place
    return lines
