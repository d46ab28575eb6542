"""Whether the answer cites a page that really answers."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

from evaluation.cases import Case
from evaluation.metrics.base import Outcome, Score, yes


def page(url: str) -> str:
    """Return an address without scheme, fragment and closing slash: what identifies the page."""
    parts = urlsplit(url.strip())
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.netloc.lower()}{unquote(parts.path).rstrip('/')}{query}"


def source_hit(case: Case, outcome: Outcome) -> Score | None:
    """Whether one of the right pages is cited."""
    if not case.sources:
        return None
    hits = {page(url) for url in case.sources} & {page(url) for url in outcome.cited}
    return yes(bool(hits), f"cited: {', '.join(outcome.cited) or 'nothing'}")
