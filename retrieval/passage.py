"""Passages with their ranking factors, and pages with the entities that they are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from operator import attrgetter
from typing import Any, NamedTuple

from retrieval.fields import Place, unpacked
from zol.text import fold

#: The category of a passage without clear keywords.
GENERAL = "general"


class Boost(NamedTuple):
    """A factor on a passage's score, and its name."""

    name: str
    factor: float


@dataclass(frozen=True, slots=True)
class Source:
    """The page or brochure of a passage."""

    document_id: int
    title: str
    url: str
    path: str = ""
    #: One of the document categories of the hospital pack, such as "Practical".
    category: str = ""
    language: str = "nl"
    updated_on: date | None = None
    #: 0.3 to 1.0; lower values lower its passages.
    authority: float = 1.0
    url_tier: int = 3
    campuses: tuple[str, ...] = ()
    summary: str = ""


@dataclass(frozen=True)
class Passage:
    """A chunk found for a question. `similarity` and `base` are measured once; `weight` and `score`
    are derived from them and never stored. So a stage may run twice without effect, and the admin
    can show every factor of a passage's rank."""

    chunk_id: int
    text: str
    source: Source
    #: Places of the text's lines; if empty, derived from the text.
    places: tuple[Place, ...] = ()
    #: Cosine of question and chunk, in [-1, 1], also for hits of the keyword search.
    similarity: float = 0.0
    #: Base score in (0, 1], monotone in the fused rank; None if unscored.
    base: float | None = None
    boosts: tuple[Boost, ...] = ()
    affinity: float = 1.0
    #: The reranker's own score; None without one.
    relevance: float | None = None
    #: The steering row that gave `affinity`; empty before steering.
    steered_by: str = ""
    #: Content category: practical, clinical_info, …; general when there is no strong signal.
    category: str = GENERAL
    section: str = ""
    #: Factor on its base, for a page of a category that does not suit the question.
    suited: float = 1.0
    #: Name of the further search that found it, shown to staff; empty for the first search.
    entered_by: str = ""
    #: Page number in a PDF; 0 for a web page.
    page: int = 0
    #: Place in its document, from 0.
    ordinal: int = 0
    entity_kinds: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    #: Ranks in the vector and the keyword search, from 1; 0 if not found there.
    dense_rank: int = 0
    keyword_rank: int = 0
    fused: float = 0.0

    def changed(self, **fields: Any) -> Passage:
        """Return the passage with some fields changed, eight times as fast as
        `dataclasses.replace`; several stages do this for fifty passages each.

        :raises TypeError: when a passage has no such field.
        """
        if not fields.keys() <= vars(self).keys():
            raise TypeError(f"A passage has no {sorted(fields.keys() - vars(self).keys())}")
        other = object.__new__(Passage)
        vars(other).update(vars(self) | fields)
        return other

    @property
    def lines(self) -> tuple[tuple[str, Place], ...]:
        """The lines of the text, each with its place."""
        return tuple(zip(self.text.splitlines(), self.placed, strict=True))

    @property
    def placed(self) -> tuple[Place, ...]:
        """The place of each line of the text."""
        return self.places or unpacked(self.text, self.section, None)

    def without(self, left_out: Callable[[str], object]) -> Passage:
        """Return the passage without some lines of its text."""
        kept = [(line, place) for line, place in self.lines if not left_out(line)]
        text, places = "\n".join(line for line, _ in kept), tuple(place for _, place in kept)
        return self.changed(text=text, places=places)

    @property
    def weight(self) -> float:
        """The sort key: never clamped, so that the top is never tied."""
        if self.base is None:
            return -1.0
        factors = 1.0
        for _, factor in self.boosts:
            factors *= factor
        return self.base * factors * self.affinity

    @property
    def score(self) -> float:
        """The displayed score, in [0, 1]."""
        return max(0.0, min(1.0, self.weight))


def by_weight(passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """Return passages by weight, best first; equals keep their order, unscored passages come
    last."""
    return tuple(sorted(passages, key=attrgetter("weight"), reverse=True))


@dataclass(frozen=True, slots=True)
class Page:
    """The fields of a document that a citation needs."""

    document_id: int
    title: str
    url: str
    language: str = "nl"
    #: Chunk at which the viewer opens.
    chunk_id: int = 0
    opening: str = ""
    updated_on: date | None = None
    #: Its path in the pack, unique in the hospital.
    path: str = ""
    #: Paths of the page that it translates, and of its likely successor.
    translation_of: str = ""
    replaced_by: str = ""

    @property
    def source(self) -> Source:
        """The source as its passages have it; without authority and kind."""
        return Source(
            self.document_id,
            self.title,
            self.url,
            self.path,
            language=self.language,
            updated_on=self.updated_on,
        )


def rank_in(languages: Sequence[str], language: str) -> int:
    """Return a language's rank among the preferred ones; any other language ranks last."""
    return languages.index(language) if language in languages else len(languages)


@dataclass(frozen=True, slots=True)
class Pages:
    """The searchable pages of a hospital, by address and by title."""

    by_url: Mapping[str, Page] = field(default_factory=dict)
    by_title: Mapping[str, Page] = field(default_factory=dict)
    by_path: Mapping[str, Page] = field(default_factory=dict)
    #: Pages with the hospital's own number, at that passage, best first.
    contacts: tuple[Page, ...] = ()

    def in_one_language(
        self, passages: Sequence[Passage], languages: Sequence[str]
    ) -> tuple[Passage, ...]:
        """Return passages with each page in one language only: the most preferred that was found,
        else that of the best passage."""
        chosen: dict[str, str] = {}
        for p in sorted(passages, key=lambda p: rank_in(languages, p.source.language)):
            chosen.setdefault(self._whole(p.source), p.source.language)
        return tuple(p for p in passages if p.source.language == chosen[self._whole(p.source)])

    def _whole(self, source: Source) -> str:
        """Return the key that a page shares with its translations."""
        page = self.by_path.get(source.path)
        return (page.translation_of if page else "") or source.path or str(source.document_id)

    def replaced(self, passages: Iterable[Passage]) -> Mapping[int, int]:
        """Return the ids of outdated pages with those of their successors, where both have passages
        here."""
        found = {p.source.path: p.source.document_id for p in passages}
        pages = ((each, self.by_path.get(path)) for path, each in found.items())
        return {
            each: found[page.replaced_by]
            for each, page in pages
            if page and page.replaced_by in found
        }

    def about(self, name: str, url: str) -> Page | None:
        """Return the page of an entity: its own, else one titled after it."""
        own = self.by_url.get(url) if url else None
        return own or self.by_title.get(fold(name))

    def contact(self, language: str) -> Page | None:
        """Return the page with the hospital's general contact details, if there is one."""
        own = (page for page in self.contacts if page.language == language)
        return next(own, next(iter(self.contacts), None))

    def titled_after(self, name: str) -> Page | None:
        """Return the page with the shortest title that begins with a name."""
        start = f"{fold(name)} "
        titles = [title for title in self.by_title if title.startswith(start)]
        return self.by_title[min(titles, key=len)] if titles else None
