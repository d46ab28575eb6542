"""What a pack says, as plain values, and the rows of a hospital as the same.

Where a pack said so does not count when two are compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from chat.models import FixedText
from chat.phrases import EXAMPLES
from evaluation.models import GoldenQuestion
from evaluation.packs.curated import CuratedRecord
from evaluation.packs.findings import NOWHERE, Mistake, Place
from evaluation.packs.form import SHEETS, EntityTable, Ref, ReferenceColumn
from evaluation.packs.translations import TranslationRecord
from retrieval.models import Document, Original
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


class Reference(NamedTuple):
    """A reference, and where it stands."""

    ref: Ref
    place: Place


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
class FactRecord:
    """A fact; without a subject it is the hospital's own."""

    need: str
    subject: Ref | None
    conditions: Mapping[str, str]
    value: str
    source: str
    sentence: str
    valid_from: date | None
    valid_to: date | None
    place: Place = field(compare=False)

    @property
    def identity(self) -> tuple[object, ...]:
        return self.need, self.subject, tuple(sorted(self.conditions.items())), self.valid_from


@dataclass(frozen=True, slots=True)
class PageRecord:
    path: str
    url: str
    title: str
    category: str
    language: str
    updated_on: date | None
    authority: float
    url_tier: int
    campuses: tuple[str, ...]
    place: Place = field(compare=False)
    mentions: tuple[Reference, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class GoldenRecord:
    key: str
    #: The fields of the golden question's model, by name.
    fields: Mapping[str, Any]
    line: str
    place: Place = field(compare=False)


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
    curated: tuple[CuratedRecord, ...]
    pages: tuple[PageRecord, ...]
    golden: tuple[GoldenRecord, ...]
    #: The bytes of every page, by path.
    originals: Mapping[str, bytes]
    #: The text files as they came, by name.
    sources: Mapping[str, bytes]
    warnings: tuple[Mistake, ...] = ()
    facts: tuple[FactRecord, ...] = ()
    translations: tuple[TranslationRecord, ...] = ()


PROFILE_FIELDS = (
    "name", "short_name", "default_language", "languages", "phone", "phone_hours",
    "emergency_phone", "helpdesk_phone", "out_of_hours_phone", "country", "website", "address",
)  # fmt: skip
GOLDEN_FIELDS = (
    "category", "language", "turns", "expect", "intent", "entities", "sources",
    "content_category", "must_not", "passages", "difficulty", "owner", "risk", "at",
)  # fmt: skip


def in_order(rows: Iterable[Any]) -> list[Any]:
    """Return rows as the pack had them; those that staff made come last."""
    return sorted(rows, key=lambda row: (row.position == 0, row.position, row.pk))


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


def pages_of(hospital: Hospital) -> Iterator[tuple[PageRecord, Original]]:
    """Give the pages that are in use, each with its bytes."""
    rows = Document.objects.filter(hospital=hospital).exclude(status=Document.Status.WITHDRAWN)
    names = ("path", "url", "title", "category", "language", "updated_on", "authority", "url_tier")
    for row in in_order(rows.select_related("original")):
        if row.original is not None:
            values = {name: getattr(row, name) for name in names}
            yield PageRecord(**values, campuses=tuple(row.campuses), place=NOWHERE), row.original


def golden_of(hospital: Hospital) -> Iterator[GoldenRecord]:
    for row in in_order(GoldenQuestion.objects.filter(hospital=hospital)):
        fields = {name: getattr(row, name) for name in GOLDEN_FIELDS}
        yield GoldenRecord(row.key, fields, row.line, NOWHERE)
