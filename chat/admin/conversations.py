"""What was asked and answered, with all that explains it. Nobody edits it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from chat.admin.trace import shown
from chat.answering.certainty import UNSURE
from chat.behaviours import Channel
from chat.channels.frames import answer_of
from chat.models import Conversation, Feedback, Message
from taxonomy.admin.tables import ExportPages, columns_of
from zol.admin_pages.base import ReadOnlyAdmin, ReadOnlyInline

PREVIEW = 120
#: Who takes questions along must be allowed to read those of patients.
READS_PATIENTS = "chat.view_message"


def moment(row: Message | Feedback) -> str:
    return timezone.localtime(row.created_at).isoformat(timespec="seconds")


def pages(citations: Iterable[Mapping[str, Any]]) -> str:
    """Return the addresses of the cited pages, each once."""
    return " ".join(dict.fromkeys(str(each.get("url", "")) for each in citations))


def thumb(message: Message) -> str:
    return str(getattr(message, "feedback", ""))


class UnsureFilter(admin.SimpleListFilter):
    """Answers that only come near, or found nothing."""

    title = _("without an answer")
    parameter_name = "unsure"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("nothing found, or only near"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(certainty__in=UNSURE) if self.value() else queryset


class ThumbFilter(admin.SimpleListFilter):
    title = _("feedback")
    parameter_name = "thumb"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("up", _("thumb up")), ("down", _("thumb down"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in ("up", "down"):
            return queryset
        return queryset.filter(feedback__is_good=self.value() == "up")


@admin.register(Message)
class MessageAdmin(ExportPages, ReadOnlyAdmin):
    export_needs = (READS_PATIENTS,)
    exports = {
        "time": moment,
        **columns_of("question", "answer", "language", "certainty", "intent"),
        "thumb": thumb,
        "pages": lambda row: pages(row.citations),
    }
    list_display = [
        "asked", "certainty", "not_spoken_of", "language", "intent", "behaviour", "thumb",
        "created_at",
    ]  # fmt: skip
    list_filter = [
        UnsureFilter, ThumbFilter, "certainty", "behaviour", "intent", "language", "verified",
        "degraded", "cached", "mode", "state", "conversation__channel",
    ]  # fmt: skip
    list_select_related = ["feedback", "conversation"]
    search_fields = ["question", "answer"]
    date_hierarchy = "created_at"
    ordering = ["-created_at"]
    change_form_template = "admin/chat/message.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        rows = super().get_queryset(request).annotate(preview=Left("question", PREVIEW))
        name = request.resolver_match.url_name if request.resolver_match else ""
        if name == "chat_message_changelist":
            rows = rows.defer("question", "answer", "trace", "citations", "follow_ups")
        return rows.defer("trace") if name == "chat_message_export" else rows

    @admin.display(description=_("question"), ordering="question")
    def asked(self, message: Any) -> str:
        if message.conversation.channel != Channel.DEMO:
            return message.preview
        return format_html('<span class="badge">{}</span> {}', _("made up"), message.preview)

    @admin.display(description=_("not spoken of"))
    def not_spoken_of(self, message: Message) -> str:
        return ", ".join(message.missing)

    @admin.display(description=_("feedback"))
    def thumb(self, message: Message) -> str:
        return thumb(message)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        message = self.get_object(request, object_id)
        more = {}
        if message:
            answer = answer_of(message.answer, message.language)
            more = {"answer": answer, "shown": shown(message.trace, message.timings_ms)}
        return super().change_view(request, object_id, form_url, more | (extra_context or {}))


class MessageInline(ReadOnlyInline):
    model = Message
    fields = ["question", "answered", "behaviour", "why"]
    readonly_fields = fields
    ordering = ["created_at"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        return super().get_queryset(request).defer("trace")

    @admin.display(description=_("answer"))
    def answered(self, message: Message) -> str:
        return answer_of(message.answer, message.language)

    @admin.display(description=_("why"))
    def why(self, message: Message) -> str:
        address = reverse("admin:chat_message_change", args=[message.pk])
        return format_html('<a href="{}">{}</a>', address, _("how it came about"))


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    list_display = ["__str__", "created_at", "language", "channel", "number"]
    list_filter = ["language", "channel"]
    date_hierarchy = "created_at"
    fields = ["id", "created_at", "language", "channel"]
    readonly_fields = fields
    inlines = [MessageInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        return super().get_queryset(request).annotate(message_count=Count("messages"))

    @admin.display(description=_("questions"), ordering="message_count")
    def number(self, conversation: Any) -> int:
        return conversation.message_count


@admin.register(Feedback)
class FeedbackAdmin(ExportPages, ReadOnlyAdmin):
    export_needs = (READS_PATIENTS,)
    exports = {
        "time": moment,
        "thumb": str,
        **columns_of("reason", "message.language", "message.question", "message.answer"),
        "pages": lambda row: pages(row.message.citations),
    }
    list_display = ["__str__", "reason", "question", "created_at"]
    list_filter = ["is_good", "reason"]
    list_select_related = ["message"]
    search_fields = ["message__question"]
    date_hierarchy = "created_at"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Feedback]:
        return super().get_queryset(request).defer("message__trace")

    @admin.display(description=_("question"))
    def question(self, feedback: Feedback) -> str:
        return feedback.message.question[:PREVIEW]
