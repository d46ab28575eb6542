"""Admin lists of the rows that steer search."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from retrieval.ingestion.judging import live_key, waiting_for
from retrieval.models import (
    AffinityCell,
    CategoryFilter,
    CategoryKeyword,
    Chunk,
    ContentCategory,
    EntityKindBoost,
    SteeringRoute,
    UnitPhrase,
)
from retrieval.models.steering import ROW_NAMES, row_name
from retrieval.passage import GENERAL
from zol.backoffice import home
from zol.backoffice.base import HospitalAdmin, HospitalForm, by_names, listed
from zol.backoffice.home import Task, counted
from zol.languages import LANGUAGES


def name_field() -> str:
    return f"name_{(get_language() or 'en')[:2]}"


def category_names() -> dict[str, str]:
    """Return the names of categories in the language of the page."""
    rows = ContentCategory.objects.values_list("category", name_field())
    return {category: name or category for category, name in rows}


def category_choices() -> list[tuple[str, str]]:
    return list(({GENERAL: GENERAL} | category_names()).items())


def row_choices() -> list[tuple[str, Any]]:
    """Return the rows of the draft matrix as choices."""
    rows = AffinityCell.objects.order_by("row").values_list("row", flat=True).distinct()
    return [(row, row_name(row)) for row in rows]


class CategoryColumn(HospitalAdmin):
    """A list with a column of content categories, by their names."""

    category_field = "category"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        named = ContentCategory.objects.filter(category=OuterRef(self.category_field))
        name = Subquery(named.values(name_field())[:1])
        return super().get_queryset(request).annotate(category_called=name)

    @admin.display(description=_("content category"), ordering="category_called")
    def category_name(self, row: Any) -> str:
        return row.category_called or getattr(row, self.category_field)


class CategoryForm(HospitalForm):
    """A form with the content category as a choice."""

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


@admin.register(ContentCategory)
class ContentCategoryAdmin(HospitalAdmin):
    list_display = ["category", "name_nl", "name_en"]
    search_fields = ["category", "name_nl", "name_en"]
    fieldsets = [
        (None, {"fields": ["category", "guard_en"]}),
        (_("Name in each language"), {"fields": [f"name_{code}" for code in LANGUAGES]}),
    ]


@admin.register(CategoryKeyword)
class KeywordAdmin(CategoryColumn):
    form = CategoryForm
    list_display = ["keyword", "category_name", "language", "weight"]
    list_editable = ["weight"]
    list_filter = [("category", by_names(category_names)), "language"]
    search_fields = ["keyword"]
    fields = ["category", "language", "keyword", "weight"]


@home.tasks("retrieval.view_categorykeyword")
def judging_tasks(request: HttpRequest) -> Iterator[Task]:
    left, total = waiting_for(live_key()).count(), Chunk.objects.count()
    judged = {"judged": counted(total - left), "total": counted(total)}
    title = _("Passages to judge by the live keywords; %(judged)s of %(total)s are done") % judged
    yield Task(str(title), left, listed(CategoryKeyword))


@admin.register(SteeringRoute)
class RouteAdmin(HospitalAdmin):
    form = RouteForm
    list_display = ["__str__", "intent", "topic"]
    list_filter = [("row", by_names(lambda: ROW_NAMES))]
    fields = ["intent", "topic", "row"]


@admin.register(CategoryFilter)
class FilterAdmin(HospitalAdmin):
    list_display = ["intent", "document_category", "is_preferred"]
    list_editable = ["is_preferred"]
    list_filter = ["intent", "document_category"]
    fields = ["intent", "document_category", "is_preferred"]


@admin.register(EntityKindBoost)
class EntityKindAdmin(HospitalAdmin):
    list_display = ["intent", "entity_type"]
    list_filter = ["intent", "entity_type"]
    fields = ["intent", "entity_type"]


@admin.register(UnitPhrase)
class UnitAdmin(HospitalAdmin):
    list_display = ["question_phrase", "language", "unit", "dimension"]
    list_filter = ["dimension", "language"]
    search_fields = ["question_phrase", "unit"]
    fields = ["language", "question_phrase", "dimension", "unit"]
