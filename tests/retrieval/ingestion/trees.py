"""Invented pages as trees, and the same page as HTML, Word and PDF: what its lines stand under is
known of each, and of nothing but the file does the product see anything.

Headings, captions and columns are called alike on purpose; every statement, item and cell has a word
of its own, by which it is found again.
"""

import io
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from reportlab.lib import colors
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from retrieval.reading import DOCX, PDF
from tests import word

HTML = "text/html"
LEAVES = ("Tarieven", "Uren", "Contact", "Kinderen", "Volwassenen", "Voorbereiding", "Nadien")
PARENTS = ("Campus Noord", "Campus Zuid", "Dienst A", "Dienst B", "Afdeling 3", "Dagziekenhuis")
CAPTIONS = ("Dosis per gewicht", "Tarieven per dag", "Uren van de raadpleging", "Vrij te kiezen")
LEADS = ("Breng mee:", "Bel ons bij:", "Dit mag niet:", "Vraag vooraf:")
COLUMNS = ("Gewicht (kg)", "Dosis", "Maximum", "Dag", "Uur", "Prijs", "Opmerking")
GROUPS = ("Kinderen", "Volwassenen", "Leden")
FILLING = (
    "de",
    "arts",
    "bespreekt",
    "dit",
    "rustig",
    "met",
    "u",
    "en",
    "uw",
    "familie",
    "op",
    "zelf",
)
#: Of letters in a PDF: of its title, of headings by their level, of everything else.
SIZES = {1: 22, 2: 17, 3: 14, 4: 12}
PLAIN = 10


@dataclass(frozen=True, slots=True)
class Under:
    """What a line of a page stands under; of a cell also the name of its column, and the row over
    the whole width above it."""

    path: tuple[str, ...]
    caption: str = ""
    lead: tuple[str, ...] = ()
    head: str = ""
    group: str = ""


class Page:
    """A page of a seed, and what each of its own words stands under.

    Its parts, by their first letter: a heading with its level; a paragraph; a list with what leads
    to it, items with those under them, and whether these are numbered; a table with its caption,
    columns, names over so many of them, and rows, of which one over the whole width is a text.
    """

    def __init__(self, seed: int, media_type: str) -> None:
        self._random = random.Random(seed)  # noqa: S311 (nobody's secret)
        self._number = 0
        self.media_type = media_type
        self.title = f"Bladzijde {seed}"
        self.under: dict[str, Under] = {}
        self.parts: list[tuple[Any, ...]] = [("h", self.title, 1)]
        for parent in self._random.sample(PARENTS, self._random.randint(2, 4)):
            self._section(parent, 2, ())

    def _section(self, heading: str, level: int, above: tuple[str, ...]) -> None:
        path = (*above, heading)
        self.parts.append(("h", heading, level))
        is_bare = level == 2 and self._random.random() < 0.5
        count = 0 if is_bare else self._random.randint(1, 3)
        self.parts += [self._part(path) for _ in range(count)]
        if level < 4:
            most = 3 if level == 2 else self._random.choice((0, 0, 2))
            for leaf in self._random.sample(LEAVES, min(most, len(LEAVES))):
                self._section(leaf, level + 1, path)

    def _part(self, path: tuple[str, ...]) -> tuple[Any, ...]:
        sort = self._random.random()
        if sort < 0.4:
            count = self._random.choice((1, 1, 2, 3, 3, 30))
            return "p", " ".join(self._sentence(Under(path)) for _ in range(count))
        return self._list(path) if sort < 0.7 else self._grid(path)

    def _word(self, under: Under) -> str:
        self._number += 1
        # As many letters as other words have, and no part of any other.
        text = "".join(chr(ord("b") + int(figure) * 2) for figure in f"{self._number:05}")
        self.under[f"x{text}"] = under
        return f"x{text}"

    def _sentence(self, under: Under) -> str:
        words = self._random.sample(FILLING, self._random.randint(4, 9))
        return f"Zin {' '.join(words)} {self._word(under)}."

    def _item(self, under: Under) -> str:
        return f"{self._random.choice(FILLING)} {self._word(under)}"

    def _list(self, path: tuple[str, ...]) -> tuple[Any, ...]:
        lead = self._random.choice((*LEADS, ""))
        under = Under(path, lead=(lead,) if lead else ())
        items = []
        for _ in range(self._random.choice((2, 3, 6, 45))):
            own, is_led = self._item(under), self._random.random() < 0.15
            inner = Under(path, lead=(*under.lead, own))
            items.append((own, [self._item(inner) for _ in range(2 if is_led else 0)]))
        return "l", lead, items, self._random.random() < 0.3

    def _grid(self, path: tuple[str, ...]) -> tuple[Any, ...]:
        columns = self._random.sample(COLUMNS, self._random.randint(2, 4))
        groups: list[tuple[str, int]] = []
        heads = columns
        if len(columns) > 2 and self._random.random() < 0.3:
            names = self._random.sample(GROUPS, 2)
            groups = [("", 1), (names[0], 1), (names[1], len(columns) - 2)]
            over = [name for name, width in groups for _ in range(width)]
            pairs = zip(over, columns, strict=True)
            heads = [f"{group} \u2013 {name}" if group else name for group, name in pairs]
        caption, rows = self._random.choice((*CAPTIONS, "")), []
        group, with_groups = "", self._random.random() < 0.2
        for at in range(self._random.choice((2, 3, 5, 12, 60))):
            if with_groups and at % 20 == 0:
                group = f"Groep {at + 1}"
                rows.append(group)
            unders = [Under(path, caption, head=head, group=group) for head in heads]
            rows.append([f"{self._random.randint(1, 99)} {self._word(each)}" for each in unders])
        if self.media_type != PDF and self._random.random() < 0.1:
            # A row that is cut within: no page of a PDF is so high.
            under = Under(path, caption, head=heads[1], group=group)
            row = next(each for each in rows if not isinstance(each, str))
            row[1] = " ".join((row[1], *FILLING * 30, self._word(replace(under, group=""))))
        return "t", caption, columns, groups, rows

    @property
    def data(self) -> bytes:
        return {HTML: _html, DOCX: _docx, PDF: _pdf}[self.media_type](self.parts)


