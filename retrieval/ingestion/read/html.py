"""Web pages: the content without menu, footer and cookie banner.

Trafilatura finds the content. Where it keeps much less than what the page itself marks as its main
part, the page is believed instead.
"""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Iterator

from lxml import etree, html

from retrieval.ingestion.read.blocks import Block, Sort, clean, item, tidy
from retrieval.ingestion.read.definitions import join_definitions
from retrieval.ingestion.read.grid import Cell, grid_of
from zol.errors import UnreadableDocument
from zol.text import words

#: Share of the words of <main> or <article> that the extractor must have kept.
KEPT = 0.7
MAIN = "//main | //article | //*[@role='main']"
#: Never content, whatever they stand in.
FURNITURE = (
    "nav", "header", "footer", "aside", "form", "script", "style", "noscript", "template", "button",
    "svg", "iframe",
)  # fmt: skip
#: Styles, without spaces, by which text is kept from visitors.
HIDING = re.compile(
    r"display:none|visibility:hidden|font-size:(?:0(?![.\d])|0?\.\d+(?:px|pt|em|rem)|[0-3](?:\.\d+)?p[xt])"
    r"|opacity:0(?:\.0\d*)?(?![.\d])|text-indent:-\d{3,}|(?:left|top):-\d{3,}|clip:rect\(0"
)
#: White letters are unreadable on a page, unless a background is set with them.
WHITE = re.compile(r"(?<![-\w])color:(?:#fff(?:fff)?|white|rgb\(255,255,255\))(?![\w])")
_RULE = re.compile(r"\.([\w-]+)\s*\{([^}]*)\}")
HEADINGS = {f"h{level}": level for level in range(1, 7)}
#: A box that holds these is taken apart; one that holds only words is a paragraph.
BLOCKS_INSIDE = ".//p | .//div | .//ul | .//ol | .//table | .//section | .//h2 | .//h3 | .//h4"
PARAGRAPHS = {"p", "blockquote", "pre", "dd", "dt", "figcaption", "address", "div", "section"}


def read_html(data: bytes) -> tuple[Block, ...]:
    """Return the content of a page."""
    if not data.strip():
        return ()
    try:
        tree = _visible(data)
        if tree is None:
            return ()
        main = tidy(_main_part(copy.deepcopy(tree)))
        blocks = tidy(_extracted(tree))
    except (etree.LxmlError, ValueError, RecursionError) as error:
        raise UnreadableDocument(f"The page cannot be taken apart: {error}") from error
    return main if _length(blocks) < KEPT * _length(main) else blocks


def _length(blocks: tuple[Block, ...]) -> int:
    return sum(len(words(block.text)) for block in blocks)


def _visible(data: bytes) -> html.HtmlElement | None:
    """Return the page without what no visitor sees: hidden text is no content."""
    # Takes most of a second to import, and only ingestion reads pages.
    import trafilatura  # noqa: PLC0415

    tree = trafilatura.load_html(data)
    if tree is None:
        return None
    for table in tree.iter("table"):
        _free_title(table)
    for mark in tree.iter("br"):
        mark.tail = f" {mark.tail or ''}"  # the extractor drops it, and words would run together
    join_definitions(tree)
    hiding = _hiding_classes(tree)
    for element in tree.xpath("//body//*[@hidden or @style or @class]"):
        style = element.get("style") or ""
        classes = set((element.get("class") or "").split())
        if "hidden" in element.attrib or _hides(style) or not hiding.isdisjoint(classes):
            element.drop_tree()
    return tree


def _hides(style: str) -> bool:
    """Whether a declaration keeps text from visitors."""
    plain = "".join(style.lower().split())
    return bool(HIDING.search(plain) or (WHITE.search(plain) and "background" not in plain))


def _hiding_classes(tree: html.HtmlElement) -> set[str]:
    """Return the classes that the page's own styles hide."""
    sheets = (element.text or "" for element in tree.iter("style"))
    return {name for sheet in sheets for name, body in _RULE.findall(sheet) if _hides(body)}


