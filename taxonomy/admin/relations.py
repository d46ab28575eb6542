"""Aliases and relations: lists on the page of their entity, and complete lists of both.

`LINKS` defines the relations on the page of each kind; staff choose only the other entity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from taxonomy.admin.tables import TablePages
from taxonomy.models import Alias, ComplaintRoute, Entity, LexiconConcept, Relation
from taxonomy.models.entities import KIND_NAMES
from taxonomy.vocabulary import Kind, Predicate
from zol.backoffice.base import (
    HospitalAdmin,
    HospitalForm,
    HospitalInline,
    NamedInlines,
    ReadOnlyAdmin,
)
from zol.languages import LANGUAGES
from zol.text import fold, squash


@dataclass(frozen=True, slots=True)
class Link:
    """One list of relations on the page of an entity."""

    title: Any
    predicate: Predicate
    #: The kind of entity that is chosen.
    kind: Kind
    #: Whether the page's own entity is the subject of the relation, or its object.
    forward: bool = True
    #: Whether the list is expanded, as patients cannot find the entity without it.
    is_open: bool = False

    @property
    def parent(self) -> str:
        return "subject" if self.forward else "object"

    @property
    def chosen(self) -> str:
        return "object" if self.forward else "subject"


def inverse(title: Any, predicate: Predicate, kind: Kind, *, is_open: bool = False) -> Link:
    return Link(title, predicate, kind, forward=False, is_open=is_open)


P, K = Predicate, Kind
LINKS: dict[Kind, tuple[Link, ...]] = {
    K.DOCTOR: (
        Link(_("Departments of this doctor"), P.WORKS_IN, K.DEPARTMENT, is_open=True),
        Link(_("Campuses of this doctor"), P.LOCATED_AT, K.CAMPUS, is_open=True),
    ),
    K.DEPARTMENT: (
        inverse(_("Doctors of this department"), P.WORKS_IN, K.DOCTOR),
        Link(_("Campuses of this department"), P.LOCATED_AT, K.CAMPUS),
        Link(_("Conditions it handles"), P.HANDLES, K.CONDITION),
        Link(_("Treatments it offers"), P.OFFERS, K.TREATMENT),
        Link(_("Examinations it performs"), P.PERFORMS, K.EXAMINATION),
        inverse(_("Specialties that belong to it"), P.BELONGS_TO, K.SPECIALTY),
        Link(_("Part of"), P.PART_OF, K.DEPARTMENT),
        Link(_("Facilities"), P.HAS_FACILITY, K.DEPARTMENT),
    ),
    K.CAMPUS: (
        inverse(_("Departments on this campus"), P.LOCATED_AT, K.DEPARTMENT),
        Link(_("Facilities"), P.HAS_FACILITY, K.DEPARTMENT),
    ),
    K.CONDITION: (
        inverse(_("Departments that handle it"), P.HANDLES, K.DEPARTMENT, is_open=True),
        inverse(_("Treatments for it"), P.TREATS, K.TREATMENT),
        Link(_("Treated by a department"), P.TREATED_BY, K.DEPARTMENT),
        Link(_("Treated by a treatment"), P.TREATED_BY, K.TREATMENT),
        Link(_("Examined by"), P.TREATED_BY, K.EXAMINATION),
    ),
    K.TREATMENT: (
        inverse(_("Departments that offer it"), P.OFFERS, K.DEPARTMENT, is_open=True),
        Link(_("Conditions it treats"), P.TREATS, K.CONDITION),
    ),
    K.EXAMINATION: (
        inverse(_("Departments that perform it"), P.PERFORMS, K.DEPARTMENT, is_open=True),
        inverse(_("Conditions it is for"), P.TREATED_BY, K.CONDITION),
    ),
    K.SPECIALTY: (Link(_("Departments of this specialty"), P.BELONGS_TO, K.DEPARTMENT),),
}


class EntitySelect(AutocompleteSelect):
    """Autocomplete of entities of one kind; chosen ones in `known` need no query for their name."""

    def __init__(self, field: Any, admin_site: Any, *, kind: str = "") -> None:
        super().__init__(field, admin_site)
        self.kind = kind
        self.known: dict[str, str] = {}

    def __deepcopy__(self, memo: Any) -> EntitySelect:
        copied: EntitySelect = super().__deepcopy__(memo)
        copied.known = dict(self.known)
        return copied

    def get_url(self) -> str:
        return f"{super().get_url()}?kind={self.kind}" if self.kind else super().get_url()

    def optgroups(self, name: str, value: list[str], attr: Any = None) -> list[Any]:
        if not all(chosen in self.known for chosen in value if chosen):
            return super().optgroups(name, value, attr)
        blank = [] if self.is_required else [self.create_option(name, "", "", False, 0)]  # noqa: FBT003 (Django's)
        options = [
            self.create_option(name, chosen, self.known[chosen], True, place)  # noqa: FBT003 (Django's)
            for place, chosen in enumerate(filter(None, value), start=len(blank))
        ]
        return [(None, [*blank, *options], 0)]


class RelationForm(HospitalForm):
    """Form of a relation, with a field for its other end only."""

    link: Link

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            other = getattr(self.instance, self.link.chosen)
            self.fields[self.link.chosen].widget.known[str(other.pk)] = str(other)

    def complete(self, instance: Relation) -> None:
        super().complete(instance)
        instance.predicate = str(self.link.predicate)
        for end in (Relation.subject, Relation.object):
            if end.is_cached(instance):
                # Its kind says what may be joined; the page's own entity may not be saved yet.
                entity = getattr(instance, end.field.name)
                kind = entity.kind or entity.kind_of_rows
                setattr(instance, f"{end.field.name}_kind", str(kind))

    def clean(self) -> dict[str, Any]:
        self.complete(self.instance)
        other = (self.cleaned_data or {}).get(self.link.chosen)
        if other is not None and other.kind != str(self.link.kind):
            self.add_error(self.link.chosen, _("Choose from the list."))
        return self.cleaned_data


class OrderedInlines(NamedInlines):
    """Ordered rows without duplicates; new ones come last."""

    def identity_of(self, form: Any, values: dict[str, Any]) -> tuple[Any, Any]:
        """Return what identifies a row, and its name; an empty row has no name."""
        raise NotImplementedError

    def clean(self) -> None:
        super().clean()
        seen = set()
        for form in self.forms:
            values = getattr(form, "cleaned_data", {})
            identity, name = self.identity_of(form, values)
            if not name or values.get("DELETE"):
                continue
            if identity in seen:
                raise forms.ValidationError(_("“%(name)s” is listed twice.") % {"name": name})
            seen.add(identity)

    def save_new(self, form: Any, commit: bool = True) -> Any:  # noqa: FBT001, FBT002 (Django's)
        last = max((row.position for row in self.get_queryset()), default=-1)
        form.instance.position = last + 1 + self.extra_forms.index(form)
        return super().save_new(form, commit)


class RelationFormSet(OrderedInlines):
    def identity_of(self, form: Any, values: dict[str, Any]) -> tuple[Any, Any]:
        other = values.get(form.link.chosen)
        return other, other


class RelationInline(HospitalInline):
    """List of relations; `inline_of` sets its link."""

    model = Relation
    formset = RelationFormSet
    link: Link
    readonly_fields = ["page"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Relation]:
        rows = super().get_queryset(request).select_related("subject", "object")
        mine = {
            "predicate": str(self.link.predicate),
            f"{self.link.chosen}_kind": str(self.link.kind),
        }
        return rows.filter(**mine)

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name != self.link.chosen:
            return super().formfield_for_dbfield(db_field, request, **kwargs)
        select = EntitySelect(db_field, self.admin_site, kind=str(self.link.kind))
        return db_field.formfield(widget=select, label=KIND_NAMES[self.link.kind])

    def page(self, relation: Relation) -> str:
        if not relation.pk:
            return ""
        other: Entity = getattr(relation, self.link.chosen)
        address = reverse(f"admin:taxonomy_{self.link.kind}_change", args=[other.pk])
        return format_html('<a href="{}">{}</a>', address, _("open"))

    page.short_description = ""  # type: ignore[attr-defined]


def inline_of(link: Link) -> type[RelationInline]:
    """Return the inline for the relations of a link."""
    form = type("LinkForm", (RelationForm,), {"link": link})
    return type(
        "LinkInline",
        (RelationInline,),
        {
            "link": link,
            "form": form,
            "fk_name": link.parent,
            "classes": [] if link.is_open else ["collapse"],
            "fields": [link.chosen, "page"],
            "verbose_name": KIND_NAMES[link.kind],
            "verbose_name_plural": link.title,
        },
    )


def inlines_of(kind: Kind) -> list[type[RelationInline]]:
    return [inline_of(link) for link in LINKS[kind]]


class AliasForm(HospitalForm):
    """Form of an alias, normalised before validation so that a collision is reported."""

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
    def identity_of(self, form: Any, values: dict[str, Any]) -> tuple[Any, Any]:
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
    """Return the aliases that are also an alias of an unrelated entity.

    A department and its specialty are related, and may share an alias.
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
        return [("two", _("has two meanings"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        return ambiguous(queryset) if self.value() == "two" else queryset


class EntityChoice(HospitalAdmin):
    """Base class of pages whose forms choose entities."""

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.is_relation and db_field.related_model is Entity:
            errors = {
                "invalid_choice": _(
                    "This does not belong to your hospital: choose something that does."
                )
            }
            select = EntitySelect(db_field, self.admin_site)
            return db_field.formfield(widget=select, error_messages=errors)
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

    @admin.display(description=_("kind of entity"), ordering="entity_kind")
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
    """Registered for autocompletes only: each kind of entity has its own page."""

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
                "description": _("Put | between alternatives; the first is the usual one."),
            },
        ),
    ]


@admin.register(ComplaintRoute)
class ComplaintRouteAdmin(HospitalAdmin):
    list_display = ["complaint", "specialty", "weight"]
    list_filter = ["specialty"]
    search_fields = ["complaint", "specialty"]
