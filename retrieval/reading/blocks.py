"""Blocks of a document: headings, paragraphs, list items and table rows.

`TextRun` joins the text of inline elements as a browser shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from html import unescape

from ftfy import fix_encoding
from ftfy.badness import is_bad

from retrieval.reading.contents import contents
from retrieval.reading.visible import Why, note, raised, written_out
from retrieval.statements import first_names
from zol.text import cells_of, sentences, squash, without_idle_signs, written_names

#: Control characters.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\ufffe\uffff\ud800-\udfff]")
#: Placeholders of letters in fonts without a mapping.
_DEBRIS = re.compile(r"\(cid:\d+\)|[\ue000-\uf8ff\U000f0000-\U0010ffff]")
#: Entities that were encoded twice, and placeholders of templates that were never filled in.
_ENTITY = re.compile(r"&(?:#\d{1,6}|#x[\da-fA-F]{1,5}|[a-zA-Z]{2,8}\d?);")
_UNFILLED = re.compile(
    r"[{$]\{[^{}]*\}\}?|\{%[^{}]*%\}|<%[^%]*%>|%%\w+%%|\[\[[^\[\]]*\]\]|\[/[a-z][\w-]*\]"
    r"|\[[a-z][\w-]*(?:\s+[\w-]+=(?:\"[^\"]*\"|'[^']*'|[^\s\]]+))+\s*/?\]"
)
#: Mark of an item in a list without numbers.
BULLET = "- "
#: The level of a note under a table.
NOTE = -1
#: Endings of lines that introduce a list or table; the last two are Greek question marks.
OPENS = (":", "?", ";", "\u037e")
#: Longest caption of a table or list in letters.
LONGEST_LEAD = 150

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_IN_LETTERS = re.compile(r"letter$|alpha$|latin$|^a$")
#: Largest number written in letters.
_MOST_ROMAN, _MOST_LETTERS = 3999, 26 * 8
#: Number at the start of an item in a PDF.
_NUMBERED = re.compile(r"\d{1,2}[.)]\s")
_PARAGRAPHS = re.compile(r"\n\s*\n")
_ENDED = (".", ",", ";", ":", "!", "?", "-", "\u2013", "/", "(")


class Sort(StrEnum):
    HEADING = "heading"
    TEXT = "text"
    ITEM = "item"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Block:
    """A self-contained piece of text in a document."""

    sort: Sort
    text: str
    #: Level of a heading, from 1; `NOTE` under a table.
    level: int = 0
    #: Page of a PDF, from 1; 0 elsewhere.
    page: int = 0
    #: Header of a table row.
    header: str = ""
    #: Mark of an item: a dash or its number.
    mark: str = ""
    #: Finer level of a PDF heading, among all in the document.
    rank: int = 0
    #: Caption of a table, in each row and note; for a caption, its own text.
    caption: str = ""
    #: Openers of an item's list and of those around it, outermost first.
    lead: str = ""
    #: Depth of an item's list.
    depth: int = 0
    #: Whether a row or item is the first of its table or list.
    begins: bool = False
    #: Column names from an unmarked first row.
    heads: str = ""
    #: Anchor of a heading.
    anchor: str = ""


def clean(text: str) -> str:
    """Return a text on one line, without control characters and decorative signs."""
    if "&" in text:
        text = _ENTITY.sub(lambda found: unescape(found[0]), text)
    if "{" in text or "[" in text or "%" in text:
        text = _UNFILLED.sub(" ", text)
    if text.isascii() and text.isprintable():  # A shortcut for most cells.
        return squash(_DEBRIS.sub(" ", text) if "(cid:" in text else text)
    if is_bad(text):  # UTF-8 that was decoded as a Windows or DOS encoding.
        text = fix_encoding(text)
    return squash(_CONTROL.sub(" ", _DEBRIS.sub(" ", written_out(without_idle_signs(text)))))


def in_one_line(text: str) -> str:
    """Join the lines of a cell, keeping the figures of two lines apart."""
    if "\n" not in text:
        return clean(text)
    parts = [line for part in _PARAGRAPHS.split(text) if (line := joined(part.split("\n")))]
    between = ";" if any("," in part for part in parts[:-1]) else ","
    whole = "".join(parts[:1])
    for part in parts[1:]:
        whole += f"{'' if whole.endswith(_ENDED) else between} {part}"
    return whole


def joined(lines: Iterable[str]) -> str:
    """Join the lines of a paragraph; a comma keeps two figures apart."""
    found: list[str] = []
    for line in filter(None, map(clean, lines)):
        if found and found[-1][-1].isdigit() and line[0].isdigit():
            found[-1] += ","
        found.append(line)
    return " ".join(found)


def item(text: str, number: str = "", *, page: int = 0) -> Block:
    """Return a list item, with its number if the list is numbered."""
    return Block(Sort.ITEM, text, page=page, mark=f"{number}. " if number else BULLET)


def counted(count: int, form: str) -> str:
    """Return an item's number in a format as Word, CSS or HTML name it: "upperRoman", "a"."""
    name, written = form.lower(), str(count)
    if ("roman" in name or name == "i") and 1 <= count <= _MOST_ROMAN:
        written = ""
        for size, sign in _ROMAN:
            written += sign * (count // size)
            count %= size
    elif _IN_LETTERS.search(name) and 1 <= count <= _MOST_LETTERS:  # a, b, … z, aa, bb, …
        written = chr(ord("a") + (count - 1) % 26) * (1 + (count - 1) // 26)
    return written.upper() if name.startswith("upper") or form in {"A", "I"} else written


def tidy(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Drop empty blocks, a table of contents, and labels at the end that introduce nothing."""
    every = [block for block in blocks if block.text]
    away = contents(["" if block.sort is Sort.ROW else block.text for block in every])
    note(" ".join(every[at].text for at in sorted(away)), Why.CONTENTS)
    found = [block for at, block in enumerate(every) if at not in away]
    while found and _is_label(found[-1]):
        found.pop()
    return tuple(_named(found))


def _named(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield rows and notes with their table's caption, and items with the opener of their list."""
    caption = heads = ""
    #: By depth: opener and last item of the open list.
    leads: dict[int, str] = {}
    items: dict[int, str] = {}
    for at, block in enumerate(blocks):
        if block.sort is Sort.ROW:
            if block.begins:
                caption = block.caption or _below(blocks, at) or _above(blocks, at)
                heads = _first_row(blocks, at)
            yield replace(block, caption=caption, heads="" if block.begins else heads)
        elif block.sort is Sort.ITEM or (block.page and _NUMBERED.match(block.text)):
            depth = block.depth
            leads = {d: lead for d, lead in leads.items() if d <= depth}
            if block.begins or depth not in leads:
                parents = (leads.get(depth - 1), items.get(depth - 1)) if depth else ()
                leads[depth] = "\n".join(filter(None, parents)) or _above(blocks, at)
            items[depth] = block.text
            yield replace(block, lead=leads[depth])
        else:
            if block.sort is Sort.HEADING:
                leads, items = {}, {}
            yield replace(block, caption=caption) if block.level == NOTE else block


def _above(blocks: Sequence[Block], at: int) -> str:
    """Return the caption or opener directly above a table or list; empty if there is none."""
    before = blocks[at - 1] if at else None
    if before is None or before.sort is not Sort.TEXT or before.level == NOTE:
        return ""
    if before.caption or before.text.endswith(OPENS):
        return before.caption or sentences(before.text)[-1]
    is_called = len(before.text) <= LONGEST_LEAD and not before.text.endswith((".", "!", "\u2026"))
    return before.text if is_called else ""


def _end(blocks: Sequence[Block], at: int) -> int:
    """Return the index after the table that begins at one."""
    end = at + 1
    while end < len(blocks) and blocks[end].sort is Sort.ROW and not blocks[end].begins:
        end += 1
    return end


def _first_row(blocks: Sequence[Block], at: int) -> str:
    """Return a table's first row if it looks like column names and is not marked as a header."""
    rows = blocks[at : _end(blocks, at)]
    if any(row.header for row in rows) or not first_names([row.text for row in rows]):
        return ""
    return written_names(cells_of(rows[0].text))


def _below(blocks: Sequence[Block], at: int) -> str:
    """Return the caption directly below a table, unless it belongs to the next table."""
    if at and blocks[at - 1].sort is Sort.TEXT and blocks[at - 1].caption:
        return ""
    below, *rest = (*blocks[_end(blocks, at) :], Block(Sort.TEXT, ""))[:3]
    is_of_next = bool(rest) and rest[0].sort is Sort.ROW
    is_caption = below.sort is Sort.TEXT and below.level != NOTE
    return below.caption if is_caption and not is_of_next else ""


def _is_label(block: Block) -> bool:
    """Return whether a text only introduces what follows. Headings of a PDF do not count: they are
    recognised by letter size alone, and may be complete texts."""
    if any(map(str.isdigit, block.text)):
        return False
    is_heading = block.sort is Sort.HEADING and not block.page
    return is_heading or (block.sort is Sort.TEXT and block.text.endswith(":"))


#: Inline elements that do not separate text.
WITHIN = frozenset(
    {"b", "big", "em", "font", "i", "ins", "mark", "small", "strong", "sub", "u", "wbr"}
)
#: Figures of minutes.
MINUTES = 2
_FIGURES = re.compile(r"\d+")
_SPACE = re.compile(r"\s+")
_EMPTY_LINES = re.compile(r"\n *\n[\n ]*")


class TextRun:
    """Text collected from inline elements."""

    def __init__(self, text: str | None = None) -> None:
        self._text: list[str] = []
        self._last = ""
        #: Last tags that were closed and opened since the last letter.
        self._ended: str = ""
        self._begun: str = ""
        #: Letters since the last element began or ended.
        self._size = 0
        self.add(text)

    @property
    def ends_in_figure(self) -> bool:
        return self._last.isdecimal()

    def add(self, text: str | None) -> None:
        """Add text; insert a separator between elements that have no space between them."""
        if not text:
            return
        added = _SPACE.sub(" ", text)
        if self._is_apart(added):
            self._text.append(" ")
        self._size = 0 if self._ended or self._begun else self._size
        self._text.append(added)
        self._last, self._size = added[-1], self._size + len(added)
        self._ended = self._begun = ""

    def begin(self, tag: str) -> None:
        self._begun = tag

    def end(self, tag: str) -> None:
        self._ended, self._begun = tag, ""

    def part(self, by: str) -> None:
        """Separate the next text from the last."""
        self._text.append(by)
        self._last = self._ended = self._begun = ""
        self._size = 0

    def part_line(self) -> None:
        """Start a new line."""
        if "".join(self._text[-1:]).rstrip(" ")[-1:] != "\n":
            self.part("\n")

    def raise_(self, text: str) -> None:
        """Add superscript text."""
        self._text.append(raised(text))
        self._last = self._ended = self._begun = ""

    def paragraphs(self) -> Iterator[Block]:
        """Yield the paragraphs, split at empty lines."""
        for part in _EMPTY_LINES.split("".join(self._text)):
            if text := joined(part.split("\n")):
                yield Block(Sort.TEXT, text)

    def _is_apart(self, text: str) -> bool:
        first = text[0]
        if not (self._ended or self._begun) or not (self._last.isalnum() and first.isalnum()):
            return False
        if self._last.isdecimal() and first.isdecimal():
            return not self._is_one_number(text)
        if not (self._ended and self._begun) or {self._ended, self._begun} & WITHIN:
            return False
        # A single letter before others is a drop cap.
        return self._size > 1 or self._last.isdecimal() or first.isdecimal()

    def _is_one_number(self, text: str) -> bool:
        """Return whether a figure in its own element continues a number, as in "<b>1</b>000" or
        "5", "0". Minutes after an hour in another style do not: "8", "30"."""
        if self._size != 1 or not self._ended:
            return False
        figures = _FIGURES.match(text)[0]  # type: ignore[index]
        return len(figures) == 1 if self._begun else len(figures) != MINUTES or self._last == "0"
