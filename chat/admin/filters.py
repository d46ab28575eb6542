"""What staff look for among answers."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _


def nothing_found() -> Q:
    """Return the condition of a message for which nothing was found in pages and taxonomy."""
    return Q(trace__stages__contains=[{"stage": "generate", "detail": {"found": False}}])


class FoundFilter(admin.SimpleListFilter):
    title = _("found")
    parameter_name = "found"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("nothing", _("nothing was found"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(nothing_found()) if self.value() == "nothing" else queryset


class ThumbFilter(admin.SimpleListFilter):
    title = _("feedback")
    parameter_name = "thumb"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("up", _("thumb up")), ("down", _("thumb down"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in ("up", "down"):
            return queryset
        return queryset.filter(feedback__is_good=self.value() == "up")
