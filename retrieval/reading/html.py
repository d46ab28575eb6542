"""Read web pages, Markdown and plain text as blocks.

Hidden elements (`visible`), menus and boxes beside the content are removed by their markup, buttons
of panels become headings (`toggles`), encoded content becomes plain text, and `walk` yields the
blocks. A box beside the content stays if it has contact details under its own heading.
"""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence

import yaml
from lxml import etree, html
from markdown_it import MarkdownIt

from retrieval.reading.blocks import Block, Sort, clean, item, tidy
from retrieval.reading.plain_text import join_cut_words, name_pictures, write_out
from retrieval.reading.styles import Styles
from retrieval.reading.toggles import HEADINGS, drop_questions, name_panels
from retrieval.reading.visible import LOST_FRAME, Why, drop, mark_tables, note, only_visible
from retrieval.reading.walk import BLOCKS, Walk
from zol.errors import UnreadableDocument
from zol.text import squash

#: Bytes at the start that may declare the encoding, by the HTML standard.
_HEAD = 1024
_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]+)""", re.IGNORECASE)
_LANGUAGE = re.compile(rb"""\slang\s*=\s*["']?(\w\w)""", re.IGNORECASE)
#: Browsers' default encoding by language; otherwise Western.
_OLD, _WESTERN = {b"el": "cp1253", b"tr": "cp1254", b"ro": "cp1250"}, "cp1252"
#: Declared encodings that browsers read as a superset.
_WIDER = {"iso8859-1": _WESTERN, "ascii": _WESTERN, "iso8859-9": "cp1254", "utf-8": _WESTERN}
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*>")


def read_html(data: bytes) -> tuple[Block, ...]:
    """Return the content of a page."""
    try:
        text = as_text(data)
        return tidy(_content(html.document_fromstring(text))) if "<" in text else ()
    except (etree.LxmlError, LookupError, ValueError, RecursionError) as error:
        raise UnreadableDocument(f"The HTML of the page cannot be read: {error}") from error


def as_text(data: bytes) -> str:
    """Return a page's source as text."""
    return _DECLARATION.sub("", decoded(data, _old(data[:_HEAD])))


def blocks_of(tree: html.HtmlElement) -> Iterator[Block]:
    """Yield all visible blocks of a tree."""
    yield from Walk(_displayed(tree)).blocks(tree)


