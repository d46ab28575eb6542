"""Index of published facts by need and subject."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from operator import itemgetter
from types import MappingProxyType

from taxonomy.facts import needs
from taxonomy.facts.parts import Value
from taxonomy.facts.records import FactConditions, read_value
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Kind, Thing
from zol.records.values import WrongValue

ROWS = "taxonomy.fact"
#: A need, and the kind and key of a subject; both empty for the hospital.
Place = tuple[str, str, str]
HOSPITAL = ("", "")


@dataclass(frozen=True, slots=True)
class FactEntry:
    """A published fact; without a subject it is about the hospital."""

    need: str
    subject: Thing | None
    conditions: FactConditions
    value: Value
    #: The page and the sentence that state it.
    source: str = ""
    sentence: str = ""
    valid_from: date | None = None
    valid_to: date | None = None

    def holds(self, on: date) -> bool:
        return (self.valid_from or on) <= on <= (self.valid_to or on)


Index = Mapping[Place, tuple[FactEntry, ...]]


def facts_of(snapshot: Snapshot) -> Index:
    """Return the facts of a published version, built once per version."""
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
    """Return the index key of a fact; a fact about a campus is the hospital's, with a condition."""
    if subject is None or subject.kind is Kind.HOSPITAL:
        return HOSPITAL, conditions
    if subject.kind is Kind.CAMPUS:
        return HOSPITAL, replace(conditions, campus=subject.key)
    return (str(subject.kind), subject.key), conditions


def _entries(snapshot: Snapshot) -> Iterator[FactEntry]:
    """Yield the facts that can be parsed and whose subject is published."""
    language, kinds = snapshot.profile.default_language, needs.kinds()
    for row in snapshot.rows_of(ROWS):
        kind, key = row.get("subject__kind"), row.get("subject__key")
        subject = snapshot.vocabulary.get(Kind(kind), str(key)) if kind else None
        if kind not in (None, str(Kind.HOSPITAL)) and subject is None:
            continue
        try:
            value = read_value(row["value"], kinds[row["need"]], language)
            conditions = FactConditions.parse(row["conditions"])
        except (WrongValue, KeyError):  # A kind or need of an earlier release.
            continue
        source = (row.get("source") or "", row.get("sentence") or "")
        days = (row.get("valid_from"), row.get("valid_to"))
        dates = (date.fromisoformat(day) if day else None for day in days)
        yield FactEntry(row["need"], subject, conditions, value, *source, *dates)


def candidates(
    snapshot: Snapshot,
    need: str,
    subject: Thing | None = None,
    conditions: FactConditions | None = None,
    on: date | None = None,
) -> tuple[FactEntry, ...]:
    """Return the facts that do not contradict a question, best first.

    Without facts about the subject itself, those of the hospital apply if the need is general.
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
