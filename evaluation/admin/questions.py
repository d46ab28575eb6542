"""Admin of golden questions as plain form fields, and of failed answers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db.models import Avg, Count, QuerySet
from django.db.models.functions import Left
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from chat.admin.conversations import PREVIEW
from chat.admin.explain import read_moment
from evaluation.judging import JUDGES
from evaluation.models import CATEGORY_NAMES, GoldenQuestion, LiveGrade, WorkItem
from evaluation.queue import NEWEST, SPAN, failed, failed_groups, guard
from retrieval.admin.steering import category_choices
from zol.access.roles import SEE_CONVERSATIONS
from zol.backoffice import home
from zol.backoffice.base import (
    HospitalAdmin,
    HospitalForm,
    LinesField,
    ReadOnlyAdmin,
    by_names,
    listed,
)
from zol.backoffice.home import HomeFigure, Task, counted, share
from zol.tenancy import required_hospital_id


def asked(row: WorkItem | LiveGrade, question: str) -> str:
    """Return the question of a row as a link to its message."""
    address = reverse("admin:chat_message_change", args=[row.pk])
    return format_html('<a href="{}">{}</a>', address, question)


class PassagesField(LinesField):
    """Labelled passages: the address of a page, a space, and a quotation from it."""

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return "\n".join(f"{each.get('url', '')} {each.get('quote', '')}" for each in value)

    def to_python(self, value: Any) -> Any:
        found = []
        for line in super().to_python(value):
            url, _space, quote = line.partition(" ")
            if not quote.strip():
                raise forms.ValidationError(_("Add words of the passage after %s.") % url)
            found.append({"url": url, "quote": quote.strip()})
        return found


class GoldenForm(HospitalForm):
    category = forms.ChoiceField(label=_("category"))
    turns = LinesField(
        label=_("questions"),
        help_text=_(
            "The questions of the conversation, one per line; only the last one is judged."
        ),
    )
    content_category = forms.ChoiceField(
        label=_("content category"), required=False,
        choices=lambda: [("", "–"), *category_choices()],
    )  # fmt: skip
    entities = LinesField(
        label=_("names that the answer must contain"),
        required=False,
        help_text=_("One name per line. Put | between alternatives, of which one is enough."),
    )
    sources = LinesField(
        label=_("pages of which one must be cited"),
        required=False,
        help_text=_("Addresses of the pages, one per line: https://…"),
    )
    must_not = LinesField(label=_("words that the answer must not contain"), required=False)
    passages = PassagesField(
        label=_("passages that must be found"),
        required=False,
        help_text=_("One per line: the address of the page, a space, and words from the passage."),
    )

    class Meta:
        help_texts = {"key": _("Short key for imports and links; do not change it later.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = self.instance.category  # A file may bring others than ours.
        self.fields["category"].choices = ({own: own} if own else {}) | CATEGORY_NAMES
        if not all(isinstance(turn, str) for turn in self.instance.turns or []):
            self.fields["turns"].disabled = True

    def clean_sources(self) -> list[str]:
        """Refuse titles: an answer cites addresses."""
        sources: list[str] = self.cleaned_data["sources"]
        for source in sources:
            if "://" not in source:
                raise forms.ValidationError(
                    _("“%s” is not a full address: it must begin with https://.") % source
                )
        return sources

    def clean_at(self) -> str:
        at: str = self.cleaned_data["at"]
        read_moment(at)
        return at

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002 (Django's)
        """Drop the imported line: an edited question is exported from its fields."""
        if self.changed_data:
            self.instance.line = ""
        return super().save(commit)


class GoldenColumn:
    """A column with the name of a golden question's category."""

    @admin.display(description=_("category"), ordering="category")
    def category_name(self, row: Any) -> Any:
        return CATEGORY_NAMES.get(row.category, row.category)


CATEGORIES = ("category", by_names(lambda: CATEGORY_NAMES))


@admin.register(GoldenQuestion)
class GoldenAdmin(GoldenColumn, HospitalAdmin):
    form = GoldenForm
    list_display = [
        "__str__", "key", "category_name", "language", "expect", "intent", "risk", "owner",
    ]  # fmt: skip
    list_filter = [CATEGORIES, "language", "expect", "risk", "difficulty"]
    search_fields = ["key", "turns", "owner"]
    fieldsets = [
        (None, {"fields": ["key", "category", ("language", "at"), "turns"]}),
        (
            _("What must be answered"),
            {"fields": [("expect", "intent"), "entities", "sources", "must_not"]},
        ),
        (_("For retrieval"), {"fields": ["content_category", "passages"]}),
        (_("Owner and review"), {"fields": [("difficulty", "risk", "owner")]}),
    ]


#: Lists of the work queue, and rows per page.
LISTS = {"open": _("to do"), "mine": _("mine"), "closed": _("closed")}
PER_PAGE = 25
#: Actions on a group, with their permissions.
MAY = {
    "change": "evaluation.change_workitem",
    "golden": "evaluation.add_goldenquestion",
    "curated": "chat.add_curatedanswer",
    "alias": "taxonomy.add_alias",
    "explain": "chat.view_intentexample",
}


