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
from chat.safety.slots import SHORTEST_PART, rule
from chat.selectors import broken_pattern, broken_rows, is_too_wide, is_wordless, unfilled
from zol.admin_pages.base import HospitalAdmin, HospitalForm, by_names

#: Roles whose kind is no code: the name of a slot.
WRITTEN = frozenset({"slot"})


class RuleForm(HospitalForm):
    """Rows of which some are rules over the slots that others fill."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        role = self.data.get(self.add_prefix("role")) or self.instance.role
        if role in WRITTEN and "kind" in self.fields:
            self.fields["kind"].names = {}

    def clean(self) -> dict[str, Any]:
        """What would never hold, or hold nearly always, is refused."""
        values: dict[str, Any] = super().clean() or {}
        text = values.get("text", "")
        if values.get("role") != "rule":
            self._check_phrase(text)
            return values
        filled = self._meta.model.objects.filter(role="slot").order_by()
        if missing := unfilled(text, filled.values_list("kind", flat=True)):
            message = _("Nothing fills the slot %(slots)s yet. Add its words first.")
            params = {"slots": ", ".join(missing)}
            self.add_error("text", forms.ValidationError(message, params=params))
        if not rule("", text).slots:
            self.add_error("text", _("A rule names slots between braces: {chest} {pain}."))
        return values

    def _check_phrase(self, text: str) -> None:
        if text and is_wordless(text):
            self.add_error("text", _("There is no word in this that could be looked for."))
        elif is_too_wide(text):
            message = _("After a * at the beginning, give at least %(least)d letters.")
            params = {"least": SHORTEST_PART}
            self.add_error("text", forms.ValidationError(message, params=params))


class WorksFilter(admin.SimpleListFilter):
    """Rows that do what they are for, and rows that cannot."""

    title = _("works")
    parameter_name = "works"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("no", _("does not work"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() != "no":
            return queryset
        return queryset.filter(pk__in=broken_rows(queryset.model))


class RuleAdmin(HospitalAdmin):
    form = RuleForm
    list_display = ["text", "about", "language", "role"]
    search_fields = ["text", "kind"]
    fields = ["kind", "language", "role", "text"]

    @admin.display(description=_("about"), ordering="kind")
    def about(self, row: Any) -> Any:
        if row.role in WRITTEN:
            return f"{{{row.kind}}}" if row.role == "slot" else row.kind
        return name_in(self.named["kind"][0], row.kind)


def _filters(names: Mapping[str, Any]) -> list[Any]:
    return [WorksFilter, "role", "language", ("kind", by_names(lambda: names, offers_others=False))]


@admin.register(RedFlagPhrase)
class RedFlagAdmin(RuleAdmin):
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
class AdviceAdmin(RuleAdmin):
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
