"""Detect numbers, dates of birth and addresses after announcing words: "geboren op …",
"patiëntnummer …"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from babel.dates import get_month_names

from chat.safety.phrases import PhraseBook
from taxonomy.language.tokens import Token, folded, tokens
from zol.languages import LANGUAGES

#: Cue sorts, and what is removed after them.
KINDS = BIRTH, NUMBER, STREET, SIGN = "birthdate", "personal_number", "street", "spelled_sign"
#: Birth words that need a person mentioned: "mijn zoon is van 12/04/2015".
OF_SOMEBODY, SELFNAME = "person", "selfname"
#: Street words before the name ("rue"), rather than at its end ("straat").
PREFIX = "prefix"
#: Signs of an e-mail address written as words: "jan at gmail punt com".
AT, DOT = "at", "dot"
#: Domains of spelled-out addresses: other short words end a sentence.
_ENDINGS = "com|net|org|info|eu|be|nl|lu|fr|de|at|ch|uk|ie|tr|it|ro|gr|es|pt|pl"
#: Minimum digits of an announced telephone number, and of any other.
PHONE, LEAST_DIGITS, FEWEST = "phone", 7, 4
#: After a weaker cue ("file"): maximum distance and minimum length of the number.
FILE, AT_ONCE, LONGER = "file", 4, 5
#: Minimum age in years of a date taken for a birth without a cue.
OLD = 5
_MONTH = r"[^\W\d_]{3,12}\.?"
_DAY = r"\d{1,2}(?:\.|°|º|st|nd|rd|th|er|ste|de|e|η|ης)?\s+(?:(?:de|of|din)\s+)?"
#: Month names in every supported language.
_MONTHS = "|".join(
    sorted({name for code in LANGUAGES for name in get_month_names(locale=code).values()})
)
#: An abbreviated month; a two-digit year follows no other word ("my son of 4 has 38").
_MONTH_CUT = rf"(?:{'|'.join(sorted({name[:3] for name in _MONTHS.split('|')}))})[^\W\d_]*\.?"
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_CAPITAL = "A-ZÀ-ÞĂȘŞȚŢİĞΑ-ΫΆΈ-Ώ"
_DATE = re.compile(
    rf"(?<![\d./-])(?:(?P<day>\d{{1,2}})\s?[-/.]\s?(?P<month>\d{{1,2}}|{'|'.join(_ROMAN)})\s?[-/.]\s?['’]?(?P<year>\d{{4}}|\d\d)(?![\d]|[./-]\d)"
    r"|(?P<iso>\d{4})-\d\d-\d\d(?!\d)"
    rf"|{_DAY}{_MONTH}(?:\s+de)?,?\s+(?P<said>\d{{4}}|['’]\d\d)(?!\d))"
    rf"|\b{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?P<first>\d{{4}})(?!\d)",
    re.IGNORECASE,
)  # fmt: skip
#: Dates only recognised if announced: "15 03 1944", "150344", "7 sept 90", "July 1944".
_SAID_DATE = re.compile(
    rf"{_DATE.pattern}|(?<![\d./-])(?:(?:0?[1-9]|[12]\d|3[01])\s(?:0?[1-9]|1[0-2])\s(?:\d{{4}}|\d\d)"
    rf"|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)?\d\d"
    rf"|{_DAY}{_MONTH_CUT}\s+(?:del\s+)?['’]?\d\d)(?!\d|\s\d|[./:-]\d)"
    rf"|\b(?:[^\W\d_]+(?:-[^\W\d_]+)?\s+(?:(?:of|de)\s+)?)?(?:{_MONTHS})\s+(?:del?\s+)?(?:19|20)\d\d(?!\d)",
    re.IGNORECASE,
)  # fmt: skip
#: Codes of digits and letters: "A123456789", "1-ABC-234", "34 ABC 123".
_CODE = re.compile(
    r"(?<![\w-])(?:[^\W\d_]{1,3}[./-]?|[A-ZΑ-Ω]{1,3}[ ])?\d[\d ./-]*"
    r"(?:[^\W\d_]{1,3}(?![^\W\d_])-\d[\d ./-]*|[A-Z]{1,3}(?![^\W\d_])[ ./-]?(?:\d[\d ./-]*)?)?"
    r"(?:(?<=[\d/-])[A-ZΑ-Ω]{1,3}\b)?(?<![ ./-])"
    r"|(?<![\w-])[A-ZΑ-Ω]{1,3}[-/](?:\d{4}[-/])?\d{4,}\b"
    r"|(?<![\w-])[A-Z]{1,3}\d{2}[ -]?[A-Z]{3}\b"
    r"|(?<![\w-])[A-ZÄÖÜ]{1,3}[ -][A-Z]{1,3}[ -]?\d{1,4}\b"
)
_YEAR = re.compile(r"\W{0,3}(?:\w{1,5}\W{1,2}){0,2}(?P<year>(?:19|20)\d\d)(?!\d)")
_NAME = rf"[{_CAPITAL}][\w-]+"
_TOWN = rf"(?:\d{{4,5}}|\d{{3}} \d{{2}})(?:\s+{_NAME}(?-i:\s+{_NAME})?)?"
_POSTCODE = rf"(?:,?\s+(?:à\s+|te\s+)?(?:[A-Z]{{1,2}}-)?{_TOWN})?"
_HOUSE = re.compile(
    r"\s*,?\s*(?:n(?:[r°o]|um[ae]r(?:o|ul)?)?\s?[.:]?\s*)?\d{1,4}\s?[a-z]?\b(?:\s*/\s*(?:\d+|[a-z]\b))?"
    r"(?:\s*,?\s*(?:bus|bte|box|bo[iî]te|ap|bl|sc|et|apt|kat|daire|int)\.?\s*\w+)*" + _POSTCODE,
    re.IGNORECASE,
)
_NAMED_HOUSE = re.compile(r"\.?(?:\s+[^\W\d][\w'’.-]*){1,4}?,?" + _HOUSE.pattern, re.IGNORECASE)
_NUMBER_BEFORE = re.compile(r"\b\d{1,4}\s?[a-z]?(?:\s?(?:bis|ter))?,?\s+$", re.IGNORECASE)
_NUMBER_AND_NAME = re.compile(r"\b\d{1,4}[a-zA-Z]?,?\s+(?:[A-Z][\w'’-]*\s+){1,2}$")
#: Parts of a hyphenated word before the last: "Sint-Amandsstraat".
_PARTS_BEFORE = re.compile(r"(?:[^\W\d_]+-)*$")
#: An address by postcode and town: "Am Markt 5, 52062 Aachen".
_PLACE = re.compile(
    rf"(?:[{_CAPITAL}][\w'’-]+\s+){{1,3}}\d{{1,4}}\s?[a-z]?(?:\s?(?:/|bus|bte|box)\s?\w+)?,?\s+"
    rf"(?:[A-Z]{{1,2}}-)?\d{{4,5}}\s+[{_CAPITAL}][\w-]+"
)
#: End of a sentence; a full stop after a short word may be an abbreviation's.
_SENTENCE = re.compile(r"(?:[^\W\d_]{4}\.|[!?\n])\s")
#: Maximum distance of a number or date from its announcement.
REACH = 25
#: Maximum distance between a birth word and its date, or a person and a date.
_CLOSE = 4


class Cut(NamedTuple):
    """A span of text, and its kind of data."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Announcement:
    kind: str
    target: str


