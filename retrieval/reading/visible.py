"""Reduce a web page to its visible content: drop hidden and deleted text and the page's frame.

Panels of accordions and tabs are content although they are hidden at first. Superscript figures may
be minutes, cents, powers or note numbers, depending on the text around them: readers mark them by
`raised`, and `written_out` replaces the marks once the whole text is known ("8:30", "€ 11,50").
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from enum import StrEnum
from string import ascii_lowercase, ascii_uppercase

from lxml import etree, html

from retrieval.reading.styles import Styles
from zol.text import squash

#: Private-use marks around raised text until it is written out.
_FROM, _TO = "\ue000", "\ue001"
_RAISED = re.compile(f"{_FROM}([^{_FROM}{_TO}]*){_TO}")
_LEFT_OVER = re.compile(f"[{_FROM}{_TO}]")
_FIGURES = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b", "0123456789-"
)
_UNICODE = re.compile("(?<=[0-9])[\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207b]+")
_UNIT = re.compile(r"(?:^|[^\w])(?:[kcdm\u00b5]?m|in|ft)\s?$")
#: Letters before a raised text by which it is interpreted.
_BEFORE = 60
_POWERS = {"2": "\u00b2", "3": "\u00b3"}
#: Longest number of an hour or price.
_NUMBER = re.compile(r"(?<![\d.,:])(\d{1,9})\s?$")
_MONEY_BEFORE = re.compile(r"([\u20ac$\u00a3]|\b(?:EUR|USD|GBP|CHF|TL|RON))\s*\d[\d. ]*$")
_MONEY_AFTER = re.compile(r"\s*(?:[\u20ac$\u00a3]|(?:EUR|euro|lei|TL)\b)(?!\s*\d)", re.IGNORECASE)
#: Currencies with a decimal point.
_WITH_POINT = ("$", "\u00a3", "USD", "GBP")
_POWER_AFTER = re.compile(r"\s?/\s?[a-z\u00b5]", re.IGNORECASE)
#: An hour before its raised minutes ("18h"), and an element before its charge ("Ca", "2+").
_HOUR = re.compile(r"(?<![\d.,:])(?:[01]?\d|2[0-4])\s?[hHuU]$")
_ELEMENT = re.compile(r"(?:^|[^\w])(?:[A-Z][a-z]?\d*)+$")
_CHARGE = re.compile(r"\d?[+\u2212-]")
_FRACTION = re.compile(r"\d{1,2}\s?[/\u2044]\s?\d{1,2}")
_POWER_BEFORE = re.compile(r"[\u00d7x\u00b7*]\s*10$")


def raised(text: str) -> str:
    """Return a superscript text between marks, which `written_out` replaces."""
    return f"{_FROM}{text.strip()}{_TO}" if text.strip() else text


def written_out(text: str) -> str:
    """Return a text with its raised parts written out: "8:30", "€ 11,50", "40 (1)"."""
    text = _UNICODE.sub(lambda found: raised(found[0].translate(_FIGURES)), text)
    if _FROM not in text:
        return text
    pieces = _RAISED.split(text.replace(f"{_TO}{_FROM}", ""))
    result = pieces[0]
    for at in range(1, len(pieces), 2):
        written = _written(result[-_BEFORE:], pieces[at], pieces[at + 1])
        result = (result.rstrip() if written[0] in ".:,^" else result) + written + pieces[at + 1]
    return _LEFT_OVER.sub("", result)


def _written(before: str, small: str, after: str) -> str:
    """Return a raised text written out after what precedes it."""
    if (beside := _beside(before, small)) is not None:
        return beside
    if small in _POWERS and _UNIT.search(before):
        return _POWERS[small]
    number = _NUMBER.search(before)
    if number is None:
        is_joined = before.rstrip()[-1:] in {",", ".", ":", "-"}
        return small if is_joined else _note(before, small)
    if _is_power(before, number[1], small, after):
        return f"^{small}"
    return _part(before, small, after, int(number[1])) if len(small) == 2 else _note(before, small)


def _beside(before: str, small: str) -> str | None:
    """Return raised text as part of what precedes it: a fraction, a charge, minutes, letters."""
    if _FRACTION.fullmatch(small) and before[-1:].isdigit():
        return f" {small}"
    if _CHARGE.fullmatch(small) and _ELEMENT.search(before):
        return small
    if not small.lstrip("-\u2212").isdecimal():
        if small[0].isdigit() or small[0] == "(":
            return f" ({small.strip('()')})"
        return small
    return (
        small
        if len(small) == 2 and small.isdecimal() and small < "60" and _HOUR.search(before)
        else None
    )


def _part(before: str, small: str, after: str, number: int) -> str:
    """Return two raised figures as cents or minutes."""
    money = _MONEY_BEFORE.search(before)
    if not money and not _MONEY_AFTER.match(after) and number <= 24 and int(small) < 60:
        return f":{small}"
    return f"{'.' if money and money[1] in _WITH_POINT else ','}{small}"


def _is_power(before: str, number: str, small: str, after: str) -> bool:
    if not small[0].isdecimal():
        return True
    is_power = _POWER_BEFORE.search(before) or _POWER_AFTER.match(after)
    return number == "10" and bool(is_power)


def _note(before: str, small: str) -> str:
    return f"{' ' if before[-1:].strip() else ''}({small})"


class Why(StrEnum):
    """A reason for leaving out a part of a document."""

    SCRIPT = "script"
    HIDDEN = "hidden"
    STRUCK = "struck"
    NAVIGATION = "navigation"
    COOKIES = "cookies"
    FOOTER = "footer"
    HEADER = "header"
    DIALOG = "dialog"
    FORM = "form"
    LINKS = "links"
    BESIDE = "beside"
    BEFORE = "before"
    DATE = "date"
    REPEATED = "repeated"
    CONTENTS = "contents"
    WATERMARK = "watermark"
    RIGHT_TO_LEFT = "right_to_left"


#: Reasons for parts of a page's frame, and the attribute that marks an element which lost one.
FRAME_REASONS = {Why.NAVIGATION, Why.COOKIES, Why.FORM, Why.LINKS}
LOST_FRAME = "data-furnished"
#: Parts left out, with reasons, while a caller asks for them.
LEFT_OUT: ContextVar[list[tuple[str, Why]] | None] = ContextVar("LEFT_OUT", default=None)


def note(text: str, why: Why) -> None:
    """Record a text that is left out, if a caller collects these."""
    noted = LEFT_OUT.get()
    if noted is not None and (plain := squash(text)):
        noted.append((plain, why))


#: Elements without text of the page.
SILENT = (
    "script", "style", "noscript", "template", "svg", "iframe", "object", "canvas", "audio",
    "video", "select", "textarea", "input", "datalist", "math", "head",
)  # fmt: skip
#: Deleted text; inserted text stays.
STRUCK = ("del", "s", "strike")
#: ARIA roles of elements around the content.
ROLES = (
    "navigation", "contentinfo", "search", "dialog", "alertdialog", "menu", "menubar", "toolbar",
)  # fmt: skip
#: Parts of common class names of such elements.
NAMED = ("footer", "cookie", "consent", "breadcrumb", "share-")
_LOWER = f"translate(concat(@id, ' ', @class), '{ascii_uppercase}', '{ascii_lowercase}')"
FRAME = (
    "//nav | //footer | //dialog | //menu | "
    + " | ".join(f"//*[@role='{role}']" for role in ROLES)
    + " | //*[self::div or self::section or self::ol or self::ul][not(.//h1 or .//main)]["
    + " or ".join(f"contains({_LOWER}, '{name}')" for name in NAMED)
    + "]"
)
#: Headers of the page; a header of a box only contains a heading.
HEADERS = (
    "//header[not(ancestor::main or ancestor::article)][.//a or not(.//h2 or .//h3 or .//h4)]"
    " | //*[@role='banner']"
)
#: Panels that follow their button, or the heading with their button.
_IS_HEADING = "self::h2 or self::h3 or self::h4 or self::h5 or self::h6"
BEHIND_BUTTON = (
    f"//*[{_IS_HEADING} or self::dt][.//button]"
    "/following-sibling::*[1] | //*[@aria-expanded and (self::button or @role='button')]"
    "/following-sibling::*[1] | //*[@onclick]/following-sibling::*[1]"
    " | //dt/following-sibling::*[1][self::dd]"
    " | //input[@type='checkbox' or @type='radio']/following-sibling::*[position() < 3]"
)
#: An element that is the only text below its heading.
ALONE_BELOW = (
    f"//*[{_IS_HEADING}]/following-sibling::*[1]"
    f"[not(following-sibling::*) or following-sibling::*[1][{_IS_HEADING}]]"
)
#: Labels of form fields.
LABELS = (
    "//legend | //label[not(@for)][.//input or .//select or .//textarea or ../input or ../select]"
)
#: Most words of a form that is dropped; a longer one may contain the whole page.
MOST_OF_FORM = 60


def only_visible(tree: html.HtmlElement, styles: Styles) -> None:
    """Drop everything but the visible content."""
    opened = _opened(tree)
    for label in tree.xpath(LABELS):
        drop(label, Why.FORM)
    for element in list(tree.iter(etree.Element)):
        if why := _unseen(element, styles, is_opened=element in opened):
            drop(element, why)
    for element in tree.xpath(FRAME):
        drop(element, _frame_part(element))
    _drop_headers(tree)
    for form in tree.xpath("//form[not(.//h1 or .//h2 or .//main or .//article or .//table)]"):
        if len(form.text_content().split()) <= MOST_OF_FORM:
            drop(form, Why.FORM)


def _unseen(element: etree._Element, styles: Styles, *, is_opened: bool) -> Why | None:
    """Return why an element is not visible text; None if it is."""
    if element.tag in SILENT:
        return Why.SCRIPT
    if element.tag in STRUCK or styles.strikes(element):
        return Why.STRUCK
    # A picture without text stays: it may be the content of its cell.
    is_away = not is_opened and is_hidden(element, styles)
    return Why.HIDDEN if is_away and element.text_content().strip() else None


def _frame_part(element: etree._Element) -> Why:
    """Return which part of the page's frame an element is."""
    named = f"{element.get('id', '')} {element.get('class', '')}".lower()
    role = element.get("role", "")
    if "cookie" in named or "consent" in named:
        return Why.COOKIES
    if element.tag == "footer" or role == "contentinfo" or "footer" in named:
        return Why.FOOTER
    return Why.DIALOG if "dialog" in (element.tag, role.removeprefix("alert")) else Why.NAVIGATION


