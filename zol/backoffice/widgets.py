"""Admin pages of widget keys, with which other sites embed the chat."""

from __future__ import annotations

from django.contrib import admin
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from zol.access.hosts import is_origin
from zol.backoffice.base import HospitalForm, LinesField, MineAdmin
from zol.models import WidgetKey


class WidgetForm(HospitalForm):
    origins = LinesField(
        label=_("allowed origins"),
        required=False,
        help_text=_("Websites that may show the chat, one per line: https://www.example.org"),
    )

    def clean_origins(self) -> list[str]:
        """Accept an origin with a trailing slash; refuse the address of a page."""
        origins = [line.rstrip("/").lower() for line in self.cleaned_data["origins"]]
        for origin in origins:
            if not is_origin(origin):
                raise ValidationError(
                    _(
                        "“%(text)s” is not the address of a website: write only https:// "
                        "and its name."
                    ),
                    params={"text": origin},
                )
        return list(dict.fromkeys(origins))


@admin.register(WidgetKey)
class WidgetAdmin(MineAdmin):
    form = WidgetForm
    list_display = ["key", "origins", "is_active", "seen"]
    fields = ["key", "origins", "is_active"]
    readonly_fields = ["key"]
    change_form_template = "admin/widget_form.html"
    pages = {"seen": "<int:pk>/seen/"}

    @admin.display(description=_("on a page"))
    def seen(self, row: WidgetKey) -> SafeString:
        address = reverse("admin:zol_widgetkey_seen", args=[row.pk])
        return format_html('<a href="{}">{}</a>', address, gettext("See it on a page"))

    def seen_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the chat embedded in a page, with the HTML that embeds it."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        row = self.get_object(request, str(pk))
        if row is None:
            raise Http404
        host = request.build_absolute_uri("/").rstrip("/")
        context = self.admin_site.each_context(request) | {
            "title": gettext("The chat on another website"),
            "opts": self.opts,
            "row": row,
            "host": host,
            "script": host + reverse("chat:widget"),
        }
        return TemplateResponse(request, "admin/widget.html", context)
