"""Web pages: the content without menu, footer and cookie banner.

The page is read as it is shown: `visible` takes out what nobody sees, `toggles` gives what opens
its heading, `walk` makes blocks. What a page marks as its main part is its content; of one that
marks nothing, trafilatura says where it is. Within it, what only leads elsewhere is left out.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import pairwise

from lxml import etree, html

from retrieval.ingestion.read.blocks import Block, tidy
from retrieval.ingestion.read.styles import Styles
from retrieval.ingestion.read.toggles import name_panels
from retrieval.ingestion.read.visible import mark_tables, only_visible
from retrieval.ingestion.read.walk import Walk
from zol.errors import UnreadableDocument
from zol.text import squash, words

MAIN = ("//main", "//*[@role='main']")
#: Words of a main part; with fewer it is taken for one that is filled by a script.
FEWEST = 5
#: Share of what the extractor found that the content must hold.
FOUND = 0.9
#: Share of an element's words that the extractor must have found to keep what looks like furniture,
#: and share that links are of what only leads elsewhere.
CONFIRMED, LINKED = 0.5, 0.6
#: Letters of what the extractor's own names of classes call furniture.
LONGEST_NOTICE = 400
#: Letters of a line that says when a page was written, and figures of its day and month.
LONGEST_DATE, LONGEST_DAY = 80, 4
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def read_html(data: bytes) -> tuple[Block, ...]:
    """Return the content of a page."""
    if not data.strip():
        return ()
    # Takes most of a second to import, and only ingestion reads pages.
    import trafilatura  # noqa: PLC0415

    try:
        tree = trafilatura.load_html(data)
        if tree is None:
            return ()
        return tidy(_content(tree.getroottree().getroot()))
    except (etree.LxmlError, ValueError, RecursionError) as error:
        raise UnreadableDocument(f"The page cannot be taken apart: {error}") from error


def blocks_of(tree: html.HtmlElement) -> Iterator[Block]:
    """Give the blocks of all of a tree that a reader sees."""
    yield from Walk(_as_seen(tree)).blocks(tree)


def _as_seen(tree: html.HtmlElement) -> Styles:
    """Make a page what its visitors see, and return its styles."""
    etree.strip_elements(tree, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    styles = Styles(tree)
    closed = only_visible(tree, styles)
    name_panels(tree, styles)
    for panel in closed:
        panel.attrib.clear()  # Else the extractor takes it for hidden.
    mark_tables(tree, styles)
    return styles


def _content(tree: html.HtmlElement) -> Iterator[Block]:
    styles = _as_seen(tree)
    found = _Found(tree)
    marked = _marked(tree)
    region = _region(tree, found) if marked is None else marked
    for element in _suspicious(region):
        if element.getparent() is not None and found.share(element) < CONFIRMED:
            element.drop_tree()
    for time in list(region.iter("time"))[-1:]:
        holder = time.getparent()
        if (
            holder is not region
            and not _has_words(holder, FEWEST + 1)
            and _ends_with(region, holder)
        ):
            holder.drop_tree()  # The day on which the page was written.
    walk = Walk(styles)
    titles = tree.xpath("//h1")
    if titles and not region.xpath("descendant-or-self::h1"):
        yield from walk.block(titles[0])
    yield from walk.blocks(region)


class _Found:
    """What the extractor takes for the content of a page; it is asked when it is needed."""

    def __init__(self, tree: html.HtmlElement) -> None:
        self._tree = copy.deepcopy(tree)

    @cached_property
    def _words(self) -> tuple[str, ...]:
        import trafilatura  # noqa: PLC0415  (see above)

        document = trafilatura.bare_extraction(
            self._tree,
            include_tables=True,
            include_comments=False,
            favor_recall=True,
            with_metadata=False,
        )
        body = getattr(document, "body", None)
        return () if body is None else words(" ".join(body.itertext()))

    @cached_property
    def _pairs(self) -> frozenset[tuple[str, str]]:
        return frozenset(pairwise(self._words))

    def count(self, text: str) -> tuple[int, int]:
        """Return how many words of a text are found, and how many it has."""
        said = words(text)
        if len(said) < 2:
            return sum(word in self._words for word in said), len(said)
        pairs = sum(pair in self._pairs for pair in pairwise(said))
        return pairs + (pairs > 0), len(said)

    def share(self, element: etree._Element) -> float:
        found = [self.count(text) for text in element.itertext()]
        return sum(got for got, _ in found) / max(1, sum(whole for _, whole in found))


def _marked(tree: html.HtmlElement) -> html.HtmlElement | None:
    """Return what a page itself marks as its content."""
    return next(
        (each for path in MAIN for each in tree.xpath(path) if _has_words(each, FEWEST)), None
    )


def _has_words(element: html.HtmlElement, fewest: int) -> bool:
    return len(element.text_content().split()) >= fewest


def _ends_with(region: html.HtmlElement, element: html.HtmlElement) -> bool:
    return squash(region.text_content()).endswith(squash(element.text_content()))


def _region(tree: html.HtmlElement, found: _Found) -> html.HtmlElement:
    """Return the smallest part of a page with nearly all that the extractor found."""
    body = tree.find("body") if tree.find("body") is not None else tree
    counts: dict[etree._Element, int] = {}
    for element in reversed(list(body.iter(etree.Element))):
        own = sum(found.count(text)[0] for text in _own_texts(element))
        counts[element] = own + sum(counts[child] for child in element.iterchildren(etree.Element))
    region, least = body, FOUND * counts[body]
    while deeper := [
        child for child in region.iterchildren(etree.Element) if counts[child] >= least > 0
    ]:
        if deeper[0].tag not in {
            "div",
            "article",
            "section",
            "form",
            "td",
            "tr",
            "table",
            "tbody",
            "center",
        }:
            break
        region = deeper[0]
    return region


def _own_texts(element: etree._Element) -> Iterable[str]:
    yield element.text or ""
    for child in element:
        yield child.tail or ""


def _suspicious(region: html.HtmlElement) -> list[etree._Element]:
    """Return what looks like furniture within the content."""
    from trafilatura.xpaths import OVERALL_DISCARD_XPATH  # noqa: PLC0415  (see above)

    named = [each for path in OVERALL_DISCARD_XPATH for each in path(region) if _says_little(each)]
    linked = [
        each
        for each in region.iter("ul", "div", "section", "aside", "p")
        if len(links := list(each.iter("a"))) > 2 and _letters(links) > LINKED * _letters([each])
    ]
    return [each for each in (*named, *linked) if each is not region and not each.xpath(".//h1")]


def _says_little(element: etree._Element) -> bool:
    """Whether an element holds no figure, such as an hour or a number, and few words."""
    said = "".join(element.itertext())
    if len(said) > LONGEST_NOTICE:
        return False
    figures = _YEAR.sub("", said) if len(said) <= LONGEST_DATE else said
    return sum(map(str.isdecimal, figures)) <= (0 if figures == said else LONGEST_DAY)


def _letters(elements: Iterable[etree._Element]) -> int:
    return sum(len("".join(each.itertext()).strip()) for each in elements)
