"""Curated answers: what is said to a question, in every language that it is written in."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.utils.html import format_html_join, strip_tags
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from chat.admin.owners import approve, mail_owner, owned_department
from chat.channels.frames import answer_of
from chat.models import CuratedAnswer
from taxonomy.admin.relations import EntityChoice
from taxonomy.models import Department
from zol.backoffice.base import HospitalForm, LinesField
from zol.languages import LANGUAGES, Language

#: What is written in each language, by the field of the row.
ANSWER, EXAMPLES = "answer", "examples"


class CuratedAnswerForm(HospitalForm):
    """A row with two fields for each language, and for each who read it."""

    sources = LinesField(
        label=_("pages that say so"),
        help_text=_("Their addresses as in Documents, one on a line: https://…"),
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
        """Lay the fields of all languages together, before the row is checked as a whole."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        row = self.instance
        row.answer, row.examples, row.checked_in = (
            {code: said for code in LANGUAGES if (said := cleaned.get(f"{name}_{code}"))}
            for name in (ANSWER, EXAMPLES, "read")
        )
        return cleaned


def _fields() -> dict[str, forms.Field]:
    """Return the fields of all languages, by their names."""
    made: dict[str, forms.Field] = {}
    for code in LANGUAGES:
        rows = forms.Textarea(attrs={"rows": 3, "lang": code})
        made[f"{ANSWER}_{code}"] = forms.CharField(label=_("answer"), required=False, widget=rows)
        made[f"{EXAMPLES}_{code}"] = LinesField(
            label=_("questions"),
            required=False,
            widget=rows,
            help_text=_("One on a line, at least three, as patients write them."),
        )
        made[f"read_{code}"] = forms.CharField(
            label=_("read by"), required=False, max_length=80,
            help_text=_("Who speaks this language well and has read the answer in it."),
        )  # fmt: skip
    return made


#: Declared as if each stood in the class: the admin takes only fields that do.
Form = type("CuratedAnswerForm", (CuratedAnswerForm,), _fields())


class ReadFilter(admin.SimpleListFilter):
    """Answers that somebody who speaks the language well has not read."""

    title = _("to be read in")
    parameter_name = "unread"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, Any]]:
        return Language.choices()

    def queryset(self, request: Any, queryset: Any) -> Any:
        if not (code := self.value()) or code not in LANGUAGES:
            return queryset
        return queryset.filter(Q(answer__has_key=code) & ~Q(checked_in__has_key=code))


@admin.register(CuratedAnswer)
class CuratedAnswerAdmin(EntityChoice):
    """Curated answers; the owner of a department approves those of the department."""

    form = Form
    change_form_template = "admin/chat/curatedanswer/change_form.html"
    list_display = ["key", "need", "subject", "opening", "unread_in", "review_by", "valid_to"]
    list_filter = ["need", ReadFilter, "review_by"]
    list_select_related = ["subject"]
    search_fields = [
        "key", "need", "subject__name", "subject__key", "next_step", "answer", "examples",
    ]  # fmt: skip
    readonly_fields = ["seen"]
    fieldsets: list[Any] = [
        (None, {"fields": ["key", "need", "subject", "conditions", "sources", "next_step"]}),
        (_("As patients see it"), {"fields": ["seen"]}),
        (_("Care"), {"fields": ["owner", "review_by", ("valid_from", "valid_to")]}),
        *(
            (label, {"fields": [f"{ANSWER}_{code}", f"{EXAMPLES}_{code}", f"read_{code}"]})
            for code, label in Language.choices()
        ),
    ]

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(require_POST(self.mail_view))
        return [
            path("owner/<int:department_id>/", page, name="chat_owner_mail"),
            *super().get_urls(),
        ]

    def mail_view(self, request: HttpRequest, department_id: int) -> HttpResponse:
        """Send the owner of a department its counts and topics."""
        if not request.user.has_perm("taxonomy.change_department"):
            raise PermissionDenied
        department = get_object_or_404(Department, pk=department_id)
        if mail_owner(request.hospital, department):
            self._log(request, department, gettext("Sent to %s by e-mail.") % department.owner)
        else:
            text = gettext(
                "Nothing was sent: the department has no owner with an e-mail address, or the "
                "mail server does not answer."
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
        """Say what was done, and write it into the history of a row and the audit log."""
        LogEntry.objects.log_actions(request.user.pk, [row], CHANGE, text, single_object=True)
        messages.success(request, text)

    @admin.display(description=_("answer"))
    def opening(self, row: CuratedAnswer) -> str:
        text: str = next(iter(row.answer.values()), "")
        return strip_tags(answer_of(text, ""))[:90]

    @admin.display(description=_("answer"))
    def seen(self, row: CuratedAnswer) -> str:
        """Show what is saved, in every language that it is written in."""
        told = ((Language(code).label, answer_of(text, code)) for code, text in row.answer.items())
        return format_html_join("", "<h3>{}</h3>{}", told) or _("Shown once this is saved.")

    @admin.display(description=_("not read yet in"))
    def unread_in(self, row: CuratedAnswer) -> str:
        return ", ".join(row.unread)
