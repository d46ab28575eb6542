"""What a pack says, as plain values. Where it said so does not count when two are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple

from evaluation.packs.curated import CuratedRecord
from evaluation.packs.form import Ref
from evaluation.packs.mistakes import Mistake, Place
from taxonomy.kinds import AliasKind, Kind, Predicate


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


class Mention(NamedTuple):
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
    mentions: tuple[Mention, ...] = field(default=(), compare=False)

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
    mentions: tuple[Mention, ...] = field(default=(), compare=False)


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
