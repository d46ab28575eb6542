"""The affinity matrix: as a list, and as the coloured grid that it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from retrieval.admin.steering import CategoryColumn, CategoryForm, category_names
from retrieval.models import AffinityCell
from retrieval.models.steering import HIGHEST_AFFINITY, LOWEST_AFFINITY, ROW_NAMES, row_name
from retrieval.tuning import NEUTRAL
from zol.backoffice.base import by_names
from zol.backoffice.seen import waiting
from zol.tenancy import required_hospital_id

#: Shades on either side of neutral; the style sheet has a colour for each, from -4 to 4.
SHADES = 4
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """A field of the grid, and how warm it is."""

    field: Any
    label: str
    shade: int


class GridForm(forms.Form):
    """One number for each row and category; what is not stored is neutral."""

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
        """Return the cells whose number differs from what is stored."""
        given = {key: self.cleaned_data[name_of(*key)] for key in keys}
        return {key: value for key, value in given.items() if value != self.cells.get(key, NEUTRAL)}


def name_of(row: str, category: str) -> str:
    return f"{row}__{category}"


def shade_of(factor: Any) -> int:
    """Return how far a factor lies from neutral, in steps of the palette."""
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
        """Show the matrix, and store the cells that were changed."""
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
        context = self.admin_site.each_context(request) | {
            "title": gettext("Affinity matrix"),
            "opts": self.opts,
            "form": form,
            "categories": categories.values(),
            "grid": [
                (row_name(row), [_cell(form, row, *category) for category in categories.items()])
                for row in rows
            ],
            "may_change": may_change,
            "waiting": waiting(self.model, request),
            "lowest": LOWEST_AFFINITY,
            "highest": HIGHEST_AFFINITY,
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


def _cell(form: GridForm, row: str, category: str, name: str) -> MatrixCell:
    field = form[name_of(row, category)]
    called = str(_("%(row)s for %(category)s")) % {"row": row_name(row), "category": name}
    return MatrixCell(field, called, shade_of(field.value()))