def _html(parts: list[tuple[Any, ...]]) -> bytes:
    body = "".join(text for part in parts for text in _html_part(*part))
    return f"<html><body><main>{body}</main></body></html>".encode()


def _html_part(kind: str, text: str, *more: Any) -> Iterator[str]:
    if kind in "hp":
        tag = f"h{more[0]}" if more else "p"
        yield f"<{tag}>{text}</{tag}>"
    elif kind == "l":
        items, is_numbered = more
        tag = "ol" if is_numbered else "ul"
        yield f"<p>{text or 'Zo gaat het.'}</p><{tag}>"
        for own, inner in items:
            under = f"<ul>{''.join(f'<li>{each}</li>' for each in inner)}</ul>" if inner else ""
            yield f"<li>{own}{under}</li>"
        yield f"</{tag}>"
    else:
        columns, groups, rows = more
        is_figure = bool(text) and len(rows) % 2 == 1
        yield "<p>Zo is het geregeld.</p>" + "<figure>" * is_figure + "<table>"
        yield f"<caption>{text}</caption>" if text and not is_figure else ""
        over = "".join(f'<th colspan="{width}">{name}</th>' for name, width in groups)
        yield f"<tr>{over}</tr>" if groups else ""
        yield f"<tr>{''.join(f'<th>{name}</th>' for name in columns)}</tr>"
        for row in rows:
            cells = [row] if isinstance(row, str) else row
            wide = f' colspan="{len(columns)}"' if isinstance(row, str) else ""
            yield f"<tr>{''.join(f'<td{wide}>{cell}</td>' for cell in cells)}</tr>"
        yield "</table>" + f"<figcaption>{text}</figcaption></figure>" * is_figure


