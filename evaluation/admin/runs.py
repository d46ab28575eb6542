"""Admin of evaluation runs: start, follow, stop, resume and compare them; read their results.

Results are written once and read-only.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import attrgetter
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.admin.conversations import READS_PATIENTS, pages
from chat.admin.trace import flat
from chat.channels.frames import answer_of
from chat.selectors import price_of_questions
from chat.wiring import MODEL, models_answer
from evaluation import reports
from evaluation.admin.previews import NO_WORKER
from evaluation.admin.questions import CATEGORIES, GoldenColumn
from evaluation.models import CATEGORY_NAMES, GoldenQuestion, Result, Run
from evaluation.preview import LOST
from evaluation.runs import chosen, one_at_a_time, results_of, resume, start_run
from evaluation.tasks import ask_run
from zol.backoffice.base import HospitalForm, ReadOnlyAdmin
from zol.backoffice.exports import ExportPages, columns_of
from zol.backoffice.work import BROKER_IS_AWAY
from zol.errors import ExpectedError
from zol.languages import Language

#: Filters of a run's questions, with their labels.
SELECTED = ("category", "language")
NAMES = {**CATEGORY_NAMES, **dict(Language.choices())}


def table(values: Mapping[str, Any]) -> str:
    """Return values as an HTML table, escaped."""
    rows = format_html_join("", "<tr><th>{}</th><td>{}</td></tr>", flat(values))
    return format_html('<table class="evidence">{}</table>', rows) if rows else "–"


def kept(name: str, result: Result) -> str:
    """Return a value stored with a result; older results have fewer."""
    return str(result.data.get(name, ""))


class RunForm(HospitalForm):
    """The selection of golden questions for a new run."""

    category = forms.ChoiceField(label=_("category"), required=False)
    language = forms.ChoiceField(label=_("language"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in SELECTED:
            held = GoldenQuestion.objects.order_by(name).values_list(name, flat=True).distinct()
            named = ((each, NAMES.get(each, each)) for each in held)
            self.fields[name].choices = [("", _("all")), *named]


def begin(request: HttpRequest, run: Run) -> None:
    """Queue a run after commit; if the broker is away, the scheduler finds it later."""

    def tell() -> None:
        try:
            ask_run.delay(run.hospital_id, run.pk)
        except BROKER_IS_AWAY:
            messages.error(request, NO_WORKER)

    transaction.on_commit(tell)
    messages.success(request, gettext("The questions are being asked. You may close this page."))


def page_of(queryset: QuerySet[Run]) -> HttpResponse | None:
    """Redirect to the run if there is one; stay on the list for several."""
    return redirect("admin:evaluation_run_change", queryset[0].pk) if len(queryset) == 1 else None


@admin.register(Run)
class EvaluationRunAdmin(ReadOnlyAdmin):
    """Runs: start, stop and resume by permission; follow and compare for all readers."""

    form = RunForm
    list_display = ["__str__", "state", "note", "progress", "passed", "created_at"]
    list_filter = ["state"]
    fields = [
        "state", "failure", "progress", "note", "created_at", "finished_at", "passed", "report",
        "questions",
    ]  # fmt: skip
    readonly_fields = fields
    save_on_top = False
    actions = ["compare", "stop", "resume", "ask_model"]
    pages = {
        "progress": "<int:pk>/progress/", "report": "<int:pk>/report/",
        "comparison": "compare/<int:before>/<int:after>/",
    }  # fmt: skip

    class Media:
        js = ["admin_zol/progress.js"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("evaluation.add_run"))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        run = Run.objects.filter(pk=object_id).first() if models_answer() else None
        price = price_of_questions(run.total) if run else None
        extra = {**(extra_context or {}), "model_run": run, "price": price}
        return super().change_view(request, object_id, form_url, extra)

    def has_steer_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("evaluation.change_run"))

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        try:
            return super().add_view(request, form_url, extra_context)
        except ExpectedError as error:
            messages.error(request, str(error))
            return redirect("admin:evaluation_run_changelist")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001
        selection = {name: form.cleaned_data[name] for name in SELECTED}
        values = {"flags": reports.flags_of([]), "selection": selection, "note": obj.note}
        with one_at_a_time():
            obj.pk = start_run(chosen(selection), alive_at=timezone.now(), **values).pk
        obj.refresh_from_db()

    def response_add(self, request: HttpRequest, obj: Run, *_more: Any) -> HttpResponse:
        begin(request, obj)
        return redirect("admin:evaluation_run_change", obj.pk)

    @admin.action(permissions=["view"], description=_("Compare two runs"))
    def compare(self, request: HttpRequest, queryset: QuerySet[Run]) -> HttpResponse | None:
        numbers = sorted(row.pk for row in queryset)
        if len(numbers) == 2:
            return redirect("admin:evaluation_run_comparison", *numbers)
        messages.warning(request, gettext("Choose two runs to compare."))
        return None

    @admin.action(permissions=["steer"], description=_("Stop, and keep what was asked so far"))
    def stop(self, request: HttpRequest, queryset: QuerySet[Run]) -> HttpResponse | None:
        running = Run.objects.filter(state=Run.State.RUNNING, alive_at__isnull=False)
        for run in running.filter(pk__in=[row.pk for row in queryset]):
            running.filter(pk=run.pk).update(state=Run.State.STOPPED)
            self.log_change(request, run, gettext("Stopped."))
            messages.success(request, gettext("Run %d is stopped; it can be resumed.") % run.pk)
        return page_of(queryset)

    @admin.action(permissions=["steer"], description=_("Resume: ask the remaining questions"))
    def resume(self, request: HttpRequest, queryset: QuerySet[Run]) -> HttpResponse | None:
        left = Run.objects.exclude(state=Run.State.FINISHED)
        for run in left.filter(pk__in=[row.pk for row in queryset]):
            try:
                with one_at_a_time():
                    resume(run, chosen(run.selection), alive_at=timezone.now())
            except ExpectedError as error:
                messages.error(request, str(error))
            else:
                self.log_change(request, run, gettext("The run was resumed."))
                begin(request, run)
        return page_of(queryset)

    @admin.action(permissions=["add"], description=_("Ask a language model the same questions"))
    def ask_model(self, request: HttpRequest, queryset: QuerySet[Run]) -> HttpResponse | None:
        """Start a run of a model over a run's questions, within the day's budget."""
        if len(queryset) != 1:
            messages.warning(request, gettext("Choose one run: its questions will be asked again."))
            return None
        old = queryset[0]
        values = {"flags": {**old.flags, MODEL: True}, "selection": old.selection, "note": old.note}
        try:
            with one_at_a_time():
                run = start_run(chosen(old.selection), alive_at=timezone.now(), **values)
        except ExpectedError as error:
            messages.error(request, str(error))
            return None
        self.log_addition(
            request, run, gettext("The questions are being asked of a language model.")
        )
        begin(request, run)
        return redirect("admin:evaluation_run_change", run.pk)

    def _run(self, request: HttpRequest, pk: int) -> Any:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return get_object_or_404(self.get_queryset(request), pk=pk)

    def report_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the report of a run."""
        run = self._run(request, pk)
        context = self.admin_site.each_context(request) | {
            "title": gettext("Evaluation run %(number)s") % {"number": pk},
            "report": reports.report_of(run, results_of(run)),
        }
        return TemplateResponse(request, "evaluation/report.html", context)

    def comparison_view(self, request: HttpRequest, before: int, after: int) -> HttpResponse:
        """Show two runs side by side."""
        first, second = (self._run(request, number) for number in (before, after))
        compared = reports.compare((first, results_of(first)), (second, results_of(second)))
        context = self.admin_site.each_context(request) | {
            "title": gettext("Two runs compared"),
            "compared": compared,
        }
        return TemplateResponse(request, "evaluation/compare.html", context)

    def progress_view(self, request: HttpRequest, pk: int) -> JsonResponse:
        """Return the progress of a run, which its page polls."""
        run = self._run(request, pk)
        is_running = run.state == Run.State.RUNNING
        is_lost = is_running and run.seen_at and run.seen_at < timezone.now() - LOST
        hint = str(NO_WORKER) if is_lost else ""
        progress = {"done": run.asked, "total": run.total, "running": is_running, "hint": hint}
        return JsonResponse(progress)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        """Defer the heartbeat, so that its changes do not refuse an action as stale."""
        good = Count("results", filter=Q(results__passed=True))
        rows = super().get_queryset(request).annotate(good=good, asked=Count("results"))
        return rows.annotate(seen_at=F("alive_at")).defer("alive_at")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        shown = [name for name in self.fields if name != "failure" or (obj and obj.failure)]
        return shown if obj else [*SELECTED, "note"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields if obj else []

    def get_action_choices(self, request: HttpRequest, default_choices: Any = ()) -> Any:
        """Drop the empty choice: "compare" is preselected."""
        return super().get_action_choices(request, [])

    @admin.display(description=_("asked so far"))
    def progress(self, run: Any) -> str:
        if run.state != Run.State.RUNNING:
            return f"{run.asked}/{run.total}"
        return format_html(
            '<span class="progress" data-running data-url="{0}">'
            '<progress max="{2}" value="{1}"></progress> <span>{1}/{2}</span></span>'
            '<span class="quiet progress-hint" hidden></span>',
            reverse("admin:evaluation_run_progress", args=[run.pk]),
            run.asked,
            run.total,
        )

    @admin.display(description=_("passed"))
    def passed(self, run: Any) -> str:
        return f"{run.good} / {run.asked}" + (f" ({run.good / run.asked:.1%})" if run.asked else "")

    @admin.display(description=_("report"))
    def report(self, run: Run) -> str:
        address = reverse("admin:evaluation_run_report", args=[run.pk])
        return format_html('<a href="{}">{}</a>', address, _("Read the report"))

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
class ResultAdmin(GoldenColumn, ExportPages, ReadOnlyAdmin):
    export_needs = (READS_PATIENTS,)
    exports = {
        "run": attrgetter("run_id"),
        **columns_of("key", "category", "language", "passed"),
        "question": lambda row: row.data.get("asked", {}).get("question", ""),
        **{name: partial(kept, name) for name in ("behaviour", "certainty", "intent", "answer")},
        "pages": lambda row: pages(row.data.get("citations", ())),
    }
    list_display = ["key", "category_name", "language", "passed", "run"]
    list_filter = ["passed", CATEGORIES, "language"]
    list_select_related = ["run"]
    search_fields = ["key"]
    fields = ["run", "key", "category_name", "language", "passed", "answered", "why"]
    readonly_fields = fields

    @admin.display(description=_("answer"))
    def answered(self, result: Result) -> str:
        return answer_of(kept("answer", result), result.language)

    @admin.display(description=_("why"))
    def why(self, result: Result) -> str:
        return table({name: value for name, value in result.data.items() if name != "answer"})
