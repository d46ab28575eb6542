"""Admin pages of releases and versions: lists, changes, steps and rollback."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from taxonomy.models import LivePointer, Release, Version
from taxonomy.models.releases import WAITING, ReleaseState
from taxonomy.publishing import approval, notices
from taxonomy.publishing.defaults import may_update, waiting_defaults
from taxonomy.publishing.differences import between, changes_of
from taxonomy.publishing.steps import NEXT, STEPS, StepInput
from taxonomy.publishing.versions import live_version
from taxonomy.tasks import go_back, send_draft, take_newer_defaults, take_step
from zol.access.roles import APPROVE, PUBLISH
from zol.backoffice.base import HospitalAdmin, ReadOnlyAdmin
from zol.backoffice.work import begin
from zol.errors import StepRefused
from zol.models import AuditEntry


class StepForm(forms.Form):
    """Values that a user posts with a step."""

    text = forms.CharField(required=False, max_length=4_000, strip=True)
    at = forms.DateTimeField(required=False, input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"])
    seen = forms.IntegerField(required=False)


class AwaitsMe(admin.SimpleListFilter):
    title = _("waiting for me")
    parameter_name = "awaits"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("me", _("my approval")), ("look", _("review of urgent publications"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        chosen = {"me": awaiting, "look": unreviewed}.get(self.value() or "")
        return chosen(request.user, queryset) if chosen else queryset


def awaiting(user: Any, rows: QuerySet[Release]) -> QuerySet[Release]:
    """Return the releases that a user may approve now."""
    if not user.has_perm(APPROVE):
        return rows.none()
    return rows.filter(state=ReleaseState.IN_REVIEW).exclude(authors__contains=[user.pk])


def unreviewed(user: Any, rows: QuerySet[Release]) -> QuerySet[Release]:
    """Return the urgent publications that a user may review now."""
    if not user.has_perm(APPROVE):
        return rows.none()
    unseen = rows.filter(urgent_by__isnull=False, reviewed_by=None)
    return unseen.exclude(urgent_by=user).exclude(authors__contains=[user.pk])


@admin.register(Release)
class ReleaseAdmin(HospitalAdmin):
    change_list_template = "admin/taxonomy/release_list.html"
    list_display = ["title", "state", "next_step", "author", "content", "approved_by"]
    list_filter = [AwaitsMe, "state"]
    list_select_related = ["created_by", "submitted_by", "approved_by", "version"]
    search_fields = ["title", "note"]
    fields = ["title", "note"]
    save_on_top = False
    pages = {"send": "send/", "step": "<int:pk>/step/<str:name>/", "defaults": "defaults/"}

    @admin.display(description=_("next step"))
    def next_step(self, release: Release) -> Any:
        if release.is_unreviewed:
            words = _("published urgently: a colleague must review it")
            return format_html('<strong class="urgent-mark">{}</strong>', words)
        return NEXT[release.state]

    @admin.display(description=_("by"))
    def author(self, release: Release) -> Any:
        return release.submitted_by or release.created_by

    @admin.display(description=_("version"))
    def content(self, release: Release) -> Any:
        return release.version

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        title = {"title": gettext("Releases: from draft to patients")}
        return super().changelist_view(request, title | (extra_context or {}))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """Open a release through the service, which writes the audit log."""
        made = approval.open_release(by=request.user, title=obj.title, note=obj.note)
        obj.pk, obj.hospital_id = made.pk, made.hospital_id

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> None:
        """Skip Django's entry: the audit log has one."""

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> Any:
        return HttpResponseRedirect(_address(obj))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show a release; its title and note are changed here while it is a draft."""
        release = self.get_object(request, object_id)
        if release is None:
            return self._get_obj_does_not_exist_redirect(request, self.opts, object_id)
        permission = approval.EDIT if request.method == "POST" else approval.VIEW
        if not request.user.has_perm(permission):
            raise PermissionDenied
        if request.method == "POST":
            return self._describe(request, release)
        context = self.admin_site.each_context(request) | page_of(release, request.user)
        context["opts"] = self.opts
        if "part" in request.GET or release.is_frozen:
            context |= compared(release)
        # Comparing a draft takes seconds: the page loads the comparison afterwards.
        name = "_changes.html" if "part" in request.GET else "release.html"
        return TemplateResponse(request, f"admin/taxonomy/{name}", context)

    def _describe(self, request: HttpRequest, release: Release) -> HttpResponse:
        try:
            title, note = request.POST.get("title", "")[:120], request.POST.get("note", "")
            approval.describe(release, by=request.user, title=title, note=note)
            self.message_user(request, gettext("Saved."), messages.SUCCESS)
        except StepRefused as error:
            self.message_user(request, str(error), messages.ERROR)
        return HttpResponseRedirect(_address(release))

    @method_decorator(require_POST)
    def send_view(self, request: HttpRequest) -> HttpResponse:
        """Open a release of the current draft and submit it."""
        if not request.user.has_perm(approval.EDIT):
            raise PermissionDenied
        day = date_format(timezone.localdate(), "j F")
        name = request.user.get_full_name() or request.user.get_username()
        title = gettext("Changes by %(name)s, %(day)s") % {"name": name, "day": day}
        back = reverse("admin:taxonomy_release_changelist")
        return begin(request, send_draft, back, title[:120])

    @method_decorator(require_POST)
    def step_view(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """Take a step or report why it is refused, and return to the release."""
        release = get_object_or_404(Release, pk=pk)
        step, given = STEPS.get(name), StepForm(request.POST)
        if step is None or not request.user.has_perm(step.permission):
            raise PermissionDenied
        if not given.is_valid() or (step.asks_when and not given.cleaned_data["at"]):
            self.message_user(request, gettext("Choose a day and a time."), messages.ERROR)
            return HttpResponseRedirect(_address(release))
        values, done = given.cleaned_data, str(step.done)
        if step.is_long:
            return begin(request, take_step, _address(release), pk, name, values, done)
        try:
            step.take(release, StepInput(by=request.user, **values))
        except StepRefused as error:
            self.message_user(request, str(error), messages.ERROR)
        else:
            self.message_user(request, done, messages.SUCCESS)
        return HttpResponseRedirect(_address(release))

    def defaults_view(self, request: HttpRequest) -> HttpResponse:
        """Show what newer default rows would change; a POST takes them into the draft."""
        if not request.user.has_perm(approval.EDIT):
            raise PermissionDenied
        if request.method == "POST":
            return begin(request, take_newer_defaults, request.path)
        waiting = list(waiting_defaults())
        mine = [new for model, new in waiting if may_update(model, request.user)]
        others = [model for model, _new in waiting if not may_update(model, request.user)]
        context = self.admin_site.each_context(request) | {
            "opts": self.opts,
            "title": gettext("Newer default rows"),
            "sections": [new.section for new in mine if new.section.total],
            "kept": [new.kept for new in mine if new.kept.total],
            "others": [model._meta.verbose_name_plural for model in others],
        }
        return TemplateResponse(request, "admin/taxonomy/defaults.html", context)


def _address(release: Release) -> str:
    return reverse("admin:taxonomy_release_change", args=[release.pk])


def page_of(release: Release, user: Any) -> dict[str, Any]:
    """Return the context of a release's page for a user."""
    live = live_version()
    is_author = user.pk in release.authors
    is_asked = not is_author and release.state == ReleaseState.IN_REVIEW and user.has_perm(APPROVE)
    steps = [step for step in STEPS.values() if step.is_possible(release, user)]
    return {
        "title": release.title,
        "release": release,
        "next": _("you approve or reject it") if is_asked else NEXT[release.state],
        "may_go_back": release.state == ReleaseState.PUBLISHED and user.has_perm(PUBLISH),
        "is_stuck": release.state == ReleaseState.IN_REVIEW and not notices.approvers(release),
        "has_preview": release.is_previewed or release.state != ReleaseState.REJECTED,
        "live": live,
        "is_outdated": is_outdated(release, live),
        "is_author": is_author and release.state == ReleaseState.IN_REVIEW,
        "authors": people(release.authors),
        "steps": [
            step
            for step in steps
            if step.name != "comment" and not (step.name == "approve" and is_author)
        ],
        "asks_why": [step.name for step in steps if step.asks_why(release)],
        "may_comment": user.has_perm(approval.VIEW),
        "may_describe": release.state == ReleaseState.DRAFT and user.has_perm(approval.EDIT),
        "comments": release.comments.select_related("by"),
        "history": AuditEntry.objects.filter(subject__startswith=f"{release.pk} · ", what__in=OWN),
    }


