"""Approved translations of page sections, statement by statement.

A section is the text under one heading of a chunk. Its translation has the same sentences, items
and rows in the same order, so that an answer can quote any of them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from retrieval.fields import HEADING, PATH
from retrieval.passage import Passage
from retrieval.statements import Line, lines
from taxonomy.publishing.snapshot import Snapshot
from zol.languages import LANGUAGES
from zol.records.values import WrongValue
from zol.text import marked as _

ROWS = "chat.passagetranslation"
_FIGURE = re.compile(r"\d+")
_HEADING_LINE = re.compile(rf"^{HEADING}.*$", re.MULTILINE)


class PageSection(NamedTuple):
    """A section of a chunk: its heading (empty above the first) and text."""

    heading: str
    body: str

    @property
    def digest(self) -> str:
        return digest_of(self.body)


@dataclass(frozen=True, slots=True)
class Translation:
    """A translation of a section."""

    source: str
    language: str
    text: str
    heading: str = ""


def digest_of(text: str) -> str:
    """Return the digest of a section's words, independent of line breaks."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()


def sections(text: str) -> Iterator[PageSection]:
    """Yield the non-empty sections of a chunk."""
    headings = ["", *_HEADING_LINE.findall(text)]
    for heading, body in zip(headings, _HEADING_LINE.split(text), strict=True):
        if body.strip():
            yield PageSection(heading, body.strip())


def flaws(
    said: Translation, own: str, digests: Collection[str]
) -> Iterator[tuple[str, WrongValue]]:
    """Yield the flaws of a translation of a page in its `own` language with sections of these
    `digests`, each with its field."""
    if digest_of(said.source) not in digests:
        yield "source", WrongValue(_("The page has no such section: %(part)s…"), said.source[:60])
    if said.language not in LANGUAGES or said.language == own:
        yield "language", WrongValue(_("“%(part)s” is not a different language."), said.language)
    there, here = [[each.form for each in lines(text)] for text in (said.source, said.text)]
    if there != here:
        sentence = _("The section has %(part)s sentences, items and rows; translate each as one.")
        yield "text", WrongValue(sentence, f"{len(there)} ≠ {len(here)}")
    if differing := {*_FIGURE.findall(said.source)} ^ {*_FIGURE.findall(said.text)}:
        sentence = _("Figures differ from the section's: %(part)s.")
        yield "text", WrongValue(sentence, ", ".join(sorted(differing)))


class Translations:
    """The translations of a version. Immutable once built."""

    def __init__(self, known: Iterable[Translation] = ()) -> None:
        self._known = {(each.language, digest_of(each.source)): each for each in known}

    def lines(self, passage: Passage, language: str) -> Mapping[Line, Line]:
        """Return the translated statements of a chunk, each with its translation; none if they do
        not align, for example after pages were chunked anew."""
        text = passage.text
        parts = [(each, self._known.get((language, each.digest))) for each in sections(text)]
        if not any(said for _section, said in parts):
            return {}
        written = "\n".join(_written(section, said) for section, said in parts)
        translated = [bool(said) for section, said in parts for _line in lines(section.body)]
        there = [*lines(text, passage.placed)]
        here = [*lines(written)]
        if not len(there) == len(here) == len(translated):
            return {}
        told = zip(there, here, translated, strict=True)
        return {first: _under(first, said) for first, said, is_translated in told if is_translated}


def _under(own: Line, said: Line) -> Line:
    """Return a translated statement with its headings, translated where possible."""
    lead = said.leads or own.leads
    path = (*own.place.path[:-1], *(said.place.path or own.place.path[-1:]))
    place = replace(own.place, path=path, lead=lead)
    return replace(said, place=place, heading=PATH.join(path), lead=(*lead, "")[0])


def _written(section: PageSection, said: Translation | None) -> str:
    if said is None:
        return f"{section.heading}\n{section.body}"
    heading = f"{HEADING}{said.heading}" if said.heading else section.heading
    return f"{heading}\n{said.text}"


def translations_of(snapshot: Snapshot) -> Translations:
    """Return the translations that a version carries; readers derive them once."""
    names = ("source", "language", "text", "heading")
    return Translations(
        Translation(**{name: str(row[name]) for name in names}) for row in snapshot.rows_of(ROWS)
    )
