"""Facts as plain values; a line of text, or its parts, becomes a value of its kind here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

from taxonomy.facts import needs
from taxonomy.facts.conditions import FactConditions, line_of
from taxonomy.facts.hours import Hours
from taxonomy.facts.parts import OF_DAYS, Value, WrongPart, in_part, read_line, written_line
from taxonomy.facts.schedules import whole_days
from taxonomy.facts.values import ContactValue, Duration, Items, Money, PlaceValue, TextValue, YesNo
from zol.records.values import WrongValue, cell_of, read_date
from zol.text import marked as _
from zol.text import spaced, squash

KINDS: Mapping[str, type[Value]] = {
    kind.KIND: kind
    for kind in (Hours, Money, Duration, PlaceValue, ContactValue, Items, TextValue, YesNo)
}


def read_value(said: str | Mapping[str, str], kind: str, language: str) -> Value:
    """Return the value that a line, or its parts, say; what is wrong is a `WrongPart`."""
    of_kind = KINDS[kind]
    return of_kind.parse(read_line(said, of_kind, language) if isinstance(said, str) else said)


COLUMNS = (
    "need", "subject_kind", "subject", "conditions", "value", "source", "sentence",
    "valid_from", "valid_to",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FactContext:
    """Context in which values are validated."""

    country: str
    language: str
    campuses: frozenset[str]


@dataclass(frozen=True, slots=True)
class FactRecord:
    """A fact as it is kept, but for its subject."""

    need: str
    conditions: FactConditions
    value: Value
    valid_from: date | None = None
    valid_to: date | None = None
    #: The hospital's, in which the line is written.
    language: str = "nl"

    @property
    def line(self) -> str:
        return written_line(self.value, self.language)


def read_record(cells: Mapping[str, Any], house: FactContext) -> FactRecord:
    """Return the fact that cells say; of one that is wrong the `WrongPart` names the column.

    A value, and conditions, are a line of text or a mapping of their parts.
    """
    need = squash(str(cells.get("need") or ""))
    if need not in needs.kinds():
        raise WrongPart(
            "need", _("“%(part)s” is not a kind of question: choose one from the list."), need
        )
    said = cells.get("conditions") or {}
    with in_part("conditions"):
        if isinstance(said, str):
            conditions = FactConditions.parse_line(said)
        else:
            conditions = FactConditions.parse(said)
        if conditions.campus and conditions.campus not in house.campuses:
            sentence = _("There is no campus “%(part)s”: choose from %(known)s.")
            known = ", ".join(sorted(house.campuses))
            raise WrongValue(sentence, conditions.campus, known=known)
    with in_part("value"):
        value = checked_value(cells.get("value") or "", need, house)
    with in_part("valid_from"):
        first = _date(cells.get("valid_from"))
    with in_part("valid_to"):
        last = _date(cells.get("valid_to"))
    if first and last and first > last:
        raise WrongPart("valid_to", _("“%(part)s” ends before it starts."), f"{first} – {last}")
    return FactRecord(need, conditions, value, first, last, house.language)


def cells_of(
    subject: tuple[str, str] | None, need: str, conditions: Mapping[str, str], **more: Any
) -> list[str]:
    """Return what a fact says as the cells of its columns; without a subject, of the hospital."""
    told = map(cell_of, more.values())
    return [need, *(subject or ("", "")), line_of(conditions), *told]


def checked_value(said: str | Mapping[str, str], need: str, house: FactContext) -> Value:
    """Return the value that answers a need, if this hospital can have it."""
    kind, language = needs.kinds()[need], house.language
    parts = read_line(said, KINDS[kind], language) if isinstance(said, str) else said
    parts = {n: whole_days(text, language) if n in OF_DAYS else text for n, text in parts.items()}
    value = read_value(parts, kind, language)
    value.validate(house.country, house.campuses)
    return value


def _date(told: Any) -> date | None:
    return read_date(told) if isinstance(told, str) and told else told or None


class SourceState(StrEnum):
    NONE = "none"
    CURRENT = "current"
    #: The page is there; the sentence is not.
    CHANGED = "changed"
    GONE = "gone"


class FactSource(NamedTuple):
    page: str
    sentence: str


#: Return the texts of pages by their paths; the app that keeps pages adds its own.
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
