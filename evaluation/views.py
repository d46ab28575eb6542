"""Reports of runs and replays, for staff."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.views.decorators import staff_member_required
from django.contrib.auth.decorators import permission_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_GET, require_http_methods
from kombu.exceptions import OperationalError

from evaluation import reports
from evaluation.models import Preview, Run
from evaluation.preview import KINDS, report_of, stands_still, start_preview
from evaluation.runs import results_of
from evaluation.tasks import replay
from taxonomy.models import Release
from zol.access.roles import SEE_CONVERSATIONS
from zol.errors import BadInput

#: Replayed questions on one page.
PER_PAGE = 25
CHANGES = {
    "behaviour": _lazy("answered or refused otherwise"),
    "routing": _lazy("another department"),
    "evidence": _lazy("other evidence"),
    "answer": _lazy("other words"),
}
may_see_previews = permission_required("evaluation.view_preview", raise_exception=True)
may_see_runs = permission_required("evaluation.view_run", raise_exception=True)


@require_GET
@staff_member_required
@may_see_runs
def report(request: HttpRequest, run_id: int) -> HttpResponse:
    """Show the report of a run."""
    run = get_object_or_404(Run, pk=run_id)
    made = reports.report_of(run, results_of(run))
    title = _("Evaluation run %(number)s") % {"number": run.pk}
    return _page(request, "evaluation/report.html", title, report=made)


@require_GET
@staff_member_required
@may_see_runs
def compare(request: HttpRequest, before: int, after: int) -> HttpResponse:
    """Show two runs side by side."""
    runs = [get_object_or_404(Run, pk=number) for number in (before, after)]
    first, second = ((run, results_of(run)) for run in runs)
    compared = reports.compare(first, second)
    return _page(request, "evaluation/compare.html", _("Two runs compared"), compared=compared)


@require_GET
@staff_member_required
@may_see_previews
def preview(request: HttpRequest, preview_id: int) -> HttpResponse:
    """Show what a release changes for patients, broken golden questions first."""
    found = get_object_or_404(Preview.objects.select_related("release"), pk=preview_id)
    wanted = request.GET.get("change", "")
    items = found.items.exclude(changes=[]).order_by("-breaks", "-is_golden", "pk")
    if not request.user.has_perm(SEE_CONVERSATIONS):
        items = items.filter(is_golden=True)
    if wanted in KINDS:
        items = items.filter(changes__contains=[wanted])
    page = Paginator(items, PER_PAGE).get_page(request.GET.get("page"))
    return _page(
        request,
        "evaluation/preview.html",
        _("Impact of “%(title)s”") % {"title": found.release.title},
        preview=found,
        report=report_of(found),
        hint=_no_worker(found) if stands_still(found) else "",
        items=page,
        wanted=wanted,
        names=CHANGES,
    )


@require_GET
@staff_member_required
@may_see_previews
def progress(request: HttpRequest, preview_id: int) -> JsonResponse:
    """Return the progress of a replay."""
    found = get_object_or_404(Preview, pk=preview_id)
    running = found.state == Preview.State.RUNNING
    told = {"done": found.items.count(), "total": found.total, "running": running}
    return JsonResponse(told | {"hint": _no_worker(found) if stands_still(found) else ""})


def no_worker(command: str) -> str:
    """Return advice when nothing is asked, with the command that asks without a worker."""
    text = _("No question was asked for a minute: no worker for evaluation runs, it seems. IT can "
             "start one, or have them asked by `manage.py %s`.")  # fmt: skip
    return text % command


def _no_worker(preview: Preview) -> str:
    return no_worker(f"preview {preview.release_id}")


@staff_member_required
@may_see_previews
@require_http_methods(["GET", "POST"])
def preview_of(request: HttpRequest, release_id: int) -> HttpResponse:
    """Show the newest replay of a release; POST starts one."""
    release = get_object_or_404(Release, pk=release_id)
    if request.method == "POST":
        if not request.user.has_perm("evaluation.add_preview"):
            raise PermissionDenied
        try:
            made = start_preview(release)
        except BadInput as error:
            messages.error(request, str(error))
            return redirect("admin:taxonomy_release_change", release.pk)
        try:
            replay.delay(made.hospital_id, made.pk)
        except OperationalError:
            messages.error(request, _no_worker(made))
        return redirect("evaluation-preview", made.pk)
    newest = release.previews.first()
    if newest is None:
        messages.info(request, _("There is no preview of this release yet."))
        return redirect("admin:taxonomy_release_change", release.pk)
    return redirect("evaluation-preview", newest.pk)


def _page(request: HttpRequest, template: str, title: str, **values: Any) -> HttpResponse:
    context = admin.site.each_context(request) | {"title": title} | values
    return render(request, template, context)
