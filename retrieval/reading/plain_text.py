"""Replace encoded content of a web page by plain text: e-mail addresses, pictures, split words.

Pages encode e-mail addresses against harvesters, or keep an address in a link without showing it. A
picture is decoration beside text, but the content of a cell or list item without text.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from html import unescape
from urllib.parse import unquote

from lxml import etree, html

from retrieval.reading.pdf.spelling import DocumentSpelling
from retrieval.reading.styles import Styles
from zol.text import squash

HOLDERS = "//td | //th | //dd | //dt | //li | //*[@role='cell' or @role='gridcell']"
PICTURES = ("img", "i", "span", "abbr", "input")
_LETTER = re.compile(r"[^\W_]")
_MAIL = re.compile(r"[\w.+-]+@(?:[^\W_][\w-]*\.)+[^\W\d_]{2,}")
_TARGET = {"mailto": _MAIL, "tel": re.compile(r"[+(\d][\d\s().-]+")}
#: A link to a script or to a service that decodes the address in it.
_HELD = re.compile(r"javascript:.*?\(\s*['\"]([^'\"]+)|.*/cdn-cgi/l/email-protection#(\w+)")
_LITERAL = r"'([^'\\\n]*)'|\"([^\"\\\n]*)\""
#: Joomla's cloaking: a script joins literals and earlier variables to an address in an element.
_CLOAKED = re.compile(r"getElementById\(\s*['\"](cloak\w+)")
_PIECE = re.compile(rf"{_LITERAL}|(\w+)")
_ASSIGNED = re.compile(r"(\w+)\s*=\s*((?:'[^'\\\n]*'|\"[^\"\\\n]*\"|\w+|[\s+])+)")
#: Longest attribute that may hold an address.
LONGEST = 400


def write_out(tree: html.HtmlElement, styles: Styles) -> None:
    """Write hidden addresses into the page's text, and turn drawings into pictures."""
    for script in tree.iter("script"):
        _uncloak(tree, script.text or "")
    for element in list(tree.iter("a", "span", "svg")):
        if styles.is_reversed(element):
            element.text = (element.text or "")[::-1]
        if element.tag == "svg":
            title = element.findtext(".//{*}title") or ""
            element[:], element.tag = [], "img"
            element.set("alt", title)
        elif address := _address(element):
            _show(element, address)


def name_pictures(tree: html.HtmlElement, styles: Styles) -> None:
    """Add the names of its pictures to each cell and list item without text."""
    for holder in tree.xpath(HOLDERS):
        if not _LETTER.search(holder.text_content()):
            pictures = (each for each in holder.iter(*PICTURES) if not styles.hides(each))
            names = filter(_LETTER.search, map(_name, pictures))
            holder.append(_span(" " + ", ".join(dict.fromkeys(names))))


def _name(picture: etree._Element) -> str:
    names = (squash(picture.get(name) or "") for name in ("aria-label", "alt", "title"))
    return "" if picture.get("role") in {"presentation", "none"} else next(filter(None, names), "")


def _span(text: str) -> html.HtmlElement:
    element = html.Element("span")
    element.text = text
    return element


def _show(element: html.HtmlElement, address: str) -> None:
    """Write an address into an element: in place of its placeholder, or after its text."""
    own = squash(element.text_content())
    is_spelt = all(part in own for part in re.split(r"[@.]", address))
    is_instead = is_spelt or own.startswith("[") or "data-cfemail" in element.attrib
    if is_instead or not _LETTER.search(own):
        element[:], element.tag, element.text = [], "span", address
    else:
        element.append(_span(f" ({address})"))


def _address(element: html.HtmlElement) -> str:
    """Return the e-mail address or telephone number that an element contains but does not show."""
    href = unquote(element.get("href") or "").strip()
    scheme, _, target = href.partition(":")
    if form := _TARGET.get(scheme):
        target = target.partition("?")[0].strip()
        is_shown = form.search(element.text_content())
        return target if form.fullmatch(target) and not is_shown else ""
    values = [value for name, value in element.attrib.items() if name.startswith("data-")]
    if held := _HELD.match(href):
        values.append(held[1] or held[2])
    values.append("@".join(values[:2]))
    read = (mail for value in values if value and len(value) <= LONGEST for mail in _read(value))
    found = next(read, "")
    return "" if found and _MAIL.search(element.text_content()) else found


def _read(value: str) -> Iterator[str]:
    """Yield the addresses that a value encodes."""
    for decode in _DECODERS:
        try:
            decoded = unquote(unescape(decode(value))).strip().removeprefix("mailto:")
        except ValueError:
            continue
        if found := _MAIL.match(decoded):
            yield found[0]


def _cloudflare(value: str) -> str:
    key, *letters = bytes.fromhex(value)
    return bytes(letter ^ key for letter in letters).decode()


def _moved(value: str) -> str:
    """Undo a Caesar cipher of an address that begins with "mailto:"."""
    shift = ord(value[0]) - ord("m")

    def back(sign: str) -> str:
        for first, last in ("+:", "@Z", "az"):
            if first <= sign <= last:
                size = ord(last) - ord(first) + 1
                return chr((ord(sign) - ord(first) - shift) % size + ord(first))
        return sign

    moved = "".join(map(back, value))
    return moved if moved.startswith("mailto:") else ""


_DECODERS: tuple[Callable[[str], str], ...] = (
    str,
    lambda value: value[::-1],
    lambda value: base64.b64decode(value, validate=True).decode(),
    _cloudflare,
    _moved,
)


def _uncloak(tree: html.HtmlElement, script: str) -> None:
    """Write the address that a cloaking script builds into its element."""
    cloak = _CLOAKED.search(script)
    holder = tree.get_element_by_id(cloak[1], None) if cloak else None
    if holder is None:
        return
    known: dict[str, str] = {}
    for name, pieces in _ASSIGNED.findall(script):
        found = _PIECE.findall(pieces)
        known[name] = unescape("".join(one or two or known.get(var, "") for one, two, var in found))
    if address := next(filter(_MAIL.fullmatch, known.values()), ""):
        holder[:], holder.text = [], address


_ENDS = re.compile(r"[^\W\d_]+$")
_BEGINS = re.compile(r"[^\W\d_]+")


def join_cut_words(tree: html.HtmlElement, styles: Styles) -> None:
    """Join words that a page splits into elements: "<span>hos</span><span>pital</span>".

    Two elements may also be two words, so the joined word must occur elsewhere on the page or be
    known in its language.
    """
    spelling: DocumentSpelling | None = None
    for element in list(tree.iter("span")):
        after = element.getnext()
        if after is None or after.tag != "span" or element.tail or len(element):
            continue
        one, other = _ENDS.search(element.text or ""), _BEGINS.match(after.text or "")
        are_boxes = any(styles.value(each, "display") for each in (element, after))
        if one is None or other is None or are_boxes or not other[0][0].islower():
            continue
        if spelling is None:
            spelling = DocumentSpelling(f"{text} " for text in tree.itertext())
        if spelling.is_one_word(one[0], other[0]):
            after.text = f"{element.text}{after.text}"
            element.text = ""
