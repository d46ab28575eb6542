"""The settings of retrieval as one form, made from their dataclass. Only what differs is stored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext_lazy as _

from retrieval.models import RetrievalSetting
from retrieval.models.steering import shown
from retrieval.tuning import SETTINGS, RetrievalTuning, Setting
from zol.backoffice.base import HospitalAdmin
from zol.backoffice.seen import waiting

DEFAULTS = asdict(RetrievalTuning())


def form_field(name: str, setting: Setting, value: Any) -> forms.Field:
    """Return the form field that fits a setting's type."""
    options: dict[str, Any] = {"label": gettext_lazy(setting.told), "initial": value}
    if isinstance(DEFAULTS[name], bool):
        return forms.BooleanField(required=False, **options)
    options |= {"min_value": setting.lowest, "max_value": setting.highest}
    if isinstance(DEFAULTS[name], int):
        return forms.IntegerField(**options)
    return forms.FloatField(widget=forms.NumberInput(attrs={"step": "0.01"}), **options)


class TuningForm(forms.Form):
    """Every setting of retrieval."""

    def __init__(self, stored: Mapping[str, Any], *args: Any) -> None:
        super().__init__(*args)
        self.stored = stored
        for name, setting in SETTINGS.items():
            self.fields[name] = form_field(name, setting, stored.get(name, DEFAULTS[name]))

    def groups(self) -> Iterator[dict[str, Any]]:
        for title, is_switch in ((_("Switches"), True), (_("Numbers"), False)):
            names = [name for name in SETTINGS if isinstance(DEFAULTS[name], bool) is is_switch]
            yield {
                "title": title,
                "fields": [(self[name], shown(DEFAULTS[name])) for name in names],
            }

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if values.get("dense_weight") == 0 and values.get("keyword_weight") == 0:
            raise forms.ValidationError(_("At least one lane must have a weight."))
        return values

    def changes(self) -> dict[str, Any]:
        """Return what differs from the numbers in force."""
        before = DEFAULTS | dict(self.stored)
        return {name: value for name, value in self.cleaned_data.items() if value != before[name]}


@admin.register(RetrievalSetting)
class SettingsAdmin(HospitalAdmin):
    """One page in the place of a list of rows."""

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(self.settings_view)
        return [path("all/", page, name="retrieval_settings"), *super().get_urls()]

    def has_module_permission(self, request: HttpRequest) -> bool:
        return False

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:retrieval_settings"))

    def change_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:retrieval_settings"))

    def settings_view(self, request: HttpRequest) -> HttpResponse:
        """Show every setting with its default, and store those that differ."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        stored = dict(RetrievalSetting.objects.values_list("name", "value"))
        stored = {name: value for name, value in stored.items() if name in DEFAULTS}
        form = TuningForm(stored, request.POST or None)
        may_change = self.has_change_permission(request)
        if request.method == "POST":
            if not may_change:
                raise PermissionDenied
            if form.is_valid() and (response := self._store(request, form)):
                return response
        if not may_change:
            for field in form.fields.values():
                field.disabled = True
        context = self.admin_site.each_context(request) | {
            "title": gettext("Retrieval settings"),
            "opts": self.opts,
            "form": form,
            "groups": list(form.groups()),
            "may_change": may_change,
            "waiting": waiting(self.model, request),
        }
        return TemplateResponse(request, "admin/retrieval/settings.html", context)

    def _store(self, request: HttpRequest, form: TuningForm) -> HttpResponse | None:
        """Store the changes, unless one is refused; then the form says which and why."""
        changes = form.changes()
        try:
            RetrievalSetting.change(changes, request.user)
        except forms.ValidationError as error:
            form.add_error(None, error)
            return None
        text = ngettext("%d setting was changed.", "%d settings were changed.", len(changes))
        messages.success(request, text % len(changes))
        return HttpResponseRedirect(request.path)
