"""Which page of the hospital is about a thing; in memory, because there are few."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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


@dataclass(frozen=True, slots=True)
class Pages:
    """The searchable pages of a hospital, by address and by title."""

    by_url: Mapping[str, Page] = field(default_factory=dict)
    by_title: Mapping[str, Page] = field(default_factory=dict)
    #: Where somebody turns to when nothing else helps.
    contact: Page | None = None

    def about(self, name: str, url: str) -> Page | None:
        """Return the page of a thing: its own, else one that bears its name."""
        own = self.by_url.get(url) if url else None
        return own or self.by_title.get(fold(name))

    def titled_after(self, name: str) -> Page | None:
        """Return the page whose title begins with a name, such as the campus with its town."""
        start = f"{fold(name)} "
        titles = [title for title in self.by_title if title.startswith(start)]
        return self.by_title[min(titles, key=len)] if titles else None
