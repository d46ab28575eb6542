"""Brochures as people have them: a real PDF, a real Word document."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from tests import word


def _font() -> str:
    """Return a font that comes with reportlab; what it lacks, such as Greek, it draws as an n.

    The PDF says which letter it stands for, as others do.
    """
    font = TTFont("Vera", "Vera.ttf")
    shape, width = font.face.charToGlyph[ord("n")], font.face.charWidths[ord("n")]
    for letter in range(0x80, 0x10000):
        font.face.charToGlyph.setdefault(letter, shape)
        font.face.charWidths.setdefault(letter, width)
    pdfmetrics.registerFont(font)
    return "Vera"


FONT = _font()


@dataclass(frozen=True)
class Sheet:
    """A page of a PDF: lines of text at (x, y, text) or (x, y, text, size), and tables and boxes."""

    lines: Sequence[tuple[float, float, str] | tuple[float, float, str, float]] = ()
    #: Left, top, widths of the columns and texts of the rows, with a line drawn around each cell. A text of nothing is part of the cell at its left; "^" is part of the one above.
    grids: Sequence[tuple[float, float, Sequence[float], Sequence[Sequence[str | None]]]] = ()
    #: Left, top, width and height.
    boxes: Sequence[tuple[float, float, float, float]] = ()


def sheets(*pages: Sheet) -> bytes:
    """Return a PDF of pages of 595 by 842 points, each place counted from the left and the top."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842))
    for page in pages:
        for x, y, width, height in page.boxes:
            canvas.rect(x, 842 - y - height, width, height)
        for grid in page.grids:
            _draw_grid(canvas, *grid)
        for x, y, text, *size in page.lines:
            canvas.setFont(FONT, size[0] if size else 11)
            canvas.drawString(x, 842 - y, text)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _draw_grid(
    canvas: Canvas,
    left: float,
    top: float,
    widths: Sequence[float],
    rows: Sequence[Sequence[str | None]],
) -> None:
    places = [left, *(left + at for at in accumulate(widths))]
    heights = [8 + 12 * max((text or "").count("\n") + 1 for text in row) for row in rows]
    tops = [top, *(top + at for at in accumulate(heights))]
    canvas.setFont(FONT, 11)
    for down, row in enumerate(rows):
        for across, text in enumerate(row):
            if text is None or text == "^":
                continue
            width = next((n for n, t in enumerate(row[across + 1 :], 1) if t is not None), None)
            right = places[across + width] if width else places[-1]
            end = down + 1
            while end < len(rows) and rows[end][across] == "^":
                end += 1
            height = tops[end] - tops[down]
            canvas.rect(places[across], 842 - tops[end], right - places[across], height)
            for number, line in enumerate(text.split("\n")):
                canvas.drawString(places[across] + 4, 842 - tops[down] - 13 - 12 * number, line)


def pdf(*lines: str, title: str = "Folder") -> bytes:
    """Return a PDF of one page with a heading and lines."""
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.setFont("Helvetica-Bold", 18)
    canvas.drawString(50, 780, title)
    canvas.setFont("Helvetica", 10)
    for number, line in enumerate(lines):
        canvas.drawString(50, 740 - 18 * number, line)
    canvas.save()
    return file.getvalue()


def docx(*lines: str, title: str = "Folder") -> bytes:
    """Return a Word document with a heading and paragraphs."""
    body = word.styled("Heading1", title) + "".join(map(word.paragraph, lines))
    return word.document(body, styles=word.style("Heading1", "heading 1"))
