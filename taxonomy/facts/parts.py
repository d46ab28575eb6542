"""Parts of a value: what a form asks for, and the one line of text that a table keeps.

The line `1.80 | per: begun_hour | note nl: met kaart of munten` has three parts; the first one may
stand without its name. Forms, packs, spreadsheets and the API all give parts, and nothing else.
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

#: Between the parts of a line, and between the texts of a list.
BAR, BETWEEN = "|", ";"
#: Parts that name days.
OF_DAYS = frozenset({"week", "periods", "holidays", "staffed"})
Parts = Mapping[str, str]
#: Texts by language.
Texts = tuple[tuple[str, str], ...]
_NAMED = re.compile(r"([^\W\d_]+(?: [^\W\d_]+)*)\s*:\s*(.*)")


class WrongPart(WrongValue):
    """A part that cannot be kept, and why; `name` says which."""

    def __init__(self, name: str, sentence: str, part: str, **more: str) -> None:
        super().__init__(sentence, part, **more)
        self.name = name


@contextmanager
def in_part(name: str) -> Iterator[None]:
    """Name the part in which a value is wrong."""
    try:
        yield
    except WrongValue as error:
        more = {key: text for key, text in error.said.items() if key != "part"}
        raise WrongPart(name, error.sentence, error.part, **more) from error


@dataclass(frozen=True, slots=True)
class ValuePart:
    """A part of a kind of value, as forms ask for it."""

    name: str
    #: Words for staff, marked for translation.
    title: str
    help: str = ""
    choices: tuple[str, ...] = ()
    #: Given once in each language.
    in_languages: bool = False
    #: May stand without its name.
    is_main: bool = False
    #: Long texts, or one on a line.
    is_long: bool = False
    is_required: bool = False
    #: The attributes of a value that hold it; empty for one of the part's name.
    holds: tuple[str, ...] = ()
    #: Read its text as the values of these attributes (one value, or a tuple of several).
    read: Callable[[str], Any] = str
    #: Write the values back; "" leaves the part out.
    write: Callable[..., str] = str
    #: Words for a choice, in every language.
    words: Callable[[str], Iterable[str]] | None = None

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.holds or (self.name,)

    def key(self, language: str = "") -> str:
        """Return the name under which the part stands in a line: "note nl", or "nl" alone."""
        if not self.in_languages:
            return self.name
        return language if self.is_main else f"{self.name} {language}"

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(map(self.key, CODES)) if self.in_languages else (self.name,)

    def parse(self, parts: Parts) -> dict[str, Any]:
        """Return the attributes that the part sets; none when it is absent."""
        said = {key: text for key in self.keys if (text := squash(parts.get(key, "")))}
        for key, text in said.items():
            if BAR in text:
                sentence = _("“%(part)s” contains a “|”, which separates values: remove it.")
                raise WrongPart(key, sentence, text)
        if self.is_required and not said:
            if self.in_languages:
                raise WrongPart("", _("“%(part)s”: write this in at least one language."), "")
            raise WrongPart(self.name, _("“%(part)s” is missing: fill it in."), self.name)
        if not said:
            return {}
        if self.in_languages:
            texts = ((code, said[self.key(code)]) for code in CODES if self.key(code) in said)
            return {self.attributes[0]: tuple((code, self.read(text)) for code, text in texts)}
        with in_part(self.name):
            text = self._choice(said[self.name]) if self.choices else said[self.name]
            found = self.read(text)
        return dict(
            zip(self.attributes, found if len(self.attributes) > 1 else [found], strict=True)
        )

    def _choice(self, text: str) -> str:
        """Return the choice that is made, by its code or by any of its words."""
        for code in self.choices:
            names = (code, *(self.words(code) if self.words else ()))
            if fold(text) in map(fold, names):
                return code
        known = ", ".join(self.choices)
        sentence = _("“%(part)s” is not possible: choose from %(known)s.")
        raise WrongValue(sentence, fold(text), known=known)

    def written(self, value: Value) -> Iterator[tuple[str, str]]:
        """Yield the key and the text of the part, or of each of its languages."""
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
    """A typed value: read from parts, checked against what the hospital has, written as parts."""

    __slots__ = ()
    KIND: ClassVar[str]
    PARTS: ClassVar[tuple[ValuePart, ...]]

    @classmethod
    def parse(cls, parts: Parts) -> Self:
        """Return the value that parts say; a part that is wrong is a `WrongPart`."""
        known = {key for part in cls.PARTS for key in part.keys}
        for name in parts:
            if name not in known:
                raise _unknown(name, known)
        found: dict[str, Any] = {}
        for part in cls.PARTS:
            found |= part.parse(parts)
        return cls(**found)

    def parts(self) -> dict[str, str]:
        """Return the parts in their normal form, without those that are empty."""
        return dict(pair for part in self.PARTS for pair in part.written(self))

    def validate(self, country: str, campuses: Iterable[str]) -> None:
        """Refuse values invalid for this hospital: an undiallable number, an unknown campus."""

    def languages(self) -> frozenset[str]:
        """Return the languages of its texts; none where it needs no words of its own."""
        return frozenset(code for key in self.parts() for code in CODES if key.split()[-1] == code)


def read_line(line: str, kind: type[Value], language: str) -> dict[str, str]:
    """Return the parts of a line; a text without its language is in the hospital's."""
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


def told_parts(value: Value, language: str) -> dict[str, str]:
    """Return the parts in their normal form, with days as a hospital of a language writes them."""
    found = value.parts().items()
    return {name: days_in(text, language) if name in OF_DAYS else text for name, text in found}


def written_line(value: Value, language: str = "nl") -> str:
    """Return a value as the one line that a hospital of a language keeps."""
    main = next(part for part in value.PARTS if part.is_main)
    bare = "" if main.in_languages else main.name
    told = told_parts(value, language).items()
    return f" {BAR} ".join(text if name == bare else f"{name}: {text}" for name, text in told)


def best_text(texts: Texts, *languages: str) -> tuple[str, str]:
    """Return a language and its text: the first of these that there is, else any."""
    known = dict(texts)
    tried = (*languages, *known)
    return next(((code, known[code]) for code in tried if code in known), ("", ""))
