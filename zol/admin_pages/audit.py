"""The audit log: what staff did. Nobody changes it."""

from __future__ import annotations

from django.contrib import admin
from django.utils import timezone

from taxonomy.admin.tables import ExportPages, columns_of
from zol.admin_pages.base import ReadOnlyAdmin
from zol.models import AuditEntry

COLUMNS = ("who", "what", "subject", "before", "after", "why")


@admin.register(AuditEntry)
class AuditAdmin(ExportPages, ReadOnlyAdmin):
    list_display = ["at", *COLUMNS]
    list_filter = ["what", "at", ("by", admin.RelatedOnlyFieldListFilter)]
    search_fields = ["who", "subject", "why", "after"]
    date_hierarchy = "at"
    fields = ["at", *COLUMNS]
    exports = {
        "at": lambda row: timezone.localtime(row.at).isoformat(timespec="seconds"),
        **columns_of(*COLUMNS),
    }
