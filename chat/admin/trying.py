"""A question tried out: what would be understood of it, and what speaks for that."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from chat.explaining import understood
from chat.understanding.everyday import FROM
from taxonomy.selectors import live_snapshot
from zol.admin_pages.base import HospitalAdmin
from zol.clock import FORM, moment_of
from zol.errors import BadInput, NotPublished
from zol.languages import Language

#: What a visitor may write at most.
LONGEST = 1_000
URL_NAME = "chat_try"


def read_moment(text: str) -> datetime | None:
    """Return a date and time as the commands take it; empty is none."""
    try:
        return moment_of(text) if text else None
    except BadInput as error:
        raise forms.ValidationError(
            _("This is no date and time; write it as %(form)s."), params={"form": FORM}
        ) from error


class MomentField(forms.CharField):
    def to_python(self, value: Any) -> Any:
        return read_moment(super().to_python(value))


class QuestionForm(forms.Form):
    question = forms.CharField(
        label=_("Question"), max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 2, "autofocus": True}),
        help_text=_("As a visitor would write it, in any of the eight languages."),
    )  # fmt: skip
    language = forms.ChoiceField(
        label=_("Language of the page"), choices=Language.choices, initial=Language.NL
    )
    at = MomentField(
        label=_("Asked at"),
        required=False,
        help_text=_("Date and time in the hospital, such as 2026-12-24T21:30. Empty is now."),
    )


class TryingAdmin(HospitalAdmin):
    """Rows that questions are understood by, with a page on which one can be tried."""

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.try_view)
        return [path("try/", page, name=URL_NAME), *super().get_urls()]

    def try_view(self, request: HttpRequest) -> HttpResponse:
        """Show what the published version understands of a question. Nothing of it is kept."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        form = QuestionForm(request.POST or None, initial=request.GET.dict())
        context = self.admin_site.each_context(request) | {
            "title": gettext("Try a question"),
            "opts": self.opts,
            "form": form,
        }
        if form.is_valid():
            try:
                context |= _explained(**form.cleaned_data)
            except NotPublished as reason:
                form.add_error(None, str(reason))
        return TemplateResponse(request, "admin/chat/try.html", context)


def _curated(told: dict[str, Any]) -> list[tuple[Any, str]]:
    """Say which curated answer would be given, and which one came nearest beside it."""
    near = [
        f"{each['key']} · {each['chance']:.2f} · “{each['example']}”"
        + (f" · {gettext('stands in the way')}: {each['against']}" if each["against"] else "")
        for each in told.get("near", ())
    ]
    passed = near[1:2] if told.get("curated") else near[:1]
    given = near[0] if told.get("curated") else ""
    return [(_("Curated answer"), given), (_("Curated answer passed over"), "".join(passed))]


def _explained(question: str, language: str, at: datetime | None) -> dict[str, Any]:
    snapshot = live_snapshot()
    found = understood(question, language, snapshot, at)
    why = found["why"]
    return {
        "version": snapshot.version,
        "found": found,
        "checks": [
            (_("Emergency"), found["red_flag"]),
            (_("Attack"), found["attack"]),
            (_("Medical advice"), found["advice"] or ""),
            (_("Personal data taken out"), ", ".join(found["redacted"])),
            (_("Decision of staff"), found["intervention"]),
            *_curated(found["curated"]),
            (_("Likeliest needs"), ", ".join(found["needs"])),
            (_("Fact that answers"), found["fact"]),
        ],
        "scores": list(why.get("scores", {}).items()),
        "examples": why.get("examples", ()),
        "cues": why.get("cues", ()),
        "reasons": why.get("reasons", ()),
        "alarm": why.get("alarm", {}),
        "everyday": why.get("everyday", ()),
        "everyday_from": FROM,
    }
