"""Walk a cleaned HTML tree and yield its blocks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import takewhile

from lxml import etree

from retrieval.reading.blocks import BULLET, Block, Sort, TextRun, clean, counted, in_one_line, item
from retrieval.reading.grid import GridCell, grid_of
from retrieval.reading.styles import Styles

HEADINGS = {f"h{level}": level for level in range(1, 7)}
#: Block elements.
BLOCKS = frozenset({
    *HEADINGS, "address", "article", "aside", "blockquote", "body", "caption", "center", "dd",
    "details", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
    "header", "hgroup", "hr", "html", "li", "main", "ol", "p", "pre", "search", "section",
    "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
#: Values of `display` of boxes on their own line, and of containers of boxes in one line.
ALONE = {"block", "list-item", "flow-root", "flex", "grid", "table", "table-row"}
ROWS = {"flex", "inline-flex", "grid", "inline-grid"}
#: Longest box, in letters, that is joined with its siblings.
LONGEST_BOX = 120
#: A definition that contains these is a section, and its term a heading.
TEXTS = "p | ul | ol | table | div | dl"
#: Elements whose first heading gets their anchor, and longest anchor in letters.
PARTS, MOST_NAMED = {"section", "div", "article", "details", "li"}, 100
#: Endings of questions, and of terms that need no colon.
ASKED = ("?", ";", "\u037e")
ENDED = (*ASKED, ":", "!", ".")
#: Elements in a cell, and letters of one, by which a table is one for layout.
APART = ".//h1 | .//h2 | .//h3 | .//h4 | .//h5 | .//h6 | .//form"
LONGEST_CELL = 900
#: Longest text, in letters, that a style makes superscript.
LONGEST_RAISED = 4
_CENTS = re.compile(r"\d\d")
_COLUMNS = re.compile(r"^repeat\(\s*(\d{1,2})\s*,")


class Walk:
    """Converts elements to blocks and keeps track of heading level and list depth."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._level = 1
        #: Whether this is a cell, in which tables become text.
        self._is_in_cell = False
        #: Depth of lists, and the caption of the enclosing figure.
        self._depth = -1
        self._figure = ""

    def blocks(self, element: etree._Element) -> Iterator[Block]:
        """Yield the blocks inside an element."""
        run = TextRun(element.text)
        columns = self._columns(element)
        for place, child in enumerate(element):
            if columns:
                run.part("\n\n" if place % columns == 0 else " ")
                self._read_on(run, child)
                run.part(" ")
            elif self._is_block(child):
                yield from run.paragraphs()
                yield from self.block(child)
                run = TextRun()
            else:
                self._read_on(run, child)
            run.add(child.tail)
        yield from run.paragraphs()

    def block(self, element: etree._Element) -> Iterator[Block]:
        """Yield the blocks of an element that is or contains one."""
        match element.tag:
            case tag if tag in HEADINGS:
                self._level = HEADINGS[tag]
                text, anchor = self._line(element), _anchor(element)
                yield Block(Sort.HEADING, text, level=self._level, anchor=anchor)
            case "ul" | "ol":
                yield from self._items(element)
            case "li":
                yield from self._item(element, "")
            case "dl":
                yield from self._definitions(element)
            case "table":
                yield from self._table(element)
            case "figcaption" if self._figure:
                yield from (replace(b, caption=self._figure) for b in self.blocks(element))
            case "figure" if element.xpath("descendant::table and figcaption"):
                self._figure = self._line(element.find("figcaption"))
                yield from self.blocks(element)
                self._figure = ""
            case _:
                yield from self.blocks(element)

    def _is_block(self, element: etree._Element) -> bool:
        may_stand_beside = element.tag in {"div", "p"} and self._styles.sets_beside(element)
        if element.tag in BLOCKS and not may_stand_beside:
            return True
        return any(each is not element for each in element.iter(*BLOCKS))

    def _columns(self, element: etree._Element) -> int:
        """Return how many of an element's boxes form one line; 0 if none."""
        display = self._styles.value(element, "display")
        if display not in ROWS or "column" in self._styles.value(element, "flex-direction"):
            return 0
        if element.tag in {"ul", "ol", "dl", "table"}:
            return 0
        for child in element:
            inner = (each for each in child.iter(*BLOCKS) if each is not child)
            if child.tag in HEADINGS or next(inner, None) is not None:
                return 0
            if child.tag in {"ul", "ol", "table", "dl"} or len(child.text_content()) > LONGEST_BOX:
                return 0
        template = self._styles.value(element, "grid-template-columns")
        if "grid" not in display or not template:
            return max(1, len(element))
        repeated = _COLUMNS.match(template)
        return int(repeated[1]) if repeated else len(template.split())

    def _read_on(self, run: TextRun, element: etree._Element) -> None:
        if element.tag == "br":
            run.part("\n")
            return
        text = "".join(element.itertext()).strip()
        if element.tag == "sup" or self._is_raised(element, text, run):
            run.raise_(text)
            return
        display = self._styles.value(element, "display")
        part = None
        if display in ALONE:
            part = run.part_line
        elif element.tag in BLOCKS or self._styles.sets_beside(element):
            part = partial(run.part, " ")
        if part:
            part()
        run.begin(element.tag)
        run.add(element.text)
        self._read_children(run, element, are_apart=display in ROWS)
        run.end(element.tag)
        if part:
            part()

    def _read_children(self, run: TextRun, element: etree._Element, *, are_apart: bool) -> None:
        for child in element:
            if are_apart:
                run.part(" ")
            self._read_on(run, child)
            run.add(child.tail)

    def _is_raised(self, element: etree._Element, text: str, run: TextRun) -> bool:
        """Return whether an element is a short superscript."""
        if len(text) <= LONGEST_RAISED and self._styles.raises(element):
            return True
        return element.tag == "small" and run.ends_in_figure and bool(_CENTS.fullmatch(text))

    def _text(self, element: etree._Element) -> str:
        """Return an element's contents as paragraphs."""
        before, self._is_in_cell = self._is_in_cell, True
        found = [
            f"{block.mark}{block.text}" if block.mark not in {"", BULLET} else block.text
            for block in self.blocks(element)
        ]
        self._is_in_cell = before
        return "\n\n".join(filter(None, found))

    def _line(self, element: etree._Element) -> str:
        return in_one_line(self._text(element))

    def _items(self, element: etree._Element) -> Iterator[Block]:
        form = element.get("type") or self._styles.value(element, "list-style-type")
        step = -1 if "reversed" in element.attrib else 1
        first = 1 if step > 0 else len(element.findall("li"))
        number = _whole(element.get("start"), first)
        self._depth += 1
        begins = True
        for child in element:
            if child.tag != "li":
                yield from self.block(child)
                continue
            number = _whole(child.get("value"), number)
            for block in self._item(child, counted(number, form) if element.tag == "ol" else ""):
                is_own = block.sort is Sort.ITEM and block.depth == self._depth
                yield replace(block, begins=begins) if is_own else block
                begins = begins and not is_own
            number += step
        self._depth -= 1

    def _item(self, element: etree._Element, number: str) -> Iterator[Block]:
        """Yield the text of an item, then its nested blocks."""
        found = list(self.blocks(element))
        own = [block.text for block in takewhile(lambda block: block.sort is Sort.TEXT, found)]
        if own:
            yield replace(item(in_one_line("\n\n".join(own)), number), depth=max(self._depth, 0))
        yield from found[len(own) :]

    def _definitions(self, element: etree._Element) -> Iterator[Block]:
        """Yield terms with their values as items; if values are texts or all terms are questions,
        the terms become headings."""
        parts = [*element.iterchildren("dt", "dd", "div")]
        parts = [
            each for p in parts for each in (p.iterchildren("dt", "dd") if p.tag == "div" else [p])
        ]
        has_texts = any(part.tag == "dd" and part.xpath(TEXTS) for part in parts)
        has_texts = has_texts or any(part.get("role") == "heading" for part in parts)
        names = [part for part in parts if part.tag == "dt"]
        are_asked = bool(names) and all(
            name.text_content().strip().endswith(ASKED) for name in names
        )
        if has_texts or are_asked:
            level = min(6, self._level + 1)
            for part in parts:
                if part.tag == "dt":
                    yield Block(Sort.HEADING, self._line(part), level=level)
                else:
                    yield from self.blocks(part)
            return
        name, values, begins = "", [], True
        for part in [*parts, None]:
            if part is not None and part.tag == "dd":
                values.append(self._line(part))
                continue
            if values:
                yield replace(item(_defined(name, values)), begins=begins)
                name, begins = "", False
            term = self._line(part) if part is not None else ""
            name, values = ", ".join(filter(None, (name, term))), []
        if name:
            yield item(name)

    def _table(self, table: etree._Element) -> Iterator[Block]:
        called = self._figure
        for caption in table.iterchildren("caption"):
            yield from (replace(each, caption=each.text) for each in self.blocks(caption))
            called = self._line(caption)
        rows = _rows(table)
        cells = [list(row.iterchildren("td", "th")) for row in rows]
        if _is_layout(table, cells):
            for cell in (cell for row in cells for cell in row):
                yield from self.blocks(cell)
            return
        is_named = _names_in_bold(cells)
        grid = grid_of(
            [self._cell(cell, left, is_name=is_named and not at) for cell in cells[at]]
            for at, left in enumerate(_left(rows))
        )
        if self._is_in_cell:
            yield Block(Sort.TEXT, grid.as_text())
        else:
            yield from grid.blocks(caption=called)

    def _cell(self, cell: etree._Element, left: int, *, is_name: bool) -> GridCell:
        group = cell.getparent().getparent()
        return GridCell(
            self._text(cell),
            min(_number(cell, "rowspan") or left, left),
            _number(cell, "colspan") or 1,
            is_header=is_name or cell.tag == "th" or group.tag == "thead",
        )


