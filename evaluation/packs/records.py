"""What a pack says, as plain values, and the rows of a hospital as the same.

Where a pack said so does not count when two are compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from evaluation.packs.findings import NOWHERE, PackMistake, Place
from evaluation.packs.form import LINKS, EntityTable, Ref, ReferenceColumn
from evaluation.packs.profile import ProfileRecord
from evaluation.packs.rows import Reference, Rows, in_order
from taxonomy.kinds import AliasKind, Kind, Predicate
from taxonomy.models import Alias, Entity, Relation
from taxonomy.models.entities import ENTITY_MODELS
from zol.models import Hospital


@dataclass(frozen=True, slots=True)
class AliasRecord:
    text: str
    language: str
    kind: AliasKind
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class RelationRecord:
    subject: Ref
    predicate: Predicate
    object: Ref
    place: Place = field(default=NOWHERE, compare=False)

    @property
    def link(self) -> ReferenceColumn | None:
        """The column that can say it, if one can."""
        return LINKS.get((self.subject[0], self.predicate, self.object[0]))


@dataclass(frozen=True, slots=True)
class EntityRecord:
    kind: Kind
    key: str
    name: str
    #: The fields of the entity's model, by name.
    fields: Mapping[str, Any]
    place: Place = field(compare=False)
    aliases: tuple[AliasRecord, ...] = ()
    #: What its reference columns say, in the order of the cells.
    relations: tuple[RelationRecord, ...] = ()
    #: What is referred to without a relation: the campuses of a consultation schedule.
    mentions: tuple[Reference, ...] = field(default=(), compare=False)

    @property
    def ref(self) -> Ref:
        return self.kind, self.key


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack without mistakes."""

    profile: ProfileRecord
    entities: tuple[EntityRecord, ...]
    #: Of relations.csv only.
    relations: tuple[RelationRecord, ...]
    #: Of the other files, by name.
    rows: Rows
    #: The bytes of every page, by path.
    originals: Mapping[str, bytes]
    #: The text files as they came, by name.
    sources: Mapping[str, bytes]
    warnings: tuple[PackMistake, ...] = ()


class Taxonomy:
    """The active entities of a hospital with their aliases and relations."""

    def __init__(self, hospital: Hospital) -> None:
        self.hospital = hospital
        active = Entity.objects.filter(hospital=hospital, status=Entity.Status.ACTIVE)
        refs: dict[int, Ref] = {row.pk: (Kind(row.kind), row.key) for row in active}
        self.aliases: dict[int, list[AliasRecord]] = defaultdict(list)
        # Professions stand in a column of their own, after the others.
        rows = in_order(Alias.objects.filter(hospital=hospital))
        for each in sorted(rows, key=lambda each: each.kind == AliasKind.PROFESSION):
            said = AliasRecord(each.text, each.language, AliasKind(each.kind))
            self.aliases[each.entity_id].append(said)
        #: What a column says of an entity, and what no column says.
        self.stated: dict[tuple[Ref, str], list[RelationRecord]] = defaultdict(list)
        self.listed: list[RelationRecord] = []
        for row in in_order(Relation.objects.filter(hospital=hospital)):
            if Kind.HOSPITAL in (row.subject_kind, row.object_kind) or not (
                {row.subject_id, row.object_id} <= refs.keys()
            ):
                continue
            ends = refs[row.subject_id], refs[row.object_id]
            record = RelationRecord(ends[0], Predicate(row.predicate), ends[1])
            link = record.link if row.origin == Relation.Origin.COLUMN else None
            if link:
                self.stated[link.ends(*ends)[0], link.column].append(record)
            else:
                self.listed.append(record)

    def of_sheet(self, sheet: EntityTable) -> Iterator[EntityRecord]:
        model = ENTITY_MODELS[sheet.kind]
        rows = model.objects.filter(hospital=self.hospital, status=Entity.Status.ACTIVE)
        for row in in_order(rows):
            ref, columns = (sheet.kind, row.key), [link.column for link in sheet.links]
            yield EntityRecord(
                kind=sheet.kind,
                key=row.key,
                name=row.name,
                fields={own.name: getattr(row, own.name) for own in sheet.fields.values()},
                place=NOWHERE,
                aliases=tuple(self.aliases[row.pk]),
                relations=tuple(each for column in columns for each in self.stated[ref, column]),
            )
