"""Which page of the hospital is about a thing; in memory, because there are few."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from retrieval.passage import Source
from taxonomy.tokens import folded
from zol.text import fold


@dataclass(frozen=True, slots=True)
class Page:
    """A document as a citation needs it."""

    document_id: int
    title: str
    url: str
    language: str = "nl"
    #: The chunk that its viewer opens at.
    chunk_id: int = 0
    opening: str = ""
    updated_on: date | None = None
    #: What identifies it in its pack.
    path: str = ""

    @property
    def source(self) -> Source:
        """The page as its passages have it; of its authority and kind nothing is said."""
        return Source(
            self.document_id,
            self.title,
            self.url,
            self.path,
            language=self.language,
            updated_on=self.updated_on,
        )


#: Letters from which a word of a title says what it is about, and the share of those words that
#: somebody must use to mean it.
TELLING, MEANT = 4, 0.5


class Headings:
    """The titles and headings of the pages, by their words. Immutable once built."""

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._sizes: list[int] = []
        self._having: dict[str, set[int]] = defaultdict(set)
        for text in dict.fromkeys(texts):
            telling = {word for word in folded(text) if len(word) >= TELLING}
            for word in telling:
                self._having[word].add(len(self._sizes))
            self._sizes.append(len(telling))

    def speak_of(self, asked: Collection[str]) -> bool:
        """Tell whether one of them has all telling words of a question, and not many others."""
        telling = {word for word in asked if len(word) >= TELLING}
        if not telling:
            return False
        found = set.intersection(*(self._having.get(word, set()) for word in telling))
        return any(len(telling) >= MEANT * self._sizes[at] for at in found)


@dataclass(frozen=True, slots=True)
class Pages:
    """The searchable pages of a hospital, by address and by title."""

    by_url: Mapping[str, Page] = field(default_factory=dict)
    by_title: Mapping[str, Page] = field(default_factory=dict)
    by_path: Mapping[str, Page] = field(default_factory=dict)
    #: The pages that give the hospital's own number, at the passage with it; the best one first.
    contacts: tuple[Page, ...] = ()
    headings: Headings = field(default_factory=Headings)

    def about(self, name: str, url: str) -> Page | None:
        """Return the page of a thing: its own, else one that bears its name."""
        own = self.by_url.get(url) if url else None
        return own or self.by_title.get(fold(name))

    def contact(self, language: str) -> Page | None:
        """Return where somebody finds whom to call when nothing else helps, if pages say so."""
        spoken = (page for page in self.contacts if page.language == language)
        return next(spoken, next(iter(self.contacts), None))

    def titled_after(self, name: str) -> Page | None:
        """Return the page whose title begins with a name, such as the campus with its town."""
        start = f"{fold(name)} "
        titles = [title for title in self.by_title if title.startswith(start)]
        return self.by_title[min(titles, key=len)] if titles else None
