"""Aliases on the page of their entity; all aliases and relations as lists, for cleaning up."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from taxonomy.admin.links import EntitySelect, OrderedInlines
from taxonomy.admin.tables import TablePages
from taxonomy.models import Alias, ComplaintRoute, Entity, LexiconConcept, Relation
from taxonomy.models.entities import KIND_NAMES
from taxonomy.vocabulary import Kind
from zol.backoffice.base import HospitalAdmin, HospitalForm, HospitalInline, ReadOnlyAdmin
from zol.languages import LANGUAGES
from zol.text import fold, squash


class AliasForm(HospitalForm):
    """Form of an alias; normalises it before validation, so that a collision is reported."""

    def complete(self, instance: Alias) -> None:
        super().complete(instance)
        instance.text = squash(instance.text)
        instance.folded = fold(instance.text)
        entity = Alias.entity.is_cached(instance) and instance.entity
        if entity:
            instance.entity_kind = entity.kind or entity.kind_of_rows
        elif instance.entity_id:
            instance.complete()


class AliasFormSet(OrderedInlines):
    def said(self, form: Any, values: dict[str, Any]) -> tuple[Any, Any]:
        text = values.get("text", "")
        return (values.get("language"), fold(squash(text))), text


class AliasInline(HospitalInline):
    model = Alias
    form = AliasForm
    formset = AliasFormSet
    fields = ["text", "language", "kind"]
    verbose_name = _("other word")
    verbose_name_plural = _("other words by which people ask for it")


def ambiguous(aliases: QuerySet[Alias]) -> QuerySet[Alias]:
    """Return the aliases that also mean an entity which has nothing to do with theirs.

    That a department and its specialty are called alike is no collision.
    """
    related = Relation.objects.filter(
        Q(subject=OuterRef("entity"), object=OuterRef(OuterRef("entity")))
        | Q(object=OuterRef("entity"), subject=OuterRef(OuterRef("entity")))
    )
    others = Alias.objects.filter(folded=OuterRef("folded"), language=OuterRef("language"))
    return aliases.filter(
        Exists(others.exclude(entity=OuterRef("entity")).exclude(Exists(related)))
    )


class MeaningFilter(admin.SimpleListFilter):
    title = _("meaning")
    parameter_name = "meaning"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("two", _("means two things"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return ambiguous(queryset) if self.value() == "two" else queryset


class EntityChoice(HospitalAdmin):
    """Lets entities be chosen by any form; a field is never wider than the entity's kind."""

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.is_relation and db_field.related_model is Entity:
            said = {"invalid_choice": _("This does not belong to this hospital.")}
            select = EntitySelect(db_field, self.admin_site)
            return db_field.formfield(widget=select, error_messages=said)
        return super().formfield_for_dbfield(db_field, request, **kwargs)


@admin.register(Alias)
class AliasAdmin(TablePages, EntityChoice):
    form = AliasForm
    list_display = ["text", "entity", "kind_of_entity", "language", "kind"]
    list_filter = ["language", "kind", "entity_kind", MeaningFilter]
    list_select_related = ["entity"]
    search_fields = ["text", "entity__name"]
    fields = ["entity", "text", "language", "kind"]
    ordering = ["folded"]

    @admin.display(description=_("means a"), ordering="entity_kind")
    def kind_of_entity(self, alias: Alias) -> Any:
        return KIND_NAMES[Kind(alias.entity_kind)]


@admin.register(Relation)
class RelationAdmin(TablePages, EntityChoice):
    form = HospitalForm
    list_display = ["subject", "predicate", "object"]
    list_filter = ["predicate", "subject_kind", "object_kind"]
    list_select_related = ["subject", "object"]
    search_fields = ["subject__name", "object__name", "=subject__key", "=object__key"]
    fields = ["subject", "predicate", "object"]
    ordering = [F("subject__name"), "position"]


@admin.register(Entity)
class AnyEntityAdmin(ReadOnlyAdmin):
    """Only for choosing: each kind of entity has its own page."""

    search_fields = ["name", "canonical_name", "aliases__text"]
    ordering = ["name"]


@admin.register(LexiconConcept)
class LexiconAdmin(HospitalAdmin):
    list_display = ["concept", "kind", "nl", "en", "fr"]
    list_filter = ["kind"]
    search_fields = ["concept", *LANGUAGES]
    fieldsets = [
        (None, {"fields": ["concept", "kind", "note"]}),
        (
            _("Words"),
            {
                "fields": [*LANGUAGES],
                "description": _("Alternatives with | between them; the first is the usual one."),
            },
        ),
    ]


@admin.register(ComplaintRoute)
class ComplaintRouteAdmin(HospitalAdmin):
    list_display = ["complaint", "specialty", "weight"]
    list_filter = ["specialty"]
    search_fields = ["complaint", "specialty"]
