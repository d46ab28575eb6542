"""The form of a fact: the fields of its kind of value, and the conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.html import format_html_join
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from taxonomy.admin.relations import EntityChoice
from taxonomy.admin.tables import TablePages
from taxonomy.facts import needs
from taxonomy.facts.parts import BETWEEN, Value, ValuePart, WrongPart, format_line, parts_in
from taxonomy.facts.phrases import CODES
from taxonomy.facts.records import (
    CONDITIONS,
    KINDS,
    FactConditions,
    FactSource,
    SourceState,
    checked_value,
    line_of,
    states_of,
)
from taxonomy.models import Campus, Fact
from taxonomy.models.relations import fact_context, need_choices
from zol.backoffice.base import HospitalForm, SteadyList
from zol.records.refusals import refused
from zol.tenancy import required_hospital_id

YES_NO = [("", "–"), ("yes", _("yes")), ("no", _("no"))]
#: Labels of choices; a choice without a label is shown by its code.
CHOICE_NAMES = {
    "yes": _("yes"), "no": _("no"), "minute": _("minute"), "half_hour": _("half hour"),
    "hour": _("hour"), "begun_hour": _("started hour"), "day": _("day"),
    "night": _("night"), "week": _("week"), "month": _("month"), "year": _("year"),
    "time": _("time"), "person": _("person"), "item": _("item"), "page": _("page"),
    "km": _("kilometre"), "stay": _("stay"),
}  # fmt: skip


def field_name(key: str) -> str:
    """Return the name of the form field for a part of a value."""
    return f"value_{key.replace(' ', '_')}"


def kind_of(need: str) -> type[Value]:
    return KINDS[needs.kinds()[need]]


def value_fields(kind: type[Value]) -> dict[str, forms.Field]:
    """Return the form fields for the parts of a kind of value."""
    return {
        field_name(part.key(code)): _field(part, code)
        for part in kind.PARTS
        for code in (CODES if part.in_languages else ("",))
    }


def _field(part: ValuePart, language: str) -> forms.Field:
    label = language or _(part.title)
    options: dict[str, Any] = {"label": label, "required": part.is_main and not language}
    options["help_text"] = _(part.help) if part.help and not language else ""
    if part.choices:
        named = [(code, CHOICE_NAMES.get(code, code)) for code in part.choices]
        return forms.ChoiceField(choices=[("", "–"), *named], **options)
    rows = {"rows": 3 if part.is_long else 1, "cols": 80}
    return forms.CharField(widget=forms.Textarea(attrs=rows), **options)


class FactForm(HospitalForm):
    """Form of a fact; `form_of` adds the fields for its kind of value."""

    need_key: str
    need = forms.CharField(widget=forms.HiddenInput, disabled=True)
    condition_campus = forms.ChoiceField(label=_("campus"), required=False)
    condition_age = forms.CharField(
        label=_("age"), help_text=_("Age in years: 0-15, 16- or 7."), required=False
    )
    condition_inpatient = forms.ChoiceField(label=_("admitted"), choices=YES_NO, required=False)

    class Meta:
        model = Fact
        fields = ["need", "subject", "source", "sentence", "valid_from", "valid_to"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["need"] = self.instance.need = self.need_key
        value = self.instance.read if self.instance.pk else None
        language = self.instance.hospital.default_language if value else ""
        for key, text in (parts_in(value, language) if value else {}).items():
            lines = text.split(f"{BETWEEN} ") if self._is_list(key) else [text]
            self.initial.setdefault(field_name(key), "\n".join(lines))
        for name, text in self.instance.conditions.items():
            self.initial.setdefault(f"condition_{name}", text)
        rows = Campus.objects.filter(hospital_id=required_hospital_id())
        campuses = [("", "–"), *rows.values_list("key", "name")]
        self.fields["condition_campus"].choices = campuses  # type: ignore[attr-defined]

    def _is_list(self, key: str) -> bool:
        kind = kind_of(self.need_key)
        has_lists = kind.KIND in ("hours", "items", "contact")
        return has_lists and any(key in part.keys and part.is_long for part in kind.PARTS)

    def clean(self) -> dict[str, Any]:
        super().clean()
        self.instance.need = self.need_key
        for take in (self._take_value, self._take_conditions):
            try:
                take()
            except WrongPart as error:
                names = (field_name(error.name), f"condition_{error.name}")
                shown = next((name for name in names if name in self.fields), None)
                self.add_error(shown, refused(error))
        return self.cleaned_data

    def _take_value(self) -> None:
        parts = {
            key: f"{BETWEEN} ".join(filter(None, map(str.strip, text.splitlines())))
            for part in kind_of(self.need_key).PARTS
            for key in part.keys
            if (text := self.cleaned_data.get(field_name(key)))
        }
        if any(name.startswith("value_") for name in self.errors):
            return
        house = fact_context(self.instance.hospital)
        self.instance.value = format_line(
            checked_value(parts, self.need_key, house), house.language
        )

    def _take_conditions(self) -> None:
        typed = {name: self.cleaned_data.get(f"condition_{name}") or "" for name in CONDITIONS}
        # A condition of an earlier version is refused: without it the fact would hold for all.
        self.instance.conditions = FactConditions.parse(self.instance.conditions | typed).data()

    def _post_clean(self) -> None:
        """Validate the row only if the form is valid, as its errors would be reported twice."""
        if not self.errors:
            super()._post_clean()


def form_of(need: str) -> type[FactForm]:
    """Return the form for facts of a need."""
    return type("NeedForm", (FactForm,), {"need_key": need, **value_fields(kind_of(need))})


def fieldsets_of(need: str, filled: frozenset[str]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield the fieldsets; optional ones that are empty are collapsed."""
    kind = kind_of(need)
    plain = [field_name(part.name) for part in kind.PARTS if not part.in_languages]
    if plain:
        yield _("Value"), {"fields": plain}
    for part in kind.PARTS:
        if part.in_languages:
            names = [field_name(key) for key in part.keys]
            is_open = part.is_main or not filled.isdisjoint(part.keys)
            options: dict[str, Any] = {"fields": names, "classes": [] if is_open else ["collapse"]}
            if part.help:
                options["description"] = _(part.help)
            yield str(_(part.title)).capitalize(), options
    conditions = [f"condition_{name}" for name in CONDITIONS]
    classes = [] if not filled.isdisjoint(CONDITIONS) else ["collapse"]
    yield _("Only under these conditions"), {"fields": conditions, "classes": classes}


