"""Published facts, and the one that answers: found in microseconds, by need and subject."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from operator import itemgetter
from types import MappingProxyType

from taxonomy.facts import needs
from taxonomy.facts.conditions import FactConditions
from taxonomy.facts.parts import Value
from taxonomy.facts.records import read_value
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.vocabulary import Kind, Thing
from zol.records.values import WrongValue

ROWS = "taxonomy.fact"
#: A need, and the kind and key of a subject; none for the hospital.
Place = tuple[str, str, str]
HOSPITAL = ("", "")


@dataclass(frozen=True, slots=True)
class FactEntry:
    """A published fact. Without a subject it is the hospital's own."""

    need: str
    subject: Thing | None
    conditions: FactConditions
    value: Value
    #: The page and the sentence that say so.
    source: str = ""
    sentence: str = ""
    valid_from: date | None = None
    valid_to: date | None = None

    def holds(self, on: date) -> bool:
        return (self.valid_from or on) <= on <= (self.valid_to or on)


Index = Mapping[Place, tuple[FactEntry, ...]]


def facts_of(snapshot: Snapshot) -> Index:
    """Return the facts of a published version; made once and kept with it."""
    return snapshot.derived(_index)


def _index(snapshot: Snapshot) -> Index:
    found: dict[Place, list[FactEntry]] = {}
    for entry in _entries(snapshot):
        place, conditions = _placed(entry.subject, entry.conditions)
        found.setdefault((entry.need, *place), []).append(replace(entry, conditions=conditions))
    return MappingProxyType({place: tuple(entries) for place, entries in found.items()})


def _placed(
    subject: Thing | None, conditions: FactConditions
) -> tuple[tuple[str, str], FactConditions]:
    """Return under what a fact stands: what is of a campus is the hospital's, there."""
    if subject is None or subject.kind is Kind.HOSPITAL:
        return HOSPITAL, conditions
    if subject.kind is Kind.CAMPUS:
        return HOSPITAL, replace(conditions, campus=subject.key)
    return (str(subject.kind), subject.key), conditions


def _entries(snapshot: Snapshot) -> Iterator[FactEntry]:
    """Yield what can be read; what is about something that is not published is left out."""
    language, kinds = snapshot.profile.default_language, needs.kinds()
    for row in snapshot.rows_of(ROWS):
        kind, key = row.get("subject__kind"), row.get("subject__key")
        subject = snapshot.vocabulary.get(Kind(kind), str(key)) if kind else None
        if kind not in (None, str(Kind.HOSPITAL)) and subject is None:
            continue
        try:
            value = read_value(row["value"], kinds[row["need"]], language)
            conditions = FactConditions.parse(row["conditions"])
        except (WrongValue, KeyError):  # Of a kind, or a need, that an earlier product had.
            continue
        told = (row.get("source") or "", row.get("sentence") or "")
        days = (row.get("valid_from"), row.get("valid_to"))
        dates = (date.fromisoformat(day) if day else None for day in days)
        yield FactEntry(row["need"], subject, conditions, value, *told, *dates)


def candidates(
    snapshot: Snapshot,
    need: str,
    subject: Thing | None = None,
    conditions: FactConditions | None = None,
    on: date | None = None,
) -> tuple[FactEntry, ...]:
    """Return the facts that do not contradict a question, the best first.

    Those of the subject itself come alone; what holds for the whole house is the hospital's where
    it says nothing of its own.
    """
    place, asked = _placed(subject, conditions or FactConditions())
    for each in (place, HOSPITAL) if needs.is_general(need) else (place,):
        ranked: list[tuple[tuple[int, int], FactEntry]] = []
        for entry in facts_of(snapshot).get((need, *each), ()):
            agreement = entry.conditions.agreement(asked)
            if agreement is not None and (on is None or entry.holds(on)):
                met, left_open = agreement
                ranked.append(((-met, left_open), entry))
        if ranked:
            return tuple(entry for _rank, entry in sorted(ranked, key=itemgetter(0)))
    return ()
