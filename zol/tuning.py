"""Numbers an operator may change: one row for each that differs from its default."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError as WrongShape

from zol.overlay import tuned
from zol.versioned import VersionedRow


class StoredTuning(VersionedRow):
    """A number that was changed, by name; what is not stored has its default."""

    numbers: ClassVar[type[Any]]
    identity = ("name",)

    name = models.CharField(_("name"), max_length=80)
    value = models.JSONField(_("value"))

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.name} = {self.value}"

    def clean(self) -> None:
        if self.name not in {field.name for field in fields(self.numbers)}:
            raise ValidationError({"name": _("There is no such setting.")})
        try:
            tuned(self.numbers, {self.name: self.value})
        except WrongShape as error:
            raise ValidationError({"value": error.errors()[0]["msg"]}) from error
