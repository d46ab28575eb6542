"""A list as a spreadsheet: download it, upload it, see what it would change, and apply it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from taxonomy.services.tables import State, Taken, take
from taxonomy.tables.doubts import Doubt
from taxonomy.tables.files import FORMATS, Row, Table, read_table, write_table
from taxonomy.tables.sheets import Sheet, sheet_of
from zol.admin_pages.seen import digest
from zol.errors import BadInput

SALT = "taxonomy.tables"
#: Seconds for which a preview can be applied, and characters that a form may send back.
VALID, LONGEST = 3600, 1_500_000


class FileForm(forms.Form):
    file = forms.FileField(
        label=_("File"), help_text=_("CSV or XLSX; the first row names the columns.")
    )


class TablePages:
    """Gives the list of a model its table; a mixin of the admin's own class."""

    model: Any
    admin_site: Any
    opts: Any
    change_list_template = "admin/taxonomy/table_list.html"

    def get_urls(self) -> list[Any]:
        name = f"{self.opts.app_label}_{self.opts.model_name}"
        site = self.admin_site
        return [
            path("import/", site.admin_view(self.import_view), name=f"{name}_import"),
            path("export/<slug:ending>/", site.admin_view(self.export_view), name=f"{name}_export"),
            *super().get_urls(),  # type: ignore[misc]
        ]

    @property
    def sheet(self) -> Sheet:
        return sheet_of(self.model)

    def may_import(self, request: HttpRequest) -> bool:
        return bool(
            self.has_add_permission(request) and self.has_change_permission(request)  # type: ignore[attr-defined]
        )

    def export_view(self, request: HttpRequest, ending: str) -> HttpResponse:
        """Send all rows of the list as a file."""
        if not self.has_view_permission(request):  # type: ignore[attr-defined]
            raise PermissionDenied
        ending = ending if ending in FORMATS else "csv"
        data = write_table(self.sheet.columns, self.sheet.write(), ending)
        name = f"{self.opts.model_name}-{timezone.localdate()}.{ending}"
        disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(data, content_type=FORMATS[ending], headers=disposition)

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """Show what a file would change, and change it."""
        if not self.may_import(request):
            raise PermissionDenied
        try:
            if request.POST.get("table"):
                return self._apply(request)
            form = FileForm(request.POST or None, request.FILES or None)
            taken, token = None, ""
            if form.is_bound and form.is_valid():
                taken, token = self._preview(request, form.cleaned_data["file"])
        except BadInput as reason:
            messages.error(request, str(reason))
            return HttpResponseRedirect(request.path)
        return self._page(request, form, taken, token)

    def _preview(self, request: HttpRequest, file: Any) -> tuple[Taken, str]:
        table = read_table(file.read(), file.name, self.sheet.long)
        taken = self._take(request, table, keep=False)
        said = {
            "hospital": request.hospital.pk,  # type: ignore[attr-defined]
            "model": self.opts.label,
            "columns": table.columns,
            "rows": table.rows,
            "doubts": table.doubts,
            "lines": digest(taken.lines),
        }
        token = signing.dumps(said, salt=SALT, compress=True)
        if len(token) > LONGEST:
            raise BadInput(gettext("The file is larger than 2 MB; divide it."))
        return taken, token

    def _apply(self, request: HttpRequest) -> HttpResponse:
        """Apply what was shown; what colleagues have changed meanwhile is checked again."""
        try:
            said = signing.loads(request.POST["table"], salt=SALT, max_age=VALID)
        except signing.BadSignature:
            raise BadInput(gettext("The preview is too old; choose the file again.")) from None
        if (said["hospital"], said["model"]) != (request.hospital.pk, self.opts.label):  # type: ignore[attr-defined]
            raise BadInput(gettext("This preview belongs to another list."))
        rows = tuple(Row(number, cells) for number, cells in said["rows"])
        doubts = tuple(Doubt(*doubt) for doubt in said["doubts"])
        table = Table(tuple(said["columns"]), rows, doubts)
        with transaction.atomic():
            taken = self._take(request, table, keep=True)
            is_as_shown = digest(taken.lines) == said["lines"]
            if not is_as_shown:
                transaction.set_rollback(True)
        if taken.mistakes:
            return self._page(request, FileForm(), taken, "")
        if not is_as_shown:
            text = gettext("A colleague changed rows since this was shown, so nothing was applied. "
                           "Look at what the file would change now.")  # fmt: skip
            messages.warning(request, text)
            token = signing.dumps(said | {"lines": digest(taken.lines)}, salt=SALT, compress=True)
            return self._page(request, FileForm(), taken, token)
        text = gettext("%(new)d added, %(changed)d changed, from a file.") % _counts(taken)
        LogEntry.objects.create(
            user_id=request.user.pk,
            content_type=ContentType.objects.get_for_model(self.model),
            object_repr=str(self.opts.verbose_name_plural),
            action_flag=CHANGE,
            change_message=text,
        )
        messages.success(request, text)
        return HttpResponseRedirect(
            reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        )

    def _take(self, request: HttpRequest, table: Table, *, keep: bool) -> Taken:
        return take(request.hospital, self.sheet, table, keep=keep)  # type: ignore[attr-defined]

    def _page(
        self, request: HttpRequest, form: FileForm, taken: Taken | None, token: str
    ) -> HttpResponse:
        context = self.admin_site.each_context(request) | {
            "title": gettext("Import %s") % self.opts.verbose_name_plural,
            "opts": self.opts,
            "form": form,
            "sheet": self.sheet,
            "taken": taken,
            "counts": _counts(taken) if taken else None,
            "token": token,
        }
        return TemplateResponse(request, "admin/taxonomy/import.html", context)


def _counts(taken: Taken) -> dict[str, int]:
    return {str(state): taken.count(state) for state in State}
