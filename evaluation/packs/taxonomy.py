"""Entities, aliases and relations of a pack: their tables read, and laid over a hospital's rows."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import partial
from typing import Any, NamedTuple

from evaluation.packs import tables
from evaluation.packs.findings import (
    Change,
    Changes,
    Findings,
    PackMistake,
    PackRefused,
    laid_over,
    lay_rows,
)
from evaluation.packs.form import (
    READERS,
    RELATION_COLUMNS,
    RELATIONS,
    SHEET_OF,
    SHEETS,
    EntityTable,
    Ref,
)
from evaluation.packs.records import AliasRecord, EntityRecord, Pack, RelationRecord
from evaluation.packs.rows import Reference
from evaluation.packs.tables import PackRow, read_table
from taxonomy.facts.schedules import campuses_of
from taxonomy.kinds import ALLOWED, AliasKind, Kind, Predicate
from taxonomy.models import Alias, Entity, Merger, Relation
from taxonomy.models.entities import ENTITY_MODELS
from zol.models import Hospital
from zol.text import fold

Entities = dict[Ref, Entity]


def write_taxonomy(hospital: Hospital, pack: Pack, changes: Changes) -> None:
    """Make entities, aliases and relations what the pack says."""
    entities = _write_entities(hospital, pack, changes)
    _write_aliases(hospital, pack, entities, changes)
    _write_relations(hospital, pack, entities, changes)


def _write_entities(hospital: Hospital, pack: Pack, changes: Changes) -> Entities:
    own = _write_own(hospital)
    mergers = Merger.objects.filter(hospital=hospital, undone_at=None).select_related("target")
    kept = {merger.source_id: merger.target for merger in mergers}
    found: Entities = {(Kind.HOSPITAL, own.key): own}
    for sheet in SHEETS:
        records = [each for each in pack.entities if each.kind is sheet.kind]
        model = ENTITY_MODELS[sheet.kind]
        existing = {row.key: row for row in model.objects.filter(hospital=hospital)}
        for position, record in enumerate(records, start=1):
            row, change = _upsert(hospital, record, existing.pop(record.key, None), position, kept)
            # What staff merged stays merged: what the pack says of it is said of the one kept.
            found[record.ref] = kept.get(row.pk, row)
            changes.count(sheet.kind, change)
        _hide(sheet.kind, existing, changes)
    return found


def _write_own(hospital: Hospital) -> Entity:
    """The hospital as an entity, so that relations can point to it."""
    return Entity.objects.update_or_create(
        hospital=hospital,
        kind=Kind.HOSPITAL,
        key=hospital.slug,
        defaults={"name": hospital.name, "url": hospital.website},
    )[0]


def _upsert(
    hospital: Hospital,
    record: EntityRecord,
    row: Entity | None,
    position: int,
    merged: Container[int],
) -> tuple[Entity, Change]:
    values: dict[str, Any] = {"name": record.name, "position": position, **record.fields}
    if row is None:
        model = ENTITY_MODELS[record.kind]
        made = model.objects.create(hospital=hospital, key=record.key, **values)
        return made, Change.ADDED
    if row.position == 0 and row.pk not in merged:
        # Hidden when it had gone from the pack, or made by staff before the pack knew it.
        values["status"] = Entity.Status.ACTIVE
    return row, laid_over(row, values)


def _hide(kind: Kind, left_over: dict[str, Any], changes: Changes) -> None:
    """Hide what came from a pack and is no longer in it; give its place up."""
    for row in left_over.values():
        if row.position:
            row.position = 0
            row.status = Entity.Status.HIDDEN
            row.save(update_fields=["position", "status"])
            changes.count(kind, Change.GONE)


class _AliasIdentity(NamedTuple):
    kind: str
    language: str
    folded: str


def _write_aliases(hospital: Hospital, pack: Pack, entities: Entities, changes: Changes) -> None:
    wanted = {
        _AliasIdentity(record.kind, alias.language, fold(alias.text)): (entity, alias, position)
        for record in pack.entities
        for entity in (entities[record.ref],)
        for position, alias in enumerate(record.aliases, start=1)
    }
    existing = {
        _AliasIdentity(row.entity_kind, row.language, row.folded): row
        for row in Alias.objects.filter(hospital=hospital).select_related("entity")
    }
    _refuse_taken(wanted, existing)
    rows = (
        (
            key,
            partial(_completed, Alias, entity=entity, language=alias.language),
            {"entity_id": entity.pk, "text": alias.text, "position": at, "kind": str(alias.kind)},
        )
        for key, (entity, alias, at) in wanted.items()
    )
    lay_rows("alias", existing, rows, changes)


def _refuse_taken(
    wanted: dict[_AliasIdentity, tuple[Entity, AliasRecord, int]],
    existing: dict[_AliasIdentity, Alias],
) -> None:
    """Refuse an alias that staff gave to another entity of the type."""
    mistakes = [
        PackMistake(
            alias.place,
            f"The alias “{alias.text}” ({alias.language}) of “{entity.key}” "
            f"was given to “{row.entity.key}” by staff.",
        )
        for key, (entity, alias, _) in wanted.items()
        if (row := existing.get(key)) and row.position == 0 and row.entity_id != entity.pk
    ]
    if mistakes:
        raise PackRefused(mistakes)


def _completed(model: type[Any], **fields: Any) -> Any:
    """Return a new row with what follows from its fields; rows that are kept at once need it."""
    row = model(**fields)
    row.complete()
    return row


def _write_relations(hospital: Hospital, pack: Pack, entities: Entities, changes: Changes) -> None:
    wanted = {
        (subject.pk, str(predicate), target.pk): (
            partial(_completed, Relation, subject=subject, predicate=predicate, object=target),
            {"origin": origin, "position": position},
        )
        for subject, predicate, target, origin, position in _wanted(hospital, pack, entities)
        if subject.pk != target.pk
    }
    existing = {
        (row.subject_id, row.predicate, row.object_id): row
        for row in Relation.objects.filter(hospital=hospital)
    }
    lay_rows("relation", existing, ((key, *each) for key, each in wanted.items()), changes)


def _wanted(
    hospital: Hospital, pack: Pack, entities: Entities
) -> Iterator[tuple[Entity, Predicate, Entity, str, int]]:
    """Yield subject, predicate, object, origin and position of every relation."""
    column, listed = Relation.Origin.COLUMN, Relation.Origin.LIST
    own = entities[Kind.HOSPITAL, hospital.slug]
    campuses = [each for each in pack.entities if each.kind is Kind.CAMPUS]
    for position, record in enumerate(campuses, start=1):
        campus = entities[record.ref]
        yield own, Predicate.HAS_CAMPUS, campus, column, position
        yield campus, Predicate.BELONGS_TO, own, column, position
    stated = [(column, entity.relations) for entity in pack.entities]
    for origin, relations in (*stated, (listed, pack.relations)):
        for position, each in enumerate(relations, start=1):
            yield entities[each.subject], each.predicate, entities[each.object], origin, position


#: Letters of a cell whose field has no limit of its own, or says what it may be.
LONGEST = 1_000
#: What is written in capitals and no longer than this is an abbreviation.
LONGEST_ABBREVIATION = 6


def read_sheet(
    data: bytes, sheet: EntityTable, country: str, findings: Findings
) -> Iterator[EntityRecord]:
    """Give the entities of a file; telephone numbers are those of a country."""
    for row in read_table(data, sheet.file, sheet.columns, sheet.optional, findings):
        row.needed("key", limit=120)
        key = row.value("key", tables.read_key, "")
        for column in sheet.needed[1:]:
            row.needed(column)
        yield EntityRecord(
            kind=sheet.kind,
            key=key,
            name=_name(row, sheet.kind),
            fields=_fields(row, sheet, country),
            place=row.place("key"),
            aliases=tuple(_aliases(row)),
            relations=tuple(_references(row, sheet, key)),
            mentions=tuple(
                Reference((Kind.CAMPUS, campus), row.place("schedule"))
                for campus in campuses_of(row.cells.get("schedule", ""))
            ),
        )


def _name(row: PackRow, kind: Kind) -> str:
    """A doctor is named without title, as people write about them; the title is a field."""
    if kind is not Kind.DOCTOR:
        return row.text("name")
    first, last = row.text("first_name", limit=80), row.text("last_name", limit=120)
    return f"{first} {last}".strip()


def _fields(row: PackRow, sheet: EntityTable, country: str) -> dict[str, Any]:
    readers = READERS | {"phone": tables.read_phone(country)}
    found = {}
    for column, own in sheet.fields.items():
        limit = LONGEST if own.choices else own.max_length or LONGEST
        read = readers.get(own.name, str)
        found[own.name] = row.value(column, read, own.get_default(), limit=limit)
    return found


def _aliases(row: PackRow) -> Iterator[AliasRecord]:
    for column, kind in (("aliases", None), ("professions", AliasKind.PROFESSION)):
        for part in tables.parts(row.cells.get(column, "")):
            try:
                language, text = tables.read_alias(part)
            except tables.UnreadableCell as error:
                row.wrong(column, str(error))
                continue
            if len(text) > 200:
                row.wrong(column, "an alias has at most 200 characters")
            yield AliasRecord(text, language, kind or alias_kind(text), row.place(column))


def alias_kind(text: str) -> AliasKind:
    """Return what a listed alias is, as far as its form tells."""
    is_short = len(text) <= LONGEST_ABBREVIATION and " " not in text
    return AliasKind.ABBREVIATION if is_short and text.isupper() else AliasKind.SYNONYM


def _references(row: PackRow, sheet: EntityTable, key: str) -> Iterator[RelationRecord]:
    for link in sheet.links:
        keys = tables.parts(row.cells.get(link.column, ""))
        for number, other in enumerate(keys):
            if not other:
                row.wrong(link.column, "there is an empty value between two |")
            elif other in keys[:number]:
                row.wrong(link.column, f"“{other}” stands there twice")
            else:
                subject, target = link.ends((sheet.kind, key), (link.target, other))
                yield RelationRecord(subject, link.predicate, target, row.place(link.column))


def read_relations(data: bytes, findings: Findings) -> Iterator[RelationRecord]:
    """Give the relations that no column can say."""
    for row in read_table(data, RELATIONS, RELATION_COLUMNS, (), findings):
        subject, target = _end(row, "subject"), _end(row, "object")
        predicate = row.value(
            "predicate", tables.one_of(frozenset(map(str, Predicate)), "relation"), ""
        )
        if not row.needed("predicate") or not (predicate and subject and target):
            continue
        if (subject[0], target[0]) not in ALLOWED[Predicate(predicate)]:
            row.wrong("predicate", f"{predicate} cannot join a {subject[0]} and a {target[0]}")
            continue
        yield RelationRecord(subject, Predicate(predicate), target, row.place("subject"))


def _end(row: PackRow, column: str) -> Ref | None:
    kinds = frozenset(str(kind) for kind in SHEET_OF)
    kind = row.value(f"{column}_type", tables.one_of(kinds, "type"), "")
    key = row.needed(column)
    row.needed(f"{column}_type")
    return (Kind(kind), key) if kind and key else None
