"""Admin of curated answers; the owner of a department approves them and gets its figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.formats import date_format
from django.utils.html import format_html_join, strip_tags
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from chat.channels.frames import answer_of
from chat.models import CuratedAnswer, Message
from taxonomy.admin.relations import EntityChoice
from taxonomy.models import Department
from taxonomy.publishing.notices import language_of, mail
from zol.backoffice.base import HospitalForm, LinesField
from zol.languages import LANGUAGES, Language

#: Labels of the translated fields, by field name.
ANSWER, EXAMPLES = "answer", "examples"


class CuratedAnswerForm(HospitalForm):
    """A curated answer with fields for each language and its reader."""

    sources = LinesField(
        label=_("supporting pages"),
        help_text=_("Addresses of these pages as listed in Documents, one per line: https://…"),
    )

    class Meta:
        model = CuratedAnswer
        fields = [
            "key", "need", "subject", "conditions", "sources", "next_step", "owner", "review_by",
            "valid_from", "valid_to",
        ]  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        row = self.instance
        for code in LANGUAGES:
            self.initial.setdefault(f"{ANSWER}_{code}", row.answer.get(code, ""))
            self.initial.setdefault(f"{EXAMPLES}_{code}", row.examples.get(code, []))
            self.initial.setdefault(f"read_{code}", row.checked_in.get(code, ""))

    def clean(self) -> dict[str, Any]:
        """Combine the fields of all languages before the row is validated."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        row = self.instance
        row.answer, row.examples, row.checked_in = (
            {code: value for code in LANGUAGES if (value := cleaned.get(f"{name}_{code}"))}
            for name in (ANSWER, EXAMPLES, "read")
        )
        return cleaned


def _fields() -> dict[str, forms.Field]:
    """Return the fields of every language by name."""
    made: dict[str, forms.Field] = {}
    for code in LANGUAGES:
        rows = forms.Textarea(attrs={"rows": 3, "lang": code})
        made[f"{ANSWER}_{code}"] = forms.CharField(label=_("answer"), required=False, widget=rows)
        made[f"{EXAMPLES}_{code}"] = LinesField(
            label=_("questions"),
            required=False,
            widget=rows,
            help_text=_("At least three questions, one per line, as patients write them."),
        )
        made[f"read_{code}"] = forms.CharField(
            label=_("read by"), required=False, max_length=80,
            help_text=_("Name of the person who speaks this language well and has read "
                        "the answer in it."),
        )  # fmt: skip
    return made


#: Declared as class attributes: the admin accepts only those.
Form = type("CuratedAnswerForm", (CuratedAnswerForm,), _fields())


class ReadFilter(admin.SimpleListFilter):
    """A filter for answers that no speaker of the language has read."""

    title = _("language not proofread yet")
    parameter_name = "unread"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, Any]]:
        return Language.choices()

    def queryset(self, request: Any, queryset: Any) -> Any:
        if not (code := self.value()) or code not in LANGUAGES:
            return queryset
        return queryset.filter(Q(answer__has_key=code) & ~Q(checked_in__has_key=code))


