"""Admin of cached answers, calls to language models, and the day's budget of models."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html_join
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from chat.answer_cache.store import forget_answers
from chat.channels.frames import answer_of
from chat.models import CachedAnswer, Message, ModelBudget, ModelCall
from chat.selectors import budget_used
from zol.backoffice.base import HospitalAdmin, ReadOnlyAdmin
from zol.text import web_address

#: Periods of the hit rate, in days.
SPANS = (1, 7)


@admin.register(CachedAnswer)
class CachedAnswerAdmin(ReadOnlyAdmin):
    list_display = ["question", "language", "intent", "verified", "created_at", "expires_at"]
    list_filter = ["language", "intent", "verified"]
    search_fields = ["question", "query", "answer"]
    fields = [
        "question", "query", "intent", "language", "answered", "sources", "suggestions",
        "verified", "engine", "created_at", "expires_at",
    ]  # fmt: skip
    readonly_fields = ["answered", "sources", "suggestions", "created_at"]
    change_list_template = "admin/chat/cachedanswer/change_list.html"
    pages = {"purge": "purge/"}

    @admin.display(description=_("answer"))
    def answered(self, row: CachedAnswer) -> str:
        return answer_of(row.answer, row.language)

    @admin.display(description=_("citations"))
    def sources(self, row: CachedAnswer) -> str:
        sources = ((each["n"], web_address(each["url"]), each["title"]) for each in row.citations)
        return format_html_join("", '<p>{}. <a href="{}">{}</a></p>', sources) or "–"

    @admin.display(description=_("suggestions"))
    def suggestions(self, row: CachedAnswer) -> str:
        return format_html_join("", "<p>{}</p>", ((each,) for each in row.follow_ups)) or "–"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        more = {"rates": hit_rates(), "may_purge": may_purge(request)}
        return super().changelist_view(request, more | (extra_context or {}))

    def purge_view(self, request: HttpRequest) -> HttpResponse:
        """Empty the cache, and log who did."""
        if not may_purge(request):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        gone = forget_answers()
        LogEntry.objects.create(
            user_id=request.user.pk,
            content_type=ContentType.objects.get_for_model(CachedAnswer),
            object_repr=str(CachedAnswer._meta.verbose_name_plural),
            action_flag=DELETION,
            change_message=gettext("All remembered answers were deleted."),
        )
        text = ngettext(
            "%(count)d remembered answer was deleted.",
            "%(count)d remembered answers were deleted.",
            gone,
        )
        messages.success(request, text % {"count": gone})
        return HttpResponseRedirect(reverse("admin:chat_cachedanswer_changelist"))


def may_purge(request: HttpRequest) -> bool:
    return bool(request.user.has_perm("chat.delete_cachedanswer"))


def hit_rates() -> list[dict[str, Any]]:
    """Return the share of recent answers that came from the cache."""
    now, found = timezone.now(), []
    for days in SPANS:
        rows = Message.objects.filter(
            state=Message.State.FINISHED, created_at__gte=now - timedelta(days=days)
        )
        counted = rows.aggregate(all=Count("pk"), hits=Count("pk", filter=Q(cached=True)))
        share = counted["hits"] / counted["all"] if counted["all"] else None
        found.append({"days": days, "share": share and round(100 * share, 1), **counted})
    return found


@admin.register(ModelCall)
class ModelCallAdmin(ReadOnlyAdmin):
    list_display = [
        "created_at", "purpose", "model", "duration", "first_word_after", "tokens_in", "tokens_out",
        "cost_shown", "failure",
    ]  # fmt: skip
    list_filter = ["purpose", "endpoint", "model", "failure"]
    date_hierarchy = "created_at"

    @admin.display(description=_("seconds"), ordering="seconds")
    def duration(self, call: ModelCall) -> str:
        return formats.number_format(call.seconds, 2)

    @admin.display(description=_("time to first word"), ordering="first_word")
    def first_word_after(self, call: ModelCall) -> str:
        return formats.number_format(call.first_word, 2) if call.first_word else "–"

    @admin.display(description=_("cost"), ordering="cost")
    def cost_shown(self, call: ModelCall) -> str:
        return formats.number_format(call.cost, 4)


@admin.register(ModelBudget)
class ModelBudgetAdmin(HospitalAdmin):
    list_display = ["__str__", "tokens", "cost"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not ModelBudget.objects.exists()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: FBT001
        super().save_model(request, obj, form, change)
        budget_used.forget()