def decoded(data: bytes, old: str = _WESTERN) -> str:
    """Decode a file: UTF-16 with a byte-order mark, else UTF-8, else a legacy encoding."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode(old, errors="replace")


def _old(head: bytes) -> str:
    """Return the legacy encoding of a page, as declared or by its language."""
    declared, language = _CHARSET.search(head), _LANGUAGE.search(head)
    old = _OLD.get(language[1].lower(), _WESTERN) if language else _WESTERN
    try:
        name = codecs.lookup(declared[1].decode("ascii")).name if declared else old
    except LookupError:
        return old
    return _WIDER.get(name, name)


def _displayed(tree: html.HtmlElement) -> Styles:
    """Reduce a page to its visible content, and return its styles."""
    etree.strip_elements(tree, etree.Comment, etree.ProcessingInstruction, with_tail=False)
    styles = Styles(tree)
    write_out(tree, styles)
    _mark_headings(tree)
    only_visible(tree, styles)
    name_pictures(tree, styles)
    join_cut_words(tree, styles)
    drop_questions(tree)
    name_panels(tree, styles)
    mark_tables(tree, styles)
    return styles


def _mark_headings(tree: html.HtmlElement) -> None:
    for element in tree.xpath("//*[@role='heading'][self::div or self::p or self::span]"):
        level = element.get("aria-level") or "2"
        element.tag = f"h{level}" if f"h{level}" in HEADINGS else "h2"


def _content(tree: html.HtmlElement) -> Iterator[Block]:
    walk = Walk(_displayed(tree))
    titles = tree.xpath("//h1")
    content, beside = content_and_beside(tree, titles)
    if titles and not content.xpath("descendant-or-self::h1"):
        yield from walk.block(titles[0])
    yield from walk.blocks(content)
    for each in beside:
        blocks = list(walk.blocks(each))
        kept = list(with_contact_details(blocks))
        note(" ".join(block.text for block in blocks if block not in kept), Why.BESIDE)
        yield from kept


#: Front matter between lines of dashes (YAML) or plus signs (TOML).
_FRONT_MATTER = re.compile(
    r"\A\s*(---|\+\+\+)[ \t]*\r?\n(.{0,20000}?)^(?:\1|\.\.\.)[ \t]*(?:\r?\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
#: A footnote "[^1]: text" with its indented lines, and a reference to one.
_NOTE = re.compile(r"^\[\^([^\]\s]+)\]:[ \t]*(.+(?:\n[ \t]+\S.*)*)(?:\n|\Z)", re.MULTILINE)
_NOTED = re.compile(r"\[\^([^\]\s]+)\]")
#: The mark of an item, and the separator of paragraphs in plain text.
_ITEM = re.compile(r"\s*(?:[-*\u2022\u2013]|(\d{1,2})[.)])\s+(?=\S)")
_BREAKS = re.compile(r"\r?\n\s*\n|\r?\n(?=[ \t]*(?:[-*\u2022\u2013]|\d{1,2}[.)])[ \t]+\S)")
_FIELD = re.compile(r"\s*(?:$|#|-\s|[\w.-]+\s*[:=]|\s)")


def read_text(data: bytes) -> tuple[Block, ...]:
    """Return the paragraphs of a text, split at empty lines and at the marks of items."""
    return tidy(map(_paragraph, _BREAKS.split(decoded(data))))


def _paragraph(text: str) -> Block:
    content, mark = clean(text), _ITEM.match(text)
    if mark is None:
        return Block(Sort.TEXT, content)
    return item(clean(text[mark.end() :]), mark[1] or "")


def read_markdown(data: bytes) -> tuple[Block, ...]:
    """Return the blocks of a Markdown text, read as the HTML that it describes."""
    title, text = _without_front_matter(decoded(data))
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    rendered = parser.render(_with_notes(text))
    if not rendered.strip():
        return ()
    page = html.fragment_fromstring(rendered, create_parent="main")
    titled = [] if page.xpath(".//h1") or not title else [Block(Sort.HEADING, title, level=1)]
    return tidy([*titled, *blocks_of(page)])


def _with_notes(text: str) -> str:
    """Insert each footnote in brackets at its first reference."""
    notes = dict(_NOTE.findall(text))

    def bracketed(place: re.Match[str]) -> str:
        note = " ".join(notes.pop(place[1], "").split()).rstrip(".")
        return f" ({note})" if note else ""

    text = _NOTED.sub(bracketed, _NOTE.sub("", text))
    return "\n\n".join((text, *notes.values()))  # Notes without a reference come last.


def _without_front_matter(text: str) -> tuple[str, str]:
    """Return the title in a text's front matter, and the text below it."""
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


MAIN = ("//main", "//*[@role='main']")
ASIDE = "//*[self::aside or @role='complementary'][not(ancestor::main or ancestor::article)]"
#: Fewest words of a main part.
FEWEST = 5
#: Least share of letters in links by which an element is navigation: with more links, and with two.
LINKED, TWO_LINKED = 0.6, 0.9
#: Longest teaser in letters.
LONGEST_TEASER = 300
#: Longest line with a publication date in words.
LONGEST_DATE = 5
#: Most words of a part of the frame at the end of a page; and elements with small letters.
MOST_OF_FRAME = 24
SMALL = "descendant-or-self::font[@size='1']"
IN_HEADING = " or ".join(f"ancestor-or-self::{name}" for name in HEADINGS)
#: A telephone number, an hour or an address.
_CONTACT = re.compile(r"\d(?:[\s./()-]{0,3}\d){6}|\b\d{1,2}(?:[.:]|\s?[hu]\s?)\d\d\b|\w@\w")
_WITHIN = ("tel:", "mailto:", "#")


