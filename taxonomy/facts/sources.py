"""Whether a fact's sentence still stands on the page that it was taken from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from zol.text import spaced


class SourceState(StrEnum):
    NONE = "none"
    CURRENT = "current"
    #: The page is there; the sentence is not.
    CHANGED = "changed"
    GONE = "gone"


class FactSource(NamedTuple):
    page: str
    sentence: str


#: Return the texts of pages by their paths; the app that keeps pages adds its own.
readers: list[Callable[[Collection[str]], Mapping[str, str]]] = []


def states_of(sources: Iterable[FactSource]) -> list[SourceState]:
    """Return the state of each source, in order."""
    listed = list(sources)
    pages = {source.page for source in listed if source.page}
    texts = {path: spaced(text) for read in readers for path, text in read(pages).items()}
    return [_state(source, texts) for source in listed]


def _state(source: FactSource, texts: Mapping[str, str]) -> SourceState:
    if not source.page:
        return SourceState.NONE
    if source.page not in texts:
        return SourceState.GONE
    is_there = spaced(source.sentence) in texts[source.page]
    return SourceState.CURRENT if is_there else SourceState.CHANGED
