"""Where something is, and how somebody is reached there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from taxonomy.facts.hours import Hours
from taxonomy.facts.parts import (
    BETWEEN,
    NOTE,
    Part,
    Parts,
    Texts,
    Value,
    WrongPart,
    reading,
    refuse_unknown,
    texts_of,
    written_texts,
)
from zol.text import marked as _
from zol.text import squash
from zol.values import check_phone

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