def is_hidden(element: etree._Element, styles: Styles) -> bool:
    """Return whether an attribute or a style hides an element."""
    return (
        element.get("hidden", "until-found") != "until-found"
        or element.get("aria-hidden") == "true"
        or styles.hides(element)
    )


def _opened(tree: html.HtmlElement) -> set[etree._Element]:
    targets = {
        name.lstrip("#")
        for path in ("//@aria-controls", "//@data-target", "//@data-bs-target", "//a/@href")
        for name in tree.xpath(path)
        if name.startswith("#") or not path.endswith("href")
    }
    found = {each for each in tree.xpath("//*[@id]") if each.get("id") in targets}
    found.update(tree.xpath("//*[@role='tabpanel'] | //details/*"))
    found.update(tree.xpath(BEHIND_BUTTON), tree.xpath(ALONE_BELOW))
    dialogs = set(tree.xpath("//dialog | //*[@role='dialog'] | //*[@role='alertdialog']"))
    return found - dialogs


def drop(element: html.HtmlElement, why: Why) -> None:
    """Drop an element from its page; the text after it stays."""
    if element.getparent() is not None and element.tag not in {"body", "html"}:
        if LEFT_OUT.get() is not None and element.getroottree().getroot().tag == "html":
            # Elements separate words.
            note(" ".join(element.itertext()), why)
        if why in FRAME_REASONS:
            element.getparent().set(LOST_FRAME, "")
        element.drop_tree()


