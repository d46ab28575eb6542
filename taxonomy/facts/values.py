"""Values of a fact: money, durations, lists, texts, yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Self
from urllib.parse import urlsplit

from babel import Locale

from taxonomy.facts.hours import Hours
from taxonomy.facts.parts import (
    BETWEEN,
    NOTE,
    Part,
    Parts,
    Texts,
    Value,
    WrongPart,
    chosen,
    reading,
    refuse_unknown,
    required,
    texts_of,
    written_texts,
)
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


@dataclass(frozen=True, slots=True)
class Duration(Value):
    """How long something takes, from and to."""

    KIND = "duration"
    PARTS = (
        Part("time", _("how long"), _("For example: 20-30 minutes, 2 weeks."), is_main=True),
        NOTE,
    )

    low: Decimal
    high: Decimal
    unit: str
    note: Texts = ()

    @classmethod
    def parse(cls, parts: Parts) -> Self:
        refuse_unknown(cls, parts)
        low, high, unit = reading("time", read_time, required(parts, "time"))
        return cls(low, high, unit, texts_of(parts, NOTE))

    def parts(self) -> dict[str, str]:
        amount = f"{self.low:f}" if self.low == self.high else f"{self.low:f}-{self.high:f}"
        return {"time": f"{amount} {self.unit}"} | dict(written_texts(self.note, NOTE))


def read_time(text: str) -> tuple[Decimal, Decimal, str]:
    """Return from, to and unit of "20-30 minuten"."""
    found = _RANGE.fullmatch(squash(text))
    unit = units_by_word().get(fold(found[3]).strip(" ."), "") if found else ""
    if not found or not unit:
        sentence = _("“%(part)s” is no time such as 20-30 minutes, 2 hours or 3 weeks.")
        raise WrongValue(sentence, text)
    low = read_number(found[1])
    high = read_number(found[2]) if found[2] else low
    if low > high:
        raise WrongValue(_("“%(part)s” ends before it starts."), text)
    return low, high, unit


@dataclass(frozen=True, slots=True)
class Money(Value):
    """A price: from and to, per what, for whom, what is free at first, and the most it can be."""

    KIND = "money"
    PARTS = (
        Part("amount", _("price"), _("For example: 1,80 or 45-60; 0 is free."), is_main=True),
        Part("unit", _("currency"), _("EUR when it is empty.")),
        Part("per", _("per"), choices=PER),
        Part("for", _("for whom or what"), in_languages=True),
        Part("free", _("free at first"), _("For example: 30 minutes.")),
        Part("maximum", _("at most"), _("The highest amount, such as 9,00.")),
        Part("maximum per", _("at most, per"), choices=PER),
        NOTE,
    )
    _FOR, _PER, _MOST_PER = PARTS[3], PARTS[2], PARTS[6]

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

    @classmethod
    def parse(cls, parts: Parts) -> Self:
        refuse_unknown(cls, parts)
        low, high = reading("amount", read_amounts, required(parts, "amount"))
        unit = squash(parts.get("unit", "")).upper() or "EUR"
        if unit not in Locale("en").currencies:
            raise WrongPart("unit", _("“%(part)s” is no currency such as EUR."), unit)
        free, most = squash(parts.get("free", "")), squash(parts.get("maximum", ""))
        maximum = reading("maximum", read_amounts, most)[1] if most else None
        if maximum is not None and maximum < high:
            raise WrongPart("maximum", _("“%(part)s” is less than the price itself."), most)
        time = reading("free", read_time, free) if free else None
        return cls(
            low, high, unit, chosen(parts, cls._PER, per_words), texts_of(parts, cls._FOR),
            (time[1], time[2]) if time else None, maximum,
            chosen(parts, cls._MOST_PER, per_words), texts_of(parts, NOTE),
        )  # fmt: skip

    def parts(self) -> dict[str, str]:
        both = f"{self.low:f}" if self.low == self.high else f"{self.low:f}-{self.high:f}"
        parts = {"amount": both, "unit": "" if self.unit == "EUR" else self.unit, "per": self.per}
        parts |= dict(written_texts(self.whom, self._FOR))
        parts["free"] = f"{self.free[0]:f} {self.free[1]}" if self.free else ""
        parts["maximum"] = "" if self.maximum is None else f"{self.maximum:f}"
        parts["maximum per"] = self.maximum_per
        parts |= dict(written_texts(self.note, NOTE))
        return {name: text for name, text in parts.items() if text}


def read_amounts(text: str) -> tuple[Decimal, Decimal]:
    """Return the lowest and the highest price of "€ 45-60"; "gratis" is nothing."""
    if fold(text) in words_for("free"):
        return Decimal(0), Decimal(0)
    found = _RANGE.fullmatch(squash(_CURRENCY.sub("", text)))
    if not found or found[3]:
        raise WrongValue(_("“%(part)s” is no amount such as 1,80, 45-60 or free."), text)
    low = read_number(found[1])
    high = read_number(found[2]) if found[2] else low
    if low > high:
        raise WrongValue(_("“%(part)s” ends before it starts."), text)
    return low, high


def per_words(code: str) -> Iterable[str]:
    """Return what may be written for a unit: "per uur", "uur", "hour"."""
    for said in words_for(f"per_{code}"):
        yield said
        yield said.partition(" ")[2]


ANSWERS = ("yes", "no")
MISSING = _("“%(part)s”: write it in at least one language.")


@dataclass(frozen=True, slots=True)
class TextValue(Value):
    """One or a few sentences."""

    KIND = "text"
    PARTS = (Part("text", _("text"), in_languages=True, is_main=True, is_long=True),)

    texts: Texts

    @classmethod
    def parse(cls, parts: Parts) -> Self:
        refuse_unknown(cls, parts)
        texts = texts_of(parts, cls.PARTS[0])
        if not texts:
            raise WrongPart("", MISSING, "")
        return cls(texts)

    def parts(self) -> dict[str, str]:
        return dict(written_texts(self.texts, self.PARTS[0]))


@dataclass(frozen=True, slots=True)
class Items(Value):
    """Things, or steps in their order."""

    KIND = "items"
    PARTS = (
        Part(
            "items", _("list"), _("One on a line, with the most important first."),
            in_languages=True, is_main=True, is_long=True,
        ),
        Part("ordered", _("in this order"), _("yes for steps, one after the other."),
             choices=ANSWERS),
    )  # fmt: skip

    items: tuple[tuple[str, tuple[str, ...]], ...]
    is_ordered: bool = False

    @classmethod
    def parse(cls, parts: Parts) -> Self:
        refuse_unknown(cls, parts)
        lists = tuple(
            (code, tuple(filter(None, map(squash, text.split(BETWEEN)))))
            for code, text in texts_of(parts, cls.PARTS[0])
        )
        if not any(each for _code, each in lists):
            raise WrongPart("", MISSING, "")
        lengths = {len(each) for _code, each in lists}
        if len(lengths) > 1:
            sentence = _("The lists have not as many items in every language: %(part)s.")
            counts = ", ".join(f"{code} {len(each)}" for code, each in lists)
            raise WrongPart(lists[-1][0], sentence, counts)
        return cls(lists, chosen(parts, cls.PARTS[1], words_for) == "yes")

    def parts(self) -> dict[str, str]:
        said = {code: f"{BETWEEN} ".join(each) for code, each in self.items}
        return said | ({"ordered": "yes"} if self.is_ordered else {})


@dataclass(frozen=True, slots=True)
class YesNo(Value):
    """Yes or no, and what it hangs on."""

    KIND = "yesno"
    PARTS = (
        Part("answer", _("yes or no"), choices=ANSWERS, is_main=True),
        Part("why", _("explanation"), in_languages=True, is_long=True),
    )

    is_yes: bool
    why: Texts = ()

    @classmethod
    def parse(cls, parts: Parts) -> Self:
        refuse_unknown(cls, parts)
        answer = chosen(parts, cls.PARTS[0], words_for)
        if not answer:
            raise WrongPart("answer", _("“%(part)s” is missing."), "answer")
        return cls(answer == "yes", texts_of(parts, cls.PARTS[1]))

    def parts(self) -> dict[str, str]:
        answer = {"answer": "yes" if self.is_yes else "no"}
        return answer | dict(written_texts(self.why, self.PARTS[1]))


_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")


@dataclass(frozen=True, slots=True)
class Place(Value):
    """A campus or address, and the way to it inside."""

    KIND = "place"
    PARTS = (
        Part("campus", _("campus"), _("The key of the campus, such as noord."), is_main=True),
        Part("address", _("address"), _("Street, number, postcode and town.")),
        Part("block", _("block or entrance")),
        Part("floor", _("floor"), _("0 is the ground floor.")),
        Part("route", _("route"), _("The number on the signs.")),
        Part("room", _("room or desk")),
        NOTE,
    )

    campus: str = ""
    address: str = ""
    block: str = ""
    floor: str = ""
    route: str = ""
    room: str = ""
    note: Texts = ()

    @classmethod
    def parse(cls, parts: Parts) -> Self:
        refuse_unknown(cls, parts)
        said = {part.name: squash(parts.get(part.name, "")) for part in cls.PARTS[:-1]}
        floor = said["floor"].removeprefix("+")
        if floor and not re.fullmatch(r"-?\d{1,2}", floor):
            raise WrongPart("floor", _("“%(part)s” is no floor: write a number, such as 4 or -1."),
                            said["floor"])  # fmt: skip
        note = texts_of(parts, NOTE)
        if not any(said.values()) and not note:
            raise WrongPart("campus", _("“%(part)s”: say at least one part of the place."), "")
        return cls(**said | {"floor": floor}, note=note)

    def parts(self) -> dict[str, str]:
        said = {part.name: getattr(self, part.name) for part in self.PARTS[:-1]}
        told = {name: text for name, text in said.items() if text}
        return told | dict(written_texts(self.note, NOTE))

    def validate(self, country: str, campuses: Iterable[str]) -> None:
        if self.campus and self.campus not in campuses:
            sentence = _("There is no campus “%(part)s”; known are: %(known)s.")
            known = ", ".join(sorted(campuses))
            raise WrongPart("campus", sentence, self.campus, known=known)


@dataclass(frozen=True, slots=True)
class ContactValue(Value):
    """Numbers, addresses and links, and when somebody is there."""

    KIND = "contact"
    PARTS = (
        Part(
            "phone", _("telephone"), _("More than one with ; between them."),
            is_main=True,
        ),
        Part("mail", _("e-mail")),
        Part("link", _("website or form"), _("An address that begins with https://")),
        Part(
            "staffed", _("when somebody is there"),
            _("Days and hours: ma-vr 9:00-12:00; “day and night” for always."), is_long=True,
        ),
        NOTE,
    )  # fmt: skip

    phones: tuple[str, ...] = ()
    mail: str = ""
    link: str = ""
    staffed: Hours | None = None
    note: Texts = ()

    @classmethod
    def parse(cls, parts: Parts) -> Self:
        refuse_unknown(cls, parts)
        phones = tuple(filter(None, map(squash, parts.get("phone", "").split(BETWEEN))))
        mail, link = squash(parts.get("mail", "")), squash(parts.get("link", ""))
        if mail and not _MAIL.fullmatch(mail):
            raise WrongPart("mail", _("“%(part)s” is no e-mail address."), mail)
        address = urlsplit(link)
        if link and not (address.scheme in ("http", "https") and address.netloc):
            raise WrongPart("link", _("“%(part)s” is no address that begins with https://."), link)
        if not (phones or mail or link):
            raise WrongPart("phone", _("“%(part)s”: give a number, an e-mail address or a link."),
                            "")  # fmt: skip
        staffed = squash(parts.get("staffed", ""))
        hours = reading("staffed", _hours, staffed) if staffed else None
        return cls(phones, mail, link, hours, texts_of(parts, NOTE))

    def parts(self) -> dict[str, str]:
        parts = {"phone": f"{BETWEEN} ".join(self.phones), "mail": self.mail, "link": self.link}
        parts["staffed"] = self.staffed.parts()["week"] if self.staffed else ""
        parts |= dict(written_texts(self.note, NOTE))
        return {name: text for name, text in parts.items() if text}

    def validate(self, country: str, campuses: Iterable[str]) -> None:
        for phone in self.phones:
            reading("phone", lambda text: check_phone(text, country), phone)


def _hours(text: str) -> Hours:
    try:
        return Hours.parse({"week": text})
    except WrongPart as error:
        raise WrongPart("staffed", error.sentence, error.part) from error
