"""Invented pages as trees, and the same page as HTML, Word and PDF: what its lines stand under is
known of each, and of nothing but the file does the product see anything.

Headings, captions and columns are called alike on purpose; every statement, item and cell has a word
of its own, by which it is found again.
"""

import io
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import escape

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table, TableStyle

from retrieval.reading.process import DOCX, PDF
from tests import word

HTML = "text/html"
LEAVES = ("Tarieven", "Uren", "Contact", "Kinderen", "Volwassenen", "Voorbereiding", "Nadien")
PARENTS = ("Campus Noord", "Campus Zuid", "Dienst A", "Dienst B", "Afdeling 3", "Dagziekenhuis")
CAPTIONS = ("Dosis per gewicht", "Tarieven per dag", "Uren van de raadpleging", "Vrij te kiezen")
LEADS = ("Breng mee:", "Bel ons bij:", "Dit mag niet:", "Vraag vooraf:")
COLUMNS = ("Gewicht (kg)", "Dosis", "Maximum", "Dag", "Uur", "Prijs", "Opmerking")
GROUPS = ("Kinderen", "Volwassenen", "Leden")
FILLING = (
    "de", "arts", "bespreekt", "dit", "rustig", "met", "u", "en", "uw", "familie", "op", "zelf",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Under:
    """What a line of a page stands under; of a cell also the name of its column, and the row over
    the whole width above it."""

    path: tuple[str, ...]
    caption: str = ""
    lead: tuple[str, ...] = ()
    head: str = ""
    group: str = ""


@dataclass
class Section:
    heading: str
    level: int
    parts: list[object] = field(default_factory=list)


@dataclass
class Prose:
    text: str


@dataclass
class Listing:
    lead: str
    #: Items, each with those set in under it.
    items: list[tuple[str, list[str]]]
    is_numbered: bool


@dataclass
class Grid:
    caption: str
    columns: list[str]
    #: Names over some of the columns, and over how many; none: one row of names.
    groups: list[tuple[str, int]]
    #: A row, or the words over the whole width above the next ones.
    rows: list[list[str] | str]

    @property
    def names(self) -> list[str]:
        over = [name for name, width in self.groups for _ in range(width)]
        pairs = zip(over or [""] * len(self.columns), self.columns, strict=True)
        return [f"{group} \u2013 {name}" if group else name for group, name in pairs]


class Page:
    """A page of a seed, and what each of its own words stands under."""

    def __init__(self, seed: int, media_type: str) -> None:
        self._random = random.Random(seed)  # noqa: S311 (nobody's secret)
        self._number = 0
        self.media_type = media_type
        self.title = f"Bladzijde {seed}"
        self.under: dict[str, Under] = {}
        self.sections: list[Section] = []
        for parent in self._random.sample(PARENTS, self._random.randint(2, 4)):
            self._section(parent, 2, ())

    def _section(self, heading: str, level: int, above: tuple[str, ...]) -> None:
        path = (*above, heading)
        section = Section(heading, level)
        self.sections.append(section)
        is_bare = level == 2 and self._random.random() < 0.5
        parts = 0 if is_bare else self._random.randint(1, 3)
        section.parts += [self._part(path) for _ in range(parts)]
        if level < 4:
            most = 3 if level == 2 else self._random.choice((0, 0, 2))
            for leaf in self._random.sample(LEAVES, min(most, len(LEAVES))):
                self._section(leaf, level + 1, path)

    def _part(self, path: tuple[str, ...]) -> object:
        sort = self._random.random()
        if sort < 0.4:
            count = self._random.choice((1, 1, 2, 3, 3, 30))
            return Prose(" ".join(self._sentence(Under(path)) for _ in range(count)))
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

    def _list(self, path: tuple[str, ...]) -> Listing:
        lead = self._random.choice((*LEADS, ""))
        under = Under(path, lead=(lead,) if lead else ())
        items = []
        for _ in range(self._random.choice((2, 3, 6, 45))):
            own = f"{self._random.choice(FILLING)} {self._word(under)}"
            nested: list[str] = []
            if self._random.random() < 0.15:
                inner = Under(path, lead=(*under.lead, own))
                nested = [f"{self._random.choice(FILLING)} {self._word(inner)}" for _ in range(2)]
            items.append((own, nested))
        return Listing(lead, items, self._random.random() < 0.3)

    def _grid(self, path: tuple[str, ...]) -> Grid:
        columns = self._random.sample(COLUMNS, self._random.randint(2, 4))
        groups: list[tuple[str, int]] = []
        if len(columns) > 2 and self._random.random() < 0.3:
            names = self._random.sample(GROUPS, 2)
            groups = [("", 1), (names[0], 1), (names[1], len(columns) - 2)]
        grid = Grid(self._random.choice((*CAPTIONS, "")), columns, groups, [])
        group, with_groups = "", self._random.random() < 0.2
        for at in range(self._random.choice((2, 3, 5, 12, 60))):
            if with_groups and at % 20 == 0:
                group = f"Groep {at + 1}"
                grid.rows.append(group)
            grid.rows.append(
                [
                    f"{self._random.randint(1, 99)} "
                    + self._word(Under(path, grid.caption, head=head, group=group))
                    for head in grid.names
                ]
            )
        if self.media_type != PDF and self._random.random() < 0.1:
            # A row that is cut within: no page of a PDF is so high.
            under = Under(path, grid.caption, head=grid.names[1], group=group)
            row = next(each for each in grid.rows if not isinstance(each, str))
            row[1] = " ".join((row[1], *FILLING * 30, self._word(replace(under, group=""))))
        return grid

    @property
    def data(self) -> bytes:
        return {HTML: _html, DOCX: _docx, PDF: _pdf}[self.media_type](self)


def _html(page: Page) -> bytes:
    rand = random.Random(page.title)  # noqa: S311 (nobody's secret)
    body = [f"<h1>{page.title}</h1>"]
    for section in page.sections:
        body.append(f"<h{section.level}>{section.heading}</h{section.level}>")
        for part in section.parts:
            body += _html_part(part, rand)
    return f"<html><body><main>{''.join(body)}</main></body></html>".encode()


def _html_part(part: object, rand: random.Random) -> Iterator[str]:
    match part:
        case Prose(text):
            yield f"<p>{escape(text)}</p>"
        case Listing(lead, items, is_numbered):
            yield f"<p>{lead}</p>" if lead else "<p>Zo gaat het.</p>"
            tag = "ol" if is_numbered else "ul"
            said = (
                f"<li>{own}{'<ul>' * bool(inner)}{''.join(f'<li>{i}</li>' for i in inner)}"
                f"{'</ul>' * bool(inner)}</li>"
                for own, inner in items
            )
            yield f"<{tag}>{''.join(said)}</{tag}>"
        case Grid() as grid:
            caption, figure = grid.caption, rand.random() < 0.4
            yield "<p>Zo is het geregeld.</p>" if rand.random() < 0.5 else "<p>Lees dit goed.</p>"
            yield "<figure>" if figure and caption else ""
            inside = f"<caption>{caption}</caption>" if caption and not figure else ""
            yield f"<table>{inside}"
            if grid.groups:
                over = "".join(f'<th colspan="{width}">{name}</th>' for name, width in grid.groups)
                yield f"<tr>{over}</tr>"
            yield f"<tr>{''.join(f'<th>{name}</th>' for name in grid.columns)}</tr>"
            for row in grid.rows:
                if isinstance(row, str):
                    yield f'<tr><td colspan="{len(grid.columns)}">{row}</td></tr>'
                else:
                    yield f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>"
            yield "</table>"
            yield f"<figcaption>{caption}</figcaption></figure>" if figure and caption else ""


def _docx(page: Page) -> bytes:
    body = [word.styled("h1", page.title)]
    lists = 0
    for section in page.sections:
        body.append(word.styled(f"h{section.level}", section.heading))
        for part in section.parts:
            lists += 1
            body += _docx_part(part, lists)
    styles = "".join(word.style(f"h{n}", f"heading {n}") for n in range(1, 5))
    bullets = word.level(0, "bullet", "-") + word.level(1, "bullet", "-")
    numbers = word.level(0, "decimal", "%1.") + word.level(1, "bullet", "-")
    kinds = "".join(
        f'<w:abstractNum w:abstractNumId="{n}">{levels}</w:abstractNum>'
        for n, levels in enumerate((bullets, numbers))
    )
    numbered = "".join(
        f'<w:num w:numId="{2 * n + kind}"><w:abstractNumId w:val="{kind}"/>'
        f'<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>'
        for n in range(1, lists + 1)
        for kind in (0, 1)
    )
    styles += word.style("Bijschrift", "caption")
    return word.document("".join(body), styles=styles, numbering=kinds + numbered)


def _docx_part(part: object, number: int) -> Iterator[str]:
    match part:
        case Prose(text):
            yield word.paragraph(text)
        case Listing(lead, items, is_numbered):
            yield word.paragraph(lead or "Zo gaat het.")
            for own, inner in items:
                yield word.listed(2 * number + is_numbered, own)
                yield from (word.listed(2 * number + is_numbered, i, level=1) for i in inner)
        case Grid() as grid:
            yield word.paragraph("Zo is het geregeld.")
            if grid.caption:
                yield word.styled("Bijschrift", grid.caption)
            yield word.table(*_docx_rows(grid))


def _docx_rows(grid: Grid) -> Iterator[str]:
    def spanning(text: str, width: int) -> str:
        return word.cell(text, properties=f'<w:gridSpan w:val="{width}"/>')

    header = '<w:tblHeader w:val="1"/>'
    if grid.groups:
        yield word.row(*(spanning(*group) for group in grid.groups), properties=header)
    yield word.row(*map(word.cell, grid.columns), properties=header)
    for row in grid.rows:
        is_group = isinstance(row, str)
        yield word.row(
            spanning(row, len(grid.columns)) if is_group else "".join(map(word.cell, row))
        )


SIZES = {1: 22, 2: 17, 3: 14, 4: 12}


def _pdf(page: Page) -> bytes:
    file = io.BytesIO()
    flow: list[object] = [_said(page.title, SIZES[1])]
    for section in page.sections:
        flow.append(_said(section.heading, SIZES[section.level]))
        for part in section.parts:
            flow += _pdf_part(part)
    SimpleDocTemplate(file, pagesize=A4, title=page.title, invariant=1).build(flow)
    return file.getvalue()


def _said(text: str, size: float = 10, indent: float = 0, mark: str = "") -> Paragraph:
    style = ParagraphStyle(
        "s", fontSize=size, leading=1.2 * size, spaceBefore=8, leftIndent=indent + 14 * bool(mark),
        bulletIndent=indent,
    )  # fmt: skip
    return Paragraph(escape(text), style, bulletText=mark or None)


def _pdf_part(part: object) -> Iterator[object]:
    match part:
        case Prose(text):
            yield _said(text)
        case Listing(lead, items, _):
            yield _said(lead or "Zo gaat het.")
            for own, inner in items:
                yield _said(own, mark="\u2022")
                yield from (_said(each, indent=20, mark="\u2022") for each in inner)
        case Grid() as grid:
            yield _said("Zo is het geregeld.")
            if grid.caption:
                yield _said(grid.caption)
            yield Spacer(1, 6)
            yield _pdf_table(grid)
            yield Spacer(1, 6)


def _pdf_table(grid: Grid) -> Table:
    cells: list[list[str]] = []
    spans: list[tuple[object, ...]] = []
    for name, width in grid.groups:
        cells = cells or [[]]
        spans.append(("SPAN", (len(cells[0]), 0), (len(cells[0]) + width - 1, 0)))
        cells[0] += [name, *[""] * (width - 1)]
    cells.append(grid.columns)
    names = len(cells)
    for row in grid.rows:
        if isinstance(row, str):
            spans.append(("SPAN", (0, len(cells)), (-1, len(cells))))
        cells.append([row, *[""] * (len(grid.columns) - 1)] if isinstance(row, str) else row)
    look = [
        ("GRID", (0, 0), (-1, -1), 0.5, colors.black),
        ("FONTNAME", (0, 0), (-1, names - 1), "Helvetica-Bold"),
        # Nobody can tell what a name stands over when its own columns are a page further.
        ("NOSPLIT", (0, 0), (-1, names - 1)),
        *spans,
    ]
    return Table(cells, style=TableStyle(look))
