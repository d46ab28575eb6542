"""What was measured about retrieval."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from retrieval.mismatches import HEIGHT, STEP, bars, by_day, by_name, overall
from retrieval.models import CategoryMismatch
from zol.admin_pages.base import ReadOnlyAdmin


@admin.register(CategoryMismatch)
class MismatchAdmin(ReadOnlyAdmin):
    list_display = [
        "created_at", "query_preview", "steering_row", "primary_category", "rate",
        "chunks_off_category", "chunks_total",
    ]  # fmt: skip
    list_filter = ["created_at", "steering_row", "primary_category", "intent"]
    search_fields = ["query_preview"]
    date_hierarchy = "created_at"
    change_list_template = "admin/retrieval/categorymismatch/change_list.html"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the list with a chart of what is listed: the filters hold for both."""
        page = super().changelist_view(request, extra_context)
        listed = (getattr(page, "context_data", None) or {}).get("cl")
        if listed is not None:
            page.context_data["measured"] = charted(listed.queryset)  # type: ignore[attr-defined]
        return page

    @admin.display(description=_("mismatch rate"), ordering="mismatch_rate")
    def rate(self, mismatch: CategoryMismatch) -> str:
        return f"{mismatch.mismatch_rate:.0%}"


def charted(rows: Any) -> dict[str, Any]:
    days = by_day(rows)
    return {
        "total": overall(rows),
        "bars": bars(days),
        "newest": tuple(reversed(days)),
        "rows": by_name(rows, "steering_row"),
        "width": max(1, len(days)) * STEP,
        "height": HEIGHT,
    }