def _free_title(table: html.HtmlElement) -> None:
    """Put a first row of one cell over all columns before its table: it is no row."""
    rows = list(table.iter("tr"))
    cells = rows[0].xpath("./td | ./th") if len(rows) > 1 else []
    if len(cells) == 1 and cells[0].get("colspan", "1") != "1":
        title = etree.Element("p")
        title.text = _text(cells[0])
        table.addprevious(title)
        rows[0].drop_tree()


def _extracted(tree: html.HtmlElement) -> Iterator[Block]:
    import trafilatura  # noqa: PLC0415  (see above)

    document = trafilatura.bare_extraction(
        tree,
        include_tables=True,
        include_comments=False,
        favor_recall=True,
        with_metadata=False,
    )
    if document is None or isinstance(document, dict) or document.body is None:
        return
    for element in document.body:
        yield from _blocks(element)


def _blocks(element: etree._Element) -> Iterator[Block]:
    """Give the blocks of an element in the extractor's own small vocabulary."""
    match element.tag:
        case "head":
            rend = element.get("rend") or ""
            yield Block(Sort.HEADING, _text(element), level=HEADINGS.get(rend, 2))
        case "list":
            places: Counter[etree._Element | None] = Counter()
            for each in element.iter("item"):
                yield item(_own_text(each, "list"), _number(each, places[each.getparent()]))
                places[each.getparent()] += 1
        case "table":
            rows = [
                [Cell(_text(c), is_header=c.get("role") == "head") for c in row.iter("cell")]
                for row in element.iter("row")
            ]
            yield from grid_of(rows).blocks()
        case "div" | "quote" if len(element):
            for child in element:
                yield from _blocks(child)
        case _:
            yield Block(Sort.TEXT, _text(element))


def _text(element: etree._Element) -> str:
    """Return the text of an element; a line break is a space."""
    for mark in element.iter("lb", "br"):
        mark.tail = f" {mark.tail or ''}"
    return clean("".join(element.itertext()))


def _own_text(element: etree._Element, nested: str) -> str:
    """Return the text of an element without lists inside, whose items come by themselves."""
    texts = [element.text or ""]
    for child in element:
        if child.tag != nested:
            texts.append("".join(child.itertext()))
        texts.append(child.tail or "")
    return clean(" ".join(texts))


def _number(element: etree._Element, place: int) -> int:
    """Return the number of an item from its place in its list; 0 if the list has none."""
    parent = element.getparent()
    if parent is None or "ol" not in (parent.tag, parent.get("rend")):
        return 0
    start = parent.get("start") or ""
    return (int(start) if start.isdecimal() else 1) + place


def _main_part(tree: html.HtmlElement) -> Iterator[Block]:
    """Give the blocks of what the page marks as its main part, if it does."""
    marked = tree.xpath(MAIN)
    if marked:
        yield from blocks_of(marked[0])


def blocks_of(element: etree._Element) -> Iterator[Block]:
    """Give the blocks of an HTML element, furniture left out."""
    for furniture in [each for each in element.iter(*FURNITURE) if each is not element]:
        furniture.drop_tree()
    yield from _walk(element)


def _walk(element: etree._Element) -> Iterator[Block]:
    if element.text and element.text.strip() and element.tag in {"main", "article", "div", "body"}:
        yield Block(Sort.TEXT, clean(element.text))
    items = 0
    for child in element:
        if not isinstance(child.tag, str):
            continue
        if child.tag in HEADINGS:
            yield Block(Sort.HEADING, _text(child), level=HEADINGS[child.tag])
        elif child.tag == "li":
            yield item(_text(child), _number(child, items))
            items += 1
        elif child.tag == "table" and not child.xpath(".//table"):
            rows = [
                [Cell(_text(c), is_header=c.tag == "th") for c in row.iter("td", "th")]
                for row in child.iter("tr")
            ]
            yield from grid_of(rows).blocks()
        elif child.tag in PARAGRAPHS and not child.xpath(BLOCKS_INSIDE):
            yield Block(Sort.TEXT, _text(child))
        else:
            yield from _walk(child)
