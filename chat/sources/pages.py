"""Select the pages of the evidence, without translations of each other and replaced pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, zip_longest
from operator import attrgetter
from typing import TypeVar

from chat.tools import Tools
from chat.turn import Context
from retrieval.passage import Passage, Source
from zol.errors import SearchFailed

T = TypeVar("T")
#: Maximum passages added to the best ones and their neighbours.
FURTHER = 25
#: Minimum number of shared figures, and their share of a page's figures, from which two pages count
#: as translations of each other.
FEWEST_FIGURES, SAME_FIGURES = 4, 0.8
#: Pages of the last answer added for a follow-up, and their weight relative to the best passage.
CITED_BEFORE, WEIGHT_OF_CITED = 3, 0.5
_FIGURE = re.compile(r"\d+(?:[.:,/]\d+)*")


@dataclass(frozen=True)
class ReadPage:
    """Passages of one page in reading order."""

    passages: tuple[Passage, ...]

    @cached_property
    def best(self) -> Passage:
        return max(self.passages, key=attrgetter("weight"))

    @property
    def source(self) -> Source:
        return self.best.source

    @cached_property
    def figures(self) -> frozenset[str]:
        return frozenset(each for p in self.passages for each in _FIGURE.findall(p.text))


def pages_of(ctx: Context, tools: Tools) -> list[ReadPage]:
    """Return the pages of the evidence, best first.

    Of a page and its translation the one in the asker's language is kept, else the one in the
    hospital's.
    """
    pages = _found(ctx, tools)
    preferred = (ctx.understanding.language, tools.snapshot.profile.default_language)
    by_language = sorted(pages, key=lambda page: _rank(page.source.language, preferred))
    once: list[ReadPage] = []
    for page in by_language:
        if not any(_is_translation(page, other) for other in once):
            once.append(page)
    kept = {page.source.document_id for page in once} - tools.corpus.pages.replaced(
        page.best for page in once
    ).keys()
    return [page for page in pages if page.source.document_id in kept]


def _found(ctx: Context, tools: Tools) -> list[ReadPage]:
    """Return the selected passages and further ones, with the chunks between them, by page."""
    selected = {p.chunk_id: p for p in ctx.dossier.selected}
    found = roundrobin(part.passages for part in ctx.parts or (ctx,))
    new = {p.chunk_id: p for p in found if p.chunk_id not in selected}
    further = tuple(islice(new.values(), FURTHER))
    by_page: dict[int, list[Passage]] = {}
    chosen = (*selected.values(), *further)
    every = (*chosen, *_between(chosen, further, tools))
    for passage in (*every, *_cited_before(ctx, every, tools)):
        by_page.setdefault(passage.source.document_id, []).append(passage)
    pages = (ReadPage(tuple(sorted(p, key=attrgetter("ordinal")))) for p in by_page.values())
    return sorted(pages, key=lambda page: page.best.weight, reverse=True)


def _between(
    chosen: Sequence[Passage], further: Sequence[Passage], tools: Tools
) -> Iterator[Passage]:
    """Yield each passage between two chosen ones once; none if the corpus is unavailable."""
    places = {(p.source.document_id, p.ordinal) for p in chosen}
    try:
        beside = tools.corpus.neighbours(further)
    except SearchFailed:
        return
    for passage in (each for found in beside.values() for each in found):
        page, at = passage.source.document_id, passage.ordinal
        if (page, at) not in places and {(page, at - 1), (page, at + 1)} <= places:
            places.add((page, at))
            yield passage


def _cited_before(ctx: Context, read: Sequence[Passage], tools: Tools) -> Iterator[Passage]:
    """Yield passages of the pages that the last answer cited, for a follow-up."""
    if not (ctx.understanding.is_followup and ctx.turn.history):
        return
    cited = (tools.corpus.pages.by_url.get(url) for url in ctx.turn.history[-1].citations)
    starts = [Passage(0, "", page.source) for page in cited if page][:CITED_BEFORE]
    known = {p.chunk_id for p in read}
    weight = WEIGHT_OF_CITED * max((p.weight for p in read), default=1.0)
    try:
        rest = tools.corpus.rest_of(starts)
    except SearchFailed:
        return
    yield from (replace(p, base=weight) for p in rest if p.chunk_id not in known)


def roundrobin(groups: Iterable[Iterable[T]]) -> Iterator[T]:
    """Yield the first of each group, then the second, and so on."""
    return (each for turn in zip_longest(*groups) for each in turn if each is not None)


def _rank(language: str, preferred: Sequence[str]) -> int:
    return preferred.index(language) if language in preferred else len(preferred)


def _is_translation(page: ReadPage, other: ReadPage) -> bool:
    """Return whether two pages in different languages share most of their figures."""
    if page.source.language == other.source.language:
        return False
    common = len(page.figures & other.figures)
    return common >= FEWEST_FIGURES and common >= SAME_FIGURES * len(page.figures)
