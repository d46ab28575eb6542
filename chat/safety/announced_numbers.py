"""Detect numbers, dates of birth and addresses after announcing words: "geboren op …",
"patiëntnummer …"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Any, NamedTuple

from babel.dates import get_month_names

from chat.safety.phrases import PhraseBook
from chat.safety.spelled_data import NUMBER_WORD, SIGN, SpelledData, birth
from taxonomy.language.dictionary import is_everyday
from taxonomy.language.tokens import Token, folded, tokens
from zol.languages import LANGUAGES
from zol.text import fold

#: Cue sorts of what announces personal data, and of addresses.
BIRTH, NUMBER, STREET = "birthdate", "personal_number", "street"
KINDS = (BIRTH, NUMBER, STREET, SIGN, NUMBER_WORD)
#: Birth words that need a person mentioned: "mijn zoon is van 12/04/2015".
OF_SOMEBODY, SELFNAME = "person", "selfname"
#: Street words before the name ("rue"), by themselves ("Ave"), rather than at its end ("straat").
PREFIX, WORD = "prefix", "word"
#: Words before an address whose street has no such word: "μένω Ερμού 25".
LIVES = "lives"
#: Minimum digits of an announced telephone number, and of any other.
PHONE, LEAST_DIGITS, FEWEST = "phone", 7, 4
#: A weaker cue, and the minimum digits after it: "dossier van 2019".
FILE, LONGER = "file", 5
#: Minimum age in years of a date taken for a birth without a cue, and of a year with a weak one.
OLD, GROWN = 5, 25
_MONTH = r"[^\W\d_]{3,12}\.?"
_DAY = r"\d{1,2}(?:\.|°|º|st|nd|rd|th|er|ste|de|e|η|ης)?\s+(?:(?:de|of|din)\s+)?"
#: Month names in every supported language.
_MONTHS = "|".join(
    sorted({name for code in LANGUAGES for name in get_month_names(locale=code).values()})
)
#: An abbreviated month; a two-digit year follows no other word ("my son of 4 has 38").
_SHORT_MONTHS = "|".join(sorted({name[:3] for name in _MONTHS.split("|")}))
_MONTH_CUT = rf"(?:{_SHORT_MONTHS})[^\W\d_]*\.?"
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_CAPITAL = "A-ZÀ-ÞĂȘŞȚŢİĞΑ-ΫΆΈ-Ώ"
_DATE = re.compile(
    rf"(?<![\d./-])(?:(?P<day>\d{{1,2}})\s?[-/.]\s?(?P<month>\d{{1,2}}|{'|'.join(_ROMAN)})\s?[-/.]\s?['’]?(?P<year>\d{{4}}|\d\d)(?![\d]|[./-]\d)"
    r"|(?P<iso>\d{4})-\d\d-\d\d(?!\d)"
    rf"|{_DAY}{_MONTH}(?:\s+de)?,?\s+(?P<said>\d{{4}}|['’]\d\d)(?!\d))"
    rf"|\b(?:{_MONTHS}|(?:{_SHORT_MONTHS})\.?)\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?P<first>\d{{4}})(?!\d)",
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
    r"(?<![\w-])[A-Z]{2,3}\s(?:n[or]?\.?\s)\d{5,}|"
    r"(?<![\w-])(?:[^\W\d_]{1,3}[./-]?|[A-ZΑ-Ω]{1,3}[ ])?\d[\d ./-]*"
    r"(?:[^\W\d_]{1,3}(?![^\W\d_])-\d[\d ./-]*|[A-Z]{1,3}(?![^\W\d_])[ ./-]?(?:\d[\d ./-]*)?)?"
    r"(?:(?<=[\d/-])[A-ZΑ-Ω]{1,3}\b)?(?<![ ./-])"
    r"|(?<![\w-])(?=[^\W\d_]*\d[^\W\d_]*\d)[^\W_]{6,}\b"
)
_YEAR = re.compile(r"\W{0,3}(?:\w{1,5}\W{1,2}){0,2}(?P<year>(?:19|20)\d\d)(?!\d)")
_MERE_YEAR = re.compile(r"(?<![\d./-])(?:19|20)\d\d(?!\d)")
_NAME = rf"(?-i:[{_CAPITAL}])[\w'’-]+"
_CODE_OF_TOWN = (
    r"(?:(?-i:[A-Z]{1,2})-)?(?:\d{4}\s?(?-i:[A-Z]{2})\b|\d{4,6}\b|\d{3} \d{2}\b)"
    r"|(?-i:[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]\d[\dW]\s?[A-Z\d]{4})\b"
)
#: A town with its code, before or behind.
_TOWN = (
    rf"(?:{_CODE_OF_TOWN})(?:,?\s+{_NAME}(?:\s+{_NAME})?)?"
    rf"|{_NAME}(?:\s+{_NAME}){{0,2}}(?:,?\s+(?-i:[A-Z]{{2}}))?\s+(?:{_CODE_OF_TOWN})"
)
_POSTCODE = rf"(?:,?\s+(?:à\s+|te\s+|in\s+)?(?:{_TOWN}))?"
_HOUSE = re.compile(
    r"\s*,?\s*(?:n(?:[r°o]|um[ae]r(?:o|ul)?)?\s?[.:]?\s*)?\d{1,4}(?:\s?[a-z])?\b(?:\s*/\s*(?:\d+|[a-z]\b))?"
    r"(?:\s*,?\s*(?:bus|bte|box|bo[iî]te|ap|bl|sc|et|apt|kat|daire|d|int)[.:]?\s*\w+)*" + _POSTCODE,
    re.IGNORECASE,
)
_HOUSE_BEHIND = re.compile(r"\.?" + _HOUSE.pattern, re.IGNORECASE)
_NAMED_HOUSE = re.compile(r"\.?(?:\s+[^\W\d][\w'’.-]*){1,4}?,?" + _HOUSE.pattern, re.IGNORECASE)
#: A town without its code, and a flat or house before the street: "Flat 4, 18 High Street".
_MERE_TOWN = re.compile(rf",?\s+(?:\w+\s\d{{1,2}},\s+)?({_NAME})(?:[ -]{_NAME}){{0,2}}")
_FLAT = re.compile(rf"(?:{_NAME}\s\d{{1,4}}[A-Za-z]?,\s+)?\Z")
_TAIL = re.compile(r"\.?" + _POSTCODE)
#: Where somebody lives, up to the end of the clause: a distance goes on ("Genk 3 km").
_HOME = re.compile(
    rf"\W{{0,3}}(?:\w{{1,5}}\s+){{0,2}}?((?:{_NAME}\s+){{1,3}}\d{{1,4}}(?:\s?[a-z])?\b{_POSTCODE})"
    r"(?=\s*(?:[,.;!?)]|$))"
)
_AFTER_PREFIX = re.compile(
    rf"(?:\s+(?:d[eu]s?|la|l[’'])?\s?[\w'’-]+){{1,3}}?(?:(?=\s+\d|,){_POSTCODE}|(?=[.;!?]|$))"
    r"|(?:\s+(?:d[eu]s?|la|l[’'])?\s?[\w'’-]+){1,3}",
    re.IGNORECASE,
)
_NUMBER_BEFORE = re.compile(r"\b\d{1,4}\s?[a-z]?(?:\s?(?:bis|ter))?,?\s+$", re.IGNORECASE)
_NUMBER_AND_NAME = re.compile(r"\b\d{1,4}[a-zA-Z]?,?\s+(?:[A-Z][\w'’-]*\s+){1,2}$")
#: Parts of a hyphenated word before the last: "Sint-Amandsstraat".
_PARTS_BEFORE = re.compile(r"(?:[^\W\d_]+-)*$")
#: Maximum distance of a number or date from its announcement.
REACH = 25
#: Letters of a word that a mere year may precede: "1951 geboren", but "2011 ne-am mutat".
BIRTH_WORD = 5
#: Maximum distance between a birth word and its date, or a person and a date.
_CLOSE = 4


class Cut(NamedTuple):
    """A span of text, and its kind of data."""

    start: int
    end: int
    kind: str


class AnnouncedData:
    """Detector of announced personal data. Immutable."""

    def __init__(
        self,
        rows: Iterable[Mapping[str, Any]],
        is_own: Callable[[str], bool] = lambda number: False,
    ) -> None:
        rows = tuple(rows)
        self._cues = PhraseBook(
            (str(row["text"]), (str(row["kind"]), str(row["target"])))
            for row in rows
            if row["kind"] in (BIRTH, NUMBER) or row["target"] == LIVES
        )
        streets = [row for row in rows if row["kind"] == STREET]
        self._streets = tuple(
            "".join(folded(str(row["text"]))) for row in streets if not row["target"]
        )
        self._street_words = {str(row["text"]) for row in streets if row["target"] == WORD}
        self._prefixes = frozenset(
            word for row in streets if row["target"] == PREFIX for word in folded(str(row["text"]))
        )
        self._spelled = SpelledData(rows)
        self._people = PhraseBook(
            (str(row["text"]), None) for row in rows if row["kind"] == SELFNAME
        )
        self._is_own = is_own

    def find(self, text: str, today: date) -> list[Cut]:
        words = tokens(text)
        spoken = [word.folded for word in words]
        numbers = tuple(self._spelled.numbers(text, words))
        found = [Cut(*span, "e-mail") for span in self._spelled.mails(text)]
        found += [
            Cut(words[said.start].start, words[said.end - 1].end, "nummer")
            for said in numbers
            if said.is_dictated
        ]
        has_somebody = next(self._people.find(spoken), None) is not None
        homes = list[re.Match[str]]()
        # "born on the" before "born": the longer announcement is nearer to its date.
        for cue in sorted(self._cues.find(spoken), key=lambda cue: -cue.end):
            start, end = words[cue.start].start, words[cue.end - 1].end
            match cue.meaning:
                case "personal_number", target:
                    found += self._number(text, end, target)
                case "street", _:
                    homes += filter(None, [_HOME.match(text, end)])
                case _, target if target != OF_SOMEBODY:
                    found += (
                        _behind(text, end)
                        or _ahead(text, start, end - start)
                        or _year_behind(text, end)
                    )
                    spans = [birth(said, words, cue.start, cue.end) for said in numbers]
                    # "mille" is Italian too, and a part of a French year.
                    longest = max(filter(None, spans), key=lambda span: span[1], default=None)
                    found += [Cut(*longest, "geboortedatum")] if longest else []
                case _ if has_somebody:
                    found += _of_somebody(text, end, today)
        for at, word in enumerate(words):
            found += self._address(text, words, at, word)
        return found + [Cut(*at.span(1), "adres") for at in homes if not self._is_own(at[1])]

    def births(self, text: str, today: date) -> Iterator[Cut]:
        """Yield dates that are too old for an appointment."""
        for found in _DATE.finditer(text):
            year = _year(found, today)
            if year and today.year - 120 < year < today.year - OLD:
                yield Cut(found.start(), found.end(), "geboortedatum")

    def _number(self, text: str, end: int, target: str) -> Iterator[Cut]:
        is_phone = target == PHONE
        least = LEAST_DIGITS if is_phone else LONGER if target == FILE else FEWEST
        found = _CODE.search(text, end)
        if not found or found.start() - end > REACH:
            return
        number = found[0].strip(" ./-")
        if sum(map(str.isdigit, number)) >= least and not self._is_own(number):
            kind = "telefoon" if is_phone else "nummer"
            yield Cut(found.start(), found.start() + len(number), kind)

    def _address(self, text: str, words: tuple[Token, ...], at: int, word: Token) -> Iterator[Cut]:
        """Match a street with its number: "Stationsstraat 12", "rue de la Loi 16, 1000 Bru…"."""
        start, found = self._street(text, words, at, word)
        start = _PARTS_BEFORE.search(text, 0, start).start()  # type: ignore[union-attr]
        if found and not self._is_own(text[start : found.end()]):
            start, end = _FLAT.search(text, 0, start).start(), found.end()  # type: ignore[union-attr]
            town = _MERE_TOWN.match(text, end)
            yield Cut(
                start, town.end() if town and not is_everyday(fold(town[1])) else end, "adres"
            )

    def _street(
        self, text: str, words: tuple[Token, ...], at: int, word: Token
    ) -> tuple[int, re.Match[str] | None]:
        start, found = word.start, None
        if word.folded in self._prefixes:
            found = _NAMED_HOUSE.match(text, word.end)
            if found and found[0].islower():  # "Place" is an ordinary word too.
                found = None
            if found is None and (before := _NUMBER_BEFORE.search(text, max(0, start - 12), start)):
                named = _AFTER_PREFIX.match(text, word.end)
                if named:
                    start, found = before.start(), named
        # "avenue" is French before the name, and English behind it.
        if found is None and (
            word.folded in self._street_words or word.folded.endswith(self._streets)
        ):
            is_word = word.folded in self._street_words
            is_named = not is_word and word.folded not in self._streets
            if not is_named and at and words[at - 1].text[0].isupper():
                start = words[at - 1].start
            found = None if is_word else _HOUSE_BEHIND.match(text, word.end)
            pattern = _NUMBER_BEFORE if is_named else _NUMBER_AND_NAME
            before = pattern.search(text, max(0, word.start - 40), word.start)
            if before and not (found and before[0].rstrip().endswith(",")):
                start, found = before.start(), _TAIL.match(text, word.end)
        return start, found


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


def _of_somebody(text: str, end: int, today: date) -> list[Cut]:
    """Return the birth of a person who is spoken of: "mijn zoon is van 12/04/2015"."""
    dates = [
        cut
        for cut in _behind(text, end, _CLOSE)
        if not _is_to_come(text[cut.start : cut.end], today)
    ]
    # "mama is van 1947", but "de foto van mama van 2019"
    return dates or _year_behind(text, end, today.year - GROWN)


def _year_behind(text: str, start: int, last: int = 2100) -> list[Cut]:
    """Return a year, up to the last, right after an announcement: "née en 1957"."""
    found = _YEAR.match(text, start)
    is_birth = found and int(found["year"]) <= last
    return [Cut(found.start("year"), found.end(), "geboortejaar")] if found and is_birth else []


def _ahead(text: str, end: int, cue: int) -> list[Cut]:
    """Return a date right before an announcement of so many letters: "12 Mart 1980 doğumluyum"."""
    before = max(0, end - REACH)
    found = [
        one
        for one in (
            *_SAID_DATE.finditer(text, before, end),
            *(_MERE_YEAR.finditer(text, before, end) if cue >= BIRTH_WORD else ()),
        )
        if not text[one.end() : end].strip(" ,'’")
    ]
    return [Cut(found[-1].start(), found[-1].end(), "geboortedatum")] if found else []
