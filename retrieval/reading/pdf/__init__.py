"""Read PDFs: join letters to lines in reading order, and lines to paragraphs and tables."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pdfplumber
from pdfminer.pdfdocument import PDFPasswordIncorrect
from pdfminer.pdfparser import PDFSyntaxError
from pdfplumber.utils.exceptions import PdfminerException

from retrieval.reading.blocks import Block, Sort, clean, item, tidy
from retrieval.reading.contents import contents
from retrieval.reading.grid import Grid, continued
from retrieval.reading.pdf.headers_footers import Page, headers_and_footers
from retrieval.reading.pdf.layout import GAP, PageTable, Part, in_order
from retrieval.reading.pdf.lines import BULLET, Line, rows_of, words_of
from retrieval.reading.pdf.marks import form_fields, is_right_to_left, upright, visible_letters
from retrieval.reading.pdf.spelling import SOFT, DocumentSpelling
from retrieval.reading.pdf.tables import as_grid, is_below, rows_on
from retrieval.reading.visible import Why, note
from zol.errors import OnlyImages, UnreadableDocument
from zol.runtime.confined import nobody

if TYPE_CHECKING:  # Imported on use: it takes memory, and most PDFs have no scanned pages.
    from retrieval.reading.pdf.ocr import Ocr

#: Tolerance of an item's indent in points, and largest indent of a nested item.
NEAR, FURTHEST = 3, 60
#: Least size of a heading relative to the body.
HEADING = 1.15
LARGEST_PAGES = 500
#: Watermarks reported to staff: most of them, their longest text, and the word that one must have.
MOST_MARKS, LONGEST_MARK, WORD = 3, 80, re.compile(r"[^\W\d_]{3}")
ACROSS = "Across its pages: “{}”. See whether the document still holds."
RIGHT_TO_LEFT = (
    "The PDF is written from right to left, and its telephone numbers would come out wrong: "
    "upload it as Word or as a web page"
)


def read_pdf(
    data: bytes, ocr: Ocr | None = None, tell: Callable[[str], None] = nobody
) -> tuple[Block, ...]:
    """Return the blocks of a PDF.

    :raises OnlyImages: when it has images but no text.
    """
    try:
        blocks = _read(data, ocr, tell)
    except (PdfminerException, PDFSyntaxError) as error:
        cause = error.args[0] if error.args else error
        if isinstance(cause, MemoryError):
            raise cause from error
        if isinstance(cause, PDFPasswordIncorrect):
            raise UnreadableDocument(
                "The PDF is protected with a password: upload one without a password"
            ) from error
        why = str(cause)[:160] or type(cause).__name__
        raise UnreadableDocument(f"The PDF is damaged: {why}") from error
    if blocks is None:
        raise OnlyImages("The PDF holds only images, no text")
    return blocks


def _read(data: bytes, ocr: Ocr | None, tell: Callable[[str], None]) -> tuple[Block, ...] | None:
    with pdfplumber.open(io.BytesIO(data), raise_unicode_errors=False) as pdf:
        if len(pdf.pages) > LARGEST_PAGES:
            raise UnreadableDocument(
                f"The PDF has {len(pdf.pages)} pages; at most {LARGEST_PAGES} are read"
            )
        sheets = [upright(page) for page in pdf.pages]
        heights = [page.height for page in sheets]
        across: Counter[str] = Counter()
        words = [_words(page, ocr, across) for page in sheets]
        if not any(words):
            return None if any(page.images for page in sheets) else ()
        if is_right_to_left("".join(word.text for on_page in words for word in on_page)):
            raise UnreadableDocument(RIGHT_TO_LEFT)
        rows = [rows_of(on_page) for on_page in words]
        body = _body_size(rows)
        away = _left_out([Page(*each) for each in zip(heights, rows, strict=True)], body)
        spelling = DocumentSpelling(line.text for lines in rows for row in lines for line in row)
        if ocr:
            ocr.conclude()
        if marks := [text for text, _ in across.most_common(MOST_MARKS) if WORD.search(text)]:
            tell(ACROSS.format("”, “".join(marks)))
        parts: list[Part | None] = []
        for page, on_page, lines in zip(sheets, words, rows, strict=True):
            gone = [line for row in lines for line in row if line in away]
            for line in gone:
                note(line.text, away[line])
            kept = [word for word in on_page if not any(_is_in(word, line) for line in gone)]
            parts += in_order(rows_on(page, kept, spelling))
    return tidy(_nested(_blocks(parts, body, spelling)))


def _left_out(pages: Sequence[Page], body: float) -> dict[Line, Why]:
    """Return the lines that are not content, with the reasons."""
    away = dict.fromkeys(headers_and_footers(pages, body), Why.REPEATED)
    rows = [row for page in pages for row in page.rows if not away.keys() >= set(row)]
    texts = [" ".join(line.text for line in row) for row in rows]
    listed = contents(texts, [row[0].page for row in rows])
    for at, row in enumerate(rows):
        if at in listed or is_right_to_left(texts[at]):
            away |= dict.fromkeys(row, Why.CONTENTS if at in listed else Why.RIGHT_TO_LEFT)
    return away


def _words(page: Any, ocr: Ocr | None, across: Counter[str]) -> list[Line]:
    if page.chars:
        letters, mark = visible_letters(page)
        across[mark[:LONGEST_MARK]] += 1
        words = words_of(letters, page.page_number)
        return [*words, *form_fields(page, words)]
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
    """Yield the parts; join a table with its column names at the end of the page before."""
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
    if abs(line.size - before.size) > 0.5 or BULLET.match(line.text):
        return True
    if line.page != before.page or line.bottom <= before.top:  # In the next column.
        return not line.text[:1].islower() or before.text.endswith((".", "!", "?", ":", ";"))
    is_apart = line.top - before.bottom > GAP * before.height
    goes_on = line.text[:1].islower() and not is_apart
    return is_apart or line.is_row or (before.is_row and not goes_on)


def _nested(blocks: Iterable[Block]) -> Iterator[Block]:
    """Set the depth of list items by their indent."""
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
