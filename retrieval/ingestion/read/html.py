"""Web pages: the content without menu, footer and cookie banner. And Markdown and plain text.

A page is read as it is shown: `visible` takes out what nobody sees, `toggles` gives what opens
its heading, `around` leaves the content, and `walk` makes blocks.
"""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Iterator

import yaml
from lxml import etree, html
from markdown_it import MarkdownIt

from retrieval.ingestion.read.around import content_and_beside, reached
from retrieval.ingestion.read.blocks import Block, Sort, clean, tidy
from retrieval.ingestion.read.styles import Styles
from retrieval.ingestion.read.toggles import drop_questions, name_panels
from retrieval.ingestion.read.visible import Why, mark_tables, note, only_visible
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
        text = as_text(data)
        return tidy(_content(html.document_fromstring(text))) if "<" in text else ()
    except (etree.LxmlError, LookupError, ValueError, RecursionError) as error:
        raise UnreadableDocument(f"The page cannot be taken apart: {error}") from error


def as_text(data: bytes) -> str:
    """Return a page as the text that it is written as."""
    return _DECLARATION.sub("", decoded(data, _old(data[:_HEAD])))


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
        said = list(walk.blocks(each))
        kept = list(reached(said))
        note(" ".join(block.text for block in said if block not in kept), Why.BESIDE)
        yield from kept


#: What stands between two lines of dashes (YAML) or of plus signs (TOML) above a text.
_FRONT_MATTER = re.compile(
    r"\A\s*(---|\+\+\+)[ \t]*\r?\n(.{0,20000}?)^(?:\1|\.\.\.)[ \t]*(?:\r?\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
#: "[^1]: what it says", with the lines under it that are set further in, and where it is said.
_NOTE = re.compile(r"^\[\^([^\]\s]+)\]:[ \t]*(.+(?:\n[ \t]+\S.*)*)(?:\n|\Z)", re.MULTILINE)
_NOTED = re.compile(r"\[\^([^\]\s]+)\]")
_FIELD = re.compile(r"\s*(?:$|#|-\s|[\w.-]+\s*[:=]|\s)")


def read_text(data: bytes) -> tuple[Block, ...]:
    """Return the paragraphs of a text, which empty lines separate."""
    paragraphs = re.split(r"\n\s*\n", decoded(data))
    return tidy(Block(Sort.TEXT, clean(paragraph)) for paragraph in paragraphs)


def read_markdown(data: bytes) -> tuple[Block, ...]:
    """Return the blocks of a Markdown text as those of the page that it describes."""
    title, text = _without_front_matter(decoded(data))
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    rendered = parser.render(_with_notes(text))
    if not rendered.strip():
        return ()
    page = html.fragment_fromstring(rendered, create_parent="main")
    titled = [] if page.xpath(".//h1") or not title else [Block(Sort.HEADING, title, level=1)]
    return tidy([*titled, *blocks_of(page)])


def _with_notes(text: str) -> str:
    """Write each note in brackets where it is first referred to: what it says counts there."""
    notes = dict(_NOTE.findall(text))

    def said(place: re.Match[str]) -> str:
        note = " ".join(notes.pop(place[1], "").split()).rstrip(".")
        return f" ({note})" if note else ""

    text = _NOTED.sub(said, _NOTE.sub("", text))
    return "\n\n".join((text, *notes.values()))  # What nothing refers to stands at the end.


def _without_front_matter(text: str) -> tuple[str, str]:
    """Return the title that stands in a text's front matter, and the text below it."""
    found = _FRONT_MATTER.match(text)
    if found is None:
        return "", text
    read = yaml.safe_load if found[1].startswith("-") else tomllib.loads
    try:
        fields = read(found[2])
    except (yaml.YAMLError, ValueError):
        is_said = all(_FIELD.match(line) for line in found[2].splitlines())
        return "", text[found.end() :] if is_said else text
    if not isinstance(fields, dict):
        return "", text
    return clean(str(fields.get("title") or "")), text[found.end() :]
