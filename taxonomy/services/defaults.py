"""The default rows of the product: given to a new hospital, and offered again when they are newer.

Three sides are compared: what the hospital was given, what its rows say now, and what a hospital
would be given today. Newer ones go into the draft, and to patients by a release as any other
change; what staff edited or removed is never touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from taxonomy.content import digest_of_rows, keep_rows, kept_rows
from taxonomy.models import GivenDefaults, Release
from taxonomy.services.releases import open_release
from zol.errors import StepRefused
from zol.models import Hospital
from zol.tenancy import required_hospital_id
from zol.versioned import VersionedRow, default_rows, versioned_models

Model = type[VersionedRow]
BATCH = 2_000


def models_with_defaults(row_sets: Sequence[str] = ()) -> tuple[Model, ...]:
    """Return the models of the named row sets, or all that come with default rows."""
    known = {m.row_set(): m for m in versioned_models() if m.defaults and m.defaults.exists()}
    for name in row_sets:
        if name not in known:
            raise StepRefused(
                _("There are no default rows called “%(name)s”. There are: %(known)s.")
                % {"name": name, "known": ", ".join(known)}
            )
    return tuple(known[name] for name in row_sets or known)


def give_defaults(hospital: Hospital) -> int:
    """Put all default rows in force at a hospital that has none; return how many."""
    total = 0
    for model in models_with_defaults():
        rows = default_rows(model, hospital.pk)
        total += len(model._default_manager.bulk_create(rows, batch_size=BATCH))
        _remember(model, tuple(row.freeze() for row in rows))
    return total


def waiting_defaults(row_sets: Sequence[str] = ()) -> Iterator[tuple[Model, Newer]]:
    """Yield what today's default rows would change at the served hospital, per row set."""
    for model in models_with_defaults(row_sets):
        found = _newer(model)
        if found.total or found.kept:
            yield model, found


def update_defaults(*, by: Any, row_sets: Sequence[str] = ()) -> Release | None:
    """Take newer default rows into the draft and open a release for them, if there are any."""
    with transaction.atomic():
        found = [(model, new) for model, new in waiting_defaults(row_sets) if new.total]
        for model, new in found:
            _must_be_allowed(model, by)
            _write(model, new)
        for model in models_with_defaults(row_sets):
            _remember(model, _today(model))
        if not found:
            return None
        title = _("Newer default rows of the product")
        return open_release(by=by, title=title, note="\n".join(summary(*each) for each in found))


def summary(model: Model, new: Newer) -> str:
    """Say in a line what a row set gets."""
    return _(
        "%(name)s: %(added)d new, %(changed)d changed, %(withdrawn)d withdrawn, "
        "%(kept)d edited here and left alone"
    ) % {
        "name": model.row_set(),
        "added": len(new.added),
        "changed": len(new.changed),
        "withdrawn": len(new.withdrawn),
        "kept": len(new.kept),
    }


def _newer(model: Model) -> Newer:
    own = [row.freeze() for row in model._default_manager.order_by("pk")]
    return newer(_given(model), own, _today(model), model.identity)


def _today(model: Model) -> tuple[Row, ...]:
    return tuple(row.freeze() for row in default_rows(model, required_hospital_id()))


def _given(model: Model) -> tuple[Row, ...]:
    """Return the defaults that the hospital was given; none where that is not known."""
    known = GivenDefaults.objects.filter(row_set=model.row_set()).first()
    return kept_rows({known.row_set: known.digest})[known.row_set] if known else ()


def _remember(model: Model, rows: tuple[Row, ...]) -> None:
    """Remember what was given; the rows are kept once for all hospitals."""
    name = model.row_set()
    digest = digest_of_rows(name, rows)
    keep_rows({name: rows}, {name: digest}, None)
    GivenDefaults.objects.update_or_create(
        hospital_id=required_hospital_id(), row_set=name, defaults={"digest": digest}
    )


