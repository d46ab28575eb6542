"""Kinds of values: money, duration, place, contact, list, text, yes or no."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from babel import Locale

from taxonomy.facts.hours import Hours
from taxonomy.facts.parts import BETWEEN, NOTE, Texts, Value, ValuePart, WrongPart, in_part
from taxonomy.facts.phrases import units_by_word, words_for
from zol.records.values import WrongValue, check_phone, read_number
from zol.text import fold, squash
from zol.text import marked as _

_RANGE = re.compile(r"(\d+(?:[.,]\d+)?)(?:\s*(?:-|\u2013|/|tot|to)\s*(\d+(?:[.,]\d+)?))?\s*(.*)")
_CURRENCY = re.compile("€|eur(?:o)?(?![a-z])", re.IGNORECASE)
PER = (
    "minute", "half_hour", "hour", "begun_hour", "day", "night", "week", "month", "year", "time",
    "person", "item", "page", "km", "stay",
)  # fmt: skip


def read_time(text: str) -> tuple[Decimal, Decimal, str]:
    """Parse minimum, maximum and unit of "20-30 minuten"."""
    found = _RANGE.fullmatch(text)
    unit = units_by_word().get(fold(found[3]).strip(" ."), "") if found else ""
    if not found or not unit:
        sentence = _(
            "“%(part)s” is not a duration: write it like 20-30 minutes, 2 hours or 3 weeks."
        )
        raise WrongValue(sentence, text)
    return *_read_range(found, text), unit


def read_amounts(text: str) -> tuple[Decimal, Decimal]:
    """Parse the lowest and highest price of "€ 45-60"; "gratis" is 0."""
    if fold(text) in words_for("free"):
        return Decimal(0), Decimal(0)
    found = _RANGE.fullmatch(squash(_CURRENCY.sub("", text)))
    if not found or found[3]:
        raise WrongValue(_("“%(part)s” is not an amount: write it like 1,80, 45-60 or free."), text)
    return _read_range(found, text)


def _read_range(found: re.Match[str], text: str) -> tuple[Decimal, Decimal]:
    low = read_number(found[1])
    high = read_number(found[2]) if found[2] else low
    if low > high:
        raise WrongValue(_("“%(part)s” ends before it starts."), text)
    return low, high


def _range(low: Decimal, high: Decimal) -> str:
    return f"{low:f}" if low == high else f"{low:f}-{high:f}"


@dataclass(frozen=True, slots=True)
class Duration(Value):
    """A duration or a range of durations."""

    KIND = "duration"
    PARTS = (
        ValuePart(
            "time", _("how long"), _("For example: 20-30 minutes, 2 weeks."), is_main=True,
            is_required=True, holds=("low", "high", "unit"), read=read_time,
            write=lambda low, high, unit: f"{_range(low, high)} {unit}",
        ),
        NOTE,
    )  # fmt: skip

    low: Decimal
    high: Decimal
    unit: str
    note: Texts = ()


def _read_currency(text: str) -> str:
    code = text.upper()
    if code not in Locale("en").currencies:
        raise WrongValue(_("“%(part)s” is not a currency: write a code such as EUR."), code)
    return code


def per_words(code: str) -> Iterable[str]:
    """Yield the words for a unit in all languages: "per uur", "uur"."""
    for words in words_for(f"per_{code}"):
        yield words
        yield words.partition(" ")[2]


@dataclass(frozen=True, slots=True)
class Money(Value):
    """A price or price range, with unit, target group, free period and maximum."""

    KIND = "money"
    PARTS = (
        ValuePart(
            "amount", _("price"), _("For example: 1,80 or 45-60; 0 means free."), is_main=True,
            is_required=True, holds=("low", "high"), read=read_amounts, write=_range,
        ),
        ValuePart(
            "unit", _("currency"), _("If empty, the currency is EUR."), read=_read_currency,
            write=lambda code: "" if code == "EUR" else code,
        ),
        ValuePart("per", _("per"), choices=PER, words=per_words),
        ValuePart("for", _("for whom or what"), in_languages=True, holds=("whom",)),
        ValuePart(
            "free", _("free period at the start"), _("For example: 30 minutes."),
            read=lambda text: read_time(text)[1:], write=lambda free: f"{free[0]:f} {free[1]}",
        ),
        ValuePart(
            "maximum", _("maximum"), _("The highest amount charged, such as 9,00."),
            read=lambda text: read_amounts(text)[1], write=lambda amount: f"{amount:f}",
        ),
        ValuePart(
            "maximum per", _("maximum per"), choices=PER, words=per_words, holds=("maximum_per",)
        ),
        NOTE,
    )  # fmt: skip

    low: Decimal
    high: Decimal
    unit: str = "EUR"
    per: str = ""
    whom: Texts = ()
    #: Amount and unit of time.
    free: tuple[Decimal, str] | None = None
    maximum: Decimal | None = None
    maximum_per: str = ""
    note: Texts = ()

    def __post_init__(self) -> None:
        if self.maximum is not None and self.maximum < self.high:
            sentence = _("“%(part)s” is less than the price: enter a higher maximum.")
            raise WrongPart("maximum", sentence, f"{self.maximum:f}")


@dataclass(frozen=True, slots=True)
class TextValue(Value):
    """One or a few sentences."""

    KIND = "text"
    PARTS = (
        ValuePart(
            "text", _("text"), in_languages=True, is_main=True, is_long=True, is_required=True,
            holds=("texts",),
        ),
    )  # fmt: skip

    texts: Texts


YES_OR_NO: dict[str, Any] = {
    "choices": ("yes", "no"), "words": words_for, "read": "yes".__eq__,
    "write": lambda is_yes: "yes" if is_yes else "no",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Items(Value):
    """A list, or ordered steps."""

    KIND = "items"
    PARTS = (
        ValuePart(
            "items", _("list"), _("One per line, the most important first."),
            in_languages=True, is_main=True, is_long=True, is_required=True,
            read=lambda text: tuple(filter(None, map(squash, text.split(BETWEEN)))),
            write=f"{BETWEEN} ".join,
        ),
        ValuePart("ordered", _("in this order"), _("Write yes for steps that follow one after the "
                                                   "other."),
             holds=("is_ordered",),
             **YES_OR_NO | {"write": lambda is_ordered: "yes" if is_ordered else ""}),
    )  # fmt: skip

    items: tuple[tuple[str, tuple[str, ...]], ...]
    is_ordered: bool = False

    def __post_init__(self) -> None:
        lengths = {len(each) for _code, each in self.items}
        if len(lengths) > 1:
            sentence = _("Give the list the same number of items in every language: %(part)s.")
            counts = ", ".join(f"{code} {len(each)}" for code, each in self.items)
            raise WrongPart(self.items[-1][0], sentence, counts)


@dataclass(frozen=True, slots=True)
class YesNo(Value):
    """Yes or no, with an explanation."""

    KIND = "yesno"
    PARTS = (
        ValuePart("answer", _("yes or no"), is_main=True, is_required=True, holds=("is_yes",),
             **YES_OR_NO),
        ValuePart("why", _("explanation"), in_languages=True, is_long=True),
    )  # fmt: skip

    is_yes: bool
    why: Texts = ()


def _of_form(pattern: str, refusal: str) -> Callable[[str], str]:
    """Return a parser for texts of a pattern; it drops the plus sign of a floor."""

    def read(text: str) -> str:
        if not (found := re.fullmatch(pattern, text)):
            raise WrongValue(refusal, text)
        return found[0].removeprefix("+")

    return read


@dataclass(frozen=True, slots=True)
class PlaceValue(Value):
    """A campus or address, and the position inside a building."""

    KIND = "place"
    PARTS = (
        ValuePart("campus", _("campus"), _("The key of the campus, such as noord."), is_main=True),
        ValuePart("address", _("address"), _("Street, number, postcode and town.")),
        ValuePart("block", _("block or entrance")),
        ValuePart(
            "floor",
            _("floor"),
            _("0 is the ground floor."),
            read=_of_form(
                r"[+]?-?\d{1,2}", _("“%(part)s” is not a floor: write a number, such as 4 or -1.")
            ),
        ),
        ValuePart("route", _("route"), _("The route number on the signs.")),
        ValuePart("room", _("room or desk")),
        NOTE,
    )

    campus: str = ""
    address: str = ""
    block: str = ""
    floor: str = ""
    route: str = ""
    room: str = ""
    note: Texts = ()

    def __post_init__(self) -> None:
        if not self.parts():
            raise WrongPart("campus", _("“%(part)s”: fill in at least one part of the place."), "")

    def validate(self, country: str, campuses: Iterable[str]) -> None:
        if self.campus and self.campus not in campuses:
            sentence = _("There is no campus “%(part)s”: choose from %(known)s.")
            known = ", ".join(sorted(campuses))
            raise WrongPart("campus", sentence, self.campus, known=known)


@dataclass(frozen=True, slots=True)
class ContactValue(Value):
    """Telephone numbers, e-mail address, link, and the hours when they are staffed."""

    KIND = "contact"
    PARTS = (
        ValuePart(
            "phone", _("telephone"), _("If there are several, put ; between them."), is_main=True,
            holds=("phones",), write=f"{BETWEEN} ".join,
            read=lambda text: tuple(filter(None, map(squash, text.split(BETWEEN)))),
        ),
        ValuePart(
            "mail", _("e-mail"),
            read=_of_form(
                r"[^@\s]+@[^@\s]+\.[^@\s.]+",
                _("“%(part)s” is not an e-mail address: write it like name@example.org."),
            ),
        ),
        ValuePart(
            "link", _("website or form"), _("An address that begins with https://"),
            read=_of_form(
                r"https?://[^\s/]\S*", _("“%(part)s” is not a web address: it must begin "
                                         "with https://.")
            ),
        ),
        ValuePart(
            "staffed", _("hours when somebody answers"),
            _("Days and hours: ma-vr 9:00-12:00. Write “day and night” if it always applies."),
            is_long=True,
            read=lambda text: Hours.parse({"week": text}),
            write=lambda hours: hours.parts()["week"],
        ),
        NOTE,
    )  # fmt: skip

    phones: tuple[str, ...] = ()
    mail: str = ""
    link: str = ""
    staffed: Hours | None = None
    note: Texts = ()

    def __post_init__(self) -> None:
        if not (self.phones or self.mail or self.link):
            sentence = _("“%(part)s”: enter a number, an e-mail address or a link.")
            raise WrongPart("phone", sentence, "")

    def validate(self, country: str, campuses: Iterable[str]) -> None:
        for phone in self.phones:
            with in_part("phone"):
                check_phone(phone, country)