class AnnouncedData:
    """Detector of announced personal data. Immutable."""

    def __init__(
        self,
        rows: Iterable[Mapping[str, Any]],
        is_own: Callable[[str], bool] = lambda number: False,
    ) -> None:
        rows = tuple(rows)
        self._cues = PhraseBook(
            (str(row["text"]), Announcement(str(row["kind"]), str(row["target"])))
            for row in rows
            if row["kind"] in (BIRTH, NUMBER)
        )
        streets = [row for row in rows if row["kind"] == STREET]
        self._streets = tuple(
            "".join(folded(str(row["text"]))) for row in streets if row["target"] != PREFIX
        )
        self._prefixes = frozenset(
            word for row in streets if row["target"] == PREFIX for word in folded(str(row["text"]))
        )
        self._spelled = _spelled([row for row in rows if row["kind"] == SIGN])
        self._people = PhraseBook(
            (str(row["text"]), None) for row in rows if row["kind"] == SELFNAME
        )
        self._is_own = is_own

    def find(self, text: str, today: date) -> list[Cut]:
        words = tokens(text)
        spoken = [word.folded for word in words]
        spelled = self._spelled.finditer(text) if self._spelled else ()
        found = [Cut(*one.span(), "e-mail") for one in spelled]
        has_somebody = next(self._people.find(spoken), None) is not None
        for cue in self._cues.find(spoken):
            start, end = words[cue.start].start, words[cue.end - 1].end
            if cue.meaning.kind == NUMBER:
                found += self._number(text, end, cue.meaning)
            elif cue.meaning.target != OF_SOMEBODY:
                found += _behind(text, end) or _ahead(text, start) or _year_behind(text, end)
            elif has_somebody:
                found += [
                    cut
                    for cut in _behind(text, end, _CLOSE)
                    if not _is_to_come(text[cut.start : cut.end], today)
                ]
        for at, word in enumerate(words):
            found += self._address(text, words, at, word)
        for place in _PLACE.finditer(text):
            if not self._is_own(place[0]):
                found.append(Cut(place.start(), place.end(), "adres"))
        return found

    def births(self, text: str, today: date) -> Iterator[Cut]:
        """Yield dates that are too old for an appointment."""
        for found in _DATE.finditer(text):
            year = _year(found, today)
            if year and today.year - 120 < year < today.year - OLD:
                yield Cut(found.start(), found.end(), "geboortedatum")

    def _number(self, text: str, end: int, said: Announcement) -> Iterator[Cut]:
        is_phone, is_file = said.target == PHONE, said.target == FILE
        least = LEAST_DIGITS if is_phone else LONGER if is_file else FEWEST
        reach = AT_ONCE if is_file else REACH
        found = _CODE.search(text, end)
        if not found or found.start() - end > reach or _SENTENCE.search(text, end, found.start()):
            return
        number = found[0].strip(" ./-")
        if sum(map(str.isdigit, number)) >= least and not self._is_own(number):
            kind = "telefoon" if is_phone else "nummer"
            yield Cut(found.start(), found.start() + len(number), kind)

    def _address(self, text: str, words: tuple[Token, ...], at: int, word: Token) -> Iterator[Cut]:
        """Match a street with its number: "Stationsstraat 12", "rue de la Loi 16, 1000 Bru…"."""
        start, found = word.start, None
        is_prefix = word.folded in self._prefixes
        if is_prefix:
            found = _NAMED_HOUSE.match(text, word.end)
            if found is None and (before := _NUMBER_BEFORE.search(text, max(0, start - 12), start)):
                named = re.compile(r"(?:\s+(?:d[eu]s?|la|l[’'])?\s?[\w'’-]+){1,3}").match(
                    text, word.end
                )
                if named:
                    start, found = before.start(), named
        elif any(word.folded.endswith(street) for street in self._streets):
            is_named = not any(word.folded == street for street in self._streets)
            if not is_named and at and words[at - 1].text[0].isupper():
                start = words[at - 1].start
            found = re.compile(r"\.?" + _HOUSE.pattern, re.IGNORECASE).match(text, word.end)
            pattern = _NUMBER_BEFORE if is_named else _NUMBER_AND_NAME
            before = pattern.search(text, max(0, word.start - 40), word.start)
            if before and not (found and before[0].rstrip().endswith(",")):
                start, found = before.start(), re.compile(_POSTCODE).match(text, word.end)
        start = _PARTS_BEFORE.search(text, 0, start).start()  # type: ignore[union-attr]
        if found and not self._is_own(text[start : found.end()]):
            yield Cut(start, found.end(), "adres")


