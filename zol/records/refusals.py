"""Turn refusals of plain checks into Django's validation errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from zol.records.values import WrongValue


def refused(error: WrongValue) -> ValidationError:
    return ValidationError(_(error.sentence), code="unreadable", params=error.said)


Checks = Iterable[tuple[str, Callable[[Any], object]]]


def refusals(row: Any, checks: Checks) -> Iterator[tuple[str, ValidationError]]:
    """Yield what is wrong with a row, field by field; an empty field is never wrong."""
    for name, check in checks:
        if value := getattr(row, name):
            try:
                check(value)
            except WrongValue as error:
                yield name, refused(error)


def refuse_changes(row: Any, checks: Checks) -> None:
    """Refuse a row for what is wrong in it, but for what was kept before it had to be right:
    nobody who changes a name is held up by an old telephone number."""
    wrong = dict(refusals(row, checks))
    if wrong and row.pk:
        kept = type(row)._base_manager.filter(pk=row.pk).values(*wrong).first() or {}
        wrong = {name: why for name, why in wrong.items() if getattr(row, name) != kept.get(name)}
    if wrong:
        raise ValidationError(wrong)
