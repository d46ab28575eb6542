"""Convert errors of plain checks to Django's validation errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from zol.records.values import WrongValue


def refused(error: WrongValue) -> ValidationError:
    return ValidationError(_(error.sentence), code="unreadable", params=error.params)


Checks = Iterable[tuple[str, Callable[[Any], object]]]


def refusals(row: Any, checks: Checks) -> Iterator[tuple[str, ValidationError]]:
    """Yield each invalid field of a row with its error; empty fields are valid."""
    for name, check in checks:
        if value := getattr(row, name):
            try:
                check(value)
            except WrongValue as error:
                yield name, refused(error)


def refuse_changes(row: Any, checks: Checks) -> None:
    """Raise a validation error for the invalid fields of a row.

    Invalid values that were stored before are ignored, so that an old telephone number does not
    prevent the change of a name.
    """
    wrong = dict(refusals(row, checks))
    if wrong and row.pk:
        kept = type(row)._base_manager.filter(pk=row.pk).values(*wrong).first() or {}
        wrong = {name: why for name, why in wrong.items() if getattr(row, name) != kept.get(name)}
    if wrong:
        raise ValidationError(wrong)
