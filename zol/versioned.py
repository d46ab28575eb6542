"""Rows that change answers: staff edit the live row, patients get the published copy.

A model that inherits `VersionedRow` is carried by every release: publishing freezes its rows into
`taxonomy.PublishedRow` under the model's label, as plain values. Readers never see the live rows.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _


class VersionedRow(models.Model):
    """A row of a hospital that goes live through a release."""

    #: Releases carry these rows, so who edits them is written down (zol/audit.py).
    is_carried: ClassVar[bool] = True
    #: Where the rows of a freshly loaded hospital come from; a CSV whose columns are fields.
    defaults: ClassVar[Path | None] = None
    #: The fields that identify a row within its hospital, for diffs and upserts.
    identity: ClassVar[tuple[str, ...]] = ()
    #: The fields that patients read as an answer.
    told: ClassVar[frozenset[str]] = frozenset()

    hospital = models.ForeignKey(
        "zol.Hospital", models.CASCADE, editable=False, verbose_name=_("hospital"), related_name="+"
    )

    class Meta:
        abstract = True

    @classmethod
    def row_set(cls) -> str:
        """The name under which releases carry these rows, such as `chat.text`."""
        return str(cls._meta.label_lower)

    @classmethod
    def published_fields(cls) -> tuple[str, ...]:
        return tuple(
            field.attname
            for field in cls._meta.concrete_fields
            if field.name not in ("id", "hospital")
        )

    def identify(self) -> str:
        return " · ".join(str(self._at(name)) for name in self.identity)

    def freeze(self) -> dict[str, Any]:
        """Return the row as plain values, as readers of the published version get it."""
        return {name: plain(self._at(name)) for name in self.published_fields()}

    def _at(self, name: str) -> Any:
        """Return a field, or one of what the row refers to: "subject__key"."""
        value: Any = self
        for step in name.split("__"):
            value = None if value is None else getattr(value, step)
        return value

    @classmethod
    def from_default(cls, row: Mapping[str, str], hospital_id: int) -> Self:
        """Return the row that a line of the defaults describes."""
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
    """Return a value that JSON can carry."""
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def versioned_models() -> Iterator[type[VersionedRow]]:
    """Every model that releases carry, in a stable order."""
    found = (model for model in apps.get_models() if issubclass(model, VersionedRow))
    yield from sorted(found, key=lambda model: model.row_set())


def carried_models() -> Iterator[type[models.Model]]:
    """Every model whose rows are part of what is published, in a stable order."""
    found = (model for model in apps.get_models() if getattr(model, "is_carried", False))
    yield from sorted(found, key=lambda model: str(model._meta.label_lower))


def default_rows(model: type[VersionedRow], hospital_id: int) -> list[VersionedRow]:
    """Return the rows that a freshly loaded hospital starts with."""
    if model.defaults is None:
        return []
    with model.defaults.open(encoding="utf-8", newline="") as file:
        return [model.from_default(row, hospital_id) for row in csv.DictReader(file)]
