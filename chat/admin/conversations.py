"""Admin of conversations and answers, with their traces. Read-only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat import erasure
from chat.behaviours import Channel
from chat.channels.frames import answer_of
from chat.models import Conversation, Feedback, Message
from zol.access.roles import ERASE
from zol.backoffice.base import ReadOnlyAdmin, ReadOnlyInline
from zol.backoffice.exports import ExportPages, columns_of
from zol.errors import BadInput

PREVIEW = 120
#: Exports contain patients' questions, so they need the permission to read them.
READS_PATIENTS = "chat.view_message"


def moment(row: Message | Feedback) -> str:
    return timezone.localtime(row.created_at).isoformat(timespec="seconds")


def pages(citations: Iterable[Mapping[str, Any]]) -> str:
    """Return the addresses of the cited pages, each once."""
    return " ".join(dict.fromkeys(str(each.get("url", "")) for each in citations))


@admin.register(Message)
class MessageAdmin(ExportPages, ReadOnlyAdmin):
    export_needs = (READS_PATIENTS,)
    exports = {
        "time": moment,
        **columns_of("question", "answer", "language", "certainty", "intent"),
        "thumb": lambda row: str(getattr(row, "feedback", "")),
        "pages": lambda row: pages(row.citations),
    }
    list_display = [
        "asked", "certainty", "uncovered_words", "language", "intent", "behaviour", "thumb",
        "created_at",
    ]  # fmt: skip
    list_filter = [
        "certainty", "feedback__is_good", "behaviour", "intent", "language", "verified",
        "degraded", "cached", "mode", "state", "conversation__channel",
    ]  # fmt: skip
    list_select_related = ["feedback", "conversation"]
    search_fields = ["question", "answer"]
    date_hierarchy = "created_at"
    ordering = ["-created_at"]

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
        return format_html('<span class="badge">{}</span> {}', _("demonstration"), message.preview)

    @admin.display(description=_("not on the pages found"))
    def uncovered_words(self, message: Message) -> str:
        return ", ".join(message.missing)

    @admin.display(description=_("feedback"))
    def thumb(self, message: Message) -> str:
        return str(getattr(message, "feedback", ""))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Redirect to the page that explains the turn; turns are read-only."""
        if request.method != "GET" or not self.has_view_permission(request):
            raise PermissionDenied
        return HttpResponseRedirect(
            f"{reverse('admin:chat_intentexample_explain')}?message={object_id}"
        )


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
        return format_html('<a href="{}">{}</a>', address, _("how the answer was made"))


class ErasureForm(forms.Form):
    reference = forms.CharField(
        label=_("reference"), required=False, max_length=40,
        help_text=_("Reference of a conversation or a message; its first eight characters"
                    " are enough."),
    )  # fmt: skip
    day = forms.DateField(
        label=_("day"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    words = forms.CharField(
        label=_("words"), required=False, max_length=200,
        help_text=_("Words from one question, in any order. These words are not stored."),
    )  # fmt: skip
    why = forms.CharField(
        label=_("reason"), max_length=300,
        help_text=_("The audit log keeps this reason: do not write the patient's name or "
                    "words here."),
    )  # fmt: skip


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    change_list_template = "admin/chat/conversation/change_list.html"
    change_form_template = "admin/chat/conversation/change_form.html"
    list_display = ["__str__", "created_at", "language", "channel", "number"]
    list_filter = ["language", "channel"]
    date_hierarchy = "created_at"
    fields = ["id", "created_at", "language", "channel"]
    readonly_fields = fields
    inlines = [MessageInline]
    pages = {"erase": "erase/"}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        return super().get_queryset(request).annotate(message_count=Count("messages"))

    def erase_view(self, request: HttpRequest) -> HttpResponse:
        """Show what would be erased, and erase it after confirmation."""
        if not request.user.has_perm(ERASE):
            raise PermissionDenied
        initial = {"reference": request.GET.get("reference", "")}
        form = ErasureForm(request.POST or None, initial=initial)
        found: list[Conversation] = []
        if form.is_valid():
            why, fields = form.cleaned_data.pop("why"), form.cleaned_data
            sought = erasure.Sought(**fields)
            try:
                found = sought.conversations()
                # Erase only conversations that the form showed before.
                if request.POST.get("erase") == " ".join(sorted(str(each.pk) for each in found)):
                    gone = erasure.erase(sought, by=request.user, why=why)
                    counts = ", ".join(f"{number} {name}" for name, number in gone.items())
                    messages.success(request, gettext("Erased: %s.") % counts)
                    return HttpResponseRedirect(reverse("admin:chat_conversation_changelist"))
            except BadInput as error:
                form.add_error(None, str(error))
                found = []
        context = self.admin_site.each_context(request) | {
            "title": _("Erase for a patient"), "opts": self.opts, "form": form,
            "conversations": found, "shown": " ".join(sorted(str(each.pk) for each in found)),
            "going": erasure.rows_to_erase(found) if found else {},
        }  # fmt: skip
        return render(request, "admin/chat/conversation/erase.html", context)

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
