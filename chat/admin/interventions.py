"""Block, freeze or answer a question by hand: within a minute, without a release."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from chat.models import Intervention
from chat.selectors import forget_interventions, who_asked
from zol.admin_pages.base import HospitalAdmin
from zol.languages import Language

#: Answers that the page lists.
LISTED = 100


@admin.register(Intervention)
class InterventionAdmin(HospitalAdmin):
    list_display = ["__str__", "kind", "is_active", "review_by", "reason", "created_at"]
    list_filter = ["kind", "is_active", "review_by"]
    search_fields = ["questions", "reason", "text_nl"]
    readonly_fields = ["received"]
    fieldsets: list[Any] = [
        (None, {"fields": ["kind", "questions", "reason", "is_active"]}),
        (
            _("Curated answer"),
            {"fields": [*(f"text_{code}" for code in Language.values), "source", "review_by"]},
        ),
        (_("Who received an answer to such a question"), {"fields": ["received"]}),
    ]

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001
        super().save_model(request, obj, form, change)
        forget_interventions()

    @admin.display(description=_("answers"))
    def received(self, obj: Intervention) -> Any:
        """Link to every answer that was given to a question this is about."""
        if not obj.pk:
            return _("Shown once this is saved.")
        found = who_asked(obj)
        if not found:
            return _("Nobody asked such a question yet.")
        lines = (
            (
                reverse("admin:chat_message_change", args=[message.pk]),
                message.created_at.strftime("%Y-%m-%d %H:%M"),
                str(message.conversation_id)[:8],
                message.question[:120],
            )
            for message in found[:LISTED]
        )
        listed = format_html_join("", '<li><a href="{}">{} · {}</a> {}</li>', lines)
        return format_html("<p>{}</p><ul>{}</ul>", len(found), listed)
