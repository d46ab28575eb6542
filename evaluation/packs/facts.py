"""The table of facts: read, laid over a hospital's rows, and written back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from evaluation.packs import tables
from evaluation.packs.findings import NOWHERE, Changes, Findings, lay_rows
from evaluation.packs.form import FACTS, SHEET_OF, Ref
from evaluation.packs.records import FactRecord
from evaluation.packs.tables import Row, read_table
from taxonomy.facts.conditions import Conditions
from taxonomy.facts.parts import WrongPart
from taxonomy.facts.records import COLUMNS, House, read_record
from taxonomy.kinds import Kind
from taxonomy.models import Entity, Fact
from zol.models import Hospital

NEEDED = ("need", "value")
OPTIONAL = tuple(name for name in COLUMNS if name not in NEEDED)


def read_facts(data: bytes, house: House, findings: Findings) -> Iterator[FactRecord]:
    """Give the facts of a file; what is wrong with one is noted at its cell."""
    for row in read_table(data, FACTS, NEEDED, OPTIONAL, findings):
        try:
            found = read_record(row.cells, house)
        except WrongPart as error:
            row.wrong(error.name or "value", str(error).rstrip("."))
            continue
        yield FactRecord(
            need=found.need,
            subject=_subject(row),
            conditions=found.conditions.data(),
            value=found.line,
            source=row.text("source", limit=300),
            sentence=row.text("sentence", limit=2_000),
            valid_from=found.valid_from,
            valid_to=found.valid_to,
            place=row.place("need"),
        )


def _subject(row: Row) -> Ref | None:
    kinds = frozenset(str(kind) for kind in SHEET_OF)
    kind = row.value("subject_kind", tables.one_of(kinds, "kind"), "")
    if not kind:
        return None
    return Kind(kind), row.needed("subject")


def write_facts(hospital: Hospital, facts: Iterable[FactRecord], changes: Changes) -> None:
    """Make the facts that came from a pack what it says; those that staff made stay."""
    entities = {(Kind(row.kind), row.key): row for row in Entity.objects.filter(hospital=hospital)}
    existing = {record_of(row).identity: row for row in Fact.objects.select_related("subject")}
    names = ("value", "source", "sentence", "valid_from", "valid_to")
    wanted = (
        (
            each.identity,
            partial(
                Fact,
                hospital=hospital,
                subject=entities[each.subject] if each.subject else None,
                need=each.need,
                conditions=dict(each.conditions),
            ),
            {name: getattr(each, name) for name in names},
        )
        for each in facts
    )
    lay_rows("fact", existing, wanted, changes)


def record_of(row: Fact) -> FactRecord:
    """Return a row as the record of a pack."""
    subject = (Kind(row.subject.kind), row.subject.key) if row.subject else None
    values = {name: getattr(row, name) for name in ("need", "conditions", "value", "source")}
    dates = {name: getattr(row, name) for name in ("sentence", "valid_from", "valid_to")}
    return FactRecord(subject=subject, place=NOWHERE, **values, **dates)


def facts_of(hospital: Hospital) -> tuple[FactRecord, ...]:
    """Return the facts of a hospital in the order of its pack; those that staff made come last."""
    rows = Fact.objects.filter(hospital=hospital).select_related("subject")
    shown = [row for row in rows if row.subject is None or row.subject.status == "active"]
    ordered = sorted(shown, key=lambda row: (row.position == 0, row.position, row.pk))
    return tuple(map(record_of, ordered))


def fact_lines(facts: Sequence[FactRecord]) -> Iterator[list[str]]:
    """Yield the cells of facts, under the columns of the form."""
    for fact in facts:
        subject = fact.subject or ("", "")
        dates = (str(each or "") for each in (fact.valid_from, fact.valid_to))
        conditions = str(Conditions(**fact.conditions))
        told = (conditions, fact.value, fact.source, fact.sentence)
        yield [fact.need, *map(str, subject), *told, *dates]
