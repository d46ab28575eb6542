"""What was measured about retrieval."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from retrieval.models import CategoryMismatch
from zol.admin_pages.base import ReadOnlyAdmin


@admin.register(CategoryMismatch)
class MismatchAdmin(ReadOnlyAdmin):
    list_display = [
        "created_at", "query_preview", "steering_row", "primary_category", "rate",
        "chunks_off_category", "chunks_total",
    ]  # fmt: skip
    list_filter = ["steering_row", "primary_category", "intent"]
    search_fields = ["query_preview"]
    date_hierarchy = "created_at"

    @admin.display(description=_("mismatch rate"), ordering="mismatch_rate")
    def rate(self, mismatch: CategoryMismatch) -> str:
        return f"{mismatch.mismatch_rate:.0%}"
