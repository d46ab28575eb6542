"""Sections of pages as somebody translated them, statement by statement.

A section is what stands under one heading of a chunk. Its translation has as many sentences, items
and rows, in the same order, so that an answer can quote one of them and leave the others.
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
    """A part of a chunk: its heading's line, empty above the first, and what stands under it."""

    heading: str
    body: str

    @property
    def digest(self) -> str:
        return digest_of(self.body)


@dataclass(frozen=True, slots=True)
class Translation:
    """What a section says in another language."""

    source: str
    language: str
    text: str
    heading: str = ""


def digest_of(text: str) -> str:
    """Return what a section is known by: its words, however they are broken into lines."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()


def sections(text: str) -> Iterator[PageSection]:
    """Yield the sections of a chunk that say something."""
    headings = ["", *_HEADING_LINE.findall(text)]
    for heading, body in zip(headings, _HEADING_LINE.split(text), strict=True):
        if body.strip():
            yield PageSection(heading, body.strip())


def flaws(
    said: Translation, own: str, digests: Collection[str]
) -> Iterator[tuple[str, WrongValue]]:
    """Yield what is wrong with a translation of a page in its `own` language, which has sections
    of these `digests`, each with the field that it is wrong in."""
    if digest_of(said.source) not in digests:
        yield "source", WrongValue(_("The page has no such section: %(part)s…"), said.source[:60])
    if said.language not in LANGUAGES or said.language == own:
        yield "language", WrongValue(_("“%(part)s” is no other language."), said.language)
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
        """Return the statements of a chunk that are translated, each with what it says; none where
        they do not line up, as after another way of cutting pages."""
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
    """Return a translated statement under what its original stands under, translated as far as
    that is."""
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
