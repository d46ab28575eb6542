"""PDF brochures: lines into paragraphs, headings, items and tables."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from statistics import median
from typing import Any

import pdfplumber
from pdfminer.pdfdocument import PDFPasswordIncorrect
from pdfminer.pdfparser import PDFSyntaxError
from pdfplumber.utils.exceptions import PdfminerException

from retrieval.ingestion.read.blocks import Block, Sort, clean, item, tidy
from retrieval.ingestion.read.grid import Cell, grid_of
from zol.errors import OnlyImages, UnreadableDocument

#: Letters this much larger than most are a heading.
HEADING = 1.15
#: A vertical gap larger than this share of a line's height begins a paragraph.
GAP = 0.7
#: A line that stands on this share of the pages, digits aside, is a header or footer.
REPEATED = 0.5
BULLET = re.compile(r"^[•▪◦‣·–\-*]\s+")
LARGEST_PAGES = 500


def read_pdf(data: bytes) -> tuple[Block, ...]:
    """Return the blocks of a PDF; raise `OnlyImages` for one that holds images and no text."""
    try:
        blocks = _read(data)
    except (PdfminerException, PDFSyntaxError) as error:
        cause = error.args[0] if error.args else error
        if isinstance(cause, PDFPasswordIncorrect):
            raise UnreadableDocument("The PDF is protected with a password") from error
        why = str(cause)[:160] or type(cause).__name__
        raise UnreadableDocument(f"The PDF is damaged: {why}") from error
    if blocks is None:
        raise OnlyImages("The PDF holds only images, no text")
    return blocks


def _read(data: bytes) -> tuple[Block, ...] | None:
    with pdfplumber.open(io.BytesIO(data)) as pdf:
        if len(pdf.pages) > LARGEST_PAGES:
            raise UnreadableDocument(
                f"The PDF has {len(pdf.pages)} pages; at most {LARGEST_PAGES} are read"
            )
        lines = [_lines(page) for page in pdf.pages]
        if not any(lines):
            return None if any(page.images for page in pdf.pages) else ()
        furniture = _repeated(lines)
        body = _body_size(lines)
        found: list[Block] = []
        for page, on_page in zip(pdf.pages, lines, strict=True):
            found += _blocks(page, on_page, furniture, body)
    return tidy(found)


def _lines(page: Any) -> list[dict[str, Any]]:
    return list(page.extract_text_lines(return_chars=True)) if page.chars else []


def _shape(text: str) -> str:
    """Return a line with its digits levelled, so that page numbers do not tell lines apart."""
    return re.sub(r"\d+", "#", clean(text))


def _repeated(pages: list[list[dict[str, Any]]]) -> set[str]:
    if len(pages) < 2:
        return set()
    counts = Counter(shape for lines in pages for shape in {_shape(line["text"]) for line in lines})
    return {
        shape for shape, count in counts.items() if count >= max(2, REPEATED * len(pages) + 0.5)
    }


def _size(line: dict[str, Any]) -> float:
    return float(median(char["size"] for char in line["chars"]))


def _body_size(pages: list[list[dict[str, Any]]]) -> float:
    """Return the size in which most letters are set."""
    counts: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            counts[round(_size(line), 1)] += len(line["text"])
    return counts.most_common(1)[0][0]


def _blocks(
    page: Any, lines: list[dict[str, Any]], furniture: set[str], body: float
) -> Iterator[Block]:
    tables = page.find_tables()
    given: set[int] = set()
    paragraph: list[dict[str, Any]] = []
    for line in lines:
        if _shape(line["text"]) in furniture:
            continue
        inside = next((n for n, table in enumerate(tables) if _is_inside(line, table)), None)
        if inside is not None:
            yield from _paragraph(paragraph, page.page_number, body)
            paragraph = []
            if inside not in given:
                given.add(inside)
                rows = [
                    [Cell(cell or "", is_header=not number) for cell in row]
                    for number, row in enumerate(tables[inside].extract())
                ]
                yield from grid_of(rows).blocks(page=page.page_number)
            continue
        if paragraph and _begins(line, paragraph[-1]):
            yield from _paragraph(paragraph, page.page_number, body)
            paragraph = []
        paragraph.append(line)
    yield from _paragraph(paragraph, page.page_number, body)


def _is_inside(line: dict[str, Any], table: Any) -> bool:
    left, top, right, bottom = table.bbox
    middle = (line["top"] + line["bottom"]) / 2
    return bool(top <= middle <= bottom and line["x0"] >= left - 2 and line["x0"] <= right)


def _begins(line: dict[str, Any], before: dict[str, Any]) -> bool:
    """Say whether a line begins something new."""
    height = before["bottom"] - before["top"]
    return bool(
        line["top"] - before["bottom"] > GAP * height
        or abs(_size(line) - _size(before)) > 0.5
        or BULLET.match(line["text"])
    )


def _paragraph(lines: list[dict[str, Any]], page: int, body: float) -> Iterator[Block]:
    if not lines:
        return
    text = lines[0]["text"]
    for line in lines[1:]:
        # A word broken at the end of a line is joined again.
        joined = text.endswith("-") and line["text"][:1].islower()
        text = text[:-1] + line["text"] if joined else f"{text} {line['text']}"
    size = _size(lines[0])
    if size >= HEADING * body and len(lines) <= 3:
        yield Block(Sort.HEADING, clean(text), 1 if size >= 1.5 * body else 2, page)
    elif BULLET.match(text):
        yield item(clean(BULLET.sub("", text)), page=page)
    else:
        yield Block(Sort.TEXT, clean(text), 0, page)
