"""Making what staff edited visible to patients, as one immutable version."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max

from taxonomy.models import (
    Alias,
    Entity,
    LivePointer,
    PublishedEntity,
    PublishedRelation,
    PublishedRow,
    Relation,
    Version,
)
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.selectors import recheck_live_version
from zol.models import Hospital
from zol.tenancy import serving
from zol.versioned import plain, versioned_models

#: Fields that every entity has or that say nothing to a patient.
NOT_PUBLISHED = {
    "id",
    "hospital",
    "kind",
    "key",
    "name",
    "status",
    "owner",
    "position",
    "entity_ptr",
}


@transaction.atomic
def publish(hospital: Hospital, *, by: User | None, note: str = "") -> Version:
    """Freeze the draft of a hospital into its next version, and make that the live one."""
    with serving(hospital):
        Hospital.objects.select_for_update().get(pk=hospital.pk)
        last = Version.objects.aggregate(last=Max("number"))["last"] or 0
        version = Version.objects.create(
            hospital=hospital, number=last + 1, note=note, created_by=by
        )
        entities = _freeze_entities(version)
        _freeze_relations(version, entities)
        _freeze_rows(version)
        LivePointer.objects.update_or_create(hospital=hospital, defaults={"version": version})
    transaction.on_commit(lambda: recheck_live_version(hospital.pk))
    return version


def _freeze_entities(version: Version) -> dict[int, PublishedEntity]:
    """Copy every active entity; return the copies by the number of the original."""
    aliases: dict[int, list[dict[str, str]]] = defaultdict(list)
    for alias in Alias.objects.all():
        aliases[alias.entity_id].append(
            {"text": alias.text, "language": alias.language, "kind": alias.kind}
        )
    originals = list(_active_entities())
    copies = PublishedEntity.objects.bulk_create(
        PublishedEntity(
            hospital_id=version.hospital_id,
            version=version,
            kind=original.kind,
            key=original.key,
            name=original.name,
            position=original.position,
            data=entity_data(original) | {"aliases": aliases[original.pk]},
        )
        for original in originals
    )
    return {original.pk: copy for original, copy in zip(originals, copies, strict=True)}


def _active_entities() -> Iterator[Entity]:
    for model in ENTITY_MODELS.values():
        yield from model.objects.filter(status=Entity.Status.ACTIVE).order_by("position", "pk")


def entity_data(entity: Entity) -> dict[str, Any]:
    """Return the fields of an entity that patients may be answered from."""
    return {
        field.name: plain(getattr(entity, field.attname))
        for field in entity._meta.concrete_fields
        if field.name not in NOT_PUBLISHED and getattr(entity, field.attname) not in (None, "")
    }


def _freeze_relations(version: Version, entities: dict[int, PublishedEntity]) -> None:
    """Copy every relation whose both ends are published; nothing may point to what is not."""
    PublishedRelation.objects.bulk_create(
        PublishedRelation(
            hospital_id=version.hospital_id,
            version=version,
            predicate=relation.predicate,
            subject=entities[relation.subject_id],
            object=entities[relation.object_id],
            position=relation.position,
        )
        for relation in Relation.objects.order_by("position", "pk")
        if relation.subject_id in entities and relation.object_id in entities
    )


def _freeze_rows(version: Version) -> None:
    PublishedRow.objects.bulk_create(
        (
            PublishedRow(
                hospital_id=version.hospital_id,
                version=version,
                row_set=model.row_set(),
                data=row.freeze(),
            )
            for model in versioned_models()
            for row in model._default_manager.order_by("pk")
        ),
        batch_size=2_000,
    )
