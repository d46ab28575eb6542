"""The audit log: read, filtered, taken along as CSV. Nobody changes it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path
from django.utils import timezone

from zol.admin_pages.base import ReadOnlyAdmin
from zol.models import AuditEntry
from zol.text import csv_lines, inert

COLUMNS = ("at", "who", "what", "subject", "before", "after", "why")


@admin.register(AuditEntry)
class AuditAdmin(ReadOnlyAdmin):
    list_display = ["at", "who", "what", "subject", "before", "after", "why"]
    list_filter = ["what", "at", ("by", admin.RelatedOnlyFieldListFilter)]
    search_fields = ["who", "subject", "why", "after"]
    date_hierarchy = "at"
    fields = list(COLUMNS)
    change_list_template = "admin/audit_log.html"

    def get_urls(self) -> list[Any]:
        export = self.admin_site.admin_view(self.export)
        return [path("export/", export, name="zol_auditentry_export"), *super().get_urls()]

    def export(self, request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
        """Give the entries that the list shows with the same filters."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        rows = list(self.get_changelist_instance(request).get_queryset(request))
        return StreamingHttpResponse(
            csv_lines(COLUMNS, map(told, rows)),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="audit.csv"'},
        )


def told(row: AuditEntry) -> list[str]:
    moment = timezone.localtime(row.at).isoformat(timespec="seconds")
    return [moment, *(inert(str(getattr(row, name))) for name in COLUMNS[1:])]
