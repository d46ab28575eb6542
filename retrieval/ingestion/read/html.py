"""Web pages: the content without menu, footer and cookie banner.

The page is read as it is shown: `visible` takes out what nobody sees, `toggles` gives what opens
its heading, `around` leaves the content, and `walk` makes blocks.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from lxml import etree, html

from retrieval.ingestion.read.around import content_and_beside, reached
from retrieval.ingestion.read.blocks import Block, tidy
from retrieval.ingestion.read.styles import Styles
from retrieval.ingestion.read.toggles import drop_questions, name_panels
from retrieval.ingestion.read.visible import mark_tables, only_visible
from retrieval.ingestion.read.walk import Walk
from zol.errors import UnreadableDocument

#: Bytes in which a page says how it is written, as the standard has it.
_HEAD = 1024
_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)""", re.IGNORECASE)
_LANGUAGE = re.compile(rb"""\slang\s*=\s*["']?(\w\w)""", re.IGNORECASE)
#: What browsers take an old page for that does not say it, by its language; for all others Western.
_OLD, _WESTERN = {b"el": "cp1253", b"tr": "cp1254", b"ro": "cp1250"}, "cp1252"
#: Pages that say these are written in more letters, and browsers read them so.
_WIDER = {"iso8859-1": _WESTERN, "ascii": _WESTERN, "iso8859-9": "cp1254", "utf-8": _WESTERN}
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*>")


def read_html(data: bytes) -> tuple[Block, ...]:
    """Return the content of a page."""
    try:
        text = _DECLARATION.sub("", decoded(data, _old(data[:_HEAD])))
        return tidy(_content(html.document_fromstring(text))) if "<" in text else ()
    except (etree.LxmlError, LookupError, ValueError, RecursionError) as error:
        raise UnreadableDocument(f"The page cannot be taken apart: {error}") from error


def blocks_of(tree: html.HtmlElement) -> Iterator[Block]:
    """Give the blocks of all of a tree that a reader sees."""
    yield from Walk(_as_seen(tree)).blocks(tree)


def decoded(data: bytes, old: str = _WESTERN) -> str:
    """Return the text of a file: UTF-16 if it says so, UTF-8 where it can be, else an old one."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode(old, errors="replace")


def _old(head: bytes) -> str:
    """Return how a page that is no UTF-8 is written, by what it says or else its language."""
    said, language = _CHARSET.search(head), _LANGUAGE.search(head)
    old = _OLD.get(language[1].lower(), _WESTERN) if language else _WESTERN
    try:
        name = codecs.lookup(said[1].decode("ascii")).name if said else old
    except LookupError:
        return old
    return _WIDER.get(name, name)


def _as_seen(tree: html.HtmlElement) -> Styles:
    """Make a page what its visitors see, and return its styles."""
    etree.strip_elements(tree, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    styles = Styles(tree)
    only_visible(tree, styles)
    drop_questions(tree)
    name_panels(tree, styles)
    mark_tables(tree, styles)
    return styles


def _content(tree: html.HtmlElement) -> Iterator[Block]:
    walk = Walk(_as_seen(tree))
    titles = tree.xpath("//h1")
    content, beside = content_and_beside(tree, titles)
    if titles and not content.xpath("descendant-or-self::h1"):
        yield from walk.block(titles[0])
    yield from walk.blocks(content)
    for each in beside:
        yield from reached(walk.blocks(each))
