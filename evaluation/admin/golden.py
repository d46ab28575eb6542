"""Golden questions as plain form fields."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from chat.behaviours import Behaviour
from evaluation.models import GoldenQuestion
from retrieval.intents import Intent
from zol.admin_pages.base import HospitalAdmin, HospitalForm, LinesField
from zol.clock import FORM, moment_of
from zol.errors import BadInput


class PassagesField(LinesField):
    """Passages that must be found: the address of a page, a space, and a quotation of it."""

    def prepare_value(self, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return "\n".join(f"{each.get('url', '')} {each.get('quote', '')}" for each in value)

    def to_python(self, value: Any) -> Any:
        found = []
        for line in super().to_python(value):
            url, _space, quote = line.partition(" ")
            if not quote.strip():
                raise forms.ValidationError(_("A quotation is missing after %s.") % url)
            found.append({"url": url, "quote": quote.strip()})
        return found


class GoldenForm(HospitalForm):
    turns = LinesField(
        label=_("questions"),
        help_text=_("The questions of the conversation, one on a line; the last one is judged."),
    )
    expect = forms.ChoiceField(
        label=_("expected behaviour"), choices=[(str(each), str(each)) for each in Behaviour]
    )
    intent = forms.ChoiceField(
        label=_("intent"),
        required=False,
        choices=[("", "–"), *((str(each), str(each)) for each in Intent)],
    )
    entities = LinesField(
        label=_("must be named"),
        required=False,
        help_text=_("One on a line; with | between names either counts."),
    )
    sources = LinesField(label=_("pages of which one must be cited"), required=False)
    must_not = LinesField(label=_("must not be said"), required=False)
    passages = PassagesField(
        label=_("labelled passages"),
        required=False,
        help_text=_("One on a line: the address of the page, a space, and words of the passage."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not all(isinstance(turn, str) for turn in self.instance.turns or []):
            self.fields["turns"].disabled = True

    def clean_at(self) -> str:
        if at := self.cleaned_data["at"]:
            try:
                moment_of(at)
            except BadInput as error:
                raise forms.ValidationError(
                    _("This is no date and time; write it as %(form)s."), params={"form": FORM}
                ) from error
        return str(at)

    def save(self, commit: bool = True) -> Any:  # noqa: FBT001, FBT002 (Django's)
        """An edited question is written anew by an export, not as the line that it came from."""
        if self.changed_data:
            self.instance.line = ""
        return super().save(commit)


@admin.register(GoldenQuestion)
class GoldenAdmin(HospitalAdmin):
    form = GoldenForm
    list_display = ["__str__", "key", "category", "language", "expect", "intent", "risk", "owner"]
    list_filter = ["category", "language", "expect", "risk", "difficulty"]
    search_fields = ["key", "turns", "owner"]
    fieldsets = [
        (None, {"fields": ["key", ("category", "language", "at"), "turns"]}),
        (
            _("What must be answered"),
            {"fields": [("expect", "intent"), "entities", "sources", "must_not"]},
        ),
        (_("For retrieval"), {"fields": ["content_category", "passages"]}),
        (_("Care"), {"fields": [("difficulty", "risk", "owner")]}),
    ]
