"""A page without what is no content: what nobody sees, what no longer counts, what surrounds it.

What a visitor opens, a panel of an accordion or a tab, is content though it is hidden at first.
"""

from __future__ import annotations

from lxml import etree, html

from retrieval.ingestion.read.styles import Styles

#: Never text of a page.
SILENT = (
    "script", "style", "noscript", "template", "svg", "iframe", "object", "canvas", "audio",
    "video", "select", "textarea", "input", "datalist", "math", "head",
)  # fmt: skip
#: What is no longer so, and what was put in its place stays.
STRUCK = ("del", "s", "strike")
#: Stands around the content of a page.
ROLES = (
    "navigation",
    "contentinfo",
    "search",
    "dialog",
    "alertdialog",
    "menu",
    "menubar",
    "toolbar",
)
#: What makers of sites call it where they mark it with nothing else.
NAMED = ("footer", "Footer", "cookie", "consent", "breadcrumb", "share-")
FURNITURE = (
    "//nav | //footer | //dialog | //menu | "
    + " | ".join(f"//*[@role='{role}']" for role in ROLES)
    + " | //*[self::div or self::section or self::ol or self::ul][not(.//h1 or .//main)]["
    + " or ".join(f"contains(concat(@id, ' ', @class), '{name}')" for name in NAMED)
    + "]"
)
#: The heads of a page, and not those of its boxes, which hold nothing but a heading.
HEADERS = (
    "//header[not(ancestor::main or ancestor::article)][.//a or not(.//h2 or .//h3 or .//h4)]"
    " | //*[@role='banner']"
)
#: What opens with a button that is alone in its heading, or before it.
BEHIND_BUTTON = (
    "//*[self::h2 or self::h3 or self::h4 or self::h5 or self::h6 or self::dt][.//button]"
    "/following-sibling::*[1] | //button[@aria-expanded]/following-sibling::*[1]"
)
#: What says what a field is for, and nothing of the page.
LABELS = (
    "//legend | //label[not(@for)][.//input or .//select or .//textarea or ../input or ../select]"
)
#: A form around more words than this, or around headings, is the frame of a page.
MOST_OF_FORM = 60


def only_visible(tree: html.HtmlElement, styles: Styles) -> None:
    """Take from a page what no visitor reads as its content."""
    opened = _opened(tree)
    for label in tree.xpath(LABELS):
        drop(label)
    for element in list(tree.iter(etree.Element)):
        is_over = element.tag in SILENT or element.tag in STRUCK or styles.strikes(element)
        if is_over or (element not in opened and is_hidden(element, styles)):
            drop(element)
    for element in tree.xpath(FURNITURE):
        drop(element)
    _drop_headers(tree)
    for form in tree.xpath("//form[not(.//h1 or .//h2 or .//main or .//article or .//table)]"):
        if len(form.text_content().split()) <= MOST_OF_FORM:
            drop(form)


def is_hidden(element: etree._Element, styles: Styles) -> bool:
    """Whether no visitor sees an element, unless something opens it."""
    return (
        element.get("hidden", "until-found") != "until-found"
        or element.get("aria-hidden") == "true"
        or styles.hides(element)
    )


def _opened(tree: html.HtmlElement) -> set[etree._Element]:
    """Return what a visitor opens with a button, a tab or a link, and what this names."""
    targets = {
        name.lstrip("#")
        for path in ("//@aria-controls", "//@data-target", "//@data-bs-target", "//a/@href")
        for name in tree.xpath(path)
        if name.startswith("#") or not path.endswith("href")
    }
    found = {each for each in tree.xpath("//*[@id]") if each.get("id") in targets}
    found.update(tree.xpath("//*[@role='tabpanel'] | //details/*"))
    found.update(tree.xpath(BEHIND_BUTTON))
    dialogs = set(tree.xpath("//dialog | //*[@role='dialog'] | //*[@role='alertdialog']"))
    return found - dialogs


def drop(element: html.HtmlElement) -> None:
    """Take an element out of its page; what follows it stays."""
    if element.getparent() is not None and element.tag not in {"body", "html"}:
        element.drop_tree()


def _drop_headers(tree: html.HtmlElement) -> None:
    """Take the heads of a page out, except its only title."""
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
                    drop(child)
        else:
            drop(header)


def mark_tables(tree: etree._Element, styles: Styles) -> None:
    """Turn boxes that are a table for those who see or hear the page into one."""
    for table in list(tree.iter("div", "section", "span", "ul")):
        is_table = table.get("role") in {"table", "grid"}
        if not is_table and styles.value(table, "display") != "table":
            continue
        rows = [each for each in table.iterdescendants(etree.Element) if _is_row(each, styles)]
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


def _is_row(element: etree._Element, styles: Styles) -> bool:
    return element.get("role") == "row" or styles.value(element, "display") == "table-row"
