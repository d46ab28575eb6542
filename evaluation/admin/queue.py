"""What failed patients, and what staff do about it."""

from __future__ import annotations

from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evaluation.models import WorkItem
from evaluation.queue import NEWEST, SPAN, failed, failed_groups, guard
from zol.admin_pages.base import HospitalAdmin
from zol.tenancy import required_hospital_id

#: The lists of the work queue, and what a page of one holds.
LISTS = {"open": _("to do"), "mine": _("mine"), "closed": _("closed")}
PER_PAGE = 25
#: What may be done about a group, and who may.
MAY = {
    "change": "evaluation.change_workitem",
    "golden": "evaluation.add_goldenquestion",
    "curated": "chat.add_curatedanswer",
    "alias": "taxonomy.add_alias",
    "try": "chat.view_intentexample",
}


@admin.register(WorkItem)
class WorkItemAdmin(HospitalAdmin):
    """Instead of a list of rows: what failed, with what can be done about it."""

    fields = ["question", ("owner", "due"), "state", "golden", "note"]
    readonly_fields = ["question"]
    autocomplete_fields = ["golden"]

    def get_urls(self) -> list[Any]:
        steps = {"take": self._take, "golden": self._golden, "done": self._done}
        pages = [
            path(
                f"<uuid:key>/{name}/",
                self.admin_site.admin_view(partial(self.step_view, do=do)),
                name=f"evaluation_workitem_{name}",
            )
            for name, do in steps.items()
        ]
        return [*pages, *super().get_urls()]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.display(description=_("question"))
    def question(self, item: WorkItem) -> str:
        address = reverse("admin:chat_message_change", args=[item.pk])
        return format_html('<a href="{}">{}</a>', address, item.message.question)

    def _earlier(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        closing = request.method == "GET" and "close" in request.GET
        return super()._earlier(request, row) | ({"state": WorkItem.State.DONE} if closing else {})

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show what failed, what happens most and worst first."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        wanted = request.GET.get("show", "open")
        if wanted not in LISTS:
            messages.warning(request, gettext("There is no such list; this is what is to do."))
            wanted = "open"
        groups = [each for each in failed_groups() if each.is_in(wanted, request.user)]
        context = self.admin_site.each_context(request) | {
            "title": gettext("Work queue"),
            "opts": self.opts,
            "lists": LISTS,
            "wanted": wanted,
            "groups": Paginator(groups, PER_PAGE).get_page(request.GET.get("page")),
            "may": {name: request.user.has_perm(wanted) for name, wanted in MAY.items()},
            "days": SPAN.days,
            "most": NEWEST,
        }
        return TemplateResponse(request, "evaluation/queue.html", context)

    def step_view(self, request: HttpRequest, key: UUID, do: Any) -> HttpResponse:
        """Do something about a group, which is somebody's from then on."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        return do(request, key)

    def _item(self, request: HttpRequest, key: UUID) -> WorkItem:
        found = WorkItem.objects.select_related("message__conversation").filter(pk=key).first()
        if found is None:
            message = get_object_or_404(failed(), pk=key)
            mine = {"hospital_id": required_hospital_id(), "owner": request.user}
            found, made = WorkItem.objects.get_or_create(message=message, defaults=mine)
            if made:
                self.log_addition(request, found, gettext("Taken on."))
        return found

    def _take(self, request: HttpRequest, key: UUID) -> HttpResponse:
        return redirect("admin:evaluation_workitem_change", self._item(request, key).pk)

    def _golden(self, request: HttpRequest, key: UUID) -> HttpResponse:
        """Add the question to the golden ones, and go there to say what must be answered."""
        if not request.user.has_perm(MAY["golden"]):
            raise PermissionDenied
        item = self._item(request, key)
        golden = guard(item, request.user)
        self.log_change(request, item, gettext("Guarded by a golden question."))
        messages.success(request, gettext("It is golden now. Say here what must be answered."))
        return redirect("admin:evaluation_goldenquestion_change", golden.pk)

    def _done(self, request: HttpRequest, key: UUID) -> HttpResponse:
        """Close a group that is guarded; of another, ask why it is not."""
        item = self._item(request, key)
        item.state = WorkItem.State.DONE
        try:
            item.clean()
        except ValidationError as error:
            messages.warning(request, " ".join(error.messages))
            return redirect(reverse("admin:evaluation_workitem_change", args=[item.pk]) + "?close")
        item.save()
        self.log_change(request, item, gettext("Closed as done."))
        messages.success(request, gettext("Closed. It comes back here if it fails again."))
        return redirect("admin:evaluation_workitem_changelist")
