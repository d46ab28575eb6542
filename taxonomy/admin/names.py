"""Names of related entities as columns of a list: one subquery, whatever the number of rows."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from taxonomy.kinds import Kind, Predicate
from taxonomy.models import Alias, Relation


def objects_of(predicate: Predicate, kind: Kind) -> ArraySubquery:
    """Return the names of what a row points to."""
    rows = Relation.objects.filter(
        subject=OuterRef("pk"), predicate=str(predicate), object_kind=str(kind)
    )
    return ArraySubquery(rows.order_by("position", "pk").values("object__name"))


def subjects_of(predicate: Predicate, kind: Kind) -> ArraySubquery:
    """Return the names of what points to a row."""
    rows = Relation.objects.filter(
        object=OuterRef("pk"), predicate=str(predicate), subject_kind=str(kind)
    )
    return ArraySubquery(rows.order_by("subject__name").values("subject__name"))


def alias_texts() -> ArraySubquery:
    rows = Alias.objects.filter(entity=OuterRef("pk")).order_by("position", "pk")
    return ArraySubquery(rows.values("text"))


def count_of_subjects(predicate: Predicate, kind: Kind) -> Coalesce:
    """Return how many rows of a kind point to a row."""
    rows: QuerySet[Relation] = Relation.objects.filter(
        object=OuterRef("pk"), predicate=str(predicate), subject_kind=str(kind)
    )
    return _count(rows, "object")


def count_of_objects(predicate: Predicate, kind: Kind) -> Coalesce:
    """Return to how many rows of a kind a row points."""
    rows: QuerySet[Relation] = Relation.objects.filter(
        subject=OuterRef("pk"), predicate=str(predicate), object_kind=str(kind)
    )
    return _count(rows, "subject")


def _count(rows: QuerySet[Relation], by: str) -> Coalesce:
    counted = rows.order_by().values(by).annotate(number=Count("pk")).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


#: Names that a column shows.
MOST = 3


class NamesColumn:
    """A column of a list: the first names that a query finds, or how many rows it counts."""

    def __init__(self, title: Any, query: Any) -> None:
        self.short_description, self.query = title, query

    def __set_name__(self, owner: type, name: str) -> None:
        self.field = f"{name}_shown"
        self.admin_order_field = self.field if isinstance(self.query, Coalesce) else None

    def __call__(self, row: Any) -> Any:
        found = getattr(row, self.field)
        if not isinstance(found, list) or len(found) <= MOST:
            return ", ".join(found) if isinstance(found, list) else found
        return f"{', '.join(found[:MOST])} (+{len(found) - MOST})"
