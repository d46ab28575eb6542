"""Metadata of a file: its date, links to its translations, and whether scripts load its content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from io import BytesIO
from urllib.parse import urljoin
from zipfile import BadZipFile, ZipFile

from lxml import etree, html

from retrieval.reading import DOCX, PDF
from retrieval.reading.blocks import Block
from retrieval.reading.html import as_text
from zol.languages import LANGUAGES, Language
from zol.text import squash

#: Most words of a line that may date a page, and most such lines.
LONGEST_LINE, MOST_LINES = 14, 60
#: A page with scripts and fewer words has its content loaded by them.
FEWEST_WORDS = 25
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_LINE = ("p", "li", "td", "dd", "dt", "div", "span", "footer", "small", "time", "address", "em")
#: Parts that date other pages: frame, links, and articles of a list.
_OF_OTHERS = "//nav | //aside | //footer | //a | //article[count(//article) > 1]"
_PDF_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?")
_WORD_DATE = re.compile(rb"<dcterms:modified[^>]*>(\d{4}-\d\d-\d\d)")
#: Elements of pages whose content scripts load.
_FRAME = "//*[@id='root' or @id='app' or @id='__next' or @id='__nuxt'] | //app-root | //noscript"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """The metadata of a file."""

    #: Date of last change (ISO 8601) in its metadata; empty if none.
    changed_on: str = ""
    #: Short lines with a year; one may date the page.
    dated: tuple[str, ...] = ()
    #: Addresses of linked translations, by language.
    alternates: dict[str, str] = field(default_factory=dict)
    needs_script: bool = False


def facts_of(data: bytes, media_type: str, blocks: Iterable[Block]) -> FileFacts:
    """Return the metadata of a file, given the blocks read from it."""
    read, today = [block.text for block in blocks], datetime.now(UTC).date()
    if media_type == "text/html":
        return _of_page(as_text(data), sum(len(each.split()) for each in read), today)
    changed = ""
    edges: list[str] = []
    if media_type == PDF:
        changed, edges = _of_pdf(data)
    elif media_type == DOCX:
        changed = _of_word(data)
    changed = changed if changed <= today.isoformat() else ""
    return FileFacts(changed, tuple(_dated([*edges, *read])))


def _of_page(text: str, size: int, today: date) -> FileFacts:
    from htmldate import find_date  # noqa: PLC0415 (an import of a tenth of a second)

    try:
        tree = html.document_fromstring(text)
    except (etree.LxmlError, ValueError):
        return FileFacts()
    alternates = dict(_alternates(tree))
    has_script = bool(tree.xpath("//script[@src]")) and bool(tree.xpath(_FRAME))
    etree.strip_elements(tree, "script", "style", etree.Comment, with_tail=False)
    lines = (squash(each.text_content()) for each in tree.iter(*_LINE) if not each.xpath("./p"))
    dated = tuple(_dated(lines))
    whole = html.document_fromstring(text)
    for each in whole.xpath(_OF_OTHERS):
        if each.getparent() is not None:
            each.drop_tree()
    changed = find_date(
        html.tostring(whole, encoding="unicode"), extensive_search=False, original_date=False,
        max_date=today.isoformat(),
    )  # fmt: skip
    return FileFacts(changed or "", dated, alternates, has_script and size < FEWEST_WORDS)


def _alternates(tree: html.HtmlElement) -> Iterator[tuple[str, str]]:
    """Yield the translations that a page links to in its head or language switch."""
    base = next(iter(tree.xpath("//base/@href | //link[@rel='canonical']/@href")), "")
    for link in tree.xpath("//link[@rel='alternate'][@hreflang] | //a[@href]"):
        code = (link.get("hreflang") or "").lower().partition("-")[0]
        if link.tag == "a" and not code:
            code = _language_named(squash(link.text_content()), link.get("lang") or "")
        if code in LANGUAGES and (address := (link.get("href") or "").strip()):
            yield code, urljoin(base, address)


def _language_named(text: str, marked: str) -> str:
    """Return the language that a link's text names by code or by its own name; empty if none."""
    names = {name.casefold(): code for code, name in Language.choices()}
    code = marked.lower().partition("-")[0]
    text = text.casefold()
    return text if text in LANGUAGES else names.get(text, code if text == code else "")


def _dated(lines: Iterable[str]) -> Iterator[str]:
    found = (line for line in lines if _YEAR.search(line) and len(line.split()) <= LONGEST_LINE)
    known = list(dict.fromkeys(found))
    yield from dict.fromkeys((*known[: MOST_LINES // 2], *known[-MOST_LINES // 2 :]))


def _of_pdf(data: bytes) -> tuple[str, list[str]]:
    """Return the modification date of a PDF, and the lines of its first and last page."""
    import pdfplumber  # noqa: PLC0415 (only where there is a PDF)

    with pdfplumber.open(BytesIO(data)) as document:
        metadata = document.metadata
        found = _PDF_DATE.match(str(metadata.get("ModDate") or metadata.get("CreationDate") or ""))
        edges = document.pages[:: max(1, len(document.pages) - 1)]
        lines = [squash(line) for page in edges for line in page.extract_text().splitlines()]
    return "-".join((found[1], found[2] or "01", found[3] or "01")) if found else "", lines


def _of_word(data: bytes) -> str:
    try:
        with ZipFile(BytesIO(data)) as package:
            found = _WORD_DATE.search(package.read("docProps/core.xml"))
    except (BadZipFile, KeyError):
        return ""
    return found[1].decode() if found else ""
