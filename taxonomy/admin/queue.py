"""A queue of proposals: staff accept or reject, one or many, and who did so is kept."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from zol.admin_pages.base import HospitalAdmin
from zol.errors import BadInput


class QueueAdmin(HospitalAdmin):
    """What the queues share; a subclass says what accepting and rejecting do."""

    actions = ["accept_selected", "reject_selected"]
    #: What is asked while a proposal is open.
    asked: list[str] = []
    change_form_template = "admin/taxonomy/proposal_form.html"

    def accept(self, request: HttpRequest, proposal: Any, values: Any) -> str:
        """Take a proposal over, with what the form says (None: as it stands); say what was done."""
        raise NotImplementedError

    def reject(self, request: HttpRequest, proposal: Any, values: Any) -> str:
        raise NotImplementedError

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        shown = list(self.get_readonly_fields(request, obj))
        return [*shown, *(self.asked if obj is not None and obj.is_open else [])]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        may = super().has_change_permission(request, obj)
        return may and (obj is None or obj.is_open)

    def has_decide_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm(f"taxonomy.change_{self.opts.model_name}"))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001 (Django's)
        """Saving is deciding; the buttons say how."""

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> None:
        """What was decided is logged once it has been."""

    def response_change(self, request: HttpRequest, obj: Any) -> HttpResponse:
        step = self.reject if "_reject" in request.POST else self.accept
        self._decide(request, obj, step, request.POST)
        address = reverse(f"admin:taxonomy_{self.opts.model_name}_changelist")
        return HttpResponseRedirect(f"{address}?status__exact=open")

    @admin.action(description=_("Accept as proposed"), permissions=["decide"])
    def accept_selected(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        for proposal in chosen:
            self._decide(request, proposal, self.accept, None)

    @admin.action(description=_("Reject: do not propose this again"), permissions=["decide"])
    def reject_selected(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        for proposal in chosen:
            self._decide(request, proposal, self.reject, None)

    def _decide(self, request: HttpRequest, proposal: Any, step: Any, values: Any) -> None:
        try:
            said = step(request, proposal, values)
        except BadInput as reason:
            messages.error(request, f"{proposal} – {reason}")
            return
        LogEntry.objects.log_actions(request.user.pk, [proposal], CHANGE, said[:250])
        messages.success(request, said)
