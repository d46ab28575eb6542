"""Other words for an entity, on its own page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms.models import BaseInlineFormSet
from django.utils.translation import gettext_lazy as _

from taxonomy.models import Alias
from zol.admin_pages.base import HospitalForm, HospitalInline
from zol.text import fold, squash


class AliasForm(HospitalForm):
    """An alias, compared as it will be stored, so that a collision is said before it is saved."""

    def complete(self, instance: Alias) -> None:
        super().complete(instance)
        instance.text = squash(instance.text)
        instance.folded = fold(instance.text)
        entity = Alias.entity.is_cached(instance) and instance.entity
        if entity:
            instance.entity_kind = entity.kind or entity.kind_of_rows
        elif instance.entity_id:
            instance.complete()


class AliasFormSet(BaseInlineFormSet):
    def clean(self) -> None:
        super().clean()
        seen: set[tuple[str, str]] = set()
        for form in self.forms:
            values: dict[str, Any] = getattr(form, "cleaned_data", {})
            if not values.get("text") or values.get("DELETE"):
                continue
            spelling = values.get("language", ""), fold(squash(values["text"]))
            if spelling in seen:
                raise forms.ValidationError(
                    _("“%(text)s” is listed twice.") % {"text": values["text"]}
                )
            seen.add(spelling)

    def save_new(self, form: Any, commit: bool = True) -> Alias:  # noqa: FBT001, FBT002 (Django's)
        last = max((row.position for row in self.get_queryset()), default=-1)
        form.instance.position = last + 1 + self.extra_forms.index(form)
        return super().save_new(form, commit)


class AliasInline(HospitalInline):
    model = Alias
    form = AliasForm
    formset = AliasFormSet
    fields = ["text", "language", "kind"]
    verbose_name = _("other word")
    verbose_name_plural = _("other words by which people ask for it")