def compared(release: Release) -> dict[str, Any]:
    """Return the context of the changes of a release."""
    found = changes_of(release)
    return {"sections": found.sections, "total": found.total, "moved": found.moved}


#: Kinds of audit log entries about releases.
OWN = [what for what in AuditEntry.What if what.startswith(("release.", "version."))]


def is_outdated(release: Release, live: Any) -> bool:
    """Return whether another version went live since this release was submitted."""
    if release.state not in WAITING:
        return False
    return bool((live.pk if live else None) != release.base_id)


def people(numbers: list[int]) -> list[str]:
    """Return the names of accounts."""
    found = Release._meta.get_field("created_by").related_model._default_manager
    users = found.filter(pk__in=numbers)
    return sorted(user.get_full_name() or user.get_username() for user in users)


@admin.register(Version)
class VersionAdmin(ReadOnlyAdmin):
    list_display = [
        "number",
        "is_live",
        "marked_note",
        "live_since",
        "live_by",
        "entities",
        "go_back",
    ]
    leads = {"go_back": PUBLISH}
    pages = {"activate": "<int:pk>/activate/"}
    list_select_related = ["release__published_by"]
    fields = ["number", "note", "created_by", "created_at"]
    date_hierarchy = "created_at"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Version]:
        """Leave out versions whose release has not gone live."""
        live = LivePointer.objects.filter(version=OuterRef("pk"))
        once = super().get_queryset(request).filter(release__state__in=ONCE_LIVE)
        return once.annotate(live=Exists(live), entity_count=Count("entities"))

    @admin.display(description=_("live"), boolean=True)
    def is_live(self, version: Any) -> bool:
        return version.live

    @admin.display(description=_("went live at"), ordering="release__published_at")
    def live_since(self, version: Any) -> Any:
        return version.release.published_at

    @admin.display(description=_("published by"))
    def live_by(self, version: Any) -> Any:
        return version.release.published_by

    @admin.display(description=_("note"), ordering="note")
    def marked_note(self, version: Any) -> str:
        if not version.release.is_unreviewed:
            return version.note
        mark = _("published urgently: a colleague must review it")
        return format_html('{} <strong class="urgent-mark">{}</strong>', version.note, mark)

    @admin.display(description=_("entities"))
    def entities(self, version: Any) -> int:
        return version.entity_count

    @admin.display(description="")
    def go_back(self, version: Any) -> str:
        if version.live:
            return ""
        address = reverse("admin:taxonomy_version_activate", args=[version.pk])
        return format_html('<a href="{}">{}</a>', address, _("Go back to this version"))

    def activate_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show what going back would change; a POST goes back."""
        if not request.user.has_perm(PUBLISH):
            raise PermissionDenied
        version = get_object_or_404(self.get_queryset(request), pk=pk)
        if request.method == "POST":
            why = request.POST.get("why", "")
            return begin(request, go_back, request.path, version.pk, why)
        found = between(live_version(), version)
        context = self.admin_site.each_context(request) | {
            "title": gettext("Go back to version %d") % version.number,
            "opts": self.opts,
            "version": version,
            "live": live_version(),
            "sections": found.sections,
            "total": found.total,
            "moved": found.moved,
        }
        return TemplateResponse(request, "admin/taxonomy/activate.html", context)


ONCE_LIVE = (ReleaseState.PUBLISHED, ReleaseState.SUPERSEDED)
