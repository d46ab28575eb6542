"""Detect numbers, dates of birth and addresses after announcing words: "geboren op …",
"patiëntnummer …"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from babel.dates import get_month_names

from chat.safety.phrases import PhraseBook, PhraseMatch
from chat.safety.spelled_data import NUMBER_WORD, SIGN, SpelledData, SpelledNumber, any_of
from taxonomy.language.dictionary import is_everyday
from taxonomy.language.tokens import Token, folded, tokens
from zol.languages import LANGUAGES
from zol.text import fold

#: Cue sorts: announcements of a birth and of a number, and words of addresses.
BIRTH, NUMBER, STREET = "birthdate", "personal_number", "street"
KINDS = (BIRTH, NUMBER, STREET, SIGN, NUMBER_WORD)
#: Birth words that need a person mentioned: "mijn zoon is van 12/04/2015".
OF_SOMEBODY, SELFNAME = "person", "selfname"
#: Street words before a name ("rue") and apart from it ("Ave"); all others end it ("straat").
PREFIX, WORD = "prefix", "word"
#: Words of an address beside its number ("nr", "bus 12") and before it ("Lale Mah."), and towns.
HOUSE, FLAT, QUARTER, BIG_TOWN = "number", "flat", "quarter", "town"
#: Units of amounts that look like dates ("12-8-10 eenheden").
UNIT = "unit"
#: Announcements of an address without a street word: "μένω Ερμού 25".
LIVES = "lives"
#: Minimum digits of an announced telephone number, and of any other.
PHONE, LEAST_DIGITS, FEWEST = "phone", 7, 4
#: Announcement of check digits, which follow a number.
CHECK_DIGITS = "check"
#: A weaker cue, and the minimum digits after it: "dossier van 2019".
FILE, LONGER = "file", 5
#: Minimum age in years of a date of birth without an announcement, and of a year of birth.
OLD, GROWN = 5, 25
_MONTH = r"[^\W\d_]{3,12}\.?"
_DAY = r"\d{1,2}(?:\.|°|º|st|nd|rd|th|er|ste|de|e|η|ης)?\s+(?:(?:de|of|din)\s+)?"
#: Month names in every supported language.
_MONTHS = "|".join(
    sorted({name for code in LANGUAGES for name in get_month_names(locale=code).values()})
)
#: Abbreviated months, the only words before a two-digit year: "my son of 4 has 38" is no date.
_SHORT_MONTHS = "|".join(sorted({name[:3] for name in _MONTHS.split("|")}))
_MONTH_CUT = rf"(?:{_SHORT_MONTHS})[^\W\d_]*\.?"
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
_CAPITAL = "A-ZÀ-ÞĂȘŞȚŢİĞΑ-ΫΆΈ-Ώ"
_DATE = re.compile(
    rf"(?<![\d./-])(?:(?P<day>\d{{1,2}})\s?[-/.]\s?(?P<month>\d{{1,2}}|{'|'.join(_ROMAN)})\s?[-/.]\s?['’]?(?P<year>\d{{4}}|\d\d)(?![\d]|[./-]\d)"
    r"|(?P<iso>\d{4})-\d\d-\d\d(?!\d)"
    rf"|{_DAY}{_MONTH}(?:\s+de)?,?\s+(?P<named>\d{{4}}|['’]\d\d)(?!\d))"
    rf"|\b(?:{_MONTHS}|(?:{_SHORT_MONTHS})\.?)\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+(?P<first>\d{{4}})(?!\d)",
    re.IGNORECASE,
)  # fmt: skip
#: Dates that count only if announced: "15 03 1944", "150344", "7 sept 90", "July 1944".
_ANNOUNCED_DATE = re.compile(
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
_NAME = rf"(?:(?-i:[{_CAPITAL}])\w\.\s)?(?-i:[{_CAPITAL}])[\w'’-]+"
#: House numbers: "12a", "208-B" and "52/3/11", but not "Genk 12 km".
_NUMBER = (
    r"\d{1,4}(?!\s?(?:k?m|min|[hu])\b)(?:\s?(?:bis|ter|hs|[a-z])(?!\s?[.:]?\s?\d))?\b"
    r"(?:(?:\s?/\s?|-)(?:\d{1,4}[a-z]?|bis|[a-z])\b){0,3}"
)
_CODE_OF_TOWN = (
    r"(?:(?-i:[A-Z]{1,2})-)?(?:\d{4}\s?(?-i:[A-Z]{2})\b|\d{4,6}\b|\d{3} \d{2}\b)"
    r"|(?-i:[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|[A-Z]\d[\dW]\s?[A-Z\d]{4})\b"
)
#: A town with its code, before or behind, or with its province ("Kulu/Konya").
_TOWN = (
    rf"(?:{_CODE_OF_TOWN})(?:,?\s+{_NAME}(?:[\s/]+{_NAME})?(?:\s\((?-i:[A-Z]{{2}})\))?)?|{_NAME}\s?/\s?{_NAME}"
    rf"|{_NAME}(?:\s+{_NAME}){{0,2}}(?:,?\s+(?-i:[A-Z]{{2}}))?\s+(?:{_CODE_OF_TOWN})"
)
_POSTCODE = rf"(?P<town>,?\s+(?:à\s+|te\s+|in\s+)?(?:{_TOWN}))?"
#: A town without its code.
_MERE_TOWN = re.compile(rf",?\s+(?:\w+\s\d{{1,2}},\s+)?({_NAME})(?:[ -]{_NAME}){{0,2}}")
_AFTER_PREFIX = (
    r"(?:\s+(?:d[eu]s?|la|l[’'])?\s?[\w'’-]+){{1,3}}?(?:(?=\s+\d|,){0}|(?=[.;!?]|$))"
    r"|(?:\s+(?:d[eu]s?|la|l[’'])?\s?[\w'’-]+){{1,3}}"
)
_NUMBER_AND_NAME = re.compile(rf"\b{_NUMBER},?\s+(?:{_NAME}\s+){{1,2}}$", re.IGNORECASE)
#: Parts of a hyphenated word before the last: "Sint-Amandsstraat".
_PARTS_BEFORE = re.compile(r"(?:[^\W\d_]+-)*$")
#: Maximum distance of a number or date from its announcement.
REACH = 25
_WORD, _DIGITS = re.compile(r"\s*([^\W\d_]+)"), re.compile(r"\W{0,3}\d{1,3}\b")
#: A second number after one announcement: "sort code 20-45-77, acc 41889023".
_ANOTHER = re.compile(r"\W{1,3}(?:[^\W\d_]+\W{1,2})?(\d{6,8})\b(?![./-]?\d)")
#: Words for a house number after which the number before them is a postcode.
CODED = "coded"
#: Minimum letters of an announcement that a mere year may precede: "1951 geboren".
BIRTH_WORD = 5
#: Maximum distance of a date from a person's announcement.
_CLOSE = 4


class Cut(NamedTuple):
    """A span of letters to redact, and the kind of data in it."""

    start: int
    end: int
    kind: str


class _Addresses:
    """Patterns of addresses, with the words for a house number, a flat and a quarter from rows."""

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        words = defaultdict[str, list[str]](list)
        for row in rows:
            words[row["target"]].append(str(row["text"]))
            if row["target"] == HOUSE and float(row["weight"]) > 1:
                words[CODED].append(str(row["text"]))
        number, flat, quarter, coded = (any_of(words[s]) for s in (HOUSE, FLAT, QUARTER, CODED))
        flats = (
            rf"(?:[\s,]*\b(?:{flat}(?:\b[.:]?\s*|[.:]\s*)(?:[a-z]?\d+[a-z]?|[a-z])\b(?:[./-]\w+)*"
            rf"|\d{{1,2}}(?:\.|°|[a-zè]{{1,3}})?\s{flat}\b)){{0,5}}"
        )
        house = rf"[\s,]*(?:{number}\s?[.:]?\s*)?{_NUMBER}{flats}{_POSTCODE}"
        named = rf"{_NAME}\s+(?:[^\W\d_]{{1,4}}\s+)?(?:{_NAME}\s+){{0,2}}{_NUMBER}{flats}"
        self.behind = _compiled(rf"\.?{house}")
        self.named = _compiled(rf"\.?(?:\s+[^\W\d][\w'’.-]*){{1,4}}?,?{house}")
        self.after_prefix = _compiled(_AFTER_PREFIX.format(flats + _POSTCODE))
        self.tail = _compiled(rf"\.?{flats}{_POSTCODE}")
        self.number_before = _compiled(rf"\b{_NUMBER},?\s+(?:{flat}[.:]?\s*\w{{1,3}},?\s+)?$")
        #: A flat, a house or a quarter before the street: "Flat 4, 18 High Street".
        self.before = _compiled(
            rf"(?:{_NAME}\s\d{{1,4}}[a-z]?,\s+|(?:{_NAME}\s+){{1,2}}{quarter}[.,]*\s+"
            rf"|\b{quarter}\s+(?:{_NAME}[\s,]+){{1,3}}(?:{flat}\W+\w{{1,3}},\s+)?)?\Z"
        )
        #: The address after "I live at", up to the end of the clause.
        self.lives = _compiled(
            rf"\W{{0,3}}(?:\w{{1,5}}\s+){{0,2}}?({named}{_POSTCODE})(?=\s*(?:[,.;!?)]|$))"
        )
        #: An address by postcode and town, "Am Markt 5, 52062 Aachen", or by postcode and number.
        self.placed = _compiled(
            rf"({named},?\s+(?:{_CODE_OF_TOWN})\s+{_NAME}(?:\s?/\s?{_NAME})?"
            rf"|\b\d{{4}}\s?(?-i:[A-Z]{{2}})\b,?\s+(?:{number}\W{{0,2}})?{_NUMBER}"
            rf"|\b\d{{4,5}},?\s+{coded}\W{{0,2}}{_NUMBER})"
        )


class AnnouncedData:
    """Detector of announced and spelled personal data. Immutable."""

    def __init__(
        self,
        rows: Iterable[Mapping[str, Any]],
        is_own: Callable[..., bool] = lambda written, is_call=False: False,
    ) -> None:
        rows = tuple(rows)
        self._is_own = is_own
        self._spelled = SpelledData(rows)
        self._cues = PhraseBook(
            (str(row["text"]), (str(row["kind"]), str(row["target"])))
            for row in rows
            if (row["kind"] in (BIRTH, NUMBER) and row["target"] != UNIT) or row["target"] == LIVES
        )
        self._people = PhraseBook(
            (str(row["text"]), None) for row in rows if row["kind"] == SELFNAME
        )
        self._units = {
            word for row in rows if (row["kind"], row["target"]) == (BIRTH, UNIT)
            for word in folded(str(row["text"]))
        }  # fmt: skip
        streets = [row for row in rows if row["kind"] == STREET]
        self._addresses = _Addresses(streets)
        #: Towns whose names are everyday words of a language.
        self._towns = {fold(str(row["text"])) for row in streets if row["target"] == BIG_TOWN}
        self._streets = tuple(
            "".join(folded(str(row["text"]))) for row in streets if not row["target"]
        )
        self._street_words = {str(row["text"]) for row in streets if row["target"] == WORD}
        #: Street words before a name; an ordinary word too, such as "place", needs a capital.
        self._prefixes = PhraseBook(
            (str(row["text"]), float(row["weight"]) < 1)
            for row in streets
            if row["target"] == PREFIX
        )

    def find(self, text: str, today: date) -> Iterator[Cut]:
        """Yield personal data, the most certain first: dates of birth without an announcement,
        spelled data, then what cues announce, then addresses."""
        words = tokens(text)
        folded_words = [word.folded for word in words]
        numbers = tuple(self._spelled.numbers(text, words))
        yield from self._old_dates(text, today)
        yield from (Cut(*span, "e-mail") for span in self._spelled.mails(text))
        for each in numbers:
            if each.is_dictated:
                yield Cut(words[each.start].start, words[each.end - 1].end, "nummer")
        # "born on the" before "born": the longer announcement is nearer to its date.
        cues = sorted(self._cues.find(folded_words), key=lambda cue: -cue.end)
        for cue in cues:
            yield from self._announced(text, words, cue, numbers, today)
        prefixes = {cue.end - 1: cue for cue in self._prefixes.find(folded_words)}
        for at in range(len(words)):
            yield from self._address(text, words, at, prefixes.get(at))
        ends = [words[cue.end - 1].end for cue in cues if cue.meaning[0] == STREET]
        lived_at = filter(None, (self._addresses.lives.match(text, end) for end in ends))
        for found in (*lived_at, *self._addresses.placed.finditer(text)):
            if not self._is_own(found[1]):
                yield Cut(*found.span(1), "adres")

    def _announced(
        self,
        text: str,
        words: Sequence[Token],
        cue: PhraseMatch[tuple[str, str]],
        numbers: Iterable[SpelledNumber],
        today: date,
    ) -> Iterator[Cut]:
        """Yield the number or the date of birth that a cue announces."""
        start, end = words[cue.start].start, words[cue.end - 1].end
        kind, target = cue.meaning
        if kind == NUMBER:
            yield from self._number(text, start, end, target)
        elif kind == BIRTH and target != OF_SOMEBODY:
            yield from _announced_birth(text, start, end)
            spans = (each.birth(words, cue.start, cue.end) for each in numbers)
            # The longest: "mille" is Italian too, and a part of a French year.
            if longest := max(filter(None, spans), key=lambda span: span[1], default=None):
                yield Cut(*longest, "geboortedatum")
        elif kind == BIRTH and any(self._people.find([word.folded for word in words])):
            yield from _birth_of_somebody(text, end, today)

    def _old_dates(self, text: str, today: date) -> Iterator[Cut]:
        """Yield dates that are too old for an appointment."""
        for found in _DATE.finditer(text):
            year = _year(found, today)
            is_amount = (word := _WORD.match(text, found.end())) and fold(word[1]) in self._units
            if year and today.year - 120 < year < today.year - OLD and not is_amount:
                yield Cut(*found.span(), "geboortedatum")

    def _number(self, text: str, start: int, end: int, target: str) -> Iterator[Cut]:
        """Yield the number after an announcement, and a second one right behind it."""
        if target == CHECK_DIGITS:
            is_behind_number = text[:start].rstrip(" ,:(-")[-1:].isdigit()
            if is_behind_number and (digits := _DIGITS.match(text, end)):
                yield Cut(start, digits.end(), "nummer")
            return
        is_phone, is_file = target == PHONE, target == FILE
        least = LEAST_DIGITS if is_phone else LONGER if is_file else FEWEST
        found = _CODE.search(text, end)
        if not found or found.start() - end > REACH:
            return
        number = found[0].strip(" ./-")
        is_own = self._is_own(number, is_call=is_phone or is_file)
        if sum(map(str.isdigit, number)) >= least and not is_own:
            kind = "telefoon" if is_phone else "nummer"
            yield Cut(found.start(), found.start() + len(number), kind)
            if more := _ANOTHER.match(text, found.start() + len(number)):
                yield Cut(*more.span(1), kind)

    def _address(
        self, text: str, words: tuple[Token, ...], at: int, prefix: PhraseMatch[bool] | None
    ) -> Iterator[Cut]:
        """Yield the address whose street word is here, with its town."""
        start, found = self._street(text, words, at, prefix)
        start = _PARTS_BEFORE.search(text, 0, start).start()  # type: ignore[union-attr]
        if found and not self._is_own(text[start : found.end()]):
            start, end = self._addresses.before.search(text, 0, start).start(), found.end()  # type: ignore[union-attr]
            town = None if found["town"] else _MERE_TOWN.match(text, end)
            if town and ((name := fold(town[1])) in self._towns or not is_everyday(name)):
                end = town.end()
            yield Cut(start, end, "adres")

    def _street(
        self, text: str, words: tuple[Token, ...], at: int, prefix: PhraseMatch[bool] | None
    ) -> tuple[int, re.Match[str] | None]:
        addresses, word, found = self._addresses, words[at], None
        start = words[prefix.start].start if prefix else word.start
        if prefix:
            found = addresses.named.match(text, word.end)
            # "Place" is an ordinary word too; "Weg naar As 14", but "de weg naar kamer 14".
            is_way = prefix.meaning and prefix.end - prefix.start > 1
            if found and (found[0].islower() or (is_way and text[start].islower())):
                found = None
            before = addresses.number_before.search(text, max(0, start - REACH), start)
            if (
                before
                and (found is None or "," in found[0])  # "45, chemin des Vignes, 1009 Pully"
                and (named := addresses.after_prefix.match(text, word.end))
            ):
                start, found = before.start(), named
        # "avenue" is French before the name, and English behind it.
        is_word = word.folded in self._street_words
        if found is None and (is_word or word.folded.endswith(self._streets)):
            is_named = not is_word and word.folded not in self._streets
            other = words[at - 1] if at and not is_named else None
            if other and not other.text[0].islower():
                start = other.start
            elif other and word.text.islower() and is_everyday(other.folded):
                return start, None  # "op het plein 3 uur"
            found = None if is_word else addresses.behind.match(text, word.end)
            pattern = addresses.number_before if is_named else _NUMBER_AND_NAME
            number = pattern.search(text, max(0, word.start - 40), word.start)
            if number and not (found and number[0].rstrip().endswith(",")):
                start, found = number.start(), addresses.tail.match(text, word.end)
        return start, found


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _year(found: re.Match[str], today: date) -> int:
    """Return the year of a date; a two-digit year in the future belongs to the last century."""
    written = next(filter(None, (found[name] for name in ("year", "iso", "named", "first"))))
    if written.isdigit() and len(written) == 4:
        return int(written)
    if found["day"] and not (1 <= int(found["day"]) <= 31 and 1 <= _month(found) <= 12):
        return 0
    year = today.year // 100 * 100 + int(written[-2:])
    return year if year <= today.year + 2 else year - 100


def _month(found: re.Match[str]) -> int:
    written = (found["month"] or "0").lower()
    return int(written) if written.isdigit() else _ROMAN.index(written) + 1


def _birth_of_somebody(text: str, end: int, today: date) -> Iterator[Cut]:
    """Yield the birth of a person mentioned before: "mijn zoon is van 12/04/2015"."""
    found = _ANNOUNCED_DATE.search(text, end)
    if found is None or found.start() - end > _CLOSE:
        # "mama is van 1947", but "de foto van mama van 2019"
        yield from _birth_year(text, end, today.year - GROWN)
        return
    known = _DATE.match(found[0])
    day = known and (_year(known, today), _month(known), int(known["day"] or 0))
    if day and day > (today.year, today.month, today.day):
        yield from _birth_year(text, end, today.year - GROWN)
    else:
        yield Cut(*found.span(), "geboortedatum")


def _announced_birth(text: str, start: int, end: int) -> Iterator[Cut]:
    """Yield the date behind an announcement, else one right before it, else a year."""
    found = _ANNOUNCED_DATE.search(text, end)
    if found and found.start() - end <= REACH:
        yield Cut(*found.span(), "geboortedatum")
        return
    # "12 Mart 1980 doğumluyum"
    since = max(0, start - REACH)
    before = [*_ANNOUNCED_DATE.finditer(text, since, start)]
    if end - start >= BIRTH_WORD:
        before += _MERE_YEAR.finditer(text, since, start)
    near = [each for each in before if not text[each.end() : start].strip(" ,'’")]
    if near:
        yield Cut(*near[-1].span(), "geboortedatum")
    else:
        yield from _birth_year(text, end)


def _birth_year(text: str, start: int, last: int = 2100) -> Iterator[Cut]:
    """Yield a year, up to the last, right after an announcement: "née en 1957"."""
    found = _YEAR.match(text, start)
    if found and int(found["year"]) <= last:
        yield Cut(*found.span("year"), "geboortejaar")
