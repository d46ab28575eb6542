"""What is left of a document once its layout is gone: headings, paragraphs, items, table rows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from retrieval.ingestion.read.raised import written_out
from zol.text import squash, without_idle_signs

#: What no database and no reader can use.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\ufffe\uffff\ud800-\udfff]")
#: Before an item of a list without numbers.
BULLET = "- "

_PARAGRAPHS = re.compile(r"\n\s*\n")
_ENDED = (".", ",", ";", ":", "!", "?", "-", "\u2013", "/", "(")


class Sort(StrEnum):
    HEADING = "heading"
    TEXT = "text"
    ITEM = "item"
    ROW = "row"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text that stands on its own in a document."""

    sort: Sort
    text: str
    #: Of a heading, from 1.
    level: int = 0
    #: Of a PDF, from 1; 0 elsewhere.
    page: int = 0
    #: Of a table's row: the row with the names of the columns, which it cannot be read without.
    header: str = ""
    #: Of an item: what it begins with, a dash or its number.
    mark: str = ""


def clean(text: str) -> str:
    """Return a text on one line, without what cannot be stored and signs that say nothing."""
    if text.isascii() and text.isprintable():  # Most cells are; then there is nothing to write out.
        return squash(text)
    return squash(_CONTROL.sub(" ", written_out(without_idle_signs(text))))


def in_one_line(text: str) -> str:
    """Return the lines of a cell on one, so that no figure of one runs on into the next."""
    if "\n" not in text:
        return clean(text)
    parts = [said for part in _PARAGRAPHS.split(text) if (said := joined(part.split("\n")))]
    between = ";" if any("," in part for part in parts[:-1]) else ","
    whole = "".join(parts[:1])
    for part in parts[1:]:
        whole += f"{'' if whole.endswith(_ENDED) else between} {part}"
    return whole


def joined(lines: Iterable[str]) -> str:
    """Return the lines of a paragraph on one; a comma keeps two figures apart."""
    said: list[str] = []
    for line in filter(None, map(clean, lines)):
        if said and said[-1][-1].isdigit() and line[0].isdigit():
            said[-1] += ","
        said.append(line)
    return " ".join(said)


def item(text: str, number: int = 0, *, page: int = 0) -> Block:
    """Return an item of a list, with its number if the list has numbers."""
    return Block(Sort.ITEM, text, page=page, mark=f"{number}. " if number else BULLET)


def tidy(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return the blocks that say something; a label at the very end has lost its value."""
    found = [block for block in blocks if block.text]
    while found and _is_label(found[-1]):
        found.pop()
    return tuple(found)


def _is_label(block: Block) -> bool:
    """Whether a text names what should follow. Of a PDF, only letters tell: they may say it all."""
    if any(map(str.isdigit, block.text)):
        return False
    is_heading = block.sort is Sort.HEADING and not block.page
    return is_heading or (block.sort is Sort.TEXT and block.text.endswith(":"))