def _spelled(rows: Iterable[Mapping[str, Any]]) -> re.Pattern[str] | None:
    """Return the pattern of e-mail addresses with spelled-out signs; None without such words."""
    signs = {
        sign: "|".join(re.escape(str(row["text"])) for row in rows if row["target"] == sign)
        for sign in (AT, DOT)
    }
    if not all(signs.values()):
        return None
    at, dot = rf"\s+(?:{signs[AT]})\s+", rf"\s+(?:{signs[DOT]})\s+"
    local = rf"[\w+-]+(?:(?:\.|{dot})[\w+-]+)*"
    return re.compile(
        rf"{local}(?:{at}|@)[\w-]+(?:(?:\.|{dot})[\w-]+)*{dot}(?:{_ENDINGS})\b"
        # "He is at 38.5" is no address: domains end in letters.
        rf"|{local}{at}[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{{2,}}",
        re.IGNORECASE,
    )


def _year(found: re.Match[str], today: date) -> int:
    """Return the year of a date; a two-digit year in the future belongs to the last century."""
    written = next(filter(None, (found["year"], found["iso"], found["said"], found["first"])))
    if written.isdigit() and len(written) == 4:
        return int(written)
    if found["day"] and not (1 <= int(found["day"]) <= 31 and 1 <= _month(found) <= 12):
        return 0
    year = today.year // 100 * 100 + int(written[-2:])
    return year if year <= today.year + 2 else year - 100


def _month(found: re.Match[str]) -> int:
    said = (found["month"] or "0").lower()
    return int(said) if said.isdigit() else _ROMAN.index(said) + 1


def _is_to_come(written: str, today: date) -> bool:
    found = _DATE.match(written)
    if found is None:
        return False
    month, day = _month(found), int(found["day"] or 0)
    return (_year(found, today), month, day) > (today.year, today.month, today.day)


def _behind(text: str, start: int, reach: int = REACH) -> list[Cut]:
    found = _SAID_DATE.search(text, start)
    if found and found.start() - start <= reach:
        return [Cut(found.start(), found.end(), "geboortedatum")]
    return []


def _year_behind(text: str, start: int) -> list[Cut]:
    """Return a year right after an announcement: "née en 1957"."""
    found = _YEAR.match(text, start)
    return [Cut(found.start("year"), found.end(), "geboortejaar")] if found else []


def _ahead(text: str, end: int) -> list[Cut]:
    """Return a date right before an announcement: "12 Mart 1980 doğumluyum"."""
    before = max(0, end - REACH)
    found = [
        one
        for one in _SAID_DATE.finditer(text, before, end)
        if not text[one.end() : end].strip(" ,'’")
    ]
    return [Cut(found[-1].start(), found[-1].end(), "geboortedatum")] if found else []
