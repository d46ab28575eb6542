"""What a pack says, as plain values, and the rows of a hospital as the same.

Where a pack said so does not count when two are compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from chat.models import FixedText
from chat.phrases import EXAMPLES
from evaluation.packs.findings import NOWHERE, Mistake, Place
from evaluation.packs.form import SHEETS, EntityTable, Ref, ReferenceColumn
from evaluation.packs.rows import Reference, Rows, in_order
from taxonomy.kinds import AliasKind, Kind, Predicate
from taxonomy.models import Alias, Entity, Relation
from taxonomy.models.entities import ENTITY_MODELS
from zol.models import Hospital, HospitalHost


@dataclass(frozen=True, slots=True)
class AliasRecord:
    text: str
    language: str
    kind: AliasKind
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class RelationRecord:
    subject: Ref
    predicate: Predicate
    object: Ref
    place: Place = field(compare=False)


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
class ProfileRecord:
    """The hospital itself: the fields of its model, and its host names."""

    slug: str
    fields: Mapping[str, Any]
    hosts: tuple[str, ...]
    place: Place = field(compare=False)
    #: The questions of the start page, by language.
    examples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


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
    warnings: tuple[Mistake, ...] = ()


PROFILE_FIELDS = (
    "name", "short_name", "default_language", "languages", "phone", "phone_hours",
    "emergency_phone", "helpdesk_phone", "out_of_hours_phone", "country", "website", "address",
)  # fmt: skip


def profile_of(hospital: Hospital) -> ProfileRecord:
    fields = {name: getattr(hospital, name) for name in PROFILE_FIELDS}
    hosts = HospitalHost.objects.filter(hospital=hospital).values_list("host", flat=True)
    texts = FixedText.objects.filter(kind=EXAMPLES).order_by("pk")
    examples = {row.language: tuple(row.text.splitlines()) for row in texts}
    return ProfileRecord(hospital.slug, fields, tuple(hosts), NOWHERE, examples)


class Taxonomy:
    """The active entities of a hospital with their aliases and relations."""

    def __init__(self, hospital: Hospital) -> None:
        self.hospital = hospital
        self.refs: dict[int, Ref] = {
            row.pk: (Kind(row.kind), row.key)
            for row in Entity.objects.filter(hospital=hospital, status=Entity.Status.ACTIVE)
        }
        self.aliases: dict[int, list[Alias]] = defaultdict(list)
        for alias in in_order(Alias.objects.filter(hospital=hospital)):
            self.aliases[alias.entity_id].append(alias)
        self.relations = [
            row
            for row in in_order(Relation.objects.filter(hospital=hospital))
            if row.subject_id in self.refs
            and row.object_id in self.refs
            and Kind.HOSPITAL not in (row.subject_kind, row.object_kind)
        ]

    def of_sheet(self, sheet: EntityTable) -> Iterator[EntityRecord]:
        model = ENTITY_MODELS[sheet.kind]
        rows = model.objects.filter(hospital=self.hospital, status=Entity.Status.ACTIVE)
        for row in in_order(rows):
            yield EntityRecord(
                kind=sheet.kind,
                key=row.key,
                name=row.name,
                fields={each.field: getattr(row, each.field) for each in sheet.fields},
                place=NOWHERE,
                aliases=tuple(self._aliases(row)),
                relations=tuple(self._references(row, sheet)),
            )

    def _aliases(self, row: Entity) -> Iterator[AliasRecord]:
        """Professions stand in a column of their own, after the others."""
        rows = self.aliases[row.pk]
        for alias in sorted(rows, key=lambda each: each.kind == AliasKind.PROFESSION):
            yield AliasRecord(alias.text, alias.language, AliasKind(alias.kind), NOWHERE)

    def _references(self, row: Entity, sheet: EntityTable) -> Iterator[RelationRecord]:
        for link in sheet.links:
            for relation in self.relations:
                own, other = _ends(relation, link)
                if own == row.pk and _fits(relation, link, self.refs[other][0]):
                    yield self._record(relation)

    def listed(self) -> Iterator[RelationRecord]:
        """What no column says."""
        links = [(sheet, link) for sheet in SHEETS for link in sheet.links]
        for relation in self.relations:
            if not any(
                self.refs[_ends(relation, link)[0]][0] is sheet.kind
                and _fits(relation, link, self.refs[_ends(relation, link)[1]][0])
                for sheet, link in links
            ):
                yield self._record(relation)

    def _record(self, relation: Relation) -> RelationRecord:
        return RelationRecord(
            self.refs[relation.subject_id],
            Predicate(relation.predicate),
            self.refs[relation.object_id],
            NOWHERE,
        )


def _ends(relation: Relation, link: ReferenceColumn) -> tuple[int, int]:
    """Return the row's own end and the referenced one."""
    pair = relation.subject_id, relation.object_id
    return (pair[1], pair[0]) if link.inverse else pair


def _fits(relation: Relation, link: ReferenceColumn, other: Kind) -> bool:
    return (
        relation.origin == Relation.Origin.COLUMN
        and relation.predicate == link.predicate
        and other is link.target
    )
