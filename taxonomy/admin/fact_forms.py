"""The form of a fact: the fields of its kind of value, and the conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from taxonomy import needs
from taxonomy.facts.conditions import NAMES as CONDITIONS
from taxonomy.facts.conditions import FactConditions
from taxonomy.facts.parts import BETWEEN, Part, Value, WrongPart, told_parts, written_line
from taxonomy.facts.phrases import CODES
from taxonomy.facts.records import KINDS, checked_value
from taxonomy.models import Campus, Fact
from taxonomy.models.relations import house_of
from zol.admin_pages.base import HospitalForm
from zol.refusals import refused
from zol.tenancy import required_hospital_id

CONDITION_NAMES = {
    "campus": _("campus"), "day": _("day"), "age": _("age"), "sex": _("sex"),
    "language": _("language"), "insurance": _("insurance"), "pregnant": _("pregnant"),
    "medicine": _("medicine"), "examination": _("examination"), "inpatient": _("admitted"),
}  # fmt: skip
CONDITION_HELP = {
    "day": _("ma-vr, za, holiday, or a date such as 2026-12-25."),
    "age": _("In years: 0-15, 16- or 7."),
}
YES_NO = [("", "–"), ("yes", _("yes")), ("no", _("no"))]
CONDITION_CHOICES: dict[str, list[tuple[str, Any]]] = {
    "sex": [("", "–"), ("f", _("woman")), ("m", _("man"))],
    "language": [("", "–"), *((code, code) for code in CODES)],
    "pregnant": YES_NO,
    "inpatient": YES_NO,
}
#: What a form calls a choice; the others are called by their code.
CHOICE_NAMES = {
    "yes": _("yes"), "no": _("no"), "minute": _("minute"), "half_hour": _("half hour"),
    "hour": _("hour"), "begun_hour": _("hour that has begun"), "day": _("day"),
    "night": _("night"), "week": _("week"), "month": _("month"), "year": _("year"),
    "time": _("time"), "person": _("person"), "item": _("item"), "page": _("page"),
    "km": _("kilometre"), "stay": _("stay"),
}  # fmt: skip


def field_name(key: str) -> str:
    """Return the field of a form that asks for a part of a value."""
    return f"value_{key.replace(' ', '_')}"


def kind_of(need: str) -> type[Value]:
    return KINDS[needs.kinds()[need]]


def value_fields(kind: type[Value]) -> dict[str, forms.Field]:
    """Return the fields that ask for the parts of a kind of value."""
    return {
        field_name(part.key(code)): _field(part, code)
        for part in kind.PARTS
        for code in (CODES if part.in_languages else ("",))
    }


def _field(part: Part, language: str) -> forms.Field:
    label = language or _(part.title)
    told: dict[str, Any] = {"label": label, "required": part.is_main and not language}
    told["help_text"] = _(part.help) if part.help and not language else ""
    if part.choices:
        named = [(code, CHOICE_NAMES.get(code, code)) for code in part.choices]
        return forms.ChoiceField(choices=[("", "–"), *named], **told)
    rows = {"rows": 3 if part.is_long else 1, "cols": 80}
    return forms.CharField(widget=forms.Textarea(attrs=rows), **told)


def _condition(name: str) -> forms.Field:
    told: dict[str, Any] = {
        "label": CONDITION_NAMES[name],
        "help_text": CONDITION_HELP.get(name, ""),
        "required": False,
    }
    if name in CONDITION_CHOICES:
        return forms.ChoiceField(choices=CONDITION_CHOICES[name], **told)
    return forms.CharField(**told)


class FactForm(HospitalForm):
    """A fact of one need; `form_of` gives it the fields of the kind of value."""

    need_key: str
    need = forms.CharField(widget=forms.HiddenInput, disabled=True)

    class Meta:
        model = Fact
        fields = ["need", "subject", "source", "sentence", "valid_from", "valid_to"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["need"] = self.instance.need = self.need_key
        value = self.instance.read if self.instance.pk else None
        language = self.instance.hospital.default_language if value else ""
        for key, text in (told_parts(value, language) if value else {}).items():
            lines = text.split(f"{BETWEEN} ") if self._is_list(key) else [text]
            self.initial.setdefault(field_name(key), "\n".join(lines))
        for name, text in self.instance.conditions.items():
            self.initial.setdefault(f"condition_{name}", text)
        rows = Campus.objects.filter(hospital_id=required_hospital_id())
        campuses = [("", "–"), *rows.values_list("key", "name")]
        if "condition_campus" in self.fields:
            label = CONDITION_NAMES["campus"]
            field = forms.ChoiceField(choices=campuses, label=label, required=False)
            self.fields["condition_campus"] = field

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
        house = house_of(self.instance.hospital)
        self.instance.value = written_line(
            checked_value(parts, self.need_key, house), house.language
        )

    def _take_conditions(self) -> None:
        said = {name: self.cleaned_data.get(f"condition_{name}") or "" for name in CONDITIONS}
        self.instance.conditions = FactConditions.parse(said).data()

    def _post_clean(self) -> None:
        """Check the row only when the form has its value: it would be refused twice."""
        if not self.errors:
            super()._post_clean()


def form_of(need: str) -> type[FactForm]:
    """Return the form for facts of a need."""
    conditions = {f"condition_{name}": _condition(name) for name in CONDITIONS}
    declared = {"need_key": need, **value_fields(kind_of(need)), **conditions}
    return type("NeedForm", (FactForm,), declared)


def fieldsets_of(need: str, filled: frozenset[str]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield the groups of fields; one that is not needed, and empty, is folded up."""
    kind = kind_of(need)
    plain = [field_name(part.name) for part in kind.PARTS if not part.in_languages]
    if plain:
        yield _("Value"), {"fields": plain}
    for part in kind.PARTS:
        if part.in_languages:
            names = [field_name(key) for key in part.keys]
            is_open = part.is_main or not filled.isdisjoint(part.keys)
            said: dict[str, Any] = {"fields": names, "classes": [] if is_open else ["collapse"]}
            if part.help:
                said["description"] = _(part.help)
            yield str(_(part.title)).capitalize(), said
    conditions = [f"condition_{name}" for name in CONDITIONS]
    classes = [] if not filled.isdisjoint(CONDITIONS) else ["collapse"]
    yield _("Only under these conditions"), {"fields": conditions, "classes": classes}