def _anchor(heading: etree._Element) -> str:
    """Return a heading's anchor: its own, that of a link in or before it, or that of the section
    which it begins."""
    before, parent = heading.getprevious(), heading.getparent()
    named = [heading, *heading.iter("a")]
    if before is not None and before.tag == "a" and not before.text_content().strip():
        named.append(before)
    if before is None and parent is not None and parent.tag in PARTS:
        named.append(parent)
    names = (each.get("id") or each.get("name") or "" for each in named)
    return next(filter(None, names), "")[:MOST_NAMED]


def _defined(name: str, values: Sequence[str]) -> str:
    definition = ", ".join(filter(None, values))
    return f"{name}{'' if name.endswith(ENDED) or not name else ':'} {definition}".strip()


def _rows(table: etree._Element) -> list[etree._Element]:
    return list(table.xpath("./tr | ./thead/tr | ./tbody/tr | ./tfoot/tr"))


def _left(rows: Sequence[etree._Element]) -> list[int]:
    """Return for each row the number of rows left in its group."""
    counts: Counter[etree._Element] = Counter()
    left = []
    for row in reversed(rows):
        counts[row.getparent()] += 1
        left.append(counts[row.getparent()])
    return left[::-1]


def _is_layout(table: etree._Element, cells: Sequence[Sequence[etree._Element]]) -> bool:
    """Return whether a table serves only for layout."""
    if table.get("role") in {"presentation", "none"}:
        return True
    every = [cell for row in cells for cell in row]
    if any(cell.xpath(APART) for cell in every):
        return True
    if any(cell.tag == "th" for cell in every):
        return False
    has_tables = len(cells) == 1 and any(cell.xpath(".//table") for cell in every)
    is_column = all(len(row) < 2 for row in cells)
    return has_tables or is_column or any(len(cell.text_content()) > LONGEST_CELL for cell in every)


def _names_in_bold(cells: Sequence[Sequence[etree._Element]]) -> bool:
    """Return whether the first row holds the column names: it is bold, and other rows are not."""
    first, *others = cells or [[]]
    if len(first) < 2 or not others or any(cell.tag == "th" for row in cells for cell in row):
        return False
    return all(map(_is_bold, first)) and not all(all(map(_is_bold, row)) for row in others)


def _is_bold(cell: etree._Element) -> bool:
    text = clean(cell.text_content())
    bold = "".join("".join(each.itertext()) for each in cell.xpath(".//b | .//strong"))
    return bool(text) and clean(bold) == text


def _whole(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 7 else otherwise


def _number(cell: etree._Element, name: str) -> int:
    """Return a span; 0 if it is not a number."""
    text = (cell.get(name) or "1").strip()
    return min(int(text), 65_534) if text.isdecimal() and len(text) < 7 else 1
