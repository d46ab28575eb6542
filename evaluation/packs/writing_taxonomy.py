"""Entities, aliases and relations of a pack, laid over the rows of a hospital."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any, NamedTuple

from evaluation.packs.changes import Change, Changes
from evaluation.packs.form import SHEETS, Ref
from evaluation.packs.mistakes import Mistake, PackRefused
from evaluation.packs.records import AliasRecord, EntityRecord, Pack
from taxonomy.kinds import Kind, Predicate
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
    differing = [name for name, value in values.items() if getattr(row, name) != value]
    for name in differing:
        setattr(row, name, values[name])
    if differing:
        row.save(update_fields=differing)
    return row, Change.CHANGED if differing else Change.UNCHANGED


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
    gone = [row for key, row in existing.items() if row.position and key not in wanted]
    Alias.objects.filter(pk__in=[row.pk for row in gone]).delete()
    changes.count("alias", Change.GONE, len(gone))
    new = []
    for key, (entity, alias, position) in wanted.items():
        row = existing.get(key)
        if row is None:
            new.append(_alias(entity, alias, position))
            continue
        changes.count("alias", _change_alias(row, entity, alias, position))
    Alias.objects.bulk_create(new, batch_size=2_000)
    changes.count("alias", Change.ADDED, len(new))


def _refuse_taken(
    wanted: dict[_AliasIdentity, tuple[Entity, AliasRecord, int]],
    existing: dict[_AliasIdentity, Alias],
) -> None:
    """Refuse an alias that staff gave to another entity of the type."""
    mistakes = [
        Mistake(
            alias.place,
            f"The alias “{alias.text}” ({alias.language}) of “{entity.key}” "
            f"was given to “{row.entity.key}” by staff.",
        )
        for key, (entity, alias, _) in wanted.items()
        if (row := existing.get(key)) and row.position == 0 and row.entity_id != entity.pk
    ]
    if mistakes:
        raise PackRefused(mistakes)


def _alias(entity: Entity, alias: AliasRecord, position: int) -> Alias:
    row = Alias(
        entity=entity,
        text=alias.text,
        language=alias.language,
        kind=alias.kind,
        position=position,
    )
    row.complete()
    return row


def _change_alias(row: Alias, entity: Entity, alias: AliasRecord, position: int) -> Change:
    values = {
        "entity_id": entity.pk,
        "text": alias.text,
        "position": position,
        "kind": str(alias.kind),
    }
    if all(getattr(row, name) == value for name, value in values.items()):
        return Change.UNCHANGED
    row.entity = entity
    for name, value in values.items():
        setattr(row, name, value)
    row.save()
    return Change.CHANGED


class _Wanted(NamedTuple):
    subject: Entity
    predicate: Predicate
    object: Entity
    origin: str
    position: int


def _write_relations(hospital: Hospital, pack: Pack, entities: Entities, changes: Changes) -> None:
    wanted = {
        (each.subject.pk, str(each.predicate), each.object.pk): each
        for each in _wanted_relations(hospital, pack, entities)
        if each.subject.pk != each.object.pk
    }
    existing = {
        (row.subject_id, row.predicate, row.object_id): row
        for row in Relation.objects.filter(hospital=hospital)
    }
    gone = [row.pk for key, row in existing.items() if row.position and key not in wanted]
    Relation.objects.filter(pk__in=gone).delete()
    changes.count("relation", Change.GONE, len(gone))
    new = []
    for key, each in wanted.items():
        row = existing.get(key)
        if row is None:
            new.append(_relation(each))
        elif (row.origin, row.position) == (each.origin, each.position):
            changes.count("relation", Change.UNCHANGED)
        else:
            row.origin, row.position = each.origin, each.position
            row.save(update_fields=["origin", "position"])
            changes.count("relation", Change.CHANGED)
    Relation.objects.bulk_create(new, batch_size=2_000)
    changes.count("relation", Change.ADDED, len(new))


def _wanted_relations(hospital: Hospital, pack: Pack, entities: Entities) -> Iterator[_Wanted]:
    column, listed = Relation.Origin.COLUMN, Relation.Origin.LIST
    own = entities[Kind.HOSPITAL, hospital.slug]
    campuses = [each for each in pack.entities if each.kind is Kind.CAMPUS]
    for position, record in enumerate(campuses, start=1):
        campus = entities[record.ref]
        yield _Wanted(own, Predicate.HAS_CAMPUS, campus, column, position)
        yield _Wanted(campus, Predicate.BELONGS_TO, own, column, position)
    for entity in pack.entities:
        for position, each in enumerate(entity.relations, start=1):
            ends = entities[each.subject], entities[each.object]
            yield _Wanted(ends[0], each.predicate, ends[1], column, position)
    for position, each in enumerate(pack.relations, start=1):
        ends = entities[each.subject], entities[each.object]
        yield _Wanted(ends[0], each.predicate, ends[1], listed, position)


def _relation(wanted: _Wanted) -> Relation:
    row = Relation(
        subject=wanted.subject,
        predicate=wanted.predicate,
        object=wanted.object,
        origin=wanted.origin,
        position=wanted.position,
    )
    row.complete()
    return row
