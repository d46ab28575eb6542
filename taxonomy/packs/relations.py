"""Sheets of relations and facts, and the columns of entities that contain relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import Q

from taxonomy.facts.parts import WrongPart
from taxonomy.facts.records import COLUMNS, FactContext, cells_of, read_record
from taxonomy.models import Entity, Fact, Merger, Relation
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.packs.cells import PackRow, one_of
from taxonomy.packs.findings import Changes, Findings
from taxonomy.packs.sheets import (
    PackContext,
    Ref,
    Reference,
    RowRecord,
    Sheet,
    Triple,
    in_order,
    replace_rows,
)
from taxonomy.vocabulary import ALLOWED, Kind, Predicate
from zol.models import Hospital
from zol.records.refusals import refused

COLUMN, LIST = Relation.Origin.COLUMN, Relation.Origin.LIST


@dataclass(frozen=True, slots=True)
class ReferenceColumn:
    """A column of references to entities, with the relation that it expresses."""

    column: str
    target: Kind
    predicate: Predicate
    #: Whether the referenced entity is the subject instead of the object.
    inverse: bool = False

    def ends(self, own: Ref, other: Ref) -> tuple[Ref, Ref]:
        """Return subject and object of the own and the other entity."""
        return (other, own) if self.inverse else (own, other)


LINKS_OF: Mapping[Kind, tuple[ReferenceColumn, ...]] = {
    Kind.DEPARTMENT: (ReferenceColumn("campuses", Kind.CAMPUS, Predicate.LOCATED_AT),),
    Kind.SPECIALTY: (ReferenceColumn("departments", Kind.DEPARTMENT, Predicate.BELONGS_TO),),
    Kind.DOCTOR: (
        ReferenceColumn("departments", Kind.DEPARTMENT, Predicate.WORKS_IN),
        ReferenceColumn("campuses", Kind.CAMPUS, Predicate.LOCATED_AT),
    ),
    Kind.CONDITION: (
        ReferenceColumn("departments", Kind.DEPARTMENT, Predicate.HANDLES, inverse=True),
    ),
    Kind.TREATMENT: (
        ReferenceColumn("departments", Kind.DEPARTMENT, Predicate.OFFERS, inverse=True),
        ReferenceColumn("conditions", Kind.CONDITION, Predicate.TREATS),
    ),
    Kind.EXAMINATION: (
        ReferenceColumn("departments", Kind.DEPARTMENT, Predicate.PERFORMS, inverse=True),
        ReferenceColumn("conditions", Kind.CONDITION, Predicate.TREATED_BY, inverse=True),
    ),
}


def kinds_of(own: Kind, link: ReferenceColumn) -> tuple[Kind, str, Kind]:
    """Return subject kind, predicate and object kind of a column."""
    subject, target = link.ends((own, ""), (link.target, ""))
    return subject[0], str(link.predicate), target[0]


#: Columns with the kind of their sheet, by subject kind, predicate and object kind.
LINKS = {kinds_of(own, link): (own, link) for own, links in LINKS_OF.items() for link in links}


class RelationSheet(Sheet):
    """The sheet of relations that no column of an entity can express."""

    def row(self, row: PackRow, context: FactContext) -> RowRecord | None:
        subject, target = _end(row, "subject"), _end(row, "object")
        predicate = row.value("predicate", one_of(Predicate), "")
        if not row.needed("predicate") or not (predicate and subject and target):
            return None
        if (subject[0], target[0]) not in ALLOWED[Predicate(predicate)]:
            row.wrong("predicate", f"{predicate} cannot join a {subject[0]} and a {target[0]}")
            return None
        place = row.place("subject")
        fields = {"subject": subject, "predicate": Predicate(predicate), "object": target}
        return RowRecord(fields, place, (Reference(subject, place), Reference(target, place)))

    def cells(self, fields: Mapping[str, Any]) -> Sequence[str]:
        return [*fields["subject"], fields["predicate"], *fields["object"]]

    def check_duplicates(self, records: Iterable[RowRecord], findings: Findings) -> None:
        """Do nothing: `check` warns of duplicates."""

    def check(self, pack: PackContext, findings: Findings) -> None:
        """Note relations of an entity to itself; warn of duplicates."""
        first = {
            triple: record.at(column)
            for sheet in pack.sheets
            for record in pack.rows[sheet.file]
            for triple, column in sheet.stated(record)
        }
        for record in pack.rows[self.file]:
            triple = _triple(record)
            if triple[0] == triple[2]:
                findings.wrong(record.place, f"“{triple[0][1]}” cannot relate to itself.")
            if triple in first:
                findings.warn(record.place, f"This is said already at {first[triple]}; not read.")
            first.setdefault(triple, record.place)

    def of(self, hospital: Hospital) -> tuple[RowRecord, ...]:
        return tuple(
            RowRecord(dict(zip(("subject", "predicate", "object"), triple, strict=True)))
            for triple in relations_of(hospital, stated=False)
        )

    def write(
        self, hospital: Hospital, records: Iterable[RowRecord], changes: Changes,
        files: Mapping[str, bytes], *, dry_run: bool,
    ) -> None:  # fmt: skip
        listed = ((_triple(record), at) for at, record in enumerate(records, start=1))
        write_relations(hospital, listed, Q(), entities_of(hospital), changes, LIST)


RELATIONS = RelationSheet(
    "taxonomy/relations.csv", "relation", Relation, ("subject", "predicate", "object"),
    ("subject", "predicate", "object"),
    columns := ("subject_type", "subject", "predicate", "object_type", "object"), columns,
)  # fmt: skip


def _end(row: PackRow, column: str) -> Ref | None:
    kind = row.value(f"{column}_type", one_of(ENTITY_MODELS), "")
    key = row.needed(column)
    row.needed(f"{column}_type")
    return (Kind(kind), key) if kind and key else None


def _triple(record: RowRecord) -> Triple:
    return record.fields["subject"], record.fields["predicate"], record.fields["object"]


def relations_of(hospital: Hospital, *, stated: bool) -> Iterator[Triple]:
    """Yield the relations of active entities that belong in columns, or all others."""
    active = Entity.objects.filter(hospital=hospital, status=Entity.Status.ACTIVE)
    refs: dict[int, Ref] = {
        row.pk: (Kind(row.kind), row.key) for row in active.exclude(kind=Kind.HOSPITAL)
    }
    for row in in_order(Relation.objects.filter(hospital=hospital)):
        if {row.subject_id, row.object_id} <= refs.keys():
            is_linked = (row.subject_kind, row.predicate, row.object_kind) in LINKS
            if stated is (is_linked and row.origin == COLUMN):
                yield refs[row.subject_id], Predicate(row.predicate), refs[row.object_id]


def mergers_of(hospital: Hospital) -> dict[int, Entity]:
    """Return the kept entity of each merger by the primary key of the other one."""
    rows = Merger.objects.filter(hospital=hospital, undone_at=None).select_related("target")
    return {row.source_id: row.target for row in rows}


def entities_of(hospital: Hospital) -> dict[Ref, Entity]:
    """Return all entities by kind and key; for a merged one, the kept entity."""
    kept = mergers_of(hospital)
    rows = Entity.objects.filter(hospital=hospital)
    return {(Kind(row.kind), row.key): kept.get(row.pk, row) for row in rows}


def completed(model: type[Any], **fields: Any) -> Any:
    """Return a new row with its derived fields set, for bulk creation."""
    row = model(**fields)
    row.complete()
    return row


def write_relations(
    hospital: Hospital, stated: Iterable[tuple[Triple, int]], among: Q,
    entities: Mapping[Ref, Entity], changes: Changes, origin: str = COLUMN,
) -> None:  # fmt: skip
    """Replace the relations of an origin by those of a file, each with its position."""
    rows = {
        (row.subject_id, row.predicate, row.object_id): row
        for row in Relation.objects.filter(among, hospital=hospital)
    }
    by_column = {key for key, row in rows.items() if row.origin == COLUMN and row.position}
    wanted: dict[tuple[int, str, int], tuple[Any, dict[str, Any]]] = {}
    for (subject, predicate, target), position in stated:
        ends = entities[subject], entities[target]
        key = ends[0].pk, str(predicate), ends[1].pk
        is_known = key in wanted or (origin == LIST and key in by_column)
        if ends[0].pk != ends[1].pk and not is_known:
            fields = {"subject": ends[0], "predicate": predicate, "object": ends[1]}
            more = {"origin": origin, "position": position}
            wanted[key] = partial(completed, Relation, **fields), more
    existing = {key: row for key, row in rows.items() if row.origin == origin or key in wanted}
    replace_rows("relation", existing, ((key, *each) for key, each in wanted.items()), changes)


class FactSheet(Sheet):
    """The sheet of facts."""

    def row(self, row: PackRow, context: FactContext) -> RowRecord | None:
        try:
            found = read_record(row.cells, context)
        except WrongPart as error:
            row.wrong(error.name or "value", " ".join(refused(error).messages))
            return None
        kind = row.value("subject_kind", one_of(ENTITY_MODELS), "")
        subject = (Kind(kind), row.needed("subject")) if kind else None
        fields = {
            "need": found.need, "subject": subject, "conditions": found.conditions.data(),
            "value": found.line, "source": row.text("source", limit=300),
            "sentence": row.text("sentence", limit=2_000), "valid_from": found.valid_from,
            "valid_to": found.valid_to,
        }  # fmt: skip
        place = row.place("need")
        return RowRecord(fields, place, (Reference(subject, place),) if subject else ())

    def cells(self, fields: Mapping[str, Any]) -> Sequence[str]:
        return cells_of(**fields)


FACTS = FactSheet(
    "taxonomy/facts.csv", "fact", Fact,
    ("need", "subject", "conditions", "value", "source", "sentence", "valid_from", "valid_to"),
    ("need", "subject", "conditions", "valid_from"),
    COLUMNS, ("need", "value"), label=("need", "need"),
)  # fmt: skip
