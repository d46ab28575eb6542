"""What keeps answers safe: emergencies, attacks and the limits of their detectors."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from chat.models import InjectionPattern, RedFlagPhrase, SuffixThreshold
from zol.admin_pages.base import HospitalAdmin, HospitalForm


@admin.register(RedFlagPhrase)
class RedFlagAdmin(HospitalAdmin):
    list_display = ["text", "kind", "language", "role"]
    list_filter = ["language", "kind", "role"]
    search_fields = ["text"]
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