def may_update(model: Model, by: Any) -> bool:
    """Whether somebody could add, change and remove these rows on their page."""
    names = (f"{verb}_{model._meta.model_name}" for verb in ("add", "change", "delete"))
    return bool(by.has_perms([f"{model._meta.app_label}.{name}" for name in names]))


def _must_be_allowed(model: Model, by: Any) -> None:
    if not may_update(model, by):
        raise StepRefused(
            _("Your roles at this hospital do not let you change “%(name)s”.")
            % {"name": model._meta.verbose_name_plural}
        )


def _write(model: Model, new: Newer) -> None:
    rows = _rows_by_name(model)
    changed = [_becoming(rows[name_of(e.newer, model.identity)], e.newer) for e in new.changed]
    gone = [rows[name_of(row, model.identity)].pk for row in new.withdrawn]
    added = [model(hospital_id=required_hospital_id(), **row) for row in new.added]
    if changed:
        model._default_manager.bulk_update(changed, model.published_fields(), batch_size=BATCH)
    model._default_manager.filter(pk__in=gone).delete()
    model._default_manager.bulk_create(added, batch_size=BATCH)


def _rows_by_name(model: Model) -> dict[Name, VersionedRow]:
    """Return the live rows by what names them, the first of several by one name."""
    rows = model._default_manager.order_by("-pk")
    return {name_of(row.freeze(), model.identity): row for row in rows}


def _becoming(row: VersionedRow, values: Row) -> VersionedRow:
    for name, value in values.items():
        setattr(row, name, value)
    return row


Row = Mapping[str, Any]
#: What names a row within its set.
Name = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NewerDefault:
    """A row that differs from its newer default."""

    now: Row
    newer: Row

    def fields(self) -> tuple[tuple[str, Any, Any], ...]:
        """Return what would be another: field, as it is, as the newer default has it."""
        return tuple(
            (name, self.now.get(name), value)
            for name, value in self.newer.items()
            if self.now.get(name) != value
        )


@dataclass(frozen=True, slots=True)
class Newer:
    """What the defaults of one row set bring."""

    added: tuple[Row, ...] = ()
    changed: tuple[NewerDefault, ...] = ()
    #: No default any more.
    withdrawn: tuple[Row, ...] = ()
    #: Has a newer default, but was edited here: left as it is.
    kept: tuple[NewerDefault, ...] = ()

    @property
    def total(self) -> int:
        """How many rows would be written."""
        return len(self.added) + len(self.changed) + len(self.withdrawn)


def newer(
    given: Iterable[Row], own: Iterable[Row], today: Iterable[Row], identity: Sequence[str]
) -> Newer:
    """Compare the three sides; rows are named by the fields of `identity`."""
    before, now, after = (named(rows, identity) for rows in (given, own, today))
    added: list[Row] = []
    changed: list[NewerDefault] = []
    kept: list[NewerDefault] = []
    for name, row in after.items():
        mine, old = now.get(name), before.get(name)
        if mine is None:
            added += [row] if old is None else []  # Else staff removed it.
        elif mine == row or (old is not None and _says(row, old)):
            continue  # Nothing new to say.
        else:
            (changed if old is not None and _says(mine, old) else kept).append(
                NewerDefault(mine, row)
            )
    gone = before.keys() & now.keys() - after.keys()
    withdrawn = [now[name] for name in now if name in gone and _says(now[name], before[name])]
    return Newer(tuple(added), tuple(changed), tuple(withdrawn), tuple(kept))


def named(rows: Iterable[Row], identity: Sequence[str]) -> dict[Name, Row]:
    """Return rows by what names them; of several by one name, the first."""
    found: dict[Name, Row] = {}
    for row in rows:
        found.setdefault(name_of(row, identity), row)
    return found


def name_of(row: Row, identity: Sequence[str]) -> Name:
    return tuple(str(row[field]) for field in identity)


def _says(row: Row, given: Row) -> bool:
    """Whether a row says what was given; fields that were not there then do not count."""
    return all(row[field] == value for field, value in given.items() if field in row)
