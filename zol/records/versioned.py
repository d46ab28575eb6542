"""Rows that change answers: staff edit the live row, patients get the published copy.

A model that inherits `VersionedRow` is carried by every release: publishing freezes its rows into
`taxonomy.RowSet` under the model's label, as plain values. Readers never see the live rows.

Some models have default rows (`DefaultedRow`). All hospitals share one copy of these; row-level
security shows each hospital its own rows and the shared ones in force there. A hospital that edits
a shared row gets its own row, and a `DefaultOverride` that hides the shared one.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import connection, models, transaction
from django.utils.translation import gettext_lazy as _

from zol.tenancy import required_hospital_id

#: Maximum number of digits of a primary key.
LONGEST_PK = 19
Row_co = TypeVar("Row_co", bound="DefaultedRow", covariant=True)


class VersionedRow(models.Model):
    """A row of a hospital that goes live through a release."""

    #: Releases carry these rows, so their edits are recorded (zol/records/audit.py).
    is_carried: ClassVar[bool] = True
    #: The fields that identify a row within its hospital, for diffs and upserts.
    identity: ClassVar[tuple[str, ...]] = ()
    #: Fields that patients read as an answer.
    answer_fields: ClassVar[frozenset[str]] = frozenset()

    hospital = models.ForeignKey(
        "zol.Hospital", models.CASCADE, editable=False, verbose_name=_("hospital"), related_name="+"
    )

    class Meta:
        abstract = True

    @classmethod
    def row_set(cls) -> str:
        """Return the name under which releases carry these rows, such as `chat.text`."""
        return str(cls._meta.label_lower)

    @classmethod
    def published_fields(cls) -> tuple[str, ...]:
        return tuple(
            field.attname
            for field in cls._meta.concrete_fields
            if field.name not in ("id", "hospital", "since", "until")
        )

    def freeze(self) -> dict[str, Any]:
        """Return the row as plain values, in the form of a published version."""
        return {name: plain(self._at(name)) for name in self.published_fields()}

    def _at(self, name: str) -> Any:
        """Return a field of the row or of a related one, such as "subject__key"."""
        value: Any = self
        for step in name.split("__"):
            value = None if value is None else getattr(value, step)
        return value


class DefaultSet(models.Model):
    """A set of default rows with its newest edition; only the database owner writes it."""

    row_set = models.CharField(max_length=80, unique=True)
    edition = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.row_set} {self.edition}"


class DefaultOverride(models.Model):
    """A default row that a hospital has replaced or removed."""

    is_carried: ClassVar[bool] = True

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    row_set = models.CharField(max_length=80)
    row = models.BigIntegerField()
    #: The hospital's row in its place; None where it was removed.
    own = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "row_set", "row"], name="default_overridden_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.row_set} {self.row} → {self.own or '–'}"


class DefaultedRows(models.QuerySet[Row_co]):
    """Rows that may be shared: updates and deletions affect the served hospital only."""

    def update(self, **values: Any) -> int:
        shared = list(self.filter(hospital=None))
        if not shared:
            return super().update(**values)
        with transaction.atomic(using=self.db):
            own = [*self.exclude(hospital=None).values_list("pk", flat=True)]
            for row in shared:
                row.save()
            changed = self.model._default_manager.filter(pk__in=[*own, *(r.pk for r in shared)])
            return super(DefaultedRows, changed).update(**values)

    update.alters_data = True  # type: ignore[attr-defined]

    def delete(self) -> tuple[int, dict[str, int]]:
        with transaction.atomic(using=self.db):
            removed = [*self.filter(hospital=None).values_list("pk", flat=True)]
            number, kinds = super(DefaultedRows, self.exclude(hospital=None)).delete()
            override(self.model, dict.fromkeys(removed))
        kinds[self.model._meta.label] = kinds.get(self.model._meta.label, 0) + len(removed)
        return number + len(removed), kinds

    delete.alters_data = True  # type: ignore[attr-defined]
    delete.queryset_only = True  # type: ignore[attr-defined]


class DefaultedRow(VersionedRow):
    """A row of a set with defaults. Rows without a hospital are shared by all."""

    #: CSV file of the shared rows; its columns are fields.
    defaults: ClassVar[Path]
    #: Primary key of the shared row that this one was loaded as, until it is saved.
    default_id: int | None = None

    hospital = models.ForeignKey(
        "zol.Hospital", models.CASCADE, null=True, editable=False, verbose_name=_("hospital"),
        related_name="+",
    )  # type: ignore[assignment]  # fmt: skip
    #: First edition with a shared row, and first edition without it.
    since = models.PositiveIntegerField(null=True, editable=False)
    until = models.PositiveIntegerField(null=True, editable=False)

    objects = DefaultedRows.as_manager()

    class Meta:
        abstract = True

    @classmethod
    def from_db(cls, *args: Any, **more: Any) -> Self:
        row = super().from_db(*args, **more)
        if row.hospital_id is None:
            row.default_id = row.pk
        return row

    def save(self, **options: Any) -> None:
        """Save the row as the hospital's own; it replaces the shared row that it was loaded as,
        and shared rows with the same identity."""
        with transaction.atomic():
            noted = self._become_own(self.default_id) if self.default_id else None
            self.hospital_id = self.hospital_id or required_hospital_id()
            super().save(**({} if noted else options))
            if noted and noted.own != self.pk:
                noted.own = self.pk
                noted.save(update_fields=["own"])
            named = {name: getattr(self, name) for name in self.identity}
            same = type(self)._default_manager.filter(hospital=None, **named)
            override(type(self), dict.fromkeys(same.values_list("pk", flat=True), self.pk))

    def _become_own(self, shared: int) -> DefaultOverride:
        """Become the hospital's own row, a new one or one that was made meanwhile; return the
        override."""
        for name in self.get_deferred_fields():
            getattr(self, name)
        noted = self._noted(shared)
        self.pk, self.hospital_id = noted.own, noted.hospital_id
        self.since = self.until = self.default_id = None
        self._state.adding = not noted.own
        return noted

    def _noted(self, shared: int) -> DefaultOverride:
        """Return the override of a shared row, created if needed; concurrent calls wait."""
        noted, _is_new = DefaultOverride.objects.get_or_create(
            hospital_id=required_hospital_id(), row_set=self.row_set(), row=shared
        )
        return noted

    def delete(self, *args: Any, **more: Any) -> tuple[int, dict[str, int]]:
        if not self.default_id:
            return super().delete(*args, **more)
        self._noted(self.default_id)
        return 1, {self._meta.label: 1}

    @classmethod
    def from_default(cls, row: Mapping[str, str], hospital_id: int | None) -> Self:
        """Return the row for a line of the defaults."""
        values: dict[str, Any] = {}
        for field in cls._meta.concrete_fields:
            if field.name in row:
                text = row[field.name]
                try:
                    values[field.name] = field.to_python(text) if text else field.get_default()
                except ValidationError as error:
                    raise ValueError(f"{cls.row_set()}: {field.name}={text!r}: {error}") from error
        return cls(hospital_id=hospital_id, **values)


def plain(value: Any) -> Any:
    """Return a value in a form that JSON supports."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def versioned_models() -> Iterator[type[VersionedRow]]:
    """Yield every model that releases carry as row sets, in a stable order."""
    found = (model for model in apps.get_models() if issubclass(model, VersionedRow))
    yield from sorted(found, key=lambda model: model.row_set())


