"""Text in a page that speaks to an assistant instead of to a reader."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable

from lxml import etree, html

from zol.text import fold

logger = logging.getLogger(__name__)


def compiled(patterns: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    """Return the patterns that are regular expressions; the others are logged."""
    found = []
    for pattern in patterns:
        try:
            found.append(re.compile(pattern))
        except re.error as error:
            logger.warning("The attack pattern %r cannot be used: %s", pattern, error)
    return tuple(found)


def addresses_assistant(text: str, patterns: Iterable[re.Pattern[str]]) -> bool:
    """Say whether a text holds what only somebody instructing an assistant writes."""
    folded = fold(text)
    return any(pattern.search(folded) for pattern in patterns)


def everything_in(data: bytes, media_type: str) -> str:
    """Return all text of a web page, hidden parts, comments and attributes too."""
    if media_type != "text/html" or not data.strip():
        return ""
    try:
        tree = html.fromstring(data)
    except (etree.LxmlError, ValueError):
        return ""
    pieces = []
    for element in tree.iter():
        pieces += [element.text or "", element.tail or ""]
        if isinstance(element.tag, str):
            pieces += [element.get(name, "") for name in ("alt", "title", "content", "aria-label")]
    return " ".join(" ".join(pieces).split())
