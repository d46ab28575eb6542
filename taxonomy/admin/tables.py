"""Export of a list as a spreadsheet, and import with a preview of the changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from taxonomy.models import OwnNames
from taxonomy.packs.findings import Change
from taxonomy.packs.imports import (
    ImportPreview,
    apply_table,
    own_names,
    sheet_of,
    translated,
    unknown_names,
)
from taxonomy.packs.spreadsheets import Spreadsheet
from zol.backoffice.concurrency import digest
from zol.backoffice.exports import ExportPages
from zol.errors import BadInput
from zol.tables.lines import Doubt
from zol.tables.table import Table, TableRow, read_table

SALT = "taxonomy.tables"
#: Seconds for which a preview can be applied, and maximum length of its token.
VALID, LONGEST = 3600, 1_500_000


class FileForm(forms.Form):
    file = forms.FileField(
        label=_("File"), help_text=_("CSV or XLSX; the first row names the columns.")
    )
    is_all = forms.BooleanField(
        label=_("The file is complete: hide everyone in use who is missing from it"), required=False
    )


class TablePages(ExportPages):
    """Admin mixin with export and import of all rows of a model."""

    pages = {"import": "import/"}

    @property
    def sheet(self) -> Spreadsheet:
        return sheet_of(self.model)

    def may_import(self, request: HttpRequest) -> bool:
        return bool(
            self.has_add_permission(request) and self.has_change_permission(request)  # type: ignore[attr-defined]
        )

    def exported(self, request: HttpRequest) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
        return self.sheet.columns, self.sheet.write()

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """Show the changes of an uploaded file, and apply them once confirmed."""
        if not self.may_import(request):
            raise PermissionDenied
        try:
            if request.POST.get("table"):
                step = self._rename if "own" in request.POST else self._apply
                return step(request, self._shown(request))
            form = FileForm(request.POST or None, request.FILES or None)
            if "status" not in self.sheet.columns:
                form.fields.pop("is_all")
            if form.is_bound and form.is_valid():
                file, is_all = form.cleaned_data["file"], form.cleaned_data.get("is_all", False)
                table = read_table(file.read(), file.name, self.sheet.long)
                return self._preview(request, table, is_all=is_all)
        except BadInput as reason:
            messages.error(request, str(reason))
            return HttpResponseRedirect(request.path)
        return self._page(request, form)

    def _preview(self, request: HttpRequest, table: Table, *, is_all: bool) -> HttpResponse:
        taken = self._take(request, table, keep=False, is_all=is_all)
        preview = {
            "hospital": request.hospital.pk,  # type: ignore[attr-defined]
            "model": self.opts.label,
            "columns": table.columns,
            "rows": table.rows,
            "doubts": table.doubts,
            "is_all": is_all,
            "lines": digest(taken.lines),
        }
        token = signing.dumps(preview, salt=SALT, compress=True)
        if len(token) > LONGEST:
            raise BadInput(gettext("The file is larger than 2 MB: split it."))
        return self._page(request, FileForm(), taken, token, table)

    def _shown(self, request: HttpRequest) -> dict[str, Any]:
        """Return the signed data of a preview."""
        try:
            preview = signing.loads(request.POST["table"], salt=SALT, max_age=VALID)
        except signing.BadSignature:
            raise BadInput(gettext("The preview is too old; choose the file again.")) from None
        if (preview["hospital"], preview["model"]) != (request.hospital.pk, self.opts.label):  # type: ignore[attr-defined]
            raise BadInput(gettext("This preview belongs to another list."))
        rows = tuple(TableRow(number, cells) for number, cells in preview["rows"])
        doubts = tuple(Doubt(*doubt) for doubt in preview["doubts"])
        return preview | {"table": Table(tuple(preview["columns"]), rows, doubts)}

    def _rename(self, request: HttpRequest, preview: dict[str, Any]) -> HttpResponse:
        """Store the names that a file uses for columns and values, and show the preview again."""
        names = zip(request.POST.getlist("own"), request.POST.getlist("ours"), strict=True)
        # A column may be ignored, but a value needs a name.
        known = {own: ours for own, ours in names if ours or "=" not in own}
        OwnNames.objects.update_or_create(
            hospital=request.hospital,  # type: ignore[attr-defined]
            row_set=self.opts.label_lower,
            defaults={"names": own_names(self.sheet) | known},
        )
        return self._preview(request, preview["table"], is_all=preview["is_all"])

    def _apply(self, request: HttpRequest, preview: dict[str, Any]) -> HttpResponse:
        """Apply a preview, unless rows have changed since it was shown."""
        table, is_all = preview.pop("table"), preview["is_all"]
        with transaction.atomic():
            taken = self._take(request, table, keep=True, is_all=is_all)
            is_as_shown = digest(taken.lines) == preview["lines"]
            if not is_as_shown:
                transaction.set_rollback(True)
        if taken.mistakes:
            return self._page(request, FileForm(), taken)
        if not is_as_shown:
            text = gettext(
                "A colleague changed rows after this preview was made, so nothing was applied. "
                "Check what the file would change now."
            )
            messages.warning(request, text)
            token = signing.dumps(
                preview | {"lines": digest(taken.lines)}, salt=SALT, compress=True
            )
            return self._page(request, FileForm(), taken, token, table)
        text = gettext("From a file: %(new)d added, %(changed)d changed.") % _counts(taken)
        if gone := taken.count(Change.GONE):
            text += " " + gettext("%d hidden, because they are not in the file.") % gone
        LogEntry.objects.create(
            user_id=request.user.pk,
            content_type=ContentType.objects.get_for_model(self.model),
            object_repr=str(self.opts.verbose_name_plural),
            action_flag=CHANGE,
            change_message=text,
        )
        messages.success(request, text)
        return redirect(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")

    def _take(
        self, request: HttpRequest, table: Table, *, keep: bool, is_all: bool
    ) -> ImportPreview:
        ours = translated(self.sheet, table, own_names(self.sheet))
        return apply_table(self.sheet, ours, keep=keep, is_all=is_all)

    def _page(
        self, request: HttpRequest, form: FileForm, taken: ImportPreview | None = None,
        token: str = "", table: Table | None = None,
    ) -> HttpResponse:  # fmt: skip
        context = self.admin_site.each_context(request) | {
            "title": gettext("Import %s") % self.opts.verbose_name_plural,
            "opts": self.opts,
            "form": form,
            "sheet": self.sheet,
            "taken": taken,
            "counts": _counts(taken) if taken else None,
            "token": token,
            "names": unknown_names(self.sheet, table, own_names(self.sheet)) if table else [],
        }
        return TemplateResponse(request, "admin/taxonomy/import.html", context)


def _counts(taken: ImportPreview) -> dict[str, int]:
    return {str(state): taken.count(state) for state in Change}
