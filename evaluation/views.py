"""Reports of runs, for staff."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.decorators import staff_member_required
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from evaluation import reports, services
from evaluation.models import Run

may_see_runs = permission_required("evaluation.view_run", raise_exception=True)


@require_GET
@staff_member_required
@may_see_runs
def report(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show the report of a run; `?format=md` gives it as a Markdown file."""
    run = get_object_or_404(Run, pk=run_id)
    made = reports.report_of(run, services.results_of(run))
    if request.GET.get("format") == "md":
        return HttpResponse(
            reports.markdown(made),
            content_type="text/markdown; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="run-{run.pk}.md"'},
        )
    title = _("Evaluation run %(number)s") % {"number": run.pk}
    return _page(request, "evaluation/report.html", title, report=made)


@require_GET
@staff_member_required
@may_see_runs
def compare(request: HttpRequest, before: int, after: int) -> HttpResponse:
    """Show two runs side by side."""
    runs = [get_object_or_404(Run, pk=number) for number in (before, after)]
    first, second = ((run, services.results_of(run)) for run in runs)
    compared = reports.compare(first, second)
    return _page(request, "evaluation/compare.html", _("Two runs compared"), compared=compared)


def _page(request: HttpRequest, template: str, title: str, **values: Any) -> HttpResponse:
    context = admin.site.each_context(request) | {"title": title} | values
    return render(request, template, context)
