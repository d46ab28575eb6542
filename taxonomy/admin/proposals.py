"""Queues of proposals, which staff accept or reject one by one or together; and mergers."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from taxonomy.admin.relations import EntitySelect
from taxonomy.models import Entity, Merger, PopulationCue, Proposal
from taxonomy.models.entities import KIND_NAMES
from taxonomy.models.relations import PREDICATES
from taxonomy.proposals import decisions, merging
from taxonomy.proposals.decisions import propose_mergers
from taxonomy.vocabulary import Kind
from zol.backoffice.base import HospitalAdmin, HospitalForm, ReadOnlyAdmin
from zol.errors import BadInput
from zol.text import web_address


class QueueAdmin(HospitalAdmin):
    """Base class of the queues; a subclass implements accepting and rejecting."""

    actions = ["accept_selected", "reject_selected"]
    #: Form fields of an open proposal.
    asked: list[str] = []
    change_form_template = "admin/taxonomy/proposal_form.html"
    pages = {"look": "look/"}

    def look(self, request: HttpRequest) -> None:
        """Search for new proposals, after aliases, codes or entities were changed."""
        raise NotImplementedError

    def look_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_decide_permission(request):
            raise PermissionDenied
        if request.method == "POST":
            self.look(request)
        return HttpResponseRedirect(reverse(f"admin:taxonomy_{self.opts.model_name}_changelist"))

    def accept(self, request: HttpRequest, proposal: Any, values: Any) -> str:
        """Accept a proposal with the values of the form (None: as proposed); return a message."""
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
        """Save nothing: `response_change` decides, by the button."""

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> None:
        """Skip Django's entry: the decision itself is logged."""

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
            message = step(request, proposal, values)
        except BadInput as reason:
            messages.error(request, f"{proposal} – {reason}")
            return
        LogEntry.objects.log_actions(request.user.pk, [proposal], CHANGE, message[:250])
        messages.success(request, message)


Sort = Proposal.Sort
PREDICATE_NAMES: dict[str, Any] = dict(PREDICATES)


