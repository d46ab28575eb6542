"""Join a word that a page cuts into elements: "<span>hos</span><span>pital</span>".

Elements side by side are as often boxes of their own, so the joined word must be one that the page
has elsewhere or that its language knows.
"""

from __future__ import annotations

import re

from lxml import html

from retrieval.reading.pdf.spelling import DocumentSpelling
from retrieval.reading.styles import Styles

_ENDS = re.compile(r"[^\W\d_]+$")
_BEGINS = re.compile(r"[^\W\d_]+")


def join_cut_words(tree: html.HtmlElement, styles: Styles) -> None:
    """Take the elements away that cut a word in two."""
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
