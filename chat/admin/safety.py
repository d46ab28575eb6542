"""What keeps answers safe: emergencies, attacks and the limits of their detectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import regex
from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext_lazy as _

from chat.admin.situations import page_of
from chat.models import AdvicePhrase, EmergencySituation, InjectionPattern, RedFlagPhrase
from chat.models.names import ADVICE, EMERGENCIES, name_in
from chat.safety.injection import is_slow
from chat.safety.phrases import SHORTEST_PART
from chat.selectors import broken_pattern, broken_patterns, is_too_wide, is_wordless
from zol.backoffice.base import HospitalAdmin, HospitalForm, by_names


class PhraseForm(HospitalForm):
    """A phrase with a word that can be looked for, and that is not in nearly all words."""

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        if is_wordless(text):
            raise forms.ValidationError(_("There is no word in this that could be looked for."))
        if is_too_wide(text):
            message = _("After a * at the beginning, give at least %(least)d letters.")
            raise forms.ValidationError(message, params={"least": SHORTEST_PART})
        return text


class WorksFilter(admin.SimpleListFilter):
    """Rows that do what they are for, and rows that cannot."""

    title = _("works")
    parameter_name = "works"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("no", _("does not work"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() != "no":
            return queryset
        return queryset.filter(pk__in=broken_patterns())


class PhraseAdmin(HospitalAdmin):
    form = PhraseForm
    list_display = ["text", "about", "language", "role"]
    search_fields = ["text", "kind"]
    fields = ["kind", "language", "role", "text"]

    @admin.display(description=_("about"), ordering="kind")
    def about(self, row: Any) -> Any:
        return name_in(self.named["kind"][0], row.kind)


def _filters(names: Mapping[str, Any]) -> list[Any]:
    return ["role", "language", ("kind", by_names(lambda: names, offers_others=False))]


@admin.register(RedFlagPhrase)
class RedFlagAdmin(PhraseAdmin):
    named = {"kind": (EMERGENCIES, "about")}
    list_filter = _filters(EMERGENCIES)

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.situations_view)
        return [path("situations/", page, name="chat_situations"), *super().get_urls()]

    def situations_view(self, request: HttpRequest) -> HttpResponse:
        """Show the situations that rows are about, as a document to print."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = self.admin_site.each_context(request) | {"opts": self.opts} | page_of(request)
        return TemplateResponse(request, "admin/chat/situations.html", context)


@admin.register(EmergencySituation)
class SituationAdmin(HospitalAdmin):
    """Which desk a situation is sent to: the hospital's own number wins."""

    list_display = ["name", "danger", "text", "desk", "phone"]
    search_fields = ["kind"]
    list_filter = ["danger"]
    fields = ["kind", "danger", "text", "specialties", "desk", "phone"]

    @admin.display(description=_("situation"), ordering="kind")
    def name(self, row: EmergencySituation) -> Any:
        return name_in(EMERGENCIES, row.kind)


@admin.register(AdvicePhrase)
class AdviceAdmin(PhraseAdmin):
    named = {"kind": (ADVICE, "about")}
    list_filter = _filters(ADVICE)


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
    list_display = ["description", "pattern", "language", "works"]
    list_filter = [WorksFilter, "language"]
    search_fields = ["description", "pattern"]
    fields = ["description", "pattern", "language"]

    @admin.display(description=_("works"))
    def works(self, obj: InjectionPattern) -> str:
        """Say why a pattern, of a list that was loaded, is left out."""
        return broken_pattern({"pattern": obj.pattern}) or "✓"
