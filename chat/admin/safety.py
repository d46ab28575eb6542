"""What keeps answers safe: emergencies, attacks and the limits of their detectors."""

from __future__ import annotations

from typing import Any

import regex
from django import forms
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from chat.models import AdvicePhrase, InjectionPattern, RedFlagPhrase, SuffixThreshold
from chat.safety.injection import is_slow
from chat.safety.slots import COUNT, NUMBER, rule
from zol.admin_pages.base import HospitalAdmin, HospitalForm


class RuleForm(HospitalForm):
    """Rows of which some are rules over the slots that others fill."""

    #: Slots that need no rows: numbers are told by their form.
    builtin = frozenset({COUNT, NUMBER})

    def clean(self) -> dict[str, Any]:
        """A rule that names a slot which nothing fills would never hold."""
        values: dict[str, Any] = super().clean() or {}
        if values.get("role") != "rule":
            return values
        slots = set(rule("", values.get("text", "")).slots)
        filled = self._meta.model.objects.filter(role="slot", kind__in=slots)
        missing = slots - set(filled.values_list("kind", flat=True)) - self.builtin
        if missing:
            message = _("Nothing fills the slot %(slots)s yet. Add its words first.")
            params = {"slots": ", ".join(sorted(missing))}
            self.add_error("text", forms.ValidationError(message, params=params))
        if not slots:
            self.add_error("text", _("A rule names slots between braces: {chest} {pain}."))
        return values


class RuleAdmin(HospitalAdmin):
    form = RuleForm
    list_display = ["text", "kind", "language", "role"]
    list_filter = ["role", "language", "kind"]
    search_fields = ["text", "kind"]
    fields = ["kind", "language", "role", "text"]


@admin.register(RedFlagPhrase)
class RedFlagAdmin(RuleAdmin):
    pass


@admin.register(AdvicePhrase)
class AdviceAdmin(RuleAdmin):
    pass


class PatternForm(HospitalForm):
    def clean_pattern(self) -> str:
        pattern: str = self.cleaned_data["pattern"]
        try:
            slow = is_slow(pattern)
        except regex.error as error:
            message = _("This is no regular expression: %(error)s.")
            raise forms.ValidationError(message, params={"error": error}) from error
        if slow:
            raise forms.ValidationError(_("This pattern may take too long. Make it simpler."))
        return pattern


@admin.register(InjectionPattern)
class InjectionAdmin(HospitalAdmin):
    form = PatternForm
    list_display = ["description", "pattern", "language"]
    list_filter = ["language"]
    search_fields = ["description", "pattern"]
    fields = ["description", "pattern", "language"]


@admin.register(SuffixThreshold)
class ThresholdAdmin(HospitalAdmin):
    list_display = ["signal", "language", "value"]
    list_filter = ["language", "signal"]
    fields: list[Any] = ["language", "signal", "value"]
