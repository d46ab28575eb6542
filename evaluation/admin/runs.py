"""Runs and what each question gave. Written once, so only read here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from chat.admin.trace import flat
from evaluation.models import Result, Run
from zol.admin_pages.base import ReadOnlyAdmin


def table(values: Mapping[str, Any]) -> str:
    """Return values as a table; nothing of it is raw."""
    rows = format_html_join("", "<tr><th>{}</th><td>{}</td></tr>", flat(values))
    return format_html('<table class="evidence">{}</table>', rows) if rows else "–"


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "state", "note", "passed", "total", "created_at", "finished_at"]
    list_filter = ["state"]
    fields = [
        "state", "note", "created_at", "finished_at", "passed", "report", "figures", "asked_with",
        "against", "questions",
    ]  # fmt: skip
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        good = Count("results", filter=Q(results__passed=True))
        return super().get_queryset(request).annotate(good=good, asked=Count("results"))

    @admin.display(description=_("passed"))
    def passed(self, run: Any) -> str:
        return f"{run.good} / {run.asked}" + (f" ({run.good / run.asked:.1%})" if run.asked else "")

    @admin.display(description=_("report"))
    def report(self, run: Run) -> str:
        try:
            address = reverse("evaluation-report", args=[run.pk])
        except NoReverseMatch:
            return "–"
        return format_html('<a href="{}">{}</a>', address, _("Read the report"))

    @admin.display(description=_("summary"))
    def figures(self, run: Run) -> str:
        return table(run.summary)

    @admin.display(description=_("asked with"))
    def asked_with(self, run: Run) -> str:
        return table({"flags": run.flags, "selection": run.selection})

    @admin.display(description=_("versions"))
    def against(self, run: Run) -> str:
        return table(run.versions)

    @admin.display(description=_("questions"))
    def questions(self, run: Run) -> str:
        address = reverse("admin:evaluation_result_changelist")
        return format_html(
            '<a href="{0}?run__id__exact={1}">{2}</a> · '
            '<a href="{0}?run__id__exact={1}&passed__exact=0">{3}</a>',
            address,
            run.pk,
            _("all"),
            _("failed"),
        )


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    list_display = ["key", "category", "language", "passed", "run"]
    list_filter = ["passed", "category", "language"]
    list_select_related = ["run"]
    search_fields = ["key"]
    fields = ["run", "key", "category", "language", "passed", "why"]
    readonly_fields = fields

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        return lookup == "run__id__exact" or super().lookup_allowed(lookup, value, request)

    @admin.display(description=_("why"))
    def why(self, result: Result) -> str:
        return table(result.data)
