"""Facts: edited by the fields of their kind of value, listed as patients are told them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.html import format_html_join
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from taxonomy import needs
from taxonomy.admin.fact_forms import fieldsets_of, form_of
from taxonomy.admin.relations import EntityChoice
from taxonomy.admin.tables import TablePages
from taxonomy.facts.conditions import FactConditions
from taxonomy.facts.phrases import CODES
from taxonomy.facts.sources import FactSource, SourceState, states_of
from taxonomy.models import Fact
from taxonomy.models.relations import need_choices
from zol.admin_pages.base import SteadyList
from zol.text import fold

STATES = {
    SourceState.NONE: "–",
    SourceState.CURRENT: _("as on its page"),
    SourceState.CHANGED: _("the page no longer says so"),
    SourceState.GONE: _("the page is gone"),
}
STALE = (SourceState.CHANGED, SourceState.GONE)


def source_states(rows: Any) -> list[SourceState]:
    return states_of(FactSource(row.source, row.sentence) for row in rows)


def stale(facts: QuerySet[Any]) -> list[int]:
    """Return which facts stand otherwise on their page, or on none any more."""
    rows = list(facts)
    states = zip(rows, source_states(rows), strict=True)
    return [row.pk for row, state in states if state in STALE]


class FactList(SteadyList):
    """The list, with the state of every source: their pages are read once."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = list(self.result_list)
        for row, state in zip(self.result_list, source_states(self.result_list), strict=True):
            row.source_state = state


class StaleFilter(admin.SimpleListFilter):
    title = _("source")
    parameter_name = "source_state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("stale", _("its page no longer says so"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() != "stale":
            return queryset
        return queryset.filter(pk__in=stale(queryset))


class NeedFilter(admin.SimpleListFilter):
    """The needs that some fact answers, by their names."""

    title = _("need")
    parameter_name = "need"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        told = set(Fact.objects.order_by().values_list("need", flat=True).distinct())
        return [(key, name) for key, name in need_choices() if key in told]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(need=self.value()) if self.value() else queryset


@admin.register(Fact)
class FactAdmin(TablePages, EntityChoice):
    list_display = ["about", "need_name", "told", "only_if", "source_said", "valid_to"]
    list_filter = [StaleFilter, NeedFilter, "subject__kind"]
    list_select_related = ["subject", "hospital"]
    search_fields = ["subject__name", "value", "sentence", "need"]
    search_help_text = _("Search by subject, need, value or sentence.")
    readonly_fields = ["told_everywhere"]
    ordering = ["subject__name", "need", "pk"]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[FactList]:
        return FactList

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> Any:
        """Find a need by its name, in whichever language it is read."""
        found, has_doubles = super().get_search_results(request, queryset, search_term)
        term = fold(search_term)
        called = [
            key for key in needs.kinds() if any(term in fold(needs.name(key, c)) for c in CODES)
        ]
        return (found | queryset.filter(need__in=called) if term else found), has_doubles

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Ask for the need first: the fields follow from its kind of value."""
        if request.GET.get("need") in needs.kinds() or not self.has_add_permission(request):
            return super().add_view(request, form_url, extra_context)
        context = self.admin_site.each_context(request) | {
            "title": gettext("What does it answer?"), "opts": self.opts, "needs": need_choices(),
        }  # fmt: skip
        return TemplateResponse(request, "admin/taxonomy/fact_need.html", context)

    def _need(self, request: HttpRequest, obj: Any) -> str:
        return obj.need if obj else request.GET.get("need", "other")

    def get_form(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        return super().get_form(
            request, obj, **kwargs | {"form": form_of(self._need(request, obj))}
        )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        need = self._need(request, obj)
        value = obj.read if obj else None
        filled = frozenset((*(value.parts() if value else ()), *(obj.conditions if obj else ())))
        title = needs.name(need, (get_language() or "nl")[:2]).capitalize()
        source = ["source", "sentence", ("valid_from", "valid_to")]
        told = [(_("As patients are told"), {"fields": ["told_everywhere"]})] if obj else []
        return [
            (title, {"fields": ["need", "subject"]}),
            *fieldsets_of(need, filled),
            (_("Source and validity"), {"fields": source}),
            *told,
        ]

    @admin.display(description=_("subject"), ordering="subject__name")
    def about(self, fact: Fact) -> Any:
        return fact.subject or fact.hospital.short_name

    @admin.display(description=_("need"), ordering="need")
    def need_name(self, fact: Fact) -> str:
        return needs.name(fact.need, (get_language() or "nl")[:2])

    @admin.display(description=_("value"))
    def told(self, fact: Fact) -> str:
        return fact.printed((get_language() or "nl")[:2])

    @admin.display(description=_("conditions"))
    def only_if(self, fact: Fact) -> str:
        return str(FactConditions(**fact.conditions)) or "–"

    @admin.display(description=_("source"))
    def source_said(self, fact: Any) -> Any:
        return STATES[fact.source_state]

    @admin.display(description=_("in every language"))
    def told_everywhere(self, fact: Fact) -> Any:
        rows = ((code, fact.printed(code)) for code in CODES)
        return format_html_join("", "<p><b>{}</b> {}</p>", rows)