def _drop_headers(tree: html.HtmlElement) -> None:
    """Drop page headers, except the only title."""
    headers = tree.xpath(HEADERS)
    titles = tree.xpath("//h1")
    for header in headers:
        if header.getparent() is None:
            continue
        if titles and all(header in title.iterancestors() for title in titles):
            for child in [each for each in header.iter(etree.Element) if each is not header]:
                if (
                    child.tag != "h1"
                    and not child.xpath(".//h1")
                    and child.xpath("not(ancestor::h1)")
                ):
                    drop(child, Why.HEADER)
        else:
            drop(header, Why.HEADER)


def mark_tables(tree: etree._Element, styles: Styles) -> None:
    """Turn elements with the role or the display of a table into tables."""
    for table in list(tree.iter("div", "section", "span", "ul")):
        is_table = table.get("role") in {"table", "grid"}
        if not is_table and styles.value(table, "display") != "table":
            continue
        rows = [
            each
            for each in table.iterdescendants(etree.Element)
            if each.get("role") == "row" or styles.value(each, "display") == "table-row"
        ]
        for row in rows:
            for between in row.iterancestors():
                if between is table:
                    break
                between.tag = "tbody"
            for cell in row.iterchildren(etree.Element):
                is_header = cell.get("role") in {"columnheader", "rowheader"} or cell.tag == "th"
                cell.tag = "th" if is_header else "td"
            row.tag = "tr"
        if rows:
            table.tag = "table"
