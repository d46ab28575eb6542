"""Export of a list as CSV or XLSX."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from django.contrib import messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext

from zol.errors import BadInput
from zol.records.audit import AuditEntry, record
from zol.tables.table import FORMATS, write_table
from zol.text import storable

#: Rows of an export, at most: it is made in memory.
MOST_EXPORTED = 10_000
Columns = Mapping[str, Callable[[Any], object]]


def columns_of(*names: str) -> Columns:
    """Return columns for fields of a row or of a related one, such as `message.answer`."""
    return {name.rpartition(".")[2]: attrgetter(name) for name in names}


class ExportPages:
    """Admin mixin with a download of the filtered list."""

    model: Any
    admin_site: Any
    opts: Any
    change_list_template = "admin/taxonomy/table_list.html"
    pages = {"export": "export/<slug:ending>/"}
    #: Columns with their values; and permissions that are needed besides viewing the list.
    exports: Columns = {}
    export_needs: tuple[str, ...] = ()

    def exported(self, request: HttpRequest) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
        """Return the columns and the rows."""
        rows = self.get_changelist_instance(request).get_queryset(request)  # type: ignore[attr-defined]
        if rows.count() > MOST_EXPORTED:
            text = gettext("An export has at most %d rows: filter the list first.")
            raise BadInput(text % MOST_EXPORTED)
        values = ([cell(row) for cell in self.exports.values()] for row in rows)
        return [*self.exports], ([storable(str(each)) for each in cells] for cells in values)

    def export_view(self, request: HttpRequest, ending: str) -> HttpResponse:
        """Send the filtered list as a file, and record that in the audit log."""
        may_see = self.has_view_permission(request)  # type: ignore[attr-defined]
        if not (may_see and request.user.has_perms(self.export_needs)):
            raise PermissionDenied
        if request.method != "GET":
            return HttpResponseNotAllowed(["GET"])
        try:
            columns, rows = self.exported(request)
        except (BadInput, IncorrectLookupParameters) as error:
            messages.error(
                request, str(error) or gettext("The filters are not valid: open the list again.")
            )
            return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        ending = ending if ending in FORMATS else "csv"
        data = write_table(columns, rows := [*rows], ending)
        # Without the search term, which may be about a patient: the log cannot be erased.
        filters = ", ".join(f"{name}={value}" for name, value in request.GET.items() if name != "q")
        record(AuditEntry.What.EXPORTED, self.opts.verbose_name_plural, by=request.user,
               before=filters, after=gettext("%d rows") % len(rows))  # fmt: skip
        name = f"{self.opts.model_name}-{timezone.localdate()}.{ending}"
        disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(data, content_type=FORMATS[ending], headers=disposition)
