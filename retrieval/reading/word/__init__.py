"""Read Word documents: paragraphs, lists and tables, as Word shows them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from lxml import etree

from retrieval.reading.blocks import BULLET, Block, Sort, clean, counted, in_one_line, joined, tidy
from retrieval.reading.grid import GridCell, grid_of
from retrieval.reading.word.package import (
    MAIN,
    Style,
    W,
    WordStyles,
    attribute,
    hidden_by,
    is_on,
    number,
    outline,
    properties,
    unpacked,
    value,
)
from retrieval.reading.word.visible import only_visible
from zol.errors import UnreadableDocument

#: Unmapped signs of unknown symbol fonts.
UNKNOWN = re.compile("[\ue002-\uf8ff]")
#: Word's maximum of table columns.
MOST_COLUMNS = 63
#: Longest nested table in letters.
LARGEST_CELL = 100_000
NOTES = {"footnotes": f"{W}footnoteReference", "endnotes": f"{W}endnoteReference"}
PICTURE = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}docPr"
_P, _T, _TABLE, _ROW, _CELL = (f"{W}{name}" for name in ("p", "t", "tbl", "tr", "tc"))
_FIRST = {"1.", "1)", "a.", "a)", "i.", "i)", "A.", "I."}
_FIGURE, _YEAR = re.compile(r"\d"), re.compile(r"\b(?:19|20)\d\d\b")
_NOTHING: frozenset[str] = frozenset()
_texts, _cells, _long_cells = (
    etree.XPath(path, namespaces={"w": MAIN}, smart_strings=False)
    for path in ("descendant::w:t/text()", "w:tr/w:tc", "w:tr/w:tc[(w:p | w:tbl)[2]]")
)


def read_docx(data: bytes) -> tuple[Block, ...]:
    """Return the blocks of a Word document; page headers and footers are left out."""
    parts = unpacked(data)
    body = parts["document"].find(f"{W}body")
    if body is None:
        return ()
    try:
        return tidy(_Document(parts).blocks(body))
    except RecursionError as error:
        raise UnreadableDocument(
            "The document has tables nested too deep: simplify them"
        ) from error


class _Document:
    """The parts of a document, and the counters of its lists."""

    def __init__(self, parts: dict[str, etree._Element]) -> None:
        self._styles = WordStyles(parts.get("styles"))
        self._numbering = Numbering(parts.get("numbering"), self._styles)
        only_visible(parts["document"], self._styles)
        for name, reference in NOTES.items():
            if name in parts:
                only_visible(parts[name], self._styles)
                self._place_notes(parts["document"], parts[name], reference)

    def _place_notes(self, document: etree._Element, part: etree._Element, name: str) -> None:
        """Insert each footnote or endnote in brackets at its first reference."""
        notes = {note.get(f"{W}id"): note for note in part}
        for reference in document.iter(name):
            note = notes.pop(reference.get(f"{W}id"), None)
            text = in_one_line("\n\n".join(self._lines(note))) if note is not None else ""
            reference.tag, reference.text = _T, f" ({text.rstrip('.')})" if text else ""

    def blocks(self, parent: etree._Element) -> Iterator[Block]:
        """Yield the blocks of a body, or of a layout cell."""
        before = Block(Sort.TEXT, "")
        for element in parent.iterchildren(_P, _TABLE):
            if element.tag == _P:
                block = self._paragraph(element)
                if block.text and block.sort is Sort.ITEM:
                    # A bullet list ends where another block follows.
                    is_first = block.mark == BULLET or block.mark[:2] in _FIRST
                    goes_on = before.sort is Sort.ITEM or not is_first
                    block = replace(block, begins=not goes_on and not block.depth)
                before = block if block.text else before
                yield block
                continue
            before = Block(Sort.ROW, "")
            if len(_cells(element)) == 1 or any(map(self._is_section, _long_cells(element))):
                for cell in _cells(element):
                    yield from self.blocks(cell)
            else:
                yield from grid_of(self._rows(element)).blocks()

    def _is_section(self, cell: etree._Element) -> bool:
        """Return whether a cell begins with a heading, so that the table only serves the layout."""
        first = next(cell.iterchildren(_P, _TABLE))
        own = properties(first, f"{W}pPr")
        style = self._styles[value(own, "pStyle")]
        return own is not None and outline(own.find(f"{W}outlineLvl"), style.level) > 0

    def _paragraph(self, element: etree._Element) -> Block:
        level, mark = self._place(element)
        text = _text(element)
        if level:
            return Block(Sort.HEADING, text, level=level)
        own = properties(element, f"{W}pPr")
        style = self._styles[value(own, "pStyle")]
        if mark:
            depth = value(own, "numPr/ilvl") or style.depth
            return Block(Sort.ITEM, text, mark=mark, depth=number(depth) if depth else 0)
        return Block(Sort.TEXT, text, caption=text if style.is_caption else "")

    def _place(self, element: etree._Element) -> tuple[int, str]:
        """Count a paragraph in its list; return its heading level and its label."""
        own = properties(element, f"{W}pPr")
        if own is None:
            return 0, ""
        by_tag = {each.tag: each for each in own}
        name = attribute(by_tag.get(f"{W}pStyle"))
        style = self._styles[name]
        if hidden_by(by_tag.get(f"{W}rPr"), _NOTHING) and not _written(element).strip():
            return 0, ""  # Word does not count a hidden paragraph.
        mark = self._mark(by_tag.get(f"{W}numPr"), name, style)
        return outline(by_tag.get(f"{W}outlineLvl"), style.level), mark

    def _mark(self, own: etree._Element | None, name: str, style: Style) -> str:
        """Return the label of an item, by its own list or its style's."""
        if own is None and not style.numbering:
            return ""
        depth = value(own, "ilvl")
        if listed := value(own, "numId"):
            return self._numbering.mark(listed, depth or "0", name)
        return self._numbering.mark(style.numbering, depth or style.depth, name)

    def _rows(self, table: etree._Element) -> list[list[GridCell]]:
        rows: list[list[GridCell]] = []
        #: By column: position of the cell that spans down.
        above: dict[int, tuple[int, int]] = {}
        elements = list(table.iterchildren(_ROW))
        for row in elements:
            column = min(number(value(row, "trPr/gridBefore")), MOST_COLUMNS)
            cells, going_on = [GridCell("")] * column, {}
            rows.append(cells)
            for cell in row.iterchildren(_CELL):
                own = properties(cell, f"{W}tcPr")
                by_tag = {each.tag: each for each in own} if own is not None else {}
                merged = by_tag.get(f"{W}vMerge")
                goes_on = merged is not None and attribute(merged) != "restart"
                span = by_tag.get(f"{W}gridSpan")
                width = 1 if span is None else min(max(1, number(attribute(span))), MOST_COLUMNS)
                if goes_on and column in above:
                    at, place = going_on[column] = above[column]
                    rows[at][place] = replace(
                        rows[at][place], row_span=rows[at][place].row_span + 1
                    )
                else:
                    if merged is not None:
                        going_on[column] = len(rows) - 1, len(cells)
                    text = "\n\n".join(self._lines(cell)) or ", ".join(_pictures(cell))
                    cells.append(GridCell(text, column_span=width))
                column += width
            above = going_on
        for at in range(_named(elements, rows)):
            rows[at] = [replace(cell, is_header=True) for cell in rows[at]]
        return rows

    def _lines(self, cell: etree._Element) -> Iterator[str]:
        """Yield the paragraphs of a cell or note, with nested tables as one paragraph."""
        for element in cell.iterchildren(_P, _TABLE):
            if element.tag == _P:
                _, mark = self._place(element)
                if text := _written(element).strip():
                    yield text if mark == BULLET else f"{mark}{text}"
                continue
            text = grid_of(self._rows(element)).as_text()
            if len(text) > LARGEST_CELL:
                raise UnreadableDocument("A table inside a cell is too large: simplify it")
            yield text


