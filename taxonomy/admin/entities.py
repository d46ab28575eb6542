"""Admin pages of the kinds of entities; related entities are columns of their lists."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.postgres.expressions import ArraySubquery
from django.db import transaction
from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from taxonomy.admin.home import GapFilter
from taxonomy.admin.merging import MergingPages
from taxonomy.admin.relations import AliasInline, inlines_of
from taxonomy.admin.tables import TablePages
from taxonomy.models import (
    Alias,
    Campus,
    Condition,
    Department,
    Doctor,
    Entity,
    Examination,
    PublishedEntity,
    Relation,
    Specialty,
    Treatment,
)
from taxonomy.vocabulary import Kind, Predicate
from zol.backoffice.base import HospitalAdmin, HospitalForm, LinesField


def related(predicate: Predicate, kind: Kind, end: str) -> QuerySet[Relation]:
    """Return the relations of a row whose other end, the subject or object, is of a kind."""
    own = "object" if end == "subject" else "subject"
    ends = {own: OuterRef("pk"), f"{end}_kind": str(kind)}
    return Relation.objects.filter(**ends, predicate=str(predicate))


def names_of(predicate: Predicate, kind: Kind, end: str = "object") -> ArraySubquery:
    order = ("position", "pk") if end == "object" else ("subject__name",)
    return ArraySubquery(related(predicate, kind, end).order_by(*order).values(f"{end}__name"))


def number_of(predicate: Predicate, kind: Kind, end: str = "object") -> Coalesce:
    own = "object" if end == "subject" else "subject"
    rows = related(predicate, kind, end).order_by().values(own).annotate(number=Count("pk"))
    return Coalesce(Subquery(rows.values("number"), output_field=IntegerField()), 0)


#: Maximum number of names in a column.
MOST = 3


class NamesColumn:
    """A list column with the first names that a subquery finds, or its count."""

    def __init__(self, title: Any, query: Any) -> None:
        self.short_description, self.query = title, query

    def __set_name__(self, owner: type, name: str) -> None:
        self.field = f"{name}_shown"
        self.admin_order_field = self.field if isinstance(self.query, Coalesce) else None

    def __call__(self, row: Any) -> Any:
        found = getattr(row, self.field)
        if not isinstance(found, list) or len(found) <= MOST:
            return ", ".join(found) if isinstance(found, list) else found
        return f"{', '.join(found[:MOST])} (+{len(found) - MOST})"


FILING = (
    _("Filing and review"),
    {
        "classes": ["collapse"],
        "fields": ["key", "canonical_name", "url", "status", "owner", "review_by", "used_in"],
    },
)


class EntityForm(HospitalForm):
    """Form of an entity, whose kind follows from the page."""

    def complete(self, instance: Entity) -> None:
        super().complete(instance)
        instance.kind = instance.kind or instance.kind_of_rows


def was_published(entity: Entity) -> bool:
    return PublishedEntity.objects.filter(kind=entity.kind, key=entity.key).exists()


class EntityAdmin(MergingPages, TablePages, HospitalAdmin):
    """Base class of the pages of all kinds; a subclass sets its columns and fields."""

    form = EntityForm
    change_form_template = "admin/taxonomy/entity_form.html"
    search_fields = ["name", "canonical_name", "key", "aliases__text"]
    search_help_text = _("Search by name or by any other word for it.")
    list_filter = [GapFilter, "status"]
    readonly_fields = ["used_in"]
    actions = ["hide"]
    ordering = ["position", "name"]
    words = NamesColumn(
        _("other words"),
        ArraySubquery(
            Alias.objects.filter(entity=OuterRef("pk")).order_by("position", "pk").values("text")
        ),
    )
    own_fields: list[Any] = []

    def get_inlines(self, request: HttpRequest, obj: Any) -> list[Any]:
        return [AliasInline, *inlines_of(self.model.kind_of_rows)]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return [(None, {"fields": ["name", *self.own_fields]}), FILING]

    def get_prepopulated_fields(self, request: HttpRequest, obj: Any = None) -> dict[str, Any]:
        is_new = obj is None and self.has_add_permission(request)
        return {"key": ["name"]} if is_new else {}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        match = request.resolver_match
        if match and match.url_name and match.url_name.endswith("_changelist"):
            shown = (getattr(self, str(name), None) for name in self.list_display)
            columns = [each for each in shown if isinstance(each, NamesColumn)]
            rows = rows.annotate(**{each.field: each.query for each in columns})
        return rows

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Allow to delete only entities that were never published; others are hidden, so that old
        answers can still be traced to them."""
        is_allowed = super().has_delete_permission(request, obj)
        return bool(is_allowed and (obj is None or not was_published(obj)))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Offer no deleting in lists: some of the rows may have been published."""
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Require no permission for the common row, which is deleted with its entity."""
        rows, counts, refused, protected = super().get_deleted_objects(objs, request)
        return rows, counts, refused - {Entity._meta.verbose_name}, protected

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        if "_hide" in request.POST:
            obj.status = Entity.Status.HIDDEN
        super().save_model(request, obj, form, change)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **more: Any
    ) -> HttpResponse:
        entity = more.get("obj")
        context["can_hide"] = (
            entity is not None
            and entity.status == Entity.Status.ACTIVE
            and self.has_change_permission(request, entity)
            and was_published(entity)
        )
        return super().render_change_form(request, context, *args, **more)

    @admin.action(
        permissions=["change"], description=_("Hide with the next release, and keep for later")
    )
    def hide(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        chosen = [entity.pk for entity in queryset]
        with transaction.atomic():
            number = Entity.objects.filter(pk__in=chosen).update(status=Entity.Status.HIDDEN)
            for entity in Entity.objects.filter(pk__in=chosen):
                self.log_change(request, entity, [{"changed": {"fields": ["status"]}}])
        text = ngettext("%d was hidden.", "%d were hidden.", number)
        self.message_user(request, text % number, messages.SUCCESS)

    @admin.display(description=_("where it is used"))
    def used_in(self, entity: Any) -> str:
        """Describe what refers to this entity."""
        if not entity.pk:
            return "–"
        relations = Relation.objects.filter(Q(subject_id=entity.pk) | Q(object_id=entity.pk))
        address = f"{reverse('admin:taxonomy_relation_changelist')}?q={entity.key}"
        text = _("%d relations") % relations.count()
        return format_html('<a href="{}">{}</a>', address, text)


@admin.register(Campus)
class CampusAdmin(EntityAdmin):
    list_display = ["name", "city", "phone", "departments", "doctors", "words", "status"]
    own_fields = [("street", "postcode", "city"), "phone", "hours", ("latitude", "longitude")]
    departments = NamesColumn(
        _("departments"), number_of(Predicate.LOCATED_AT, Kind.DEPARTMENT, "subject")
    )
    doctors = NamesColumn(_("doctors"), number_of(Predicate.LOCATED_AT, Kind.DOCTOR, "subject"))


@admin.register(Department)
class DepartmentAdmin(EntityAdmin):
    list_display = [
        "name", "sort", "phone", "campuses", "doctors", "conditions", "words", "status",
    ]  # fmt: skip
    list_filter = [GapFilter, "sort", "status"]
    own_fields = ["sort", ("phone", "email"), "hours"]
    campuses = NamesColumn(_("campuses"), names_of(Predicate.LOCATED_AT, Kind.CAMPUS))
    doctors = NamesColumn(_("doctors"), number_of(Predicate.WORKS_IN, Kind.DOCTOR, "subject"))
    conditions = NamesColumn(_("conditions"), number_of(Predicate.HANDLES, Kind.CONDITION))


class DoctorForm(EntityForm):
    languages = LinesField(
        label=_("languages spoken"),
        required=False,
        help_text=_("Language codes such as nl, one per line."),
    )
    schedule = LinesField(
        label=_("consultation schedule"),
        required=False,
        help_text=_(
            "One per line: days, hours, and the key of the campus, such as ma-vr "
            "9:00-12:00@noord or “maandag 9u-12u en 13u30-17u”."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "schedule" in self.fields and self.instance.schedule:
            self.initial["schedule"] = self.instance.schedule.split("|")

    def clean_schedule(self) -> str:
        return "|".join(self.cleaned_data["schedule"])


@admin.register(Doctor)
class DoctorAdmin(EntityAdmin):
    form = DoctorForm
    list_display = ["name", "specialty", "departments", "campuses", "words", "review_by", "status"]
    search_fields = [*EntityAdmin.search_fields, "first_name", "last_name", "specialty"]
    list_filter = [GapFilter, "gender", "status"]
    own_fields = [
        ("title", "first_name", "last_name"), ("gender", "specialty"),
        ("schedule", "absent_until"), "languages",
    ]  # fmt: skip
    departments = NamesColumn(_("departments"), names_of(Predicate.WORKS_IN, Kind.DEPARTMENT))
    campuses = NamesColumn(_("campuses"), names_of(Predicate.LOCATED_AT, Kind.CAMPUS))


def departments_by(predicate: Predicate) -> NamesColumn:
    return NamesColumn(_("departments"), names_of(predicate, Kind.DEPARTMENT, "subject"))


class MedicalAdmin(EntityAdmin):
    """Conditions, treatments and examinations, each with the departments concerned."""

    list_display = ["name", "departments", "words", "snomed", "review_by", "status"]
    search_fields = [*EntityAdmin.search_fields, "latin", "snomed"]
    own_fields = [("latin", "snomed")]


@admin.register(Condition)
class ConditionAdmin(MedicalAdmin):
    departments = departments_by(Predicate.HANDLES)


@admin.register(Treatment)
class TreatmentAdmin(MedicalAdmin):
    departments = departments_by(Predicate.OFFERS)


@admin.register(Examination)
class ExaminationAdmin(MedicalAdmin):
    search_fields = [*EntityAdmin.search_fields, "snomed"]
    own_fields = ["snomed"]
    departments = departments_by(Predicate.PERFORMS)


@admin.register(Specialty)
class SpecialtyAdmin(EntityAdmin):
    list_display = ["name", "departments", "words", "review_by", "status"]
    departments = NamesColumn(_("departments"), names_of(Predicate.BELONGS_TO, Kind.DEPARTMENT))
