"""Checks for gaps in the taxonomy. Add a check to `CHECKS`; home page and filters follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from taxonomy.models import Condition, Department, Doctor, Entity, Examination, Relation, Treatment
from taxonomy.vocabulary import Predicate

Rows = QuerySet[Any]


@dataclass(frozen=True, slots=True)
class Check:
    """A gap that an entity may have."""

    key: str
    title: Any
    #: The model whose rows are checked.
    model: type[Entity]
    find: Callable[[Rows], Rows]

    def rows(self) -> Rows:
        return self.find(self.model.objects.filter(status=Entity.Status.ACTIVE))


def without(predicate: Predicate, own: str) -> Callable[[Rows], Rows]:
    """Return what finds the rows that are not the subject, or object, of any such relation."""
    relations = Relation.objects.filter(**{own: OuterRef("pk")}, predicate=str(predicate))
    return lambda rows: rows.filter(~Exists(relations))


def staffed(find: Callable[[Rows], Rows]) -> Callable[[Rows], Rows]:
    """Leave out wards and services, which need no doctors of their own."""
    return lambda rows: find(rows.filter(sort=Department.Sort.DEPARTMENT))


CHECKS = (
    Check("doctors", _("Departments without doctors"), Department,
          staffed(without(Predicate.WORKS_IN, "object"))),
    Check("campus", _("Departments without campus"), Department,
          without(Predicate.LOCATED_AT, "subject")),
    Check("department", _("Doctors without department"), Doctor,
          without(Predicate.WORKS_IN, "subject")),
    Check("campus", _("Doctors without campus"), Doctor, without(Predicate.LOCATED_AT, "subject")),
    Check("department", _("Conditions without department"), Condition,
          without(Predicate.HANDLES, "object")),
    Check("department", _("Treatments without department"), Treatment,
          without(Predicate.OFFERS, "object")),
    Check("department", _("Examinations without department"), Examination,
          without(Predicate.PERFORMS, "object")),
)  # fmt: skip


def overdue(rows: Rows) -> Rows:
    """Return the rows whose review-by date has passed."""
    return rows.filter(status=Entity.Status.ACTIVE, review_by__lt=timezone.localdate())


class GapFilter(admin.SimpleListFilter):
    """Shows what lacks something, or should have been looked at again."""

    title = _("needs attention")
    parameter_name = "gap"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, Any]]:
        mine = [(check.key, check.title) for check in CHECKS if check.model is model_admin.model]
        return [*mine, ("overdue", _("Review date has passed"))]

    def queryset(self, request: HttpRequest, queryset: Rows) -> Rows:
        if self.value() == "overdue":
            return overdue(queryset)
        for check in CHECKS:
            if check.model is queryset.model and check.key == self.value():
                return check.find(queryset.filter(status=Entity.Status.ACTIVE))
        return queryset
