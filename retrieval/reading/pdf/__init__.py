"""Read PDF brochures: letters into lines in reading order, lines into paragraphs and tables."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pdfplumber
from pdfminer.pdfdocument import PDFPasswordIncorrect
from pdfminer.pdfparser import PDFSyntaxError
from pdfplumber.utils.exceptions import PdfminerException

from retrieval.reading.blocks import Block, Sort, clean, item, tidy
from retrieval.reading.grid import Grid, continued
from retrieval.reading.pdf.furniture import Page, furniture
from retrieval.reading.pdf.layout import GAP, PageTable, Part, in_order
from retrieval.reading.pdf.lines import BULLET, Line, rows_of, words_of
from retrieval.reading.pdf.spelling import SOFT, DocumentSpelling
from retrieval.reading.pdf.tables import as_grid, is_below, rows_on
from retrieval.reading.visible import Why, note
from zol.errors import OnlyImages, UnreadableDocument

if TYPE_CHECKING:  # What reads pictures takes memory, and most PDFs have none to be read.
    from retrieval.reading.pdf.ocr import Ocr

#: Tolerance of an item's indent in points, and largest indent of a nested one: beyond is another
#: column.
NEAR, FURTHEST = 3, 60
#: Least size of a heading relative to the body.
HEADING = 1.15
LARGEST_PAGES = 500


def read_pdf(data: bytes, ocr: Ocr | None = None) -> tuple[Block, ...]:
    """Return the blocks of a PDF; raise `OnlyImages` for one that holds images and no text."""
    try:
        blocks = _read(data, ocr)
    except (PdfminerException, PDFSyntaxError) as error:
        cause = error.args[0] if error.args else error
        if isinstance(cause, MemoryError):
            raise cause from error
        if isinstance(cause, PDFPasswordIncorrect):
            raise UnreadableDocument("The PDF is protected with a password") from error
        why = str(cause)[:160] or type(cause).__name__
        raise UnreadableDocument(f"The PDF is damaged: {why}") from error
    if blocks is None:
        raise OnlyImages("The PDF holds only images, no text")
    return blocks


def _read(data: bytes, ocr: Ocr | None) -> tuple[Block, ...] | None:
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        if len(pdf.pages) > LARGEST_PAGES:
            raise UnreadableDocument(
                f"The PDF has {len(pdf.pages)} pages; at most {LARGEST_PAGES} are read"
            )
        words = [_words(page, ocr) for page in pdf.pages]
        if not any(words):
            return None if any(page.images for page in pdf.pages) else ()
        rows = [rows_of(on_page) for on_page in words]
        body = _body_size(rows)
        pages = [Page(page.height, lines) for page, lines in zip(pdf.pages, rows, strict=True)]
        away = furniture(pages, body)
        spelling = DocumentSpelling(line.text for lines in rows for row in lines for line in row)
        if ocr:
            ocr.conclude()
        parts: list[Part | None] = []
        for page, on_page, lines in zip(pdf.pages, words, rows, strict=True):
            gone = [line for row in lines for line in row if line in away]
            note(" ".join(line.text for line in gone), Why.REPEATED)
            kept = [word for word in on_page if not any(_is_in(word, line) for line in gone)]
            parts += in_order(rows_on(page, kept, spelling))
    return tidy(_nested(_blocks(parts, body, spelling)))


def _words(page: Any, ocr: Ocr | None) -> list[Line]:
    if page.chars:
        return words_of(page)
    return ocr.words_of(page) if ocr and page.images else []


def _is_in(word: Line, line: Line) -> bool:
    return (
        line.x0 - 0.1 <= word.x0 <= word.x1 <= line.x1 + 0.1
        and line.top - 0.1 <= word.top <= word.bottom <= line.bottom + 0.1
    )


def _body_size(pages: Sequence[Sequence[Sequence[Line]]]) -> float:
    """Return the most frequent letter size, counting text repeated on every page once."""
    lines = {(line.text, round(line.size, 1)) for rows in pages for row in rows for line in row}
    counts: Counter[float] = Counter()
    for text, size in lines:
        counts[size] += len(text.replace(" ", ""))
    return max(counts, key=lambda size: (counts[size], -size))


def _blocks(
    parts: Sequence[Part | None], body: float, spelling: DocumentSpelling
) -> Iterator[Block]:
    paragraph: list[Line] = []
    table: PageTable | None = None
    grid = Grid()
    sizes = {round(each.size) for each in parts if isinstance(each, Line)}
    headings = sorted((size for size in sizes if size >= HEADING * body - 0.5), reverse=True)
    for part in _with_names(parts):
        if isinstance(part, Line) and paragraph and not _begins(part, paragraph[-1]):
            paragraph.append(part)
            continue
        yield from _paragraph(paragraph, body, spelling, headings)
        paragraph = [part] if isinstance(part, Line) else []
        if isinstance(part, PageTable):
            rest = None
            if table is not None and is_below(table, part):
                rest = continued(grid, as_grid(part, with_names=part.is_sure))
            grid = as_grid(part, with_names=True) if rest is None else rest
            table = part
            yield from grid.blocks(page=part.page, goes_on=rest is not None)
        elif part is not None:
            table = None
    yield from _paragraph(paragraph, body, spelling, headings)


def _with_names(parts: Sequence[Part | None]) -> Iterator[Part | None]:
    """Yield the parts; join a table with its column names if they end the page before."""
    names: PageTable | None = None
    for at, part in enumerate(parts):
        after = parts[at + 1] if at + 1 < len(parts) else None
        if names is not None and isinstance(part, PageTable):
            count = names.opening + part.names * part.is_sure
            yield replace(part, rows=[*names.rows, *part.rows], names=count, is_sure=True)
            names = None
            continue
        if isinstance(part, PageTable) and part.opening and isinstance(after, PageTable):
            names = part if not after.opening and is_below(part, after) else None
        if names is None:
            yield part


def _begins(line: Line, before: Line) -> bool:
    """Return whether a line begins a new paragraph."""
    if abs(line.size - before.size) > 0.5 or BULLET.match(line.text):
        return True
    if line.page != before.page or line.bottom <= before.top:  # In the next column.
        return not line.text[:1].islower() or before.text.endswith((".", "!", "?", ":", ";"))
    is_apart = line.top - before.bottom > GAP * before.height
    goes_on = line.text[:1].islower() and not is_apart
    return is_apart or line.is_row or (before.is_row and not goes_on)


def _nested(blocks: Iterable[Block]) -> Iterator[Block]:
    """Set the depth of items, computed from their indent."""
    indents: list[int] = []
    for block in blocks:
        if block.sort is not Sort.ITEM:
            indents = []
            yield block
            continue
        begins = not indents
        while len(indents) > 1 and block.depth < indents[-1] - NEAR:
            indents.pop()
        if begins or NEAR < block.depth - indents[-1] <= FURTHEST:
            indents.append(block.depth)
        yield replace(block, depth=len(indents) - 1, begins=begins)


def _paragraph(
    lines: Sequence[Line], body: float, spelling: DocumentSpelling, headings: Sequence[int]
) -> Iterator[Block]:
    if not lines:
        return
    text = spelling.within(lines[0].text)
    for line in lines[1:]:
        text = spelling.join(text, spelling.within(line.text))
    text = text.rstrip(SOFT)
    size, page = lines[0].size, lines[0].page
    if size >= HEADING * body and len(lines) <= 3:
        level, rank = 1 if size >= 1.5 * body else 2, headings.index(round(size)) + 1
        yield Block(Sort.HEADING, clean(text), level, page, rank=rank)
    elif BULLET.match(text):
        yield replace(item(clean(BULLET.sub("", text)), page=page), depth=round(lines[0].x0))
    else:
        yield Block(Sort.TEXT, clean(text), 0, page)
