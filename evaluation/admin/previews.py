"""Admin of previews: what a release changes for patients, and the progress of the replay."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from kombu.exceptions import OperationalError

from evaluation.models import Preview
from evaluation.preview import KINDS, is_lost, report_of, start_preview
from evaluation.tasks import replay
from taxonomy.models import Release
from zol.access.roles import SEE_CONVERSATIONS
from zol.backoffice.base import ReadOnlyAdmin
from zol.errors import BadInput

#: Replayed questions on one page.
PER_PAGE = 25
NO_WORKER = _(
    "No question has been asked for a minute, so no evaluation worker seems to be running: "
    "ask IT to start one."
)
CHANGES = {
    "behaviour": _("answered instead of refused, or the other way round"),
    "routing": _("another department"),
    "evidence": _("other evidence"),
    "answer": _("other words"),
}


@admin.register(Preview)
class PreviewAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "release", "state", "created_at"]
    list_select_related = ["release"]
    pages = {"progress": "<int:pk>/progress/", "start": "start/<int:release_id>/"}

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show what a release changes, broken golden questions first."""
        found = self._found(request, object_id)
        wanted = request.GET.get("change", "")
        items = found.items.exclude(changes=[]).order_by("-breaks", "-is_golden", "pk")
        if not request.user.has_perm(SEE_CONVERSATIONS):
            items = items.filter(is_golden=True)
        if wanted in KINDS:
            items = items.filter(changes__contains=[wanted])
        context = self.admin_site.each_context(request) | {
            "title": gettext("Impact of “%(title)s”") % {"title": found.release.title},
            "preview": found,
            "report": report_of(found),
            "hint": NO_WORKER if is_lost(found) else "",
            "items": Paginator(items, PER_PAGE).get_page(request.GET.get("page")),
            "wanted": wanted,
            "names": CHANGES,
        }
        return TemplateResponse(request, "evaluation/preview.html", context)

    def progress_view(self, request: HttpRequest, pk: int) -> JsonResponse:
        """Return the progress of a replay."""
        found = self._found(request, pk)
        is_running = found.state == Preview.State.RUNNING
        progress = {"done": found.items.count(), "total": found.total, "running": is_running}
        return JsonResponse(progress | {"hint": str(NO_WORKER) if is_lost(found) else ""})

    def _found(self, request: HttpRequest, pk: Any) -> Any:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return get_object_or_404(self.get_queryset(request).select_related("release"), pk=pk)

    def start_view(self, request: HttpRequest, release_id: int) -> HttpResponse:
        """Start the replay of a release."""
        if not request.user.has_perm("evaluation.add_preview"):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        release = get_object_or_404(Release, pk=release_id)
        try:
            made = start_preview(release)
        except BadInput as error:
            messages.error(request, str(error))
            return redirect("admin:taxonomy_release_change", release.pk)
        try:
            replay.delay(made.hospital_id, made.pk)
        except OperationalError:
            messages.error(request, NO_WORKER)
        return redirect("admin:evaluation_preview_change", made.pk)
