"""Block, freeze or answer a question, or announce something: within a minute, without a release."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy as _

from chat.models import Intervention
from chat.selectors import forget_interventions, who_asked
from taxonomy.admin.relations import EntityChoice
from zol.clock import hospital_now
from zol.languages import LANGUAGES
from zol.tenancy import serving
from zol.text import csv_lines

#: Answers that the page lists, and the latest ones that it looks through for them.
LISTED, LOOKED_THROUGH = 100, 5_000
COLUMNS = ("time", "conversation", "message", "question")


@admin.register(Intervention)
class InterventionAdmin(EntityChoice):
    list_display = ["__str__", "kind", "state", "incident", "valid_to", "review_by", "reason"]
    list_filter = ["kind", "incident", "is_active", "review_by"]
    list_select_related = ["subject"]
    search_fields = ["questions", "reason", "text_nl"]
    readonly_fields = ["received"]
    fieldsets: list[Any] = [
        (None, {
            "fields": [
                "kind", "questions", "subject", ("valid_from", "valid_to"), "reason", "incident",
                "is_active",
            ],
            "description": _(
                "A line holds for who writes its words: give every language lines of its own, "
                "and ask it under “Explain a question”. Only a bulletin has a subject; any "
                "decision may have days."
            ),
        }),
        (_("Text"), {
            "fields": [f"text_{code}" for code in LANGUAGES],
            "description": _(
                "Of a curated answer or a bulletin; block and freeze say a fixed text. "
                "Who asks in a language without a text reads the hospital's."
            ),
        }),
        (_("Only for a curated answer"), {"fields": ["source", "review_by"]}),
        (_("Who received an answer to such a question"), {"fields": ["received"]}),
    ]  # fmt: skip

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001
        super().save_model(request, obj, form, change)
        forget_interventions()

    @admin.display(description=_("state"))
    def state(self, obj: Any) -> Any:
        return obj.state(hospital_now().date())

    @admin.display(description=_("answers"))
    def received(self, obj: Intervention) -> Any:
        """Link to the latest answers to questions that this is about, and to a list of all."""
        if not obj.pk:
            return _("Shown once this is saved.")
        if obj.kind == Intervention.Kind.BULLETIN:
            return _("The stage “post_processing” of an answer names the bulletins that it told.")
        found = list(islice(who_asked(obj, among=LOOKED_THROUGH), LISTED))
        lines = (
            (
                reverse("admin:chat_message_change", args=[message.pk]),
                message.created_at.strftime("%Y-%m-%d %H:%M"),
                str(message.conversation_id)[:8],
                message.question[:120],
            )
            for message in found
        )
        listed = format_html_join("", '<li><a href="{}">{} · {}</a> {}</li>', lines)
        whole = format_html(
            '<p><a href="{}">{}</a></p>',
            reverse("admin:chat_intervention_received", args=[obj.pk]),
            _("All of them, as a list (CSV)"),
        )
        return format_html("<p>{}</p><ul>{}</ul>{}", _said(len(found)), listed, whole)

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.received_view)
        name = "chat_intervention_received"
        return [path("<int:pk>/received.csv", page, name=name), *super().get_urls()]

    def received_view(self, request: HttpRequest, pk: int) -> StreamingHttpResponse:
        """Give everybody who received an answer, row by row, however many there are."""
        obj = get_object_or_404(self.get_queryset(request), pk=pk)
        if not self.has_view_permission(request, obj) or not request.user.has_perm(
            "chat.view_message"
        ):
            raise PermissionDenied
        hospital_id = obj.hospital_id
        reply = StreamingHttpResponse(
            csv_lines(COLUMNS, _rows(obj, hospital_id)), content_type="text/csv"
        )
        reply["Content-Disposition"] = f'attachment; filename="received-{pk}.csv"'
        return reply


def _said(count: int) -> Any:
    """Say how many are listed, and where they were looked for."""
    values = {"count": count, "of": LOOKED_THROUGH}
    if count == LISTED:
        return _("The latest %(count)d:") % values
    if not count:
        return _("Nobody, among the latest %(of)d answers.") % values
    return _("%(count)d among the latest %(of)d answers:") % values


def _rows(row: Intervention, hospital_id: int) -> Iterator[tuple[Any, ...]]:
    # The reply is read after the view has ended: the hospital is served once more.
    with serving(hospital_id):
        for message in who_asked(row):
            time = message.created_at.isoformat(timespec="seconds")
            yield time, message.conversation_id, message.pk, message.question