class ProposalForm(HospitalForm):
    """Form to accept a proposal, or to give the reason for rejecting it."""

    new_name = forms.CharField(
        label=_("Name"), required=False, max_length=200,
        help_text=_("Name as it will be in the taxonomy; correct it before you accept."),
    )  # fmt: skip
    into = forms.ModelChoiceField(
        Entity.objects.none(), label=_("Merge into"), required=False,
        help_text=_(
            "If the taxonomy already has it under another name, choose it here: the "
            "proposed name becomes another word for it."
        ),
    )  # fmt: skip
    why = forms.CharField(
        label=_("Reason"), required=False, max_length=300,
        help_text=_("Enter a reason when you reject; your colleagues can read it."),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sort = self.instance.sort
        if "into" not in self.fields:
            return
        if sort not in (Sort.ENTITY, Sort.ALIAS):
            del self.fields["new_name"]
        elif not self.is_bound:
            self.initial["new_name"] = self.instance.name
        if sort != Sort.ENTITY:
            del self.fields["into"]
            return
        into = self.fields["into"]
        into.queryset = Entity.objects.filter(kind=self.instance.kind, status="active")
        field = Proposal._meta.get_field("subject")
        into.widget = EntitySelect(field, admin.site, kind=self.instance.kind)
        into.widget.choices = into.choices
        self.initial.setdefault("into", self.instance.object_id)


@admin.register(Proposal)
class ProposalAdmin(QueueAdmin):
    """The queue of proposals from pages, each with its source sentence."""

    form = ProposalForm
    list_display = [
        "what", "sort_name", "kind_name", "sentence", "page", "support", "doubt", "status",
    ]  # fmt: skip
    list_filter = ["status", "sort", "kind", ("doubt", admin.EmptyFieldListFilter)]
    list_select_related = ["subject", "object"]
    search_fields = ["name", "subject__name", "object__name", "page", "sentence"]
    change_list_template = "admin/taxonomy/proposal_list.html"
    change_form_template = "admin/taxonomy/proposal_form.html"
    readonly_fields = [
        "what", "sort_name", "kind_name", "stated_by", "comes_with", "resembles", "doubt",
        "created_at", "status", "decided_by", "decided_at", "outcome",
    ]  # fmt: skip
    asked = ["new_name", "into", "why"]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        fields = super().get_fields(request, obj)
        no_name = obj is not None and obj.sort not in (Sort.ENTITY, Sort.ALIAS)
        left_out = {"new_name"} if no_name else set()
        left_out |= {"into"} if obj is not None and obj.sort != Sort.ENTITY else set()
        return [name for name in fields if name not in left_out]

    @admin.display(description=_("proposal"), ordering="name")
    def what(self, proposal: Proposal) -> str:
        if proposal.sort == Sort.RELATION:
            return f"{proposal.subject} {PREDICATE_NAMES[proposal.predicate]} {proposal.object}"
        return str(proposal)

    @admin.display(description=_("sort"), ordering="sort")
    def sort_name(self, proposal: Proposal) -> str:
        return proposal.get_sort_display()

    @admin.display(description=_("kind"), ordering="kind")
    def kind_name(self, proposal: Proposal) -> Any:
        return KIND_NAMES[Kind(proposal.kind)]

    @admin.display(description=_("found in"))
    def stated_by(self, proposal: Proposal) -> str:
        """Show the source sentences, each with its page."""
        if not proposal.sources:
            return proposal.sentence or "–"
        shown = (
            (s["sentence"], web_address(s["url"]) or "#", s["title"]) for s in proposal.sources
        )
        return format_html_join("", '<p>“{}”<br><a href="{}">{}</a></p>', shown)

    @admin.display(description=_("also adds"))
    def comes_with(self, proposal: Proposal) -> str:
        ties = proposal.data.get("ties", ())
        return ", ".join(f"{PREDICATE_NAMES[p]} {key}" for p, _kind, key in ties) or "–"

    @admin.display(description=_("resembles"))
    def resembles(self, proposal: Proposal) -> str:
        other = proposal.object if proposal.sort == Sort.ENTITY else None
        if other is None:
            return "–"
        address = reverse(f"admin:taxonomy_{other.kind}_change", args=[other.pk])
        return format_html('<a href="{}">{}</a>', address, other)

    def accept(self, request: HttpRequest, proposal: Any, values: Any) -> str:
        values = values or {}
        into = values.get("into", "")
        if proposal.sort == Sort.ENTITY and "_merge" in values:
            entity = Entity.objects.filter(pk=int(into) if into.isdigit() else 0).first()
            if entity is None:
                raise BadInput(gettext("Choose the entity to merge it into."))
            message = decisions.accept_as(proposal, entity, by=request.user)
        else:
            name = values.get("new_name", "")
            message = decisions.accept(proposal, by=request.user, name=name)
        return f"{self.what(proposal)} – {message}"

    def reject(self, request: HttpRequest, proposal: Any, values: Any) -> str:
        decisions.reject(proposal, by=request.user, why=(values or {}).get("why", ""))
        return f"{self.what(proposal)} – {gettext('rejected')}"

    def look(self, request: HttpRequest) -> None:
        """Search for doctors who may be the same person, after doctors were added or changed."""
        made = propose_mergers(request.hospital.pk)  # type: ignore[attr-defined]
        text = ngettext("%d new proposal.", "%d new proposals.", made)
        messages.success(request, text % made)


@admin.register(PopulationCue)
class PopulationCueAdmin(HospitalAdmin):
    """Titles before names; rows of sorts that only 1.1.0 reads are left out."""

    list_display = ["phrase", "language"]
    list_filter = ["language"]
    search_fields = ["phrase"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).filter(sort=PopulationCue.TITLE)


@admin.register(Merger)
class MergerAdmin(ReadOnlyAdmin):
    """Mergers, with a page to undo each."""

    list_display = ["old_name", "old_key", "target", "kind_name", "by", "at", "undone_at", "undo"]
    leads = {"undo": "taxonomy.change_department"}
    list_filter = ["kind", ("undone_at", admin.EmptyFieldListFilter)]
    list_select_related = ["target", "by"]
    search_fields = ["old_name", "old_key", "target__name"]
    fields = [
        "old_name", "old_key", "old_url", "target", "left", "by", "at", "undone_by", "undone_at",
    ]  # fmt: skip
    readonly_fields = ["left"]
    pages = {"undo": "<int:pk>/undo/"}

    @admin.display(description=_("kind"), ordering="kind")
    def kind_name(self, merger: Merger) -> Any:
        return KIND_NAMES[Kind(merger.kind)]

    @admin.display(description=_("left unchanged"))
    def left(self, merger: Merger) -> str:
        return format_html_join("", "<p>{}</p>", ((text,) for text in merger.collisions)) or "–"

    @admin.display(description="")
    def undo(self, merger: Merger) -> str:
        if merger.undone_at:
            return ""
        address = reverse("admin:taxonomy_merger_undo", args=[merger.pk])
        return format_html('<a href="{}">{}</a>', address, _("Undo"))

    def undo_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask for confirmation, then undo a merger."""
        merger = get_object_or_404(self.get_queryset(request), pk=pk)
        if not request.user.has_perm(f"taxonomy.change_{merger.kind}"):
            raise PermissionDenied
        back = HttpResponseRedirect(reverse("admin:taxonomy_merger_changelist"))
        if request.method != "POST":
            context = {"opts": self.opts, "merger": merger, "title": gettext("Undo a merger")}
            site = self.admin_site.each_context(request)
            return TemplateResponse(request, "admin/taxonomy/merge.html", site | context)
        try:
            merging.undo(merger, by=request.user)
        except BadInput as reason:
            messages.error(request, str(reason))
            return back
        self.log_change(request, merger, gettext("The merger was undone."))
        messages.success(request, gettext("“%s” is a separate entity again.") % merger.old_name)
        return back
