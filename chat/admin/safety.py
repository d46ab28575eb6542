"""What keeps answers safe: emergencies, attacks and the limits of their detectors."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from chat.models import InjectionPattern, RedFlagPhrase, SuffixThreshold
from chat.safety.slots import COUNT, rule
from zol.admin_pages.base import HospitalAdmin, HospitalForm


class RedFlagForm(HospitalForm):
    def clean(self) -> dict[str, Any]:
        """A rule that names a slot which nothing fills would never hold."""
        values: dict[str, Any] = super().clean() or {}
        if values.get("role") != RedFlagPhrase.Role.RULE:
            return values
        slots = set(rule("", values.get("text", "")).slots)
        known = set(
            RedFlagPhrase.objects.filter(role=RedFlagPhrase.Role.SLOT, kind__in=slots).values_list(
                "kind", flat=True
            )
        )
        if missing := sorted(slots - known - {COUNT}):
            message = _("Nothing fills the slot %(slots)s yet. Add its words first.")
            self.add_error("text", forms.ValidationError(message, params={"slots": missing[0]}))
        if not slots:
            self.add_error("text", _("A rule names slots between braces: {chest} {pain}."))
        return values


@admin.register(RedFlagPhrase)
class RedFlagAdmin(HospitalAdmin):
    form = RedFlagForm
    list_display = ["text", "kind", "language", "role"]
    list_filter = ["role", "language", "kind"]
    search_fields = ["text", "kind"]
    fields = ["kind", "language", "role", "text"]


class PatternForm(HospitalForm):
    def clean_pattern(self) -> str:
        pattern: str = self.cleaned_data["pattern"]
        try:
            re.compile(pattern)
        except re.error as error:
            message = _("This is no regular expression: %(error)s.")
            raise forms.ValidationError(message, params={"error": error}) from error
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