STATES = {
    SourceState.NONE: "–",
    SourceState.CURRENT: _("as on its page"),
    SourceState.CHANGED: _("the page no longer says so"),
    SourceState.GONE: _("the page is gone"),
}
STALE = (SourceState.CHANGED, SourceState.GONE)


def source_states(rows: Any) -> list[SourceState]:
    return states_of(FactSource(row.source, row.sentence) for row in rows)


def stale(facts: QuerySet[Any]) -> list[int]:
    """Return the ids of facts whose source page no longer has their sentence, or is gone."""
    rows = list(facts)
    states = zip(rows, source_states(rows), strict=True)
    return [row.pk for row, state in states if state in STALE]


class FactList(SteadyList):
    """List of facts, with the state of all their sources read at once."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.result_list = list(self.result_list)
        for row, state in zip(self.result_list, source_states(self.result_list), strict=True):
            row.source_state = state


class StaleFilter(admin.SimpleListFilter):
    title = _("source")
    parameter_name = "source_state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("stale", _("its page no longer says so"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() != "stale":
            return queryset
        return queryset.filter(pk__in=stale(queryset))


class NeedFilter(admin.SimpleListFilter):
    """Filter by the needs that have facts."""

    title = _("kind of question")
    parameter_name = "need"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        used = set(Fact.objects.order_by().values_list("need", flat=True).distinct())
        return [(key, name) for key, name in need_choices() if key in used]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(need=self.value()) if self.value() else queryset


@admin.register(Fact)
class FactAdmin(TablePages, EntityChoice):
    list_display = ["about", "need_name", "text", "only_if", "source_state", "valid_to"]
    list_filter = [StaleFilter, NeedFilter, "subject__kind"]
    list_select_related = ["subject", "hospital"]
    search_fields = ["subject__name", "value", "sentence"]
    search_help_text = _("Search by subject, value or sentence.")
    readonly_fields = ["texts"]
    ordering = ["subject__name", "need", "pk"]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[FactList]:
        return FactList

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Ask for the need first: the fields follow from its kind of value."""
        if request.GET.get("need") in needs.kinds() or not self.has_add_permission(request):
            return super().add_view(request, form_url, extra_context)
        context = self.admin_site.each_context(request) | {
            "title": gettext("What does this fact answer?"), "opts": self.opts,
            "needs": need_choices(),
        }  # fmt: skip
        return TemplateResponse(request, "admin/taxonomy/fact_need.html", context)

    def _need(self, request: HttpRequest, obj: Any) -> str:
        return obj.need if obj else request.GET.get("need", "other")

    def get_form(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        return super().get_form(
            request, obj, **kwargs | {"form": form_of(self._need(request, obj))}
        )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        need = self._need(request, obj)
        value = obj.read if obj else None
        filled = frozenset((*(value.parts() if value else ()), *(obj.conditions if obj else ())))
        title = needs.name(need, (get_language() or "nl")[:2]).capitalize()
        source = ["source", "sentence", ("valid_from", "valid_to")]
        texts = [(_("Text shown to patients"), {"fields": ["texts"]})] if obj else []
        return [
            (title, {"fields": ["need", "subject"]}),
            *fieldsets_of(need, filled),
            (_("Source and validity"), {"fields": source}),
            *texts,
        ]

    @admin.display(description=_("subject"), ordering="subject__name")
    def about(self, fact: Fact) -> Any:
        return fact.subject or fact.hospital.short_name

    @admin.display(description=_("kind of question"), ordering="need")
    def need_name(self, fact: Fact) -> str:
        return needs.name(fact.need, (get_language() or "nl")[:2])

    @admin.display(description=_("value"))
    def text(self, fact: Fact) -> str:
        return fact.printed((get_language() or "nl")[:2])

    @admin.display(description=_("conditions"))
    def only_if(self, fact: Fact) -> str:
        return line_of(fact.conditions) or "–"

    @admin.display(description=_("source"))
    def source_state(self, fact: Any) -> Any:
        return STATES[fact.source_state]

    @admin.display(description=_("in every language"))
    def texts(self, fact: Fact) -> Any:
        rows = ((code, fact.printed(code)) for code in CODES)
        return format_html_join("", "<p><b>{}</b> {}</p>", rows)