def _docx(parts: list[tuple[Any, ...]]) -> bytes:
    body = "".join(text for n, part in enumerate(parts) for text in _docx_part(n, *part))
    styles = "".join(word.style(f"h{n}", f"heading {n}") for n in range(1, 5))
    bullets = word.level(0, "bullet", "-") + word.level(1, "bullet", "-")
    numbers = word.level(0, "decimal", "%1.") + word.level(1, "bullet", "-")
    kinds = "".join(
        f'<w:abstractNum w:abstractNumId="{n}">{levels}</w:abstractNum>'
        for n, levels in enumerate((bullets, numbers))
    )
    numbered = "".join(
        f'<w:num w:numId="{n}"><w:abstractNumId w:val="{n % 2}"/>'
        f'<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>'
        for n in range(2, 2 * len(parts))
    )
    styles += word.style("Bijschrift", "caption")
    return word.document(body, styles=styles, numbering=kinds + numbered)


def _docx_part(at: int, kind: str, text: str, *more: Any) -> Iterator[str]:
    if kind in "hp":
        yield word.styled(f"h{more[0]}", text) if more else word.paragraph(text)
    elif kind == "l":
        items, is_numbered = more
        yield word.paragraph(text or "Zo gaat het.")
        for own, inner in items:
            yield word.listed(2 * at + is_numbered, own)
            yield from (word.listed(2 * at + is_numbered, each, level=1) for each in inner)
    else:
        columns, groups, rows = more
        yield word.paragraph("Zo is het geregeld.")
        yield word.styled("Bijschrift", text) if text else ""

        def spanning(said: str, width: int) -> str:
            return word.cell(said, properties=f'<w:gridSpan w:val="{width}"/>')

        header = '<w:tblHeader w:val="1"/>'
        over = word.row(*(spanning(*group) for group in groups), properties=header)
        names = word.row(*columns, properties=header)
        below = (
            word.row(spanning(row, len(columns))) if isinstance(row, str) else word.row(*row)
            for row in rows
        )
        yield word.table(over if groups else "", names, *below)


def _pdf(parts: list[tuple[Any, ...]]) -> bytes:
    file = io.BytesIO()
    flow = [each for part in parts for each in _pdf_part(*part)]
    SimpleDocTemplate(file, title=parts[0][1], invariant=1).build(flow)
    return file.getvalue()


def _said(text: str, size: float = PLAIN, indent: float = 0, mark: str = "") -> Paragraph:
    style = ParagraphStyle(
        "s", fontSize=size, leading=1.2 * size, spaceBefore=8, leftIndent=indent + 14 * bool(mark),
        bulletIndent=indent,
    )  # fmt: skip
    return Paragraph(text, style, bulletText=mark or None)


def _pdf_part(kind: str, text: str, *more: Any) -> Iterator[object]:
    if kind in "hp":
        yield _said(text, SIZES[more[0]] if more else PLAIN)
    elif kind == "l":
        yield _said(text or "Zo gaat het.")
        for own, inner in more[0]:
            yield _said(own, mark="\u2022")
            yield from (_said(each, indent=20, mark="\u2022") for each in inner)
    else:
        yield _said("Zo is het geregeld.")
        yield _said(text) if text else Spacer(1, 0)
        yield from (Spacer(1, 6), _pdf_table(*more), Spacer(1, 6))


def _pdf_table(columns: list[str], groups: list[tuple[str, int]], rows: list[Any]) -> Table:
    over = [text for name, width in groups for text in (name, *[""] * (width - 1))]
    spans: list[tuple[object, ...]] = [("SPAN", (2, 0), (-1, 0))] if groups else []
    names = 2 if groups else 1
    cells = [over, columns] if groups else [columns]
    for row in rows:
        if isinstance(row, str):
            spans.append(("SPAN", (0, len(cells)), (-1, len(cells))))
        cells.append([row, *[""] * (len(columns) - 1)] if isinstance(row, str) else row)
    look = [
        ("GRID", (0, 0), (-1, -1), 0.5, colors.black),
        ("FONTNAME", (0, 0), (-1, names - 1), "Helvetica-Bold"),
        # Nobody can tell what a name stands over when its own columns are a page further.
        ("NOSPLIT", (0, 0), (-1, names - 1)),
        *spans,
    ]
    return Table(cells, style=TableStyle(look))
