"""Records of facts and their conditions as plain values, parsed from lines or parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple, Self

from taxonomy.facts import needs
from taxonomy.facts.hours import Hours
from taxonomy.facts.parts import BAR, OF_DAYS, Value, WrongPart, format_line, in_part, read_line
from taxonomy.facts.phrases import words_for
from taxonomy.facts.schedules import whole_days
from taxonomy.facts.values import ContactValue, Duration, Items, Money, PlaceValue, TextValue, YesNo
from zol.records.values import WrongValue, cell_of, read_date
from zol.text import fold, spaced, squash
from zol.text import marked as _

KINDS: Mapping[str, type[Value]] = {
    kind.KIND: kind
    for kind in (Hours, Money, Duration, PlaceValue, ContactValue, Items, TextValue, YesNo)
}


YES, NO = "yes", "no"
_AGE = re.compile(r"(\d{1,3})?\s*-\s*(\d{1,3})?|(\d{1,3})")
OLDEST = 130


@dataclass(frozen=True, slots=True)
class FactConditions:
    """Conditions of a fact or a question; an empty one does not matter."""

    campus: str = ""
    #: In years: "0-15", "16-", or 7.
    age: str = ""
    inpatient: str = ""

    @classmethod
    def parse(cls, given: Mapping[str, Any]) -> Self:
        """Parse conditions; raise `WrongPart` for an unknown or invalid one."""
        values = {}
        for name, value in given.items():
            if name not in CONDITIONS:
                sentence = _("“%(part)s” is not a condition: choose from %(known)s.")
                raise WrongPart("", sentence, name, known=", ".join(CONDITIONS))
            if text := squash(str(value)):
                with in_part(name):
                    values[name] = _PARSERS[name](text)
        return cls(**values)

    @classmethod
    def parse_line(cls, line: str) -> Self:
        """Parse the conditions of a cell: "campus: noord | age: 0-15"."""
        given = {}
        for piece in filter(None, map(squash, line.split(BAR))):
            name, colon, value = piece.partition(":")
            if not colon:
                raise WrongPart(
                    "", _("“%(part)s” is not readable: write it like campus: noord."), piece
                )
            given[name.strip().lower()] = value
        return cls.parse(given)

    def data(self) -> dict[str, str]:
        """Return the conditions that are set, as plain values."""
        return {name: value for name in CONDITIONS if (value := getattr(self, name))}

    def agreement(self, asked: FactConditions) -> tuple[int, int] | None:
        """Return the number of conditions that the question meets, and that it leaves open.

        Return None if a condition contradicts the question.
        """
        met = open_ = 0
        for name, value in self.data().items():
            wanted = getattr(asked, name)
            if not wanted:
                open_ += 1
                continue
            if not (_overlap(value, wanted) if name == "age" else fold(value) == fold(wanted)):
                return None
            met += 1
        return met, open_


CONDITIONS = tuple(field.name for field in fields(FactConditions))


def line_of(conditions: Mapping[str, str]) -> str:
    """Format conditions as one cell, including those of earlier releases."""
    return f" {BAR} ".join(f"{name}: {value}" for name, value in conditions.items() if value)


def _age(text: str) -> str:
    found = _AGE.fullmatch(text)
    low, high = _ages(text) if found and any(found.groups()) else (1, 0)
    if low > high:
        raise WrongValue(_("“%(part)s” is not an age: write years such as 0-15, 16- or 7."), text)
    return text.replace(" ", "")


def _ages(text: str) -> tuple[int, int]:
    low, dash, high = text.partition("-")
    first = int(low or 0)
    return first, int(high or OLDEST) if dash else first


def _overlap(value: str, wanted: str) -> bool:
    (low, high), (first, last) = _ages(value), _ages(wanted)
    return low <= last and first <= high


def _yes_or_no(text: str) -> str:
    for code in (YES, NO):
        if fold(text) in (code, *words_for(code)):
            return code
    raise WrongValue(_("“%(part)s” must be yes or no."), text)


_PARSERS: Mapping[str, Callable[[str], str]] = {
    "campus": str, "age": _age, "inpatient": _yes_or_no,
}  # fmt: skip


def read_value(text: str | Mapping[str, str], kind: str, language: str) -> Value:
    """Parse a value from a line or its parts; raise `WrongPart` for an invalid part."""
    of_kind = KINDS[kind]
    return of_kind.parse(read_line(text, of_kind, language) if isinstance(text, str) else text)


COLUMNS = (
    "need", "subject_kind", "subject", "conditions", "value", "source", "sentence",
    "valid_from", "valid_to",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FactContext:
    """Properties of a hospital that validation depends on."""

    country: str
    language: str
    campuses: frozenset[str]


@dataclass(frozen=True, slots=True)
class FactRecord:
    """A fact without its subject."""

    need: str
    conditions: FactConditions
    value: Value
    valid_from: date | None = None
    valid_to: date | None = None
    #: The hospital's language, which is that of the line.
    language: str = "nl"

    @property
    def line(self) -> str:
        return format_line(self.value, self.language)


def read_record(cells: Mapping[str, Any], context: FactContext) -> FactRecord:
    """Parse the cells of a fact; raise `WrongPart` with the column of an invalid cell.

    Value and conditions are each a line of text or a mapping of parts.
    """
    need = squash(str(cells.get("need") or ""))
    if need not in needs.kinds():
        raise WrongPart(
            "need", _("“%(part)s” is not a kind of question: choose one from the list."), need
        )
    given = cells.get("conditions") or {}
    with in_part("conditions"):
        if isinstance(given, str):
            conditions = FactConditions.parse_line(given)
        else:
            conditions = FactConditions.parse(given)
        if conditions.campus and conditions.campus not in context.campuses:
            sentence = _("There is no campus “%(part)s”: choose from %(known)s.")
            known = ", ".join(sorted(context.campuses))
            raise WrongValue(sentence, conditions.campus, known=known)
    with in_part("value"):
        value = checked_value(cells.get("value") or "", need, context)
    with in_part("valid_from"):
        first = _date(cells.get("valid_from"))
    with in_part("valid_to"):
        last = _date(cells.get("valid_to"))
    if first and last and first > last:
        raise WrongPart("valid_to", _("“%(part)s” ends before it starts."), f"{first} – {last}")
    return FactRecord(need, conditions, value, first, last, context.language)


def cells_of(
    subject: tuple[str, str] | None, need: str, conditions: Mapping[str, str], **more: Any
) -> list[str]:
    """Format a fact as the cells of its columns."""
    return [need, *(subject or ("", "")), line_of(conditions), *map(cell_of, more.values())]


def checked_value(text: str | Mapping[str, str], need: str, context: FactContext) -> Value:
    """Parse and validate the value for a need."""
    kind, language = needs.kinds()[need], context.language
    parts = read_line(text, KINDS[kind], language) if isinstance(text, str) else text
    parts = {n: whole_days(each, language) if n in OF_DAYS else each for n, each in parts.items()}
    value = read_value(parts, kind, language)
    value.validate(context.country, context.campuses)
    return value


def _date(cell: Any) -> date | None:
    return read_date(cell) if isinstance(cell, str) and cell else cell or None


class SourceState(StrEnum):
    NONE = "none"
    CURRENT = "current"
    #: The page exists but lacks the sentence.
    CHANGED = "changed"
    GONE = "gone"


class FactSource(NamedTuple):
    page: str
    sentence: str


#: Functions that return the texts of pages by path; the app with pages registers its own.
readers: list[Callable[[Collection[str]], Mapping[str, str]]] = []


def states_of(sources: Iterable[FactSource]) -> list[SourceState]:
    """Return the state of each source, in order."""
    listed = list(sources)
    pages = {source.page for source in listed if source.page}
    texts = {path: spaced(text) for read in readers for path, text in read(pages).items()}
    return [_state(source, texts) for source in listed]


def _state(source: FactSource, texts: Mapping[str, str]) -> SourceState:
    if not source.page:
        return SourceState.NONE
    if source.page not in texts:
        return SourceState.GONE
    is_there = spaced(source.sentence) in texts[source.page]
    return SourceState.CURRENT if is_there else SourceState.CHANGED
