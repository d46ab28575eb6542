"""Admin of ingestion runs, with translated reasons.

Workers store reasons in English. The lists here make them translatable; a test checks that they are
complete.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from retrieval import services
from retrieval.models import IngestionItem, IngestionRun
from zol.backoffice.base import ReadOnlyAdmin

REASONS = (
    gettext_noop("%(kind)s cannot be read"),
    gettext_noop("The file is %(size)s MB; at most %(limit)s MB is read"),
    gettext_noop("The page was never fetched"),
    gettext_noop("The file of the page is gone from the storage"),
    gettext_noop("No text was found"),
    gettext_noop(
        "A script fills this page, so only its frame could be read: upload its text as a file"
    ),
    gettext_noop("The HTML of the page cannot be read: %(why)s"),
    gettext_noop("This is not a Word document: %(why)s"),
    gettext_noop("The document is too large once unpacked: split it"),
    gettext_noop("The document has tables nested too deep: simplify them"),
    gettext_noop("A table inside a cell is too large: simplify it"),
    gettext_noop("A table has too many cells: split it"),
    gettext_noop("The PDF is protected with a password: upload one without a password"),
    gettext_noop("The PDF is damaged: %(why)s"),
    gettext_noop("The PDF holds only images, no text"),
    gettext_noop("The PDF has %(pages)s pages; at most %(limit)s are read"),
    gettext_noop("Reading it took more than %(seconds)s seconds"),
    gettext_noop("The file ended its reader (%(code)s)"),
    gettext_noop("Reading it needs more memory than one document may use: split it"),
    gettext_noop("It holds %(letters)s letters; at most %(limit)s are read"),
    gettext_noop("More than %(pages)s pages are pictures"),
    gettext_noop("OCR took more than %(seconds)s seconds"),
    gettext_noop("OCR is turned on, but Tesseract is not installed: ask IT"),
    gettext_noop(
        "The PDF is written from right to left, and its telephone numbers would come out wrong: "
        "upload it as Word or as a web page"
    ),
    gettext_noop("OCR of one page took more than %(seconds)s seconds"),
    gettext_noop("OCR failed: %(why)s"),
    gettext_noop("Reading by OCR: page %(page)s of %(pages)s"),
    gettext_noop("The worker that processed it stopped or failed; the document waits for another"),
    gettext_noop(
        "The background process stopped or failed %(times)s times: ask IT to look in its log"
    ),
)
#: Sentences that remarks are composed of.
REMARKS = (
    gettext_noop("The same title."),
    gettext_noop("The same subject."),
    gettext_noop("This document dates from %(day)s, the other from %(later)s."),
    gettext_noop("This document is version %(older)s, the other version %(newer)s."),
    gettext_noop("The other document no longer gives the number %(number)s."),
    gettext_noop("Read by OCR: compare the figures with the original."),
    gettext_noop("Pictures without text: page %(pages)s."),
    gettext_noop("Words that OCR may have misread: %(words)s."),
    gettext_noop("Across its pages: “%(words)s”. See whether the document still holds."),
)


def in_words(reason: str) -> str:
    """Return a reason translated for the page; unknown ones as written."""
    for known in REASONS:
        if found := _pattern(known).fullmatch(reason):
            return gettext(known) % found.groupdict()
    for known in REMARKS:
        found = _pattern(known).search(reason)
        if found:
            translated = gettext(known) % found.groupdict()
            reason = reason[: found.start()] + translated + reason[found.end() :]
    return reason


@cache
def _pattern(known: str) -> re.Pattern[str]:
    parts = re.split(r"%\((\w+)\)s", known)
    return re.compile(
        "".join(
            f"(?P<{part}>.+?)" if place % 2 else re.escape(part) for place, part in enumerate(parts)
        ),
        re.DOTALL,
    )


State = IngestionItem.State
WAITING = (State.DISCOVERED, State.PROCESSING, State.FAILED)
#: Reasons for runs started in the admin; commands give their own.
OCCASIONS = {
    "upload": _("files were uploaded"),
    "edit": _("a document was changed"),
    "admin": _("started by hand"),
}


@admin.register(IngestionRun)
class IngestionRunAdmin(ReadOnlyAdmin):
    list_display = [
        "__str__", "state", "progress", "total", "failed", "occasion", "started_by", "created_at",
        "finished_at",
    ]  # fmt: skip
    list_filter = ["state"]
    list_select_related = ["started_by"]
    fields = readonly_fields = [
        "state", "progress", "occasion", "started_by", "created_at", "finished_at", "documents",
    ]  # fmt: skip
    actions = ["stop", "resume"]
    pages = {"progress": "<int:pk>/progress/"}

    class Media:
        js = ["admin_zol/progress.js"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[IngestionRun]:
        return (
            super()
            .get_queryset(request)
            .annotate(
                item_count=Count("items"),
                waiting_count=Count("items", filter=Q(items__state__in=WAITING)),
                dead_count=Count("items", filter=Q(items__state=State.DEAD)),
            )
        )

    @admin.display(description=_("trigger"), ordering="reason")
    def occasion(self, run: IngestionRun) -> Any:
        return OCCASIONS.get(run.reason, run.reason)

    @admin.display(description=_("documents"), ordering="item_count")
    def total(self, run: Any) -> int:
        return run.item_count

    @admin.display(description=_("failed"), ordering="dead_count")
    def failed(self, run: Any) -> int:
        return run.dead_count

    @admin.display(description=_("progress"))
    def progress(self, run: Any) -> str:
        return format_html(
            '<span class="progress" data-url="{}"><progress max="{}" value="{}"></progress> '
            "<span>{}/{}</span></span>",
            reverse("admin:retrieval_ingestionrun_progress", args=[run.pk]),
            run.item_count,
            run.item_count - run.waiting_count,
            run.item_count - run.waiting_count,
            run.item_count,
        )

    @admin.display(description=_("documents"))
    def documents(self, run: IngestionRun) -> str:
        address = reverse("admin:retrieval_ingestionitem_changelist")
        return format_html(
            '<a href="{0}?run__id__exact={1}">{2}</a> · <a href="{0}?run__id__exact={1}'
            '&state__exact=dead">{3}</a>',
            address,
            run.pk,
            _("all"),
            _("failed"),
        )

    def progress_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return the progress of a run, which its page polls."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        run: Any = get_object_or_404(self.get_queryset(request), pk=pk)
        return JsonResponse(
            {
                "done": run.item_count - run.waiting_count,
                "total": run.item_count,
                "failed": run.dead_count,
                "running": run.state == IngestionRun.State.RUNNING,
                "state": run.get_state_display(),
            }
        )

    def has_steer_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("retrieval.change_document"))

    @admin.action(permissions=["steer"], description=_("Stop selected runs"))
    def stop(self, request: HttpRequest, queryset: QuerySet[IngestionRun]) -> None:
        for run in IngestionRun.objects.filter(pk__in=[row.pk for row in queryset]):
            services.stop_run(run)
        self.message_user(
            request, _("The run was stopped; documents in progress are still finished.")
        )

    @admin.action(
        permissions=["steer"], description=_("Resume: process failed and remaining documents")
    )
    def resume(self, request: HttpRequest, queryset: QuerySet[IngestionRun]) -> None:
        for run in IngestionRun.objects.filter(pk__in=[row.pk for row in queryset]):
            services.resume_run(run)
        self.message_user(request, _("The remaining documents are being processed."))


@admin.register(IngestionItem)
class ItemAdmin(ReadOnlyAdmin):
    list_display = ["document", "state", "why", "attempts", "run"]
    list_filter = ["state"]
    list_select_related = ["document", "run"]
    search_fields = ["document__title", "document__path", "reason"]
    fields = readonly_fields = ["document", "state", "why", "attempts", "run"]

    @admin.display(description=_("reason"), ordering="reason")
    def why(self, item: IngestionItem) -> str:
        return in_words(item.reason)
