"""Citation numbers: one per page, in order of first use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from chat.checking.base import Citation
from retrieval.passage import Page, Pages, Passage
from taxonomy.vocabulary import Kind, Thing
from zol.text import Markdown


class Ledger:
    """Assigns citation numbers while an answer is composed."""

    def __init__(self, pages: Pages, passages: Sequence[Passage] = ()) -> None:
        self._pages = pages
        self._passages = passages
        self._citations: dict[str, Citation] = {}

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(self._citations.values())

    def quote(
        self, passage: Passage, quoted: str, *parts: str, translated: str = "", anchor: str = ""
    ) -> str:
        """Return the mark of a passage's page, and record the quotation, its share of a table or
        list, its translation, and the anchor of its section."""
        source = passage.source
        citation = Citation(
            n=len(self._citations) + 1,
            title=source.title,
            url=source.url,
            passage=quoted,
            page=passage.page,
            document_id=source.document_id,
            chunk_id=passage.chunk_id,
            language=source.language,
            updated_on=iso(source.updated_on),
            parts=parts,
            translated=translated,
            anchor=anchor,
        )
        return self._mark(citation)

    def item(self, thing: Thing, said: str) -> str:
        """Return the mark of a list item; empty without a page to open."""
        return self.fact(thing, said) if self._pages.about(thing.name, thing.url) else ""

    def fact(self, thing: Thing, said: str) -> str:
        """Return the mark of a thing's own page, or of a page that names it."""
        page = self._pages.about(thing.name, thing.url)
        if page is None and thing.kind is Kind.CAMPUS:
            page = self._pages.titled_after(thing.name)
        if page is None and not thing.url:
            naming = [p for p in self._passages if thing.name in p.text]
            # Prefer a page titled after it.
            naming.sort(key=lambda p: thing.name not in p.source.title)
            return self.quote(naming[0], "") if naming else ""
        citation = Citation(
            n=len(self._citations) + 1,
            title=page.title if page else thing.name,
            url=page.url if page else thing.url,
            document_id=page.document_id if page else 0,
            chunk_id=page.chunk_id if page else 0,
            language=page.language if page else "",
            updated_on=iso(page.updated_on) if page else "",
        )
        return self._mark(citation)

    def page(self, page: Page, said: str) -> str:
        """Return the mark of a page as a whole."""
        citation = Citation(
            n=len(self._citations) + 1,
            title=page.title,
            url=page.url,
            document_id=page.document_id,
            chunk_id=page.chunk_id,
            language=page.language,
            updated_on=iso(page.updated_on),
        )
        return self._mark(citation)

    def _mark(self, citation: Citation) -> str:
        # Pages are identified by address, else by document.
        key = citation.url or f"document:{citation.document_id}"
        known = self._citations.get(key)
        self._citations[key] = citation if known is None else both(known, citation)
        return Markdown(f"[{self._citations[key].n}]")


def both(known: Citation, further: Citation) -> Citation:
    """Merge two citations of a page: all its quotations; a paraphrase adds none."""
    if known.chunk_id == 0 or (further.passage and not known.passage):
        return replace(further, n=known.n)
    if not further.passage or further.passage in known.passage:
        return known
    chunks = dict.fromkeys((*known.also, further.chunk_id))
    return replace(
        known,
        passage=f"{known.passage}\n\n{further.passage}",
        also=tuple(chunk for chunk in chunks if chunk != known.chunk_id),
        parts=(*known.parts, *further.parts),
        translated=f"{known.translated or known.passage}\n{further.translated or further.passage}"
        if known.translated or further.translated
        else "",
    )


def iso(day: date | None) -> str:
    return day.isoformat() if day else ""
