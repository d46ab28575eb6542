"""Published versions, and the page that publishes the draft."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import ADDITION, LogEntry
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from taxonomy.admin.changes import live_version, pending
from taxonomy.models import LivePointer, Version
from taxonomy.services.publishing import publish
from zol.admin_pages.base import ReadOnlyAdmin
from zol.models import Hospital
from zol.roles import PUBLISH


class PublishForm(forms.Form):
    note = forms.CharField(
        label=_("What changed"),
        max_length=500,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("For colleagues who look back at this version later."),
    )
    #: The version that the differences on the page were measured against; 0 for none.
    seen = forms.IntegerField(widget=forms.HiddenInput)


@admin.register(Version)
class VersionAdmin(ReadOnlyAdmin):
    list_display = ["number", "is_live", "note", "created_by", "created_at", "entities"]
    list_select_related = ["created_by"]
    fields = ["number", "note", "created_by", "created_at"]
    date_hierarchy = "created_at"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Version]:
        live = LivePointer.objects.filter(version=OuterRef("pk"))
        return (
            super()
            .get_queryset(request)
            .annotate(live=Exists(live), entity_count=Count("entities"))
        )

    @admin.display(description=_("live"), boolean=True)
    def is_live(self, version: Any) -> bool:
        return version.live

    @admin.display(description=_("entities"))
    def entities(self, version: Any) -> int:
        return version.entity_count

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.publish_view)
        return [path("publish/", page, name="taxonomy_publish"), *super().get_urls()]

    def publish_view(self, request: HttpRequest) -> HttpResponse:
        """Show what publishing would change, and publish it."""
        if not may_publish(request):
            raise PermissionDenied
        live = live_version()
        form = PublishForm(request.POST or None, initial={"seen": live.number if live else 0})
        if request.method == "POST" and form.is_valid():
            return self._publish(request, **form.cleaned_data)
        changes = pending(live)
        context = self.admin_site.each_context(request) | {
            "title": gettext("Publish"),
            "opts": self.opts,
            "form": form,
            "live": live,
            "changes": changes,
            "total": sum(change.total for change in changes),
        }
        return TemplateResponse(request, "admin/taxonomy/publish.html", context)

    def _publish(self, request: HttpRequest, *, note: str, seen: int) -> HttpResponse:
        hospital: Hospital = request.hospital  # type: ignore[attr-defined]
        with transaction.atomic():
            # The row that publishing locks, too: nobody can publish between the look and the act.
            Hospital.objects.select_for_update().get(pk=hospital.pk)
            live = live_version()
            if (live.number if live else 0) != seen:
                messages.error(
                    request,
                    gettext(
                        "Somebody else has published meanwhile. Look at the changes once more."
                    ),
                )
                return HttpResponseRedirect(request.path)
            version = publish(hospital, by=request.user, note=note)
            LogEntry.objects.log_actions(request.user.pk, [version], ADDITION, note)
        messages.success(
            request, gettext("Version %d is live: patients are answered from it.") % version.number
        )
        return HttpResponseRedirect(reverse("admin:taxonomy_version_changelist"))


def may_publish(request: HttpRequest) -> bool:
    """Say whether somebody may publish: where a release will ask for a second person."""
    return bool(request.user.has_perm(PUBLISH))
