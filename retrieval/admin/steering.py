"""The rows that steer search, as lists."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from retrieval.models import (
    AffinityCell,
    CategoryFilter,
    CategoryKeyword,
    ContentCategory,
    EntityKindBoost,
    SteeringRoute,
    UnitPhrase,
)
from retrieval.passage import GENERAL
from taxonomy.kinds import Kind
from zol.admin_pages.base import HospitalAdmin, HospitalForm
from zol.languages import Language


def category_choices() -> list[tuple[str, str]]:
    names = ContentCategory.objects.values_list("category", flat=True)
    return [(name, name) for name in dict.fromkeys((*names, GENERAL))]


def row_choices() -> list[tuple[str, Any]]:
    """Return the rows of the matrix as they are now."""
    rows = AffinityCell.objects.order_by("row").values_list("row", flat=True).distinct()
    return [(row, row) for row in rows]


class CategoryForm(HospitalForm):
    """A row about a content category, which is chosen rather than typed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "category" in self.fields:
            label = self.fields["category"].label
            self.fields["category"] = forms.ChoiceField(label=label, choices=category_choices)


class RouteForm(HospitalForm):
    row = forms.ChoiceField(
        label=_("matrix row"),
        required=False,
        choices=lambda: [("", _("neutral: no row")), *row_choices()],
    )


class EntityKindForm(HospitalForm):
    entity_type = forms.ChoiceField(
        label=_("kind of entity"), choices=[(str(kind), str(kind)) for kind in Kind]
    )


@admin.register(ContentCategory)
class ContentCategoryAdmin(HospitalAdmin):
    list_display = ["category", "name_nl", "name_en"]
    search_fields = ["category", "name_nl", "name_en"]
    fieldsets = [
        (None, {"fields": ["category", "guard_en"]}),
        (
            _("Name in each language"),
            {"fields": [f"name_{code}" for code in Language.values]},
        ),
    ]


@admin.register(CategoryKeyword)
class KeywordAdmin(HospitalAdmin):
    form = CategoryForm
    list_display = ["keyword", "category", "language", "weight"]
    list_editable = ["weight"]
    list_filter = ["category", "language"]
    search_fields = ["keyword"]
    fields = ["category", "language", "keyword", "weight"]


@admin.register(SteeringRoute)
class RouteAdmin(HospitalAdmin):
    form = RouteForm
    list_display = ["__str__", "intent", "topic", "row"]
    list_filter = ["row"]
    fields = ["intent", "topic", "row"]


@admin.register(CategoryFilter)
class FilterAdmin(HospitalAdmin):
    list_display = ["intent", "document_category", "is_preferred"]
    list_editable = ["is_preferred"]
    list_filter = ["intent", "document_category"]
    fields = ["intent", "document_category", "is_preferred"]


@admin.register(EntityKindBoost)
class EntityKindAdmin(HospitalAdmin):
    form = EntityKindForm
    list_display = ["intent", "entity_type"]
    list_filter = ["intent", "entity_type"]
    fields = ["intent", "entity_type"]


@admin.register(UnitPhrase)
class UnitAdmin(HospitalAdmin):
    list_display = ["question_phrase", "language", "unit", "dimension"]
    list_filter = ["dimension", "language"]
    search_fields = ["question_phrase", "unit"]
    fields = ["language", "question_phrase", "dimension", "unit"]
