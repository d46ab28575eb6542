"""Merge two entities, and undo a merger.

The kept entity gets the aliases, relations and missing fields of the other one, which stays as a
hidden row: its key is never reused, and leads to the kept one. Patients see it after a release.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from taxonomy.models import Alias, Entity, Merger, Relation
from taxonomy.models.entities import ENTITY_MODELS, NOT_PUBLISHED
from zol.errors import BadInput
from zol.records.versioned import plain
from zol.text import fold, squash


def meaning_elsewhere(
    entity: Entity, text: str, language: str, *, besides: Collection[int] = ()
) -> str:
    """Return why a text cannot become an alias of an entity; an empty text when it can."""
    folded = fold(squash(text))
    mine = [entity.pk, *besides]
    alias = Alias.objects.filter(
        language=language, folded=folded, entity_kind=entity.kind
    ).select_related("entity").exclude(entity_id__in=mine).first()  # fmt: skip
    other = alias.entity if alias else _named(entity, folded, mine)
    if other is None:
        return ""
    return _("“%(text)s” (%(language)s) already means “%(other)s”.") % {
        "text": text, "language": language, "other": other,
    }  # fmt: skip


def _named(entity: Entity, folded: str, mine: Collection[int]) -> Entity | None:
    others = Entity.objects.filter(kind=entity.kind, status=Entity.Status.ACTIVE)
    return next((o for o in others.exclude(pk__in=mine) if fold(o.name) == folded), None)


#: Fields that are never copied to the kept entity: a name belongs to one person.
_NAMES = {"canonical_name", "title", "first_name", "last_name", "review_by"}


#: What a merger moved, to undo it: `relations` by row and end; `dropped` are those that the kept
#: entity had already, or that would relate it to itself.
Moved = dict[str, Any]


@transaction.atomic
def merge(source: Entity, into: Entity, *, by: User | None) -> Merger:
    """Merge an entity into another; the returned row lists what differed and was not taken over."""
    source, target = _locked(source, into)
    moved: Moved = {"aliases": [], "relations": [], "dropped": [], "filled": [], "alias": 0}
    collisions = _take_fields(source, target, moved)
    for alias in source.aliases.all():
        alias.entity = target.entity_ptr
        alias.save()
        moved["aliases"].append(alias.pk)
    collisions += _take_relations(source, target, moved)
    source.status = Entity.Status.HIDDEN
    source.save(update_fields=["status"])
    collisions += _add_old_name(source, target, moved)
    Merger.objects.filter(target=source, undone_at=None).update(target=target)
    return Merger.objects.create(
        hospital_id=target.hospital_id,
        kind=source.kind,
        old_key=source.key,
        old_name=source.name,
        old_url=source.url,
        source_id=source.pk,
        target_id=target.pk,
        moved=moved,
        collisions=collisions,
        by=by,
    )


def differences(source: Entity, into: Entity) -> list[str]:
    """Describe the differing values that would not be taken over; nothing is written."""
    source, target = _row(source), _row(into)
    values = ((name, getattr(target, name), getattr(source, name)) for name in _fields(source))
    return [
        _("%(field)s: “%(kept)s” is kept, “%(left)s” is not taken over.") % {
            "field": target._meta.get_field(name).verbose_name,
            "kept": plain(kept), "left": plain(left),
        }
        for name, kept, left in values
        if kept and left and kept != left
    ]  # fmt: skip


@transaction.atomic
def undo(merger: Merger, *, by: User | None) -> None:
    """Undo a merger; what staff changed or deleted since stays as it is."""
    merger = Merger.objects.select_for_update().get(pk=merger.pk)
    if merger.undone_at:
        raise BadInput(_("This merger was already undone."))
    source, target, moved = _row(merger.source), _row(merger.target), merger.moved
    Alias.objects.filter(pk=moved["alias"], entity_id=target.pk).delete()
    for alias in Alias.objects.filter(pk__in=moved["aliases"], entity_id=target.pk):
        alias.entity = source.entity_ptr
        alias.save()
    for pk, end in moved["relations"]:
        Relation.objects.filter(pk=pk, **{f"{end}_id": target.pk}).update(**{end: source.pk})
    for row in moved["dropped"]:
        Relation.objects.get_or_create(
            hospital_id=merger.hospital_id,
            predicate=row["predicate"],
            subject_id=row["subject"],
            object_id=row["object"],
            defaults={"origin": row["origin"], "position": row["position"]},
        )
    _empty(source, target, moved["filled"])
    source.status = Entity.Status.ACTIVE
    source.save(update_fields=["status"])
    merger.undone_by, merger.undone_at = by, timezone.now()
    merger.save(update_fields=["undone_by", "undone_at"])


def merger_of(pk: int | str) -> Merger | None:
    """Return the merger that merged an entity away, unless it was undone."""
    if not str(pk).isdigit():
        return None
    found = Merger.objects.filter(source_id=int(pk), undone_at=None).select_related("target")
    return found.first()


def _locked(source: Entity, into: Entity) -> tuple[Any, Any]:
    if source.pk == into.pk:
        raise BadInput(_("“%s” cannot be merged with itself.") % source)
    rows = {row.pk: row for row in Entity.objects.select_for_update().filter(
        pk__in=[source.pk, into.pk]
    )}  # fmt: skip
    first, second = rows[source.pk], rows[into.pk]
    if first.kind != second.kind or first.kind not in ENTITY_MODELS:
        raise BadInput(_("Only entities of the same kind can be merged."))
    if Merger.objects.filter(source=first, undone_at=None).exists():
        raise BadInput(_("“%s” was already merged.") % first)
    if second.status == Entity.Status.HIDDEN:
        raise BadInput(_("“%s” is hidden: merge with an entity that is published.") % second)
    return _row(first), _row(second)


def _row(entity: Entity) -> Any:
    return ENTITY_MODELS[entity.kind].objects.get(pk=entity.pk)  # type: ignore[index]


def _fields(entity: Any) -> list[str]:
    names = [f.name for f in entity._meta.concrete_fields]
    return [n for n in names if n not in NOT_PUBLISHED and n not in _NAMES]


def _take_fields(source: Any, target: Any, moved: Moved) -> list[str]:
    """Fill the empty fields of the kept entity; return the values that were not taken over."""
    for name in _fields(source):
        if getattr(source, name) and not getattr(target, name):
            setattr(target, name, getattr(source, name))
            moved["filled"].append(name)
    if moved["filled"]:
        target.save(update_fields=moved["filled"])
    return differences(source, target)


def _empty(source: Any, target: Any, filled: list[str]) -> None:
    """Clear the fields that were filled in, unless staff changed them since."""
    same = [name for name in filled if getattr(target, name) == getattr(source, name)]
    for name in same:
        setattr(target, name, target._meta.get_field(name).get_default())
    if same:
        target.save(update_fields=same)


def _add_old_name(source: Any, target: Any, moved: Moved) -> list[str]:
    """Add the old name as an alias, unless it means another entity."""
    language = target.hospital.default_language
    if fold(source.name) == fold(target.name):
        return []
    if other := meaning_elsewhere(target, source.name, language, besides=[source.pk]):
        return [other]
    if not target.aliases.filter(language=language, folded=fold(source.name)).exists():
        alias = Alias.objects.create(entity=target.entity_ptr, text=source.name, language=language)
        moved["alias"] = alias.pk
    return []


def _take_relations(source: Any, target: Any, moved: Moved) -> list[str]:
    collisions = []
    for relation in Relation.objects.filter(Q(subject=source.pk) | Q(object=source.pk)):
        end = "subject" if relation.subject_id == source.pk else "object"
        ends = {"subject_id": relation.subject_id, "object_id": relation.object_id}
        was = {"subject": relation.subject_id, "object": relation.object_id}
        ends[f"{end}_id"] = target.pk
        has = Relation.objects.filter(predicate=relation.predicate, **ends).exists()
        if not has and ends["subject_id"] != ends["object_id"]:
            setattr(relation, end, target.entity_ptr)
            relation.save()
            moved["relations"].append((relation.pk, end))
            continue
        row = {name: getattr(relation, name) for name in ("predicate", "origin", "position")}
        moved["dropped"].append(row | was)
        if not has:
            text = _("“%s” is this entity itself: choose another one to link to.")
            collisions.append(text % relation)
        relation.delete()
    return collisions
