"""Versions that are or were live, and the page that goes back to one."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from taxonomy.models import LivePointer, Version
from taxonomy.models.releases import ReleaseState
from taxonomy.publishing.differences import between
from taxonomy.publishing.naming import named
from taxonomy.publishing.versions import live_version
from taxonomy.tasks import go_back
from zol.admin_pages.base import ReadOnlyAdmin
from zol.admin_pages.work import begin
from zol.roles import PUBLISH


@admin.register(Version)
class VersionAdmin(ReadOnlyAdmin):
    list_display = ["number", "is_live", "said", "live_since", "live_by", "entities", "go_back"]
    leads = {"go_back": PUBLISH}
    pages = {"activate": "<int:pk>/activate/"}
    list_select_related = ["release__published_by"]
    fields = ["number", "note", "created_by", "created_at"]
    date_hierarchy = "created_at"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Version]:
        """Leave out what was frozen for a release that has not gone live."""
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
    def said(self, version: Any) -> str:
        if not version.release.is_unreviewed:
            return version.note
        mark = _("published urgently: a colleague looks at it")
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
        """Show what going back would change, and go back."""
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
            "sections": list(named(found)),
            "total": found.total,
            "moved": found.moved,
        }
        return TemplateResponse(request, "admin/taxonomy/activate.html", context)


ONCE_LIVE = (ReleaseState.PUBLISHED, ReleaseState.SUPERSEDED)