def _pictures(cell: etree._Element) -> Iterator[str]:
    for picture in cell.iter(PICTURE, "{urn:schemas-microsoft-com:vml}shape"):
        if text := clean(picture.get("descr") or picture.get("alt") or picture.get("title") or ""):
            yield text


def _text(paragraph: etree._Element) -> str:
    text = _written(paragraph)
    return joined(text.split("\n")) if "\n" in text else clean(text)


def _written(paragraph: etree._Element) -> str:
    """Return the text of a paragraph with its line breaks."""
    text = "".join(_texts(paragraph))
    return text if text.isascii() else UNKNOWN.sub(" ", text)


def _named(elements: list[etree._Element], rows: list[list[GridCell]]) -> int:
    """Return the number of header rows: the marked ones, else the first row if it has no figures,
    with the next one if names span columns."""
    marked = 0
    for element in elements:
        if not any(is_on(mark) for mark in element.iterfind(f"{W}trPr/{W}tblHeader")):
            break
        marked += 1
    if marked or len(rows) < 2:
        return min(marked, len(rows) - 1)
    count = 0
    for row, *pair in zip(rows, elements, elements[1:], strict=False):
        is_title = len(row) == 1 and row[0].column_span > 1
        if not is_title and not _may_name(row, *pair):
            break
        count += 1
        if not is_title and all(cell.column_span == 1 for cell in row):
            break
    return count


