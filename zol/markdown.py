"""Text of pages and rows on its way into an answer, which is Markdown."""

from __future__ import annotations

import re

#: Between the brackets of a text's own "[1]", so that nobody takes it for a source's number.
JOINER = "\u2060"
_SOURCE = re.compile(r"\[(\d+)\]")
_BREAKS = re.compile(r"\s*[\r\n]\s*")
#: What is read as more than itself anywhere in a line, …
_SIGNS = re.compile(
    r"[\\`*\[]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|<(?=[a-z/!?])|&(?=#?\w+;)", re.IGNORECASE
)
#: … and at its beginning, with what may stand before it: the number of an item.
_BEGINS = re.compile(
    r"^(?:\d{1,9}(?=[.)](?:\s|$))|(?=>|[-+](?:[\s|:-]|$)|#{1,6}(?:\s|$)|=+\s*$|[|:]\s*[:-]))"
)


class Markdown(str):
    """Text whose signs are meant: the product's own, or what staff wrote as Markdown."""

    __slots__ = ()


def escaped(text: object) -> Markdown:
    """Return a text as one line of Markdown that shows just that text: nothing of it is a link, a
    list, an emphasis or the number of a source. Text that is Markdown already stays as it is."""
    if isinstance(text, Markdown):
        return text
    line = _SOURCE.sub(rf"[{JOINER}\1{JOINER}]", _BREAKS.sub(" ", str(text)).lstrip())
    return Markdown(_BEGINS.sub(r"\g<0>\\", _SIGNS.sub(r"\\\g<0>", line)))
