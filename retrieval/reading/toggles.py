"""Accordions and tabs of a web page: turn the button of each panel into its heading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from lxml import etree, html

from retrieval.reading.styles import Styles
from retrieval.reading.visible import Why, drop, is_hidden
from zol.text import squash

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
PRESSED = (
    "//button | //summary | //*[@role='tab'] | //label[@for]"
    " | //*[@role='button' and (not(self::a) or @aria-controls or @aria-expanded)]"
    " | //a[@aria-controls or @aria-expanded or @data-toggle or @data-bs-toggle]"
)
#: Attributes that name the opened panel.
OPENS = ("aria-controls", "data-bs-target", "data-target", "href", "for")
#: Longest feedback question in letters.
LONGEST_QUESTION = 120
_BOXES = {"div", "p", "ul", "ol", "section", "table", "dl", "article"}


def name_panels(tree: html.HtmlElement, styles: Styles) -> None:
    """Turn buttons that open a part of the page into its heading; drop other buttons."""
    panels = {each.get("id"): each for each in tree.xpath("//*[@id]")}
    pressed = list(dict.fromkeys((*tree.xpath(PRESSED), *_links_within(tree, panels, styles))))
    texts = Counter(squash(each.text_content()) for each in pressed)
    levels = _levels(tree)
    named: set[etree._Element] = set()
    for each in pressed:
        label = squash(each.text_content())
        panel = _panel(each, panels)
        level = levels.get(each, "h2")
        holder = next(each.iterancestors(*HEADINGS, "dt", "summary"), None)
        if each.tag == "summary":
            _retag(each, level)
        elif holder is not None:
            holder.set("role", "heading")
            each.drop_tag()
        elif panel is not None and label:
            # A label of several panels, such as "Read more", is no heading.
            if panel not in named and texts[label] == 1:
                _name(panel, label, level)
                named.add(panel)
            each.drop_tree()
        elif label and each.tag != "a":
            _name_next(each, label, level)


def drop_questions(tree: html.HtmlElement) -> None:
    """Drop feedback questions with their buttons, such as "Was this page useful?"."""
    for pressed in tree.xpath("//a[not(@href) and not(@name) and not(@id) and not(@role)]"):
        drop(pressed, Why.FORM)
    for holder in dict.fromkeys(each.getparent() for each in tree.iter("button")):
        buttons = list(holder.iterchildren("button"))
        length = len(squash(holder.text_content()))
        pressed = sum(len(squash(each.text_content())) for each in buttons)
        opens = any(each.get(name) for each in buttons for name in (*OPENS, "aria-expanded"))
        if len(buttons) > 1 and not opens and pressed < length <= LONGEST_QUESTION:
            drop(holder, Why.FORM)


def _links_within(
    tree: html.HtmlElement, panels: Mapping[str, etree._Element], styles: Styles
) -> list[etree._Element]:
    """Return the links that serve as tabs; drop a table of contents."""
    tabs = []
    for listed in tree.xpath("//ul | //ol"):
        links = listed.xpath(".//a[starts-with(@href, '#')]")
        targets = [panels[name] for link in links if (name := link.get("href")[1:]) in panels]
        linked = "".join("".join(link.itertext()) for link in links)
        if (
            len(links) < 2
            or None in targets
            or "".join(linked.split()) != "".join(listed.text_content().split())
        ):
            continue
        if any(target.get("role") == "tabpanel" or is_hidden(target, styles) for target in targets):
            tabs += links
        elif listed.getparent() is not None:
            drop(listed, Why.NAVIGATION)
    return tabs


def _panel(element: etree._Element, panels: Mapping[str, etree._Element]) -> etree._Element | None:
    """Return the panel that an element opens by id, if it is part of the content."""
    for attribute in OPENS:
        found = panels.get((element.get(attribute) or "").lstrip("#"))
        if found is None or found in element.iterancestors():
            continue
        # A checkbox opens the element after its label.
        opened = element.getnext() if found.tag == "input" else found
        return opened if opened is not None and opened.getparent() is not None else None
    return None


def _name_next(element: etree._Element, label: str, level: str) -> None:
    """Turn a button before a panel into its heading; drop a button that opens nothing."""
    if _opens_next(element, label):
        _retag(element, level)
    elif element.tag == "button" or element.get("role") == "tab":
        drop(element, Why.FORM)


def _opens_next(element: etree._Element, label: str) -> bool:
    parent = element.getparent()
    behind = element.getnext()
    if behind is not None:
        is_first = not (parent.text or "").strip() and element.getprevious() is None
        return behind.tag in _BOXES and (is_first or label.endswith("?"))
    after = parent.getnext()
    is_alone = squash(parent.text_content()) == label
    is_question = label.endswith("?") or element.get("aria-expanded") is not None
    return is_alone and is_question and after is not None and after.tag in _BOXES


def _levels(tree: html.HtmlElement) -> dict[etree._Element, str]:
    """Return for each element the heading level below its own section's."""
    levels, level = {}, 1
    for element in tree.iter(etree.Element):
        if element.tag in HEADINGS:
            level = int(element.tag[1])
        levels[element] = f"h{min(6, level + 1)}"
    return levels


def _retag(element: etree._Element, tag: str) -> None:
    element.tag = tag
    for inner in element.xpath(
        ".//*[self::h1 or self::h2 or self::h3 or self::h4 or self::h5 or self::h6]"
    ):
        inner.drop_tag()


def _name(panel: etree._Element, label: str, level: str) -> None:
    """Put a heading at the beginning of a panel, unless its text begins with it."""
    first = next(panel.iter(*HEADINGS), None)
    if first is not None and squash(first.text_content()) == label:
        return
    heading = html.Element(level)
    heading.text, heading.tail, panel.text = label, panel.text, None
    panel.insert(0, heading)
