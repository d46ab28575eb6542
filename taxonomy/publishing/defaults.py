"""Default rows of the product: shared by all hospitals, and updated on request.

Each row set has editions. When staff ask for it, the differences between their hospital's edition
and the newest one go into the draft, and reach patients through a release like any other change.
Rows that the hospital edited or removed stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from taxonomy.models import Release
from taxonomy.publishing.approval import open_release
from taxonomy.publishing.content import keep_rows, values_of
from taxonomy.publishing.differences import DifferenceSection, DifferingItem, Row, differing
from taxonomy.snapshot import digest_of_rows
from zol.models import Hospital
from zol.postgres.locks import take_turns
from zol.records.versioned import (
    DefaultedRow,
    DefaultOverride,
    DefaultSet,
    default_rows,
    defaulted_models,
    every_edition,
    newest_editions,
    override,
)
from zol.tenancy import required_hospital_id

Model = type[DefaultedRow]
BATCH = 2_000


def load_defaults(using: str = "owner") -> int:
    """Synchronise the shared rows with the product's files; a changed set gets a new edition.

    Hospitals keep their current edition. Return the number of new rows.
    """
    with transaction.atomic(using=using):
        take_turns("default rows", using)
        return sum(_load(model, using) for model in defaulted_models())


def _load(model: Model, using: str) -> int:
    fields, name = model.published_fields(), model.row_set()
    # A plain query set: the model's own would give the served hospital copies of changed rows.
    shared = QuerySet[Any](model, using=using).filter(hospital=None, until=None)
    now = {tuple(values): pk for pk, *values in shared.values_list("pk", *fields)}
    today = {tuple(getattr(r, each) for each in fields): r for r in default_rows(model, None)}
    gone = [pk for values, pk in now.items() if values not in today]
    new = [row for values, row in today.items() if values not in now]
    if not (gone or new):
        return 0
    known, _is_new = DefaultSet.objects.using(using).get_or_create(
        row_set=name, defaults={"edition": 0}
    )
    known.edition += 1
    known.save()
    shared.filter(pk__in=gone).update(until=known.edition)
    for row in new:
        row.since = known.edition
    shared.bulk_create(new, batch_size=BATCH)
    rows = values_of(shared.order_by("pk"), fields)
    keep_rows({name: rows}, {name: digest_of_rows(name, rows)}, None, using)
    return len(new)


def waiting_defaults() -> Iterator[tuple[Model, Newer]]:
    """Yield the row sets that the newest editions would change at the served hospital."""
    hospital = Hospital.objects.get(pk=required_hospital_id())
    for model, _edition, new in _newer_editions(hospital):
        if new.section.total or new.kept.total:
            yield model, new


def update_defaults(*, by: Any) -> Release | None:
    """Apply the newest editions that a user may apply, and open a release for the changes."""
    with transaction.atomic():
        hospital = Hospital.objects.select_for_update().get(pk=required_hospital_id())
        newest = [each for each in _newer_editions(hospital) if may_update(each[0], by)]
        for model, edition, new in newest:
            override(model, new.overridden)
            hospital.defaults_edition[model.row_set()] = edition
        hospital.save(update_fields=["defaults_edition"])
        lines = [_summary(model, new) for model, _edition, new in newest if new.section.total]
        if not lines:
            return None
        title = _("Newer default rows of the product")
        return open_release(by=by, title=title, note="\n".join(lines))


def _summary(model: Model, new: Newer) -> str:
    counts = new.section.counts
    return _(
        "%(name)s: %(added)d new, %(changed)d changed, %(withdrawn)d withdrawn, %(kept)d "
        "edited here and left unchanged"
    ) % {
        "name": model.row_set(), "added": counts["added"], "changed": counts["changed"],
        "withdrawn": counts["removed"], "kept": new.kept.total,
    }  # fmt: skip


def _newer_editions(hospital: Hospital) -> Iterator[tuple[Model, int, Newer]]:
    """Yield the row sets with a newer edition than the hospital's, that edition and its changes."""
    newest = newest_editions()
    for model in defaulted_models():
        name = model.row_set()
        edition = hospital.defaults_edition.get(name, 0)
        if newest.get(name, 0) > edition:
            yield model, newest[name], _newer(model, edition)


def _newer(model: Model, edition: int) -> Newer:
    """Compare an edition, with the served hospital's overrides, with the newest."""
    noted = DefaultOverride.objects.filter(row_set=model.row_set())
    noted_rows = list(noted.values_list("row", flat=True))
    own = {name_of(row): row for row in model._default_manager.exclude(hospital=None)}
    with every_edition():
        shared = model._base_manager.filter(hospital=None).order_by("pk")
        replaced = {name_of(row) for row in shared.filter(pk__in=noted_rows)} | own.keys()
        gone = shared.filter(since__lte=edition, until__gt=edition).exclude(pk__in=noted_rows)
        before = {name_of(row): row.freeze() for row in gone}
        after = list(shared.filter(since__gt=edition, until=None))
    items, kept, overridden = [], [], {}

    def compared(name: tuple[str, ...], old: Row | None, new: Row | None) -> DifferingItem | None:
        return differing(" · ".join(filter(None, name)), old, new, model=model)

    for row in after:
        name, values = name_of(row), row.freeze()
        if name in replaced:
            mine = own.get(name)
            overridden[row.pk] = mine.pk if mine else None
            kept.append(compared(name, mine.freeze(), values) if mine else None)
        else:
            items.append(compared(name, before.pop(name, None), values))
    items += (compared(name, values, None) for name, values in before.items())
    changed, left = (tuple(filter(None, each)) for each in (items, kept))
    code = model.row_set()
    return Newer(DifferenceSection(code, changed), DifferenceSection(code, left), overridden)


def may_update(model: Model, by: Any) -> bool:
    """Return whether a user may add, change and delete these rows."""
    names = (f"{verb}_{model._meta.model_name}" for verb in ("add", "change", "delete"))
    return bool(by.has_perms([f"{model._meta.app_label}.{name}" for name in names]))


@dataclass(frozen=True, slots=True)
class Newer:
    """Changes that the newest edition of one row set would bring."""

    #: Rows that would change.
    section: DifferenceSection
    #: Rows with a newer default that were edited here: they stay as they are.
    kept: DifferenceSection
    #: New shared rows that the hospital has overridden, each with its own row (None: removed).
    overridden: Mapping[int, int | None]


def name_of(row: DefaultedRow) -> tuple[str, ...]:
    """Return the values that identify a row within its set."""
    return tuple(str(getattr(row, each)) for each in row.identity)
