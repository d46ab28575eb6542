"""Lists of names and values: "Telephone" and "011 00 10 00" mean something only together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from lxml import etree, html

from retrieval.ingestion.read.blocks import clean

#: A value that holds these is a text of its own, and its name a heading over it.
TEXTS = "p | ul | ol | table | div | dl"
#: How a name ends that needs no colon behind it.
ENDED = ("?", ":", ";", "!", ".")


def join_definitions(tree: html.HtmlElement) -> None:
    """Turn each list of names and short values into a list of items: "Telephone: 011 00 10 00"."""
    for found in list(tree.iter("dl")):
        if found.xpath(f".//dd[{TEXTS}]") or not found.xpath(".//dt"):
            continue
        items = etree.Element("ul")
        for said in _pairs(list(found.iter("dt", "dd"))):
            etree.SubElement(items, "li").text = said
        items.tail = found.tail
        found.getparent().replace(found, items)


def _pairs(parts: Sequence[etree._Element]) -> Iterator[str]:
    """Yield each name with its values."""
    name = ""
    for tag, group in groupby(parts, key=lambda part: part.tag):
        said = ", ".join(filter(None, (clean("".join(part.itertext())) for part in group)))
        if tag == "dt":
            name = said
            continue
        yield f"{name}{'' if name.endswith(ENDED) or not name else ':'} {said}".strip()
        name = ""