def _may_name(row: list[GridCell], element: etree._Element, below: etree._Element) -> bool:
    """Return whether a row looks like column names: without figures other than years, with an empty
    first cell, or bold above a row that is not."""
    if not row or not any(_FIGURE.search(_YEAR.sub("", cell.text)) for cell in row):
        return bool(row)
    return not row[0].text or (_is_bold(element) and not _is_bold(below))


def _is_bold(row: etree._Element) -> bool:
    runs = [run for run in row.iter(f"{W}r") if run.find(_T) is not None]
    bold = [run.find(f"{W}rPr/{W}b") for run in runs]
    return bool(bold) and all(mark is not None and is_on(mark) for mark in bold)


_PLACE = re.compile(r"%([1-9])")
#: Longest item label in letters.
_LONGEST_TEXT = 40


@dataclass(frozen=True, slots=True)
class _Level:
    start: int
    form: str
    #: Label pattern, with "%1" for the first level's number.
    text: str
    #: Number of upper levels that restart it.
    restart: int
    #: Paragraph style of this level.
    style: str
    is_legal: bool


class Numbering:
    """Counters of a document's lists, advanced item by item."""

    def __init__(self, part: etree._Element | None, styles: WordStyles) -> None:
        root = etree.Element("none") if part is None else part
        self._styles = styles
        self._lists = {each.get(f"{W}numId", ""): each for each in root.iter(f"{W}num")}
        self._definitions = {
            each.get(f"{W}abstractNumId", ""): each for each in root.iter(f"{W}abstractNum")
        }
        #: Counters by definition, which lists may share.
        self._counts: defaultdict[str, dict[int, int]] = defaultdict(dict)
        self._begun: dict[str, tuple[dict[int, _Level], dict[int, int]]] = {}

    def mark(self, identifier: str, depth: str, style: str) -> str:
        """Count a list item, and return its label."""
        if identifier not in self._lists:
            return ""
        if identifier not in self._begun:
            self._begun[identifier] = self._begin(identifier)
        levels, counts = self._begun[identifier]
        at = number(depth) if depth else _of_style(levels, style)
        if at not in levels:
            return ""
        for deeper in [each for each in counts if each > at]:
            if deeper not in levels or at < levels[deeper].restart:
                del counts[deeper]
        counts[at] = counts[at] + 1 if at in counts else levels[at].start
        return _mark(levels, at, counts)

    def _definition(self, identifier: str) -> str:
        """Return the definition of a list, resolving links to list styles."""
        name = value(self._lists[identifier], "abstractNumId")
        linked = value(self._definitions.get(name), "numStyleLink")
        of_style = self._lists.get(self._styles[linked].numbering)
        return name if of_style is None else value(of_style, "abstractNumId")

    def _begin(self, identifier: str) -> tuple[dict[int, _Level], dict[int, int]]:
        """Return a list's levels and counters; clear those that it restarts."""
        definition = self._definition(identifier)
        element, counts = self._definitions.get(definition), self._counts[definition]
        levels = dict(_levels(element)) if element is not None else {}
        for override in self._lists[identifier].iter(f"{W}lvlOverride"):
            levels.update(_levels(override))
            at = number(override.get(f"{W}ilvl", ""))
            start = value(override, "startOverride")
            if start and at in levels:
                levels[at] = replace(levels[at], start=number(start, 1))
                counts.pop(at, None)
        return levels, counts


def _levels(parent: etree._Element) -> Iterator[tuple[int, _Level]]:
    for element in parent.iter(f"{W}lvl"):
        at = number(element.get(f"{W}ilvl", ""))
        legal = element.find(f"{W}isLgl")
        yield (
            at,
            _Level(
                start=number(value(element, "start"), 1),
                form=value(element, "numFmt"),
                text=value(element, "lvlText")[:_LONGEST_TEXT],
                restart=number(value(element, "lvlRestart"), at),
                style=value(element, "pStyle"),
                is_legal=legal is not None and is_on(legal),
            ),
        )


def _of_style(levels: Mapping[int, _Level], style: str) -> int:
    linked = (at for at, level in levels.items() if style and level.style == style)
    return next(linked, 0)


def _mark(levels: Mapping[int, _Level], at: int, counts: Mapping[int, int]) -> str:
    if levels[at].form == "bullet":
        return BULLET

    def written(place: re.Match[str]) -> str:
        level = levels.get(int(place[1]) - 1)
        if level is None:
            return ""
        count = counts.get(int(place[1]) - 1, level.start)
        match "decimal" if levels[at].is_legal else level.form:
            case "none":
                return ""
            case "decimalZero":
                return f"{count:02}"
            case form:
                return counted(count, form)

    text = _PLACE.sub(written, levels[at].text).strip()
    return f"{text} " if text else ""