@admin.register(CuratedAnswer)
class CuratedAnswerAdmin(EntityChoice):
    """Curated answers. The owner of a department approves the answers about it."""

    form = Form
    change_form_template = "admin/chat/curatedanswer/change_form.html"
    list_display = ["key", "need", "subject", "beginning", "unread_in", "review_by", "valid_to"]
    list_filter = ["need", ReadFilter, "review_by"]
    list_select_related = ["subject"]
    search_fields = [
        "key", "need", "subject__name", "subject__key", "next_step", "answer", "examples",
    ]  # fmt: skip
    readonly_fields = ["as_shown"]
    pages = {"mail": "owner/<int:department_id>/"}
    fieldsets: list[Any] = [
        (None, {"fields": ["key", "need", "subject", "conditions", "sources", "next_step"]}),
        (_("As patients see it"), {"fields": ["as_shown"]}),
        (_("Owner and review"), {"fields": ["owner", "review_by", ("valid_from", "valid_to")]}),
        *(
            (label, {"fields": [f"{ANSWER}_{code}", f"{EXAMPLES}_{code}", f"read_{code}"]})
            for code, label in Language.choices()
        ),
    ]

    @method_decorator(require_POST)
    def mail_view(self, request: HttpRequest, department_id: int) -> HttpResponse:
        """E-mail the owner of a department its counts and topics."""
        if not request.user.has_perm("taxonomy.change_department"):
            raise PermissionDenied
        department = get_object_or_404(Department, pk=department_id)
        if mail_owner(request.hospital, department):
            self._log(request, department, gettext("Sent to %s by e-mail.") % department.owner)
        else:
            text = gettext(
                "No e-mail was sent: the department has no owner with an e-mail address, "
                "or the mail server does not answer. Check the owner, or ask IT."
            )
            messages.error(request, text)
        return redirect("admin:taxonomy_department_change", department.pk)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **more: Any
    ) -> HttpResponse:
        row = more.get("obj")
        if row is not None and self.has_change_permission(request, row):
            context["owned"] = owned_department(request.user, row)
        return super().render_change_form(request, context, *args, **more)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        if "_read" not in request.POST:
            return super().save_model(request, obj, form, change)
        if not (department := owned_department(request.user, obj)):
            raise PermissionDenied
        approve(obj, request.user)
        super().save_model(request, obj, form, change)
        text = gettext("Read and approved by the owner of %s.") % department
        return self._log(request, obj, text)

    def _log(self, request: HttpRequest, row: Any, text: str) -> None:
        """Show a message, and write it to the history of a row and the audit log."""
        LogEntry.objects.log_actions(request.user.pk, [row], CHANGE, text, single_object=True)
        messages.success(request, text)

    @admin.display(description=_("answer"))
    def beginning(self, row: CuratedAnswer) -> str:
        text: str = next(iter(row.answer.values()), "")
        return strip_tags(answer_of(text, ""))[:90]

    @admin.display(description=_("answer"))
    def as_shown(self, row: CuratedAnswer) -> str:
        """Show the saved answer in each of its languages."""
        answers = (
            (Language(code).label, answer_of(text, code)) for code, text in row.answer.items()
        )
        return format_html_join("", "<h3>{}</h3>{}", answers) or _("This appears after you save.")

    @admin.display(description=_("languages not proofread yet"))
    def unread_in(self, row: CuratedAnswer) -> str:
        return ", ".join(row.unread)


#: The period of an e-mail, and the lifetime of an approval.
MONTH, YEAR = timedelta(days=30), timedelta(days=365)
LONGEST_NAME = 80


def answers_of(department: Department) -> QuerySet[CuratedAnswer]:
    """Return the curated answers about a department, or that refer to it."""
    sent_here = Q(next_step=f"department:{department.key}")
    return CuratedAnswer.objects.filter(Q(subject_id=department.pk) | sent_here)


def owned_department(user: Any, row: CuratedAnswer) -> Department | None:
    """Return the department of an answer that a user owns; None without one."""
    kind, _, key = row.next_step.partition(":")
    named = Q(pk=row.subject_id) | Q(key=key if kind == "department" else "")
    return Department.objects.filter(named, owner=user).first()


def approve(row: CuratedAnswer, user: Any) -> None:
    """Record who read an answer in the hospital's language; the next review is in a year."""
    name = (user.get_full_name() or user.get_username())[:LONGEST_NAME]
    row.checked_in = row.checked_in | {row.hospital.default_language: name}
    row.review_by = timezone.localdate() + YEAR


def mail_owner(hospital: Any, department: Department) -> bool:
    """E-mail the owner what the owner may see of counts and topics, without patients' words."""
    owner = department.owner
    if owner is None:
        return False
    with language_of(hospital):
        first, last = timezone.localdate() - MONTH, timezone.localdate()
        lines = [f"{date_format(first)} – {date_format(last)}", "", *_counts(department, owner)]
        path = f"{reverse('admin:chat_curatedanswer_changelist')}?q={department.key}"
        return mail(hospital, [owner], department.name, "\n".join(lines), path)


def _counts(department: Department, owner: Any) -> Iterator[str]:
    if owner.has_perm("chat.view_message"):
        here = Q(contact__name=department.name) | Q(contact__url=department.url or "-")
        since = timezone.now() - MONTH
        asked = Message.objects.filter(here, created_at__gte=since, state=Message.State.FINISHED)
        rows = list(asked.only("certainty", "behaviour", "intent"))
        yield gettext("Questions that patients asked, and how they were answered: %d") % len(rows)
        got = Counter(row.get_certainty_display() or row.get_behaviour_display() for row in rows)
        topics = Counter(row.get_intent_display() or "–" for row in rows)
        for name, number in (*got.most_common(), *topics.most_common()):
            yield f"  - {name}: {number}"
    if owner.has_perm("chat.view_curatedanswer"):
        answers = answers_of(department)
        late = answers.filter(Q(review_by=None) | Q(review_by__lt=timezone.localdate()))
        yield gettext("Curated answers: %d") % answers.count()
        yield gettext("  - of which to review again: %d") % late.count()
