"""Personal data that words announce: "mijn naam is …", "geboren op …", "patiëntnummer …"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from taxonomy.tokens import Token, folded, tokens

#: Sorts of cues, and what is taken out after them.
SELFNAME, BIRTH, NUMBER, STREET = "selfname", "birthdate", "personal_number", "street"
#: A word for a street that stands before its name ("rue"), rather than at its end ("straat").
PREFIX = "prefix"
#: A cue of this weight announces a name even without capitals: "mijn naam is".
CERTAIN = 3.0
NAME_WORDS = 4
#: Words such as "is" or ":" that may stand between an announcement and what it announces.
BETWEEN = 3
_DATE = re.compile(
    r"\d{1,2}\s*[-/. ]\s*\d{1,2}\s*[-/. ]\s*(?:\d{4}|\d{2})\b"
    r"|\d{4}-\d{2}-\d{2}\b"
    r"|\d{1,2}\.?(?:\s+de)?\s+[^\W\d_]{3,12}\.?(?:\s+de)?\s+\d{4}\b"
)
_CODE = re.compile(r"\b(?:[A-Z]{1,3}[ -]?)?\d[\d ./-]{2,20}\d\b", re.IGNORECASE)
_HOUSE = re.compile(
    r"\s*(?:n[r°o]\.?\s*)?\d{1,4}\s?[a-z]?\b(?:\s*(?:bus|bte|box)\s*\w+)?"
    r"(?:,?\s+(?:[A-Z]{1,2}-)?\d{4,5}(?:\s+[A-ZÀ-Ý][\w-]+)?)?",
    re.IGNORECASE,
)
_NAMED_HOUSE = re.compile(r"(?:\s+[^\W\d][\w'’-]*){1,4}?,?" + _HOUSE.pattern, re.IGNORECASE)
#: How far behind an announcement its number or date may begin.
REACH = 25


@dataclass(frozen=True, slots=True)
class Announcement:
    words: tuple[str, ...]
    kind: str
    weight: float
    target: str = ""
    language: str = ""


def announcements(rows: Iterable[Mapping[str, Any]]) -> tuple[Announcement, ...]:
    kinds = (SELFNAME, BIRTH, NUMBER, STREET)
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

    def __init__(self, said: Iterable[Announcement], is_known: Callable[[str, str], bool]) -> None:
        self._by_first: dict[str, list[Announcement]] = {}
        self._streets: tuple[str, ...] = ()
        self._prefixes: set[str] = set()
        for announcement in said:
            if announcement.kind == STREET and announcement.target == PREFIX:
                self._prefixes.update(announcement.words)
            elif announcement.kind == STREET:
                self._streets += ("".join(announcement.words),)
            elif announcement.words:
                self._by_first.setdefault(announcement.words[0], []).append(announcement)
        self._is_known = is_known

    def redact(self, text: str) -> tuple[str, tuple[str, ...]]:
        """Return the text without what its words announce, and the sorts that were taken out."""
        words = tokens(text)
        cuts: list[tuple[int, int, str]] = []
        for at, word in enumerate(words):
            for said in self._by_first.get(word.folded, ()):
                end = at + len(said.words)
                if tuple(token.folded for token in words[at:end]) == said.words:
                    cuts += self._after(text, words, end, said)
                    break
            cuts += self._address(text, word)
        return _cut(text, cuts)

    def _after(
        self, text: str, words: tuple[Token, ...], end: int, said: Announcement
    ) -> list[tuple[int, int, str]]:
        start = words[end - 1].end
        match said.kind:
            case "selfname":
                return self._name(words, end, said)
            case "birthdate":
                return _behind(_DATE, text, start, "geboortedatum")
            case _:
                return _behind(_CODE, text, start, "nummer")

    def _name(
        self, words: tuple[Token, ...], at: int, said: Announcement
    ) -> list[tuple[int, int, str]]:
        """Take the words that can be a name: with a capital, unless it surely is one."""
        end, certain = at, said.weight >= CERTAIN
        while end < min(len(words), at + NAME_WORDS) and self._is_name(words[end], said):
            end += 1
        if end == at or (not certain and self._is_known(words[at].folded, said.language)):
            return []
        return [(words[at].start, words[end - 1].end, "naam")]

    def _is_name(self, word: Token, said: Announcement) -> bool:
        if any(character.isdigit() for character in word.text) or word.folded in self._by_first:
            return False
        can_be = said.weight >= CERTAIN or word.text[0].isupper()
        return can_be and not self._is_known(word.folded, said.language)

    def _address(self, text: str, word: Token) -> list[tuple[int, int, str]]:
        """Take a street with its number: "Stationsstraat 12", "rue de la Loi 16, 1000 Bru…"."""
        found = None
        if word.folded in self._prefixes:
            found = _NAMED_HOUSE.match(text, word.end)
        elif any(word.folded.endswith(street) for street in self._streets):
            found = _HOUSE.match(text, word.end)
        return [(word.start, found.end(), "adres")] if found else []


def _behind(
    pattern: re.Pattern[str], text: str, start: int, kind: str
) -> list[tuple[int, int, str]]:
    found = pattern.search(text, start)
    return [(found.start(), found.end(), kind)] if found and found.start() - start <= REACH else []


def _cut(text: str, cuts: list[tuple[int, int, str]]) -> tuple[str, tuple[str, ...]]:
    kinds = []
    limit = len(text)
    for start, end, kind in sorted(cuts, reverse=True):
        if end <= limit:
            text = f"{text[:start]}[{kind}]{text[end:]}"
            kinds.append(kind)
            limit = start
    return text, tuple(reversed(kinds))
