"""Parts of a value: the fields of a form, and their notation as one line of text.

The line `1.80 | per: begun_hour | note nl: met kaart of munten` has three parts; the main part may
omit its name. Forms, packs, spreadsheets and the API all use parts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from taxonomy.facts.phrases import CODES
from taxonomy.facts.schedules import days_in
from zol.records.values import WrongValue
from zol.text import fold, squash
from zol.text import marked as _

#: Separators of the parts of a line, and of the texts of a list.
BAR, BETWEEN = "|", ";"
#: Parts that contain names of days.
OF_DAYS = frozenset({"week", "periods", "holidays", "staffed"})
Parts = Mapping[str, str]
#: Texts by language.
Texts = tuple[tuple[str, str], ...]
_NAMED = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)*)\s*:\s*(.*)")


class WrongPart(WrongValue):
    """An invalid part, with its name and the reason."""

    def __init__(self, name: str, sentence: str, part: str, **more: str) -> None:
        super().__init__(sentence, part, **more)
        self.name = name


@contextmanager
def in_part(name: str) -> Iterator[None]:
    """Turn a `WrongValue` into a `WrongPart` with this name."""
    try:
        yield
    except WrongValue as error:
        more = {key: text for key, text in error.params.items() if key != "part"}
        raise WrongPart(name, error.sentence, error.part, **more) from error


@dataclass(frozen=True, slots=True)
class ValuePart:
    """Definition of a part of a kind of value."""

    name: str
    #: Label for staff, marked for translation.
    title: str
    help: str = ""
    choices: tuple[str, ...] = ()
    #: Has one text per language.
    in_languages: bool = False
    #: May omit its name in a line.
    is_main: bool = False
    #: Needs a text area: long texts, or one item per line.
    is_long: bool = False
    is_required: bool = False
    #: The attributes of the value; by default the one with the part's name.
    holds: tuple[str, ...] = ()
    #: Parse a text to the value of the attribute, or to a tuple if there are several.
    read: Callable[[str], Any] = str
    #: Format the values; the part is omitted if the text is empty.
    write: Callable[..., str] = str
    #: Words for a choice, in all languages.
    words: Callable[[str], Iterable[str]] | None = None

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.holds or (self.name,)

    def key(self, language: str = "") -> str:
        """Return the name of the part in a line, such as "note nl", or "nl" for the main part."""
        if not self.in_languages:
            return self.name
        return language if self.is_main else f"{self.name} {language}"

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(map(self.key, CODES)) if self.in_languages else (self.name,)

    def parse(self, parts: Parts) -> dict[str, Any]:
        """Return the attributes that the part sets; none if it is absent."""
        given = {key: text for key in self.keys if (text := squash(parts.get(key, "")))}
        for key, text in given.items():
            if BAR in text:
                sentence = _("“%(part)s” contains a “|”, which separates values: remove it.")
                raise WrongPart(key, sentence, text)
        if self.is_required and not given:
            if self.in_languages:
                raise WrongPart("", _("“%(part)s”: write this in at least one language."), "")
            raise WrongPart(self.name, _("“%(part)s” is missing: fill it in."), self.name)
        if not given:
            return {}
        if self.in_languages:
            texts = ((code, given[self.key(code)]) for code in CODES if self.key(code) in given)
            return {self.attributes[0]: tuple((code, self.read(text)) for code, text in texts)}
        with in_part(self.name):
            text = self._choice(given[self.name]) if self.choices else given[self.name]
            found = self.read(text)
        return dict(
            zip(self.attributes, found if len(self.attributes) > 1 else [found], strict=True)
        )

    def _choice(self, text: str) -> str:
        """Return the code of a choice that is given by code or word."""
        for code in self.choices:
            names = (code, *(self.words(code) if self.words else ()))
            if fold(text) in map(fold, names):
                return code
        known = ", ".join(self.choices)
        sentence = _("“%(part)s” is not possible: choose from %(known)s.")
        raise WrongValue(sentence, fold(text), known=known)

    def formatted(self, value: Value) -> Iterator[tuple[str, str]]:
        """Yield key and text of the part, once for each language."""
        held = [getattr(value, name) for name in self.attributes]
        if self.in_languages:
            yield from ((self.key(code), self.write(text)) for code, text in held[0])
        elif held != [None] and (text := self.write(*held)):
            yield self.name, text


NOTE = ValuePart(
    "note",
    _("remark"),
    _("A limit or another detail to know; it is shown after the value."),
    in_languages=True,
)


class Value:
    """Base of typed values, which are parsed from parts and formatted as parts."""

    __slots__ = ()
    KIND: ClassVar[str]
    PARTS: ClassVar[tuple[ValuePart, ...]]

    @classmethod
    def parse(cls, parts: Parts) -> Self:
        """Parse a value; raise `WrongPart` for an unknown or invalid part."""
        known = {key for part in cls.PARTS for key in part.keys}
        for name in parts:
            if name not in known:
                raise _unknown(name, known)
        found: dict[str, Any] = {}
        for part in cls.PARTS:
            found |= part.parse(parts)
        return cls(**found)

    def parts(self) -> dict[str, str]:
        """Return the non-empty parts in their normal form."""
        return dict(pair for part in self.PARTS for pair in part.formatted(self))

    def validate(self, country: str, campuses: Iterable[str]) -> None:
        """Refuse values invalid for this hospital: an undiallable number, an unknown campus."""


def read_line(line: str, kind: type[Value], language: str) -> dict[str, str]:
    """Split a line into parts; texts without a language code are in `language`."""
    known = {key for part in kind.PARTS for key in part.keys}
    main = next(part for part in kind.PARTS if part.is_main).key(language)
    parts: dict[str, str] = {}
    for piece in filter(None, map(squash, line.split(BAR))):
        named = _NAMED.fullmatch(piece)
        name = squash(named[1]).lower() if named else main
        if named and name in known:
            if name in parts:
                raise WrongPart(name, _("“%(part)s” is listed twice: remove one."), name)
            parts[name] = named[2]
        elif not parts and (main in CODES or not named):
            parts[main] = piece
        elif named:
            raise _unknown(name, known)
        else:
            parts[main] = f"{parts.get(main, '')}{BETWEEN} {piece}".lstrip(f"{BETWEEN} ")
    return parts


def _unknown(name: str, known: Iterable[str]) -> WrongPart:
    sentence = _("“%(part)s” is not a part: choose from %(known)s.")
    return WrongPart("", sentence, name, known=", ".join(sorted(known)))


def parts_in(value: Value, language: str) -> dict[str, str]:
    """Return the parts in their normal form, with names of days in a language."""
    found = value.parts().items()
    return {name: days_in(text, language) if name in OF_DAYS else text for name, text in found}


def format_line(value: Value, language: str = "nl") -> str:
    """Format a value as one line, with names of days in a language."""
    main = next(part for part in value.PARTS if part.is_main)
    bare = "" if main.in_languages else main.name
    parts = parts_in(value, language).items()
    return f" {BAR} ".join(text if name == bare else f"{name}: {text}" for name, text in parts)


def best_text(texts: Texts, *languages: str) -> tuple[str, str]:
    """Return the first available of these languages, or else any, with its text."""
    known = dict(texts)
    tried = (*languages, *known)
    return next(((code, known[code]) for code in tried if code in known), ("", ""))
