"""Personal data that words announce: "mijn naam is …", "geboren op …", "patiëntnummer …"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from chat.safety.named import Names
from chat.safety.numbers import digits
from taxonomy.tokens import Token, folded, tokens

#: Sorts of cues, and what is taken out after them.
BIRTH, NUMBER, STREET = "birthdate", "personal_number", "street"
#: A word for a street that stands before its name ("rue"), rather than at its end ("straat").
PREFIX = "prefix"
#: A number that is announced as one to call has so many digits.
PHONE, LEAST_DIGITS = "phone", 8
_MONTH = r"[^\W\d_]{3,12}\.?"
_DATE = re.compile(
    r"\d{1,2}\s*[-/. ]\s*\d{1,2}\s*[-/. ]\s*(?:\d{4}|\d{2})\b"
    r"|\d{4}-\d{2}-\d{2}\b"
    rf"|\d{{1,2}}(?:\.|st|nd|rd|th|er|e)?(?:\s+(?:de|of))?\s+{_MONTH}(?:\s+de)?,?\s+\d{{4}}\b"
    rf"|\b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"\b(?:[A-Z]{1,3} |[A-Za-z]{1,3}-?)?\d[\d ./-]{2,20}\d\b")
_HOUSE = re.compile(
    r"\s*(?:n[r°o]\.?\s*)?\d{1,4}\s?[a-z]?\b(?:\s*(?:bus|bte|box)\s*\w+)?"
    r"(?:,?\s+(?:[A-Z]{1,2}-)?\d{4,5}(?:\s+[A-ZÀ-Ý][\w-]+)?)?",
    re.IGNORECASE,
)
_NAMED_HOUSE = re.compile(r"(?:\s+[^\W\d][\w'’-]*){1,4}?,?" + _HOUSE.pattern, re.IGNORECASE)
#: How far behind an announcement its number or date may begin.
REACH = 25


#: From which letter up to which, and what stands there.
Cut = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Announcement:
    words: tuple[str, ...]
    kind: str
    weight: float
    target: str = ""
    language: str = ""


def announcements(rows: Iterable[Mapping[str, Any]]) -> tuple[Announcement, ...]:
    kinds = (BIRTH, NUMBER, STREET)
    found = (
        Announcement(
            folded(str(row["text"])),
            str(row["kind"]),
            float(row["weight"]),
            str(row["target"]),
            str(row["language"]),
        )
        for row in rows
        if row["kind"] in kinds
    )
    return tuple(sorted(found, key=lambda said: -len(said.words)))


class Announced:
    """Takes out what words announce. Immutable once built."""

    def __init__(
        self,
        rows: Iterable[Mapping[str, Any]],
        is_known: Callable[[str, str], bool],
        is_own: Callable[[str], bool] = lambda number: False,
    ) -> None:
        rows = tuple(rows)
        self._names = Names(rows, is_known)
        self._by_first: dict[str, list[Announcement]] = {}
        self._streets: tuple[str, ...] = ()
        self._prefixes: set[str] = set()
        for announcement in announcements(rows):
            if announcement.kind == STREET and announcement.target == PREFIX:
                self._prefixes.update(announcement.words)
            elif announcement.kind == STREET:
                self._streets += ("".join(announcement.words),)
            elif announcement.words:
                self._by_first.setdefault(announcement.words[0], []).append(announcement)
        self._is_own = is_own

    def redact(self, text: str) -> tuple[str, tuple[str, ...]]:
        """Return the text without what its words announce, and the sorts that were taken out."""
        words = tokens(text)
        cuts: list[Cut] = [
            (words[start].start, words[end - 1].end, "naam")
            for start, end in self._names.find(words)
        ]
        for at, word in enumerate(words):
            for said in self._by_first.get(word.folded, ()):
                end = at + len(said.words)
                if tuple(token.folded for token in words[at:end]) == said.words:
                    cuts += self._around(text, word.start, words[end - 1].end, said)
                    break
            cuts += self._address(text, word)
        return _cut(text, cuts)

    def _around(self, text: str, start: int, end: int, said: Announcement) -> list[Cut]:
        """Take the date or the number behind an announcement; a date may stand before it, too."""
        if said.kind == BIRTH:
            return _behind(_DATE, text, end, "geboortedatum") or _ahead(text, start)
        kind = "telefoon" if said.target == PHONE else "nummer"
        least = LEAST_DIGITS if said.target == PHONE else 0
        return [
            (first, last, name)
            for first, last, name in _behind(_CODE, text, end, kind)
            if len(digits(text[first:last])) >= least and not self._is_own(text[first:last])
        ]

    def _address(self, text: str, word: Token) -> list[Cut]:
        """Take a street with its number: "Stationsstraat 12", "rue de la Loi 16, 1000 Bru…"."""
        found = None
        if word.folded in self._prefixes:
            found = _NAMED_HOUSE.match(text, word.end)
        elif any(word.folded.endswith(street) for street in self._streets):
            found = _HOUSE.match(text, word.end)
        return [(word.start, found.end(), "adres")] if found else []


def _behind(pattern: re.Pattern[str], text: str, start: int, kind: str) -> list[Cut]:
    found = pattern.search(text, start)
    return [(found.start(), found.end(), kind)] if found and found.start() - start <= REACH else []


def _ahead(text: str, end: int) -> list[Cut]:
    """Return the date that stands right before an announcement: "12 Mart 1980 doğumluyum"."""
    before = text[max(0, end - REACH) : end].rstrip(" ,")
    found = next((one for one in _DATE.finditer(before) if one.end() == len(before)), None)
    offset = max(0, end - REACH)
    return [(offset + found.start(), offset + found.end(), "geboortedatum")] if found else []


def _cut(text: str, cuts: list[Cut]) -> tuple[str, tuple[str, ...]]:
    kinds = []
    limit = len(text)
    for start, end, kind in sorted(cuts, reverse=True):
        if end <= limit:
            text = f"{text[:start]}[{kind}]{text[end:]}"
            kinds.append(kind)
            limit = start
    return text, tuple(reversed(kinds))
