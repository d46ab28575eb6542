"""Admin lists of the rows that steer search, and of category mismatches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from retrieval.ingestion.classification import live_key, unclassified
from retrieval.models import (
    AffinityCell,
    CategoryFilter,
    CategoryKeyword,
    CategoryMismatch,
    Chunk,
    ContentCategory,
    EntityKindBoost,
    SteeringRoute,
    UnitPhrase,
)
from retrieval.models.steering import ROW_NAMES, row_name
from retrieval.passage import GENERAL
from retrieval.selectors import by_day, by_name, off_subject, overall
from zol.backoffice import home
from zol.backoffice.base import HospitalAdmin, HospitalForm, ReadOnlyAdmin, by_names, listed
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
    """Return the rows of the draft matrix as choices, and none."""
    rows = AffinityCell.objects.order_by("row").values_list("row", flat=True).distinct()
    return [("", _("neutral: no row")), *((row, row_name(row)) for row in rows)]


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
    row = forms.ChoiceField(label=_("matrix row"), required=False, choices=row_choices)


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
def classification_tasks(request: HttpRequest) -> Iterator[Task]:
    left, total = unclassified(live_key()).count(), Chunk.objects.count()
    judged = {"judged": counted(total - left), "total": counted(total)}
    title = (
        _("Passages that the live keywords must still judge; %(judged)s of %(total)s are done")
        % judged
    )
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


@admin.register(CategoryMismatch)
class MismatchAdmin(ReadOnlyAdmin, CategoryColumn):
    category_field = "primary_category"
    list_display = [
        "created_at", "query_preview", "row_name", "category_name", "rate",
        "chunks_off_category", "chunks_total",
    ]  # fmt: skip
    list_filter = [
        "created_at", ("steering_row", by_names(lambda: ROW_NAMES)),
        ("primary_category", by_names(category_names)), "intent",
    ]  # fmt: skip
    search_fields = ["query_preview"]
    date_hierarchy = "created_at"
    change_list_template = "admin/retrieval/categorymismatch/change_list.html"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the list with a chart under the same filters."""
        page = super().changelist_view(request, extra_context)
        rows = (getattr(page, "context_data", None) or {}).get("cl")
        if rows is not None:
            page.context_data["measured"] = charted(rows.queryset)  # type: ignore[attr-defined]
        return page

    @admin.display(description=_("steering row"), ordering="steering_row")
    def row_name(self, mismatch: CategoryMismatch) -> Any:
        return row_name(mismatch.steering_row)

    @admin.display(description=_("mismatch rate"), ordering="mismatch_rate")
    def rate(self, mismatch: CategoryMismatch) -> str:
        return f"{mismatch.mismatch_rate:.0%}"


@home.tasks("retrieval.view_categorymismatch")
def mismatch_tasks(request: HttpRequest) -> Iterator[Task]:
    title = _(
        "Answers that rest on passages about another subject than was asked (mean mismatch, %)"
    )
    yield Task(str(title), round(100 * off_subject()), listed(CategoryMismatch))


#: The chart's own units: a bar's place and the height of a rate of 1.
STEP, GAP, HEIGHT = 12, 3, 100


def charted(rows: Any) -> dict[str, Any]:
    """Return the figures of the chart and its tables; a rate of 0 is drawn as a thin bar."""
    days = by_day(rows)
    for place, day in enumerate(days):
        height = max(1.0, round(day["rate"] * HEIGHT, 1))
        day |= {"x": place * STEP + GAP, "y": round(HEIGHT - height, 1), "height": height}
    return {
        "total": overall(rows),
        "days": days,
        "rows": [row | {"name": row_name(row["name"])} for row in by_name(rows, "steering_row")],
        "width": max(1, len(days)) * STEP,
        "height": HEIGHT,
    }
