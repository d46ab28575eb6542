"""What publishing would change for patients: the draft beside the live version, by name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from taxonomy.admin.links import KIND_NAMES
from taxonomy.kinds import Kind
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
from taxonomy.services.publishing import entity_data
from zol.versioned import VersionedRow, plain, versioned_models

Named = Mapping[Any, tuple[str, Any]]


@dataclass(frozen=True, slots=True)
class Difference:
    """What would be added, changed and removed of one kind, by name."""

    title: Any
    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        return len(self.added) + len(self.changed) + len(self.removed)


def live_version() -> Version | None:
    """Return the version that patients of the served hospital are answered from."""
    pointer = LivePointer.objects.select_related("version__created_by").first()
    return pointer.version if pointer else None


def pending(version: Version | None) -> tuple[Difference, ...]:
    """Return how the draft differs from a version; kinds without a difference are left out."""
    found = [*_entities(version), _relations(version), *_rows(version)]
    return tuple(difference for difference in found if difference.total)


def compare(title: Any, before: Named, after: Named) -> Difference:
    """Compare two states of a kind; a value is its name and its content."""
    kept = before.keys() & after.keys()
    return Difference(
        title,
        added=_names(after[key] for key in after.keys() - before.keys()),
        changed=_names(after[key] for key in kept if after[key] != before[key]),
        removed=_names(before[key] for key in before.keys() - after.keys()),
    )


def _names(values: Iterable[tuple[str, Any]]) -> tuple[str, ...]:
    return tuple(sorted(name for name, _content in values))


def _entities(version: Version | None) -> Iterable[Difference]:
    before: dict[str, dict[str, tuple[str, Any]]] = defaultdict(dict)
    for row in PublishedEntity.objects.filter(version=version):
        before[row.kind][row.key] = (row.name, row.data)
    aliases: dict[int, list[dict[str, str]]] = defaultdict(list)
    for alias in Alias.objects.all():
        aliases[alias.entity_id].append(
            {"text": alias.text, "language": alias.language, "kind": alias.kind}
        )
    for kind, model in ENTITY_MODELS.items():
        after = {
            row.key: (row.name, entity_data(row) | {"aliases": aliases[row.pk]})
            for row in model.objects.filter(status=Entity.Status.ACTIVE)
        }
        yield compare(KIND_NAMES[Kind(kind)], before[str(kind)], after)


def _relations(version: Version | None) -> Difference:
    ends = ("predicate", "subject__kind", "subject__key", "object__kind", "object__key")
    names = ("subject__name", "object__name")
    published_kinds = [str(kind) for kind in ENTITY_MODELS]
    after = Relation.objects.filter(
        subject__status=Entity.Status.ACTIVE,
        object__status=Entity.Status.ACTIVE,
        subject_kind__in=published_kinds,
        object_kind__in=published_kinds,
    )
    before = PublishedRelation.objects.filter(version=version)
    return compare(
        Relation._meta.verbose_name,
        {row[:5]: _sentence(row) for row in before.values_list(*ends, *names)},
        {row[:5]: _sentence(row) for row in after.values_list(*ends, *names)},
    )


def _sentence(row: tuple[str, ...]) -> tuple[str, None]:
    return f"{row[5]} {row[0]} {row[6]}", None


def _rows(version: Version | None) -> Iterable[Difference]:
    before: dict[str, dict[str, tuple[str, Any]]] = defaultdict(dict)
    by_name = {model.row_set(): model for model in versioned_models()}
    published = PublishedRow.objects.filter(version=version).values_list("row_set", "data")
    for row_set, data in published.iterator(chunk_size=5_000):
        if model := by_name.get(row_set):
            name = _identity(model, data)
            before[row_set][name] = (name, data)
    for row_set, model in by_name.items():
        after = {}
        for values in model._default_manager.values(*model.published_fields()):
            data = {field: plain(value) for field, value in values.items()}
            name = _identity(model, data)
            after[name] = (name, data)
        yield compare(model._meta.verbose_name_plural, before[row_set], after)


def _identity(model: type[VersionedRow], data: Mapping[str, Any]) -> str:
    return " · ".join(str(data.get(name, "")) for name in model.identity)