def content_and_beside(
    tree: html.HtmlElement, titles: Sequence[html.HtmlElement]
) -> tuple[html.HtmlElement, list[html.HtmlElement]]:
    """Return the content of a page and the boxes beside it; drop everything else. The content is
    the main element; without one, the body from the title on."""
    _drop_path(tree, titles)
    _drop_ways_up(tree)
    body = tree.find("body") if tree.find("body") is not None else tree
    main = _marked(tree)
    content = body if main is None else main
    beside = _beside(tree, main)
    for each in (content, *beside):
        _drop_links(each)
        _drop_teasers(each)
    if main is None and titles:
        _drop_before(titles[0], content)
    _drop_frame(content)
    _drop_date(content)
    return content, beside


def with_contact_details(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield each heading with contact details below it, and those details."""
    parts: list[list[Block]] = []
    for block in blocks:
        if block.sort is Sort.HEADING:
            parts.append([block])
        elif parts:
            parts[-1].append(block)
    for part in parts:
        if any(_CONTACT.search(block.text) for block in part[1:]):
            yield from part


def _marked(tree: html.HtmlElement) -> html.HtmlElement | None:
    """Return the main element, if it has text."""
    marked = (each for path in MAIN for each in tree.xpath(path))
    return next((each for each in marked if len(each.text_content().split()) >= FEWEST), None)


def _beside(tree: html.HtmlElement, main: html.HtmlElement | None) -> list[html.HtmlElement]:
    """Remove and return the elements beside the main element, and asides."""
    around = [] if main is None else [main, *main.iterancestors()]
    found = [each for element in around for each in element.itersiblings(etree.Element)]
    found += [
        aside for aside in tree.xpath(ASIDE) if not set(found) & {aside, *aside.iterancestors()}
    ]
    for each in found:
        # They are still read: the caller records the parts that it leaves out.
        if each.getparent() is not None:
            each.drop_tree()
    return found


def _drop_path(tree: html.HtmlElement, titles: Sequence[html.HtmlElement]) -> None:
    """Drop the breadcrumbs, with the page's title at their end."""
    title = squash(titles[0].text_content()) if titles else ""
    for element in list(tree.iter("div", "p", "ol", "ul")) if title else ():
        text = squash(element.text_content())
        above = text.removesuffix(title)
        is_path = _letters(_links(element)) > LINKED * len(above)
        if above and text != above and is_path and not element.xpath(".//h1"):
            drop(element, Why.NAVIGATION)


def _drop_ways_up(tree: html.HtmlElement) -> None:
    """Drop links within the page, except those that open a panel."""
    for link in tree.xpath("//a[starts-with(@href, '#')]"):
        target = link.get("href")[1:]
        goes_up = not target or any(each.get("id") == target for each in link.iterancestors())
        if goes_up and next(link.iterancestors(*HEADINGS, "dt", "p"), None) is None:
            drop(link, Why.NAVIGATION)


def _drop_links(region: html.HtmlElement) -> None:
    """Drop elements that are hardly more than links to other pages."""
    for element in list(region.iter(*BLOCKS, "font", "span")):
        if element is region or element.getparent() is None:
            continue
        if element.tag not in {"tr", "tbody", "li"} and not element.xpath(".//h1"):
            links = _links(element)
            most = LINKED if len(links) > 2 else TWO_LINKED
            if len(links) > 1 and _letters(links) > most * _letters([element]):
                _drop_with_heading(element)


def _drop_teasers(region: html.HtmlElement) -> None:
    """Drop lists of teasers at the end of a page that has other content."""
    whole = _letters([region])
    for element in reversed(list(region.iter(*BLOCKS))):
        if element is region or element.getparent() is None or not _holds_teasers(element):
            continue
        if 2 * _letters([element]) < whole and _is_last(element, region):
            _drop_with_heading(element)


def _holds_teasers(element: etree._Element) -> bool:
    items = [each for each in element.iterchildren(etree.Element) if each.tag not in HEADINGS]
    return len(items) > 1 and all(
        item.tag == items[0].tag and item.tag in BLOCKS and _is_teaser(item) for item in items
    )


def _is_teaser(element: etree._Element) -> bool:
    text = squash(element.text_content())
    return bool(_links(element)) and len(text) <= LONGEST_TEASER and not _CONTACT.search(text)


def _is_last(element: etree._Element, region: html.HtmlElement) -> bool:
    """Return whether no text follows an element in its region."""
    while element is not region:
        behind = (each.text_content() for each in element.itersiblings(etree.Element))
        if (element.tail or "").strip() or any(text.strip() for text in behind):
            return False
        element = element.getparent()
    return True


def _drop_with_heading(element: html.HtmlElement) -> None:
    """Drop an element, its heading if nothing else is below that, and its parent if it is empty."""
    parent, before, behind = element.getparent(), element.getprevious(), element.getnext()
    is_all = behind is None or behind.tag in HEADINGS
    drop(element, Why.LINKS)
    if is_all and before is not None and before.tag in HEADINGS[1:]:
        drop(before, Why.LINKS)
    if not parent.text_content().strip():
        drop(parent, Why.LINKS)


def _drop_before(title: html.HtmlElement, region: html.HtmlElement) -> None:
    """Drop the elements before the title, unless they are longer than the rest."""
    before = [
        each
        for element in title.iterancestors()
        if region in element.iterancestors()
        for each in element.itersiblings(etree.Element, preceding=True)
    ]
    if 2 * _letters(before) < _letters([region]):
        for each in before:
            drop(each, Why.BEFORE)


def _drop_frame(region: html.HtmlElement) -> None:
    """Drop remains of menus, forms and teasers at the end of a page with other content."""
    most = _letters([region]) / 3
    while True:
        last = _endings(region)
        frame = next((each for each in last if _letters([each]) <= most and _is_frame(each)), None)
        if frame is None:
            return
        frame.getparent().remove(frame)
        note(" ".join(frame.itertext()), Why.LINKS)


def _endings(region: html.HtmlElement) -> Iterator[html.HtmlElement]:
    """Yield the short elements at the end of a region, outermost first."""
    last = region
    while not (last is not region and (last.tail or "").strip()):
        is_part = last is not region and last.tag in BLOCKS
        if is_part and len(last.text_content().split()) <= MOST_OF_FRAME:
            yield last
        inner = [each for each in last.iterchildren(etree.Element) if each.text_content().strip()]
        if not inner:
            return
        last = inner[-1]


def _is_frame(element: html.HtmlElement) -> bool:
    """Return whether an element at the end of a page is part of the frame: in small letters, a
    teaser, or the rest of a dropped menu or form."""
    text = squash(element.text_content())
    if _CONTACT.search(text) or element.xpath("descendant-or-self::h1 | descendant-or-self::table"):
        return False
    small = element.xpath(
        f"descendant-or-self::small | {SMALL} | descendant-or-self::*[@{LOST_FRAME}]"
    )
    if any(squash(each.text_content()) == text for each in small):
        return True
    texts = element.xpath(f"descendant-or-self::*[text()[normalize-space()]][not({IN_HEADING})]")
    around = {*texts[0].iterancestors("a"), texts[0]} if texts else set()
    return any(link in around and not (link.tail or "").strip() for link in _links(element))


def _drop_date(region: html.HtmlElement) -> None:
    """Drop the publication date at the end of a page."""
    for time in list(region.iter("time"))[-1:]:
        holder = time.getparent()
        is_short = len(holder.text_content().split()) <= LONGEST_DATE
        if holder is not region and is_short and _is_last(holder, region):
            drop(holder, Why.DATE)


def _links(element: etree._Element) -> list[etree._Element]:
    return [a for a in element.iter("a") if not (a.get("href") or "").startswith(_WITHIN)]


def _letters(elements: Iterable[etree._Element]) -> int:
    return sum(len("".join("".join(each.itertext()).split())) for each in elements)