@admin.register(WorkItem)
class WorkItemAdmin(HospitalAdmin):
    """The work queue: groups of failed answers with their actions."""

    fields = ["question", ("owner", "due"), "state", "golden", "note"]
    readonly_fields = ["question"]
    autocomplete_fields = ["golden"]
    pages = {name: f"<uuid:key>/{name}/" for name in ("take", "golden", "done")}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @admin.display(description=_("question"))
    def question(self, item: WorkItem) -> str:
        return asked(item, item.message.question)

    def _earlier(self, request: HttpRequest, row: Any) -> dict[str, Any]:
        closing = request.method == "GET" and "close" in request.GET
        return super()._earlier(request, row) | ({"state": WorkItem.State.DONE} if closing else {})

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """Show the failed groups, the most frequent and worst first."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        wanted = request.GET.get("show", "open")
        if wanted not in LISTS:
            messages.warning(
                request, gettext("This list does not exist; you see the list “to do” instead.")
            )
            wanted = "open"
        groups = [each for each in failed_groups() if each.is_in(wanted, request.user)]
        context = self.admin_site.each_context(request) | {
            "title": gettext("Work queue"),
            "opts": self.opts,
            "lists": LISTS,
            "wanted": wanted,
            "groups": Paginator(groups, PER_PAGE).get_page(request.GET.get("page")),
            "may": {name: request.user.has_perm(wanted) for name, wanted in MAY.items()},
            "days": SPAN.days,
            "most": NEWEST,
        }
        return TemplateResponse(request, "evaluation/queue.html", context)

    def _item(self, request: HttpRequest, key: UUID) -> WorkItem:
        """Return the decision on a group; a new one belongs to the user."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        found = WorkItem.objects.select_related("message__conversation").filter(pk=key).first()
        if found is None:
            message = get_object_or_404(failed(), pk=key)
            mine = {"hospital_id": required_hospital_id(), "owner": request.user}
            found, made = WorkItem.objects.get_or_create(message=message, defaults=mine)
            if made:
                self.log_addition(request, found, gettext("Added to the work queue."))
        return found

    @method_decorator(require_POST)
    def take_view(self, request: HttpRequest, key: UUID) -> HttpResponse:
        return redirect("admin:evaluation_workitem_change", self._item(request, key).pk)

    @method_decorator(require_POST)
    def golden_view(self, request: HttpRequest, key: UUID) -> HttpResponse:
        """Create the golden question of a group, and open it to add the expected answer."""
        if not request.user.has_perm(MAY["golden"]):
            raise PermissionDenied
        item = self._item(request, key)
        golden = guard(item, request.user)
        self.log_change(request, item, gettext("A golden question now tests it."))
        messages.success(
            request, gettext("The golden question is created. Enter the expected answer here.")
        )
        return redirect("admin:evaluation_goldenquestion_change", golden.pk)

    @method_decorator(require_POST)
    def done_view(self, request: HttpRequest, key: UUID) -> HttpResponse:
        """Close a guarded group; ask for a reason if it is not guarded."""
        item = self._item(request, key)
        item.state = WorkItem.State.DONE
        try:
            item.clean()
        except ValidationError as error:
            messages.warning(request, " ".join(error.messages))
            return redirect(reverse("admin:evaluation_workitem_change", args=[item.pk]) + "?close")
        item.save()
        self.log_change(request, item, gettext("Closed as done."))
        messages.success(request, gettext("Closed. The group comes back here if it fails again."))
        return redirect("admin:evaluation_workitem_changelist")


def _column(name: str) -> Any:
    """Return the column of a grade as a percentage; a dash without one."""

    @admin.display(description=LiveGrade._meta.get_field(name).verbose_name, ordering=name)
    def column(grade: LiveGrade) -> str:
        value = getattr(grade, name)
        return "–" if value is None else share(value, 1)

    return column


@admin.register(LiveGrade)
class LiveGradeAdmin(ReadOnlyAdmin):
    """Grades of live answers by code and models, the worst first."""

    scores = [_column(name) for name in ("overall", "supported", "in_language", *JUDGES)]
    list_display = [scores[0], "question", *scores[1:], "graded_at"]
    list_filter = ["graded_at", "message__intent", "message__language"]
    search_fields = ["message__question"]
    change_list_template = "admin/evaluation/livegrade/change_list.html"
    fields = ["question", *scores, "graded_by", "graded_at"]
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[LiveGrade]:
        return super().get_queryset(request).annotate(preview=Left("message__question", PREVIEW))

    @admin.display(description=_("question"))
    def question(self, grade: Any) -> str:
        return asked(grade, grade.preview)


@home.tasks("evaluation.change_workitem")
def late_tasks(request: HttpRequest) -> Iterator[Task]:
    mine = WorkItem.objects.filter(owner=request.user, state=WorkItem.State.OPEN)
    late = mine.filter(due__lte=timezone.localdate()).count()
    title = gettext("Your failed answers that are overdue")
    yield Task(title, late, listed(WorkItem, "show=mine"))


@home.figures(SEE_CONVERSATIONS)
def grade_figure(request: HttpRequest) -> Iterator[HomeFigure]:
    """Yield the mean grade of the last seven days."""
    since = timezone.localtime() - timedelta(days=7)
    grades = LiveGrade.objects.filter(graded_at__gte=since).aggregate(
        mean=Avg("overall"), number=Count("pk")
    )
    mean = "–" if grades["mean"] is None else share(grades["mean"], 1)
    remark = gettext("%s graded in 7 days") % counted(grades["number"])
    yield HomeFigure(gettext("Grade of the answers to patients"), mean, listed(LiveGrade), remark)
