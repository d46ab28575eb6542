"""Admin of the retrieval settings and of the affinity matrix, each as one form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext_lazy as _

from retrieval.admin.steering import CategoryColumn, CategoryForm, category_names
from retrieval.models import AffinityCell, RetrievalSetting
from retrieval.models.steering import HIGHEST_AFFINITY, LOWEST_AFFINITY, ROW_NAMES, row_name, shown
from retrieval.selectors import MOST_DAYS, cell_counts
from retrieval.tuning import NEUTRAL, SETTINGS, RetrievalTuning, Setting
from zol.backoffice.base import HospitalAdmin, by_names
from zol.backoffice.concurrency import waiting
from zol.backoffice.home import counted
from zol.tenancy import required_hospital_id

DEFAULTS = asdict(RetrievalTuning())


def form_field(name: str, setting: Setting, value: Any) -> forms.Field:
    """Return the form field that fits a setting's type."""
    options: dict[str, Any] = {"label": gettext_lazy(setting.help), "initial": value}
    if isinstance(DEFAULTS[name], bool):
        return forms.BooleanField(required=False, **options)
    options |= {"min_value": setting.lowest, "max_value": setting.highest}
    if isinstance(DEFAULTS[name], int):
        return forms.IntegerField(**options)
    return forms.FloatField(widget=forms.NumberInput(attrs={"step": "0.01"}), **options)


class TuningForm(forms.Form):
    """The form of all retrieval settings."""

    def __init__(self, stored: Mapping[str, Any], *args: Any) -> None:
        super().__init__(*args)
        self.stored = stored
        for name, setting in SETTINGS.items():
            self.fields[name] = form_field(name, setting, stored.get(name, DEFAULTS[name]))

    def groups(self) -> Iterator[dict[str, Any]]:
        for title, is_switch in ((_("Switches"), True), (_("Numbers"), False)):
            names = [name for name in SETTINGS if isinstance(DEFAULTS[name], bool) is is_switch]
            yield {
                "title": title,
                "fields": [(self[name], shown(DEFAULTS[name])) for name in names],
            }

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if values.get("dense_weight") == 0 and values.get("keyword_weight") == 0:
            raise forms.ValidationError(_("Give at least one search method a weight above 0."))
        return values

    def changes(self) -> dict[str, Any]:
        """Return the settings that differ from those in force."""
        before = DEFAULTS | dict(self.stored)
        return {name: value for name, value in self.cleaned_data.items() if value != before[name]}


