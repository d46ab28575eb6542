"""Pages of rows that the product comes with: shared by hospitals until one changes a row."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db.models import QuerySet
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from zol.versioned import DefaultedRow, in_place_of

PRODUCT, OWN = "product", "own"


class OriginFilter(admin.SimpleListFilter):
    """Rows as all hospitals have them, or those that are this hospital's own."""

    title = _("origin")
    parameter_name = "origin"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(PRODUCT, _("as the product comes")), (OWN, _("of this hospital"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in (PRODUCT, OWN):
            return queryset
        return queryset.filter(hospital__isnull=self.value() == PRODUCT)


class SharedRowsAdmin:
    """Lets staff edit shared rows as any other; a mixin of the admin's own class.

    What happens to a shared row is told of the hospital's row in its place: the shared row has no
    history, which other hospitals would read.
    """

    opts: Any
    model: Any

    def get_list_filter(self, request: HttpRequest) -> Any:
        found = super().get_list_filter(request)  # type: ignore[misc]
        return [*found, OriginFilter] if issubclass(self.model, DefaultedRow) else found

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Leave a row shared that was saved as it stood."""
        if form.changed_data or not is_shared(obj):
            super().save_model(request, obj, form, change)  # type: ignore[misc]

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return None if is_shared(obj) else super().log_change(request, obj, message)  # type: ignore[misc]

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        entries = super().log_deletions(request, queryset)  # type: ignore[misc]
        shared = [str(row.pk) for row in queryset if is_shared(row)]
        mine = LogEntry.objects.filter(pk__in=[entry.pk for entry in entries])
        mine.filter(object_id__in=shared).update(object_id=None)
        return entries

    def change_view(self, request: HttpRequest, object_id: str, *args: Any, **more: Any) -> Any:
        """Lead from a row that was replaced to the one in its place."""
        own = in_force(self.model, object_id)
        if own == object_id or request.method != "GET":
            return super().change_view(request, object_id, *args, **more)  # type: ignore[misc]
        found = redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", own)
        found["Location"] += f"?{request.GET.urlencode()}" if request.GET else ""
        return found

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        own = in_force(self.model, object_id)
        return super().history_view(request, own, extra_context)  # type: ignore[misc]


def is_shared(row: Any) -> bool:
    return getattr(row, "default_id", None) is not None


def in_force(model: Any, pk: str) -> str:
    """Return the number of a row here: of the one in its place, where it was replaced."""
    return in_place_of(model, [pk]).get(pk, pk)