def carried_models() -> Iterator[type[models.Model]]:
    """Yield every model whose rows are published, in a stable order."""
    found = (model for model in apps.get_models() if getattr(model, "is_carried", False))
    yield from sorted(found, key=lambda model: str(model._meta.label_lower))


def default_rows(model: type[DefaultedRow], hospital_id: int | None) -> list[DefaultedRow]:
    """Return the default rows of a model, as a hospital's own or (None) shared."""
    with model.defaults.open(encoding="utf-8", newline="") as file:
        return [model.from_default(row, hospital_id) for row in csv.DictReader(file)]


def defaulted_models() -> Iterator[type[DefaultedRow]]:
    """Yield every model with default rows, in a stable order."""
    yield from (model for model in versioned_models() if issubclass(model, DefaultedRow))


def override(model: type[DefaultedRow], rows: Mapping[int, int | None]) -> None:
    """Override shared rows at the served hospital, each with its replacement (None: removed)."""
    name = model.row_set()
    DefaultOverride.objects.bulk_create(
        DefaultOverride(hospital_id=required_hospital_id(), row_set=name, row=row, own=own)
        for row, own in rows.items()
    )


def in_place_of(model: type[models.Model], pks: Iterable[str]) -> dict[str, str]:
    """Return the rows that replace shared ones at the served hospital, by primary key."""
    if not issubclass(model, DefaultedRow):
        return {}
    asked = [int(pk) for pk in pks if pk.isdecimal() and len(pk) < LONGEST_PK]
    noted = DefaultOverride.objects.filter(row_set=model.row_set(), row__in=asked)
    found = noted.exclude(own=None).values_list("row", "own")
    return {str(row): str(own) for row, own in found}


def newest_editions() -> dict[str, int]:
    """Return the newest edition of every set of default rows."""
    return dict(DefaultSet.objects.values_list("row_set", "edition"))


@contextmanager
def every_edition() -> Iterator[None]:
    """Show shared rows of all editions in the block, overridden ones too."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('zol.editions', 'every', true)")
        yield
        cursor.execute("SELECT set_config('zol.editions', '', true)")
