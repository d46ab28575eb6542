"""Plain values of the draft and of versions: read from rows, and written back as rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import F, QuerySet

from taxonomy.models import (
    Alias,
    Entity,
    Merger,
    PublishedEntity,
    PublishedRelation,
    Relation,
    RowSet,
    Version,
)
from taxonomy.models.entities import ENTITY_MODELS, NOT_PUBLISHED
from taxonomy.snapshot import Rows, digest_of, digest_of_rows
from taxonomy.vocabulary import Kind
from zol.models import Hospital
from zol.records.versioned import plain, versioned_models


class Ref(NamedTuple):
    """Reference to an entity within a hospital."""

    kind: str
    key: str


@dataclass(frozen=True, slots=True)
class EntityContent:
    ref: Ref
    name: str
    position: int = 0
    #: Its fields by name, and `aliases`: a list of text, language and kind.
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RelationContent:
    predicate: str
    subject: Ref
    object: Ref
    position: int = 0


@dataclass(frozen=True, slots=True)
class Content:
    """Content of the draft or of a version, in the order in which answers list it."""

    entities: tuple[EntityContent, ...] = ()
    relations: tuple[RelationContent, ...] = ()
    #: Rows of every other set by its name, such as "chat.fixedtext".
    rows: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)

    def fingerprint(self) -> str:
        """Return the digest of the content; equal contents have equal digests."""
        return digest_of(self._parts())

    def digests(self) -> dict[str, str]:
        """Return the digest of each row set, by which equal sets are stored and held once."""
        return {name: digest_of_rows(name, self.rows[name]) for name in self.rows}

    def dangling(self) -> tuple[RelationContent, ...]:
        """Return the relations of which an end is missing from this content."""
        known = {entity.ref for entity in self.entities}
        return tuple(
            relation
            for relation in self.relations
            if relation.subject not in known or relation.object not in known
        )

    def _parts(self) -> Iterator[list[Any]]:
        for entity in self.entities:
            yield ["entity", *entity.ref, entity.name, entity.position, dict(entity.data)]
        for relation in self.relations:
            ends = (*relation.subject, *relation.object)
            yield ["relation", relation.predicate, *ends, relation.position]
        for row_set in sorted(self.rows):
            for row in self.rows[row_set]:
                yield ["row", row_set, dict(row)]


#: Published fields of the hospital's profile, beside its name; its website is its `url`.
PROFILE_FIELDS = (
    "short_name", "default_language", "languages", "phone", "phone_hours", "emergency_phone",
    "helpdesk_phone", "out_of_hours_phone", "country", "address",
)  # fmt: skip
#: Key in an entity's data: keys of the entities that were merged into it.
FORMER_KEYS = "former_keys"
BATCH = 2_000
#: Row sets in memory, by name and digest.
Held = Mapping[tuple[str, str], Rows]


def draft_content(hospital: Hospital) -> Content:
    """Return the content of the draft: everything that would be published now."""
    hospital = Hospital.objects.get(pk=hospital.pk)  # The caller's copy may be outdated.
    refs: dict[int, Ref] = {}
    entities = tuple(_draft_entities(hospital, refs))
    return Content(entities, tuple(_draft_relations(refs)), dict(_draft_rows()))


def _draft_entities(hospital: Hospital, refs: dict[int, Ref]) -> Iterator[EntityContent]:
    """Yield every active entity, the hospital first; add the reference of each row to `refs`."""
    aliases: dict[int, list[dict[str, str]]] = defaultdict(list)
    for alias in Alias.objects.all():
        values = {"text": alias.text, "language": alias.language, "kind": alias.kind}
        aliases[alias.entity_id].append(values)
    former: dict[int, dict[str, list[str]]] = {}
    mergers = Merger.objects.filter(undone_at=None).order_by("pk")
    for target, key in mergers.values_list("target_id", "old_key"):
        former.setdefault(target, {FORMER_KEYS: []})[FORMER_KEYS].append(key)
    own = Entity.objects.filter(kind=Kind.HOSPITAL).values_list("pk", flat=True)
    itself = Ref(Kind.HOSPITAL, hospital.slug)
    refs |= dict.fromkeys(own, itself)
    data = _filled(hospital, PROFILE_FIELDS) | {"aliases": [a for pk in own for a in aliases[pk]]}
    data |= {"url": hospital.website} if hospital.website else {}
    yield EntityContent(itself, hospital.name, 0, data)
    for model in ENTITY_MODELS.values():
        names = [
            each.name for each in model._meta.concrete_fields if each.name not in NOT_PUBLISHED
        ]
        for row in model.objects.filter(status=Entity.Status.ACTIVE).order_by("position", "pk"):
            refs[row.pk] = ref = Ref(row.kind, row.key)
            data = _filled(row, names) | former.get(row.pk, {}) | {"aliases": aliases[row.pk]}
            yield EntityContent(ref, row.name, row.position, data)


def _filled(row: Any, names: Iterable[str]) -> dict[str, Any]:
    """Return the non-empty fields as plain values."""
    values = ((name, getattr(row, name)) for name in names)
    return {name: plain(value) for name, value in values if value not in (None, "")}


RELATION_FIELDS = ("predicate", "subject_id", "object_id", "position")


def _draft_relations(refs: dict[int, Ref]) -> Iterator[RelationContent]:
    """Yield the relations of which both ends are published."""
    rows = Relation.objects.order_by("position", "pk").values_list(*RELATION_FIELDS)
    for predicate, subject, target, position in rows:
        if subject in refs and target in refs:
            yield RelationContent(predicate, refs[subject], refs[target], position)


def _draft_rows() -> Iterator[tuple[str, Rows]]:
    for model in versioned_models():
        # Shared rows first: a hospital without own rows then has the same digest as all others.
        rows = model._default_manager.order_by(F("hospital").asc(nulls_first=True), "pk")
        if found := values_of(rows, model.published_fields()):
            yield model.row_set(), found


def values_of(rows: QuerySet[Any], fields: Iterable[str]) -> Rows:
    """Return rows as plain values, in the form of a published version."""
    return tuple({name: plain(row[name]) for name in row} for row in rows.values(*fields))


def content_of(version: Version, held: Held | None = None) -> Content:
    """Return the content of a version, live or not. Row sets in `held` are not read again."""
    held = held or {}
    kept = kept_rows(dict(version.digests.items() - held.keys()))
    rows = {name: held[name, digest] if (name, digest) in held else kept[name]
            for name, digest in version.digests.items()}  # fmt: skip
    copies = list(PublishedEntity.objects.filter(version=version).order_by("pk"))
    refs = {row.pk: Ref(row.kind, row.key) for row in copies}
    relations = PublishedRelation.objects.filter(version=version).order_by("pk")
    return Content(
        tuple(EntityContent(refs[row.pk], row.name, row.position, row.data) for row in copies),
        tuple(
            RelationContent(predicate, refs[subject], refs[target], position)
            for predicate, subject, target, position in relations.values_list(*RELATION_FIELDS)
        ),
        rows,
    )


def kept_rows(digests: Mapping[str, str]) -> dict[str, Rows]:
    """Return the stored rows of each set, by name, given its digest."""
    kept = RowSet.objects.filter(row_set__in=digests, digest__in=digests.values())
    return {
        name: tuple(rows)
        for name, digest, rows in kept.values_list("row_set", "digest", "rows")
        if digests[name] == digest
    }


def keep_rows(
    rows: Mapping[str, Rows],
    digests: Mapping[str, str],
    hospital_id: int | None,
    using: str = "default",
) -> None:
    """Store the row sets that are not stored yet, for a hospital or (None) for all."""
    sets = RowSet.objects.using(using)
    there = sets.filter(row_set__in=digests, digest__in=digests.values())
    missing = digests.items() - set(there.values_list("row_set", "digest"))
    sets.bulk_create(
        (
            RowSet(hospital_id=hospital_id, row_set=name, digest=digest, rows=rows[name])
            for name, digest in sorted(missing)
        ),
        ignore_conflicts=True,
    )


def write(version: Version, content: Content) -> None:
    """Store a content as the rows of a version."""
    copies = PublishedEntity.objects.bulk_create(_copies(version, content), batch_size=BATCH)
    by_ref = {Ref(copy.kind, copy.key): copy.pk for copy in copies}
    PublishedRelation.objects.bulk_create(
        (
            PublishedRelation(
                hospital_id=version.hospital_id,
                version=version,
                predicate=relation.predicate,
                subject_id=by_ref[relation.subject],
                object_id=by_ref[relation.object],
                position=relation.position,
            )
            for relation in content.relations
        ),
        batch_size=BATCH,
    )
    keep_rows(content.rows, version.digests, version.hospital_id)


def _copies(version: Version, content: Content) -> Iterable[PublishedEntity]:
    for entity in content.entities:
        yield PublishedEntity(
            hospital_id=version.hospital_id,
            version=version,
            kind=entity.ref.kind,
            key=entity.ref.key,
            name=entity.name,
            position=entity.position,
            data=entity.data,
        )