@admin.register(RetrievalSetting)
class SettingsAdmin(HospitalAdmin):
    """The settings, as one form in place of a list."""

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.settings_view)
        return [path("all/", page, name="retrieval_settings"), *super().get_urls()]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:retrieval_settings"))

    def change_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:retrieval_settings"))

    def settings_view(self, request: HttpRequest) -> HttpResponse:
        """Show every setting with its default, and store those that differ."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        stored = dict(RetrievalSetting.objects.values_list("name", "value"))
        stored = {name: value for name, value in stored.items() if name in DEFAULTS}
        form = TuningForm(stored, request.POST or None)
        may_change = self.has_change_permission(request)
        if request.method == "POST":
            if not may_change:
                raise PermissionDenied
            if form.is_valid() and (response := self._store(request, form)):
                return response
        if not may_change:
            for field in form.fields.values():
                field.disabled = True
        context = self.admin_site.each_context(request) | {
            "title": gettext("Retrieval settings"),
            "opts": self.opts,
            "form": form,
            "groups": list(form.groups()),
            "may_change": may_change,
            "waiting": waiting(self.model, request),
        }
        return TemplateResponse(request, "admin/retrieval/settings.html", context)

    def _store(self, request: HttpRequest, form: TuningForm) -> HttpResponse | None:
        """Store the changes; if one is refused, show which and why."""
        changes = form.changes()
        try:
            RetrievalSetting.change(changes, request.user)
        except forms.ValidationError as error:
            form.add_error(None, error)
            return None
        text = ngettext("%d setting was changed.", "%d settings were changed.", len(changes))
        messages.success(request, text % len(changes))
        return HttpResponseRedirect(request.path)


#: Shades on either side of neutral; the style sheet has a colour for each, from -4 to 4.
SHADES = 4
#: Questions from which a cell shows how many it changed.
FEWEST_ASKED = 20
Key = tuple[str, str]


class GridForm(forms.Form):
    """One number for each row and category; neutral numbers are not stored."""

    def __init__(self, cells: Mapping[Key, float], keys: list[Key], *args: Any) -> None:
        super().__init__(*args)
        self.cells = cells
        for row, category in keys:
            self.fields[name_of(row, category)] = forms.FloatField(
                label=f"{row} × {category}",
                min_value=LOWEST_AFFINITY,
                max_value=HIGHEST_AFFINITY,
                initial=cells.get((row, category), NEUTRAL),
                widget=forms.NumberInput(attrs={"step": "0.05", "class": "heat"}),
            )

    def changes(self, keys: list[Key]) -> dict[Key, float]:
        """Return the cells whose number differs from the stored one."""
        given = {key: self.cleaned_data[name_of(*key)] for key in keys}
        return {key: value for key, value in given.items() if value != self.cells.get(key, NEUTRAL)}


def name_of(row: str, category: str) -> str:
    return f"{row}__{category}"


def shade_of(factor: Any) -> int:
    """Return the distance of a factor from neutral, in steps of the palette."""
    try:
        value = float(factor)
    except (TypeError, ValueError):
        return 0
    reach = HIGHEST_AFFINITY - NEUTRAL if value > NEUTRAL else NEUTRAL - LOWEST_AFFINITY
    return max(-SHADES, min(SHADES, round(SHADES * (value - NEUTRAL) / reach)))


@admin.register(AffinityCell)
class AffinityAdmin(CategoryColumn):
    form = CategoryForm
    list_display = ["row_name", "category_name", "factor"]
    list_editable = ["factor"]
    list_filter = [("row", by_names(lambda: ROW_NAMES)), ("category", by_names(category_names))]
    fields = ["row", "category", "factor"]

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.matrix_view)
        return [path("matrix/", page, name="retrieval_matrix"), *super().get_urls()]

    @admin.display(description=_("matrix row"), ordering="row")
    def row_name(self, cell: AffinityCell) -> Any:
        return row_name(cell.row)

    def matrix_view(self, request: HttpRequest) -> HttpResponse:
        """Show the matrix, and store changed cells."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        cells = {(cell.row, cell.category): cell.factor for cell in AffinityCell.objects.all()}
        rows = sorted({row for row, _category in cells})
        categories = category_names()
        keys = [(row, category) for row in rows for category in categories]
        may_change = self.has_change_permission(request)
        form = GridForm(cells, keys, request.POST or None)
        if request.method == "POST":
            if not may_change:
                raise PermissionDenied
            if form.is_valid():
                return self._store(request, form.changes(keys))
        if not may_change:
            for field in form.fields.values():
                field.disabled = True
        counts = cell_counts()
        context = self.admin_site.each_context(request) | {
            "title": gettext("Affinity matrix"),
            "opts": self.opts,
            "form": form,
            "categories": categories.values(),
            "grid": [
                (
                    row_name(row),
                    [_cell(form, (row, key), name, counts) for key, name in categories.items()],
                )
                for row in rows
            ],
            "may_change": may_change,
            "waiting": waiting(self.model, request),
            "lowest": LOWEST_AFFINITY,
            "highest": HIGHEST_AFFINITY,
            "days": MOST_DAYS,
            "fewest": FEWEST_ASKED,
        }
        return TemplateResponse(request, "admin/retrieval/matrix.html", context)

    @transaction.atomic
    def _store(self, request: HttpRequest, changes: Mapping[Key, float]) -> HttpResponse:
        hospital_id = required_hospital_id()
        for (row, category), factor in changes.items():
            cell, _is_new = AffinityCell.objects.update_or_create(
                hospital_id=hospital_id, row=row, category=category, defaults={"factor": factor}
            )
            LogEntry.objects.log_actions(request.user.pk, [cell], CHANGE, str(cell))
        text = ngettext("%d cell was changed.", "%d cells were changed.", len(changes))
        messages.success(request, text % len(changes))
        return HttpResponseRedirect(request.path)


def _cell(
    form: GridForm, key: Key, name: str, counts: Mapping[Key, tuple[int, int]]
) -> dict[str, Any]:
    """Return a cell of the matrix: its field, label, shade, and the questions with passages in it
    and changed by it."""
    field, (asked, changed) = form[name_of(*key)], counts.get(key, (0, 0))
    called = str(_("%(row)s for %(category)s")) % {"row": row_name(key[0]), "category": name}
    figures = f"{counted(asked)} / {counted(changed)}" if asked >= FEWEST_ASKED else "–"
    return {"field": field, "label": called, "shade": shade_of(field.value()), "asked": figures}
