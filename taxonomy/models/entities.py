"""Entities: a common table, and a table for the further fields of each kind.

The common table lets aliases and relations point to any entity with a real foreign key. Fields
accept only values that can be shown to patients.
"""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from taxonomy.facts.schedules import UnreadableSchedule, campuses_of, check_hours, normalised
from taxonomy.vocabulary import Kind
from zol.records.audit import account
from zol.records.refusals import Checks, refuse_changes, refused
from zol.records.values import (
    LATITUDE,
    LONGITUDE,
    check_concept,
    check_degrees,
    check_phone,
    check_spoken,
)


def validate_hours(hours: str) -> None:
    try:
        check_hours(hours)
    except UnreadableSchedule as error:
        raise refused(error) from error


class ScheduleField(models.CharField):
    """A consultation schedule, normalised to the form of the hospital packs."""

    def clean(self, value: Any, model_instance: Any) -> Any:
        language = model_instance.hospital.default_language
        return super().clean(self.read(value, language), model_instance)

    def read(self, value: Any, language: str) -> str:
        """Return the normal form of a schedule that is written in a language."""
        try:
            return normalised(super().to_python(value) or "", language)
        except UnreadableSchedule as error:
            raise refused(error) from error


KIND_NAMES: dict[str, Any] = {
    Kind.HOSPITAL: _("hospital"),
    Kind.CAMPUS: _("campus"),
    Kind.DEPARTMENT: _("department"),
    Kind.DOCTOR: _("doctor"),
    Kind.CONDITION: _("condition"),
    Kind.TREATMENT: _("treatment"),
    Kind.EXAMINATION: _("examination"),
    Kind.SPECIALTY: _("specialty"),
}


def kind_choices() -> list[tuple[str, Any]]:
    """Return every kind with its name; as a callable, so that a new kind alters no other model."""
    return [(str(kind), name) for kind, name in KIND_NAMES.items()]


class OfHospital(models.Model):
    """A row of one hospital."""

    hospital = models.ForeignKey(
        "zol.Hospital", models.CASCADE, editable=False, verbose_name=_("hospital"), related_name="+"
    )

    class Meta:
        abstract = True


class Entity(OfHospital):
    """A named entity of a hospital, with the fields that all kinds have."""

    class Status(models.TextChoices):
        ACTIVE = "active", _("active")
        HIDDEN = "hidden", _("hidden: not published")

    is_carried: ClassVar[bool] = True
    #: Kind of a subclass's rows; the common table itself holds the row of the hospital.
    kind_of_rows: ClassVar[Kind] = Kind.HOSPITAL

    kind = models.CharField(_("kind"), max_length=20, choices=kind_choices, editable=False)
    key = models.SlugField(
        _("key"),
        max_length=120,
        help_text=_("Short key for imports and links; do not change it later."),
    )
    name = models.CharField(_("name"), max_length=200)
    canonical_name = models.CharField(
        _("canonical name"),
        max_length=200,
        blank=True,
        help_text=_("Name under which it is filed. If empty, the name is used."),
    )
    url = models.URLField(_("page"), max_length=500, blank=True)
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.ACTIVE
    )
    owner = account(_("owner"), blank=True)
    review_by = models.DateField(_("review by"), null=True, blank=True)
    position = models.PositiveIntegerField(_("position"), default=0, editable=False)

    class Meta:
        verbose_name = _("entity")
        verbose_name_plural = _("entities")
        ordering = ["kind", "position", "name"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "kind", "key"], name="entity_key_once"),
            models.UniqueConstraint(fields=["hospital", "id", "kind"], name="entity_with_its_kind"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.kind = self.kind or self.kind_of_rows
        super().save(*args, **kwargs)

    def clean(self) -> None:
        super().clean()
        refuse_changes(self, self.checks())

    def checks(self) -> Checks:
        """Yield each field that is validated, with its check (zol/records/values.py)."""
        names = {field.name for field in self._meta.concrete_fields}
        if "phone" in names:
            yield "phone", partial(check_phone, country=self.hospital.country)
        if "snomed" in names:
            yield "snomed", check_concept


class Campus(Entity):
    kind_of_rows = Kind.CAMPUS

    street = models.CharField(_("street and number"), max_length=200, blank=True)
    postcode = models.CharField(_("postcode"), max_length=12, blank=True)
    city = models.CharField(_("town"), max_length=100, blank=True)
    phone = models.CharField(_("telephone"), max_length=40, blank=True)
    hours = models.CharField(
        _("opening hours"), max_length=500, blank=True, validators=[validate_hours]
    )
    latitude = models.DecimalField(
        _("latitude"), max_digits=9, decimal_places=6, null=True, blank=True
    )
    longitude = models.DecimalField(
        _("longitude"), max_digits=9, decimal_places=6, null=True, blank=True
    )

    def checks(self) -> Checks:
        yield from super().checks()
        yield "latitude", partial(check_degrees, limit=LATITUDE)
        yield "longitude", partial(check_degrees, limit=LONGITUDE)

    class Meta:
        verbose_name = _("campus")
        verbose_name_plural = _("campuses")


class Department(Entity):
    kind_of_rows = Kind.DEPARTMENT

    class Sort(models.TextChoices):
        DEPARTMENT = "department", _("department")
        SERVICE = "service", _("service")
        WARD = "ward", _("ward")

    sort = models.CharField(_("sort"), max_length=12, choices=Sort.choices, default=Sort.DEPARTMENT)
    phone = models.CharField(_("telephone"), max_length=40, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    hours = models.CharField(
        _("visiting and consultation hours"),
        max_length=500,
        blank=True,
        validators=[validate_hours],
    )

    class Meta:
        verbose_name = _("department")
        verbose_name_plural = _("departments")


class Doctor(Entity):
    kind_of_rows = Kind.DOCTOR

    class Gender(models.TextChoices):
        FEMALE = "f", _("woman")
        MALE = "m", _("man")
        OTHER = "x", _("other")

    title = models.CharField(_("title"), max_length=40, blank=True)
    first_name = models.CharField(_("first name"), max_length=80, blank=True)
    last_name = models.CharField(_("last name"), max_length=120)
    gender = models.CharField(_("gender"), max_length=1, choices=Gender.choices, blank=True)
    specialty = models.CharField(_("specialty"), max_length=200, blank=True)
    languages = ArrayField(
        models.CharField(max_length=12),
        verbose_name=_("languages spoken"),
        default=list,
        blank=True,
        help_text=_("Language codes with commas between them: nl,fr,en"),
    )
    schedule = ScheduleField(
        _("consultation schedule"),
        max_length=1000,
        blank=True,
        help_text=_("For example: ma 9:00-12:00@sint-jan|do 13:30-17:00@sint-barbara"),
    )
    absent_until = models.DateField(
        _("absent until"), null=True, blank=True,
        help_text=_("The day on which the doctor returns. Until then patients read that "
                    "the doctor is absent."),
    )  # fmt: skip

    class Meta:
        verbose_name = _("doctor")
        verbose_name_plural = _("doctors")

    def checks(self) -> Checks:
        yield from super().checks()
        yield "languages", check_spoken

    def clean(self) -> None:
        """Refuse a schedule at an unknown campus."""
        super().clean()
        known = set(Campus.objects.filter(hospital=self.hospital).values_list("key", flat=True))
        for campus in campuses_of(self.schedule):
            if campus not in known:
                text = _("There is no campus “%(campus)s”: choose from %(known)s.")
                params = {"campus": campus, "known": ", ".join(sorted(known))}
                raise ValidationError({"schedule": ValidationError(text, params=params)})


class Condition(Entity):
    kind_of_rows = Kind.CONDITION

    latin = models.CharField(_("Latin name"), max_length=200, blank=True)
    snomed = models.CharField(_("SNOMED CT concept"), max_length=18, blank=True)

    class Meta:
        verbose_name = _("condition")
        verbose_name_plural = _("conditions")


class Treatment(Entity):
    kind_of_rows = Kind.TREATMENT

    latin = models.CharField(_("Latin name"), max_length=200, blank=True)
    snomed = models.CharField(_("SNOMED CT concept"), max_length=18, blank=True)

    class Meta:
        verbose_name = _("treatment")
        verbose_name_plural = _("treatments")


class Examination(Entity):
    kind_of_rows = Kind.EXAMINATION

    snomed = models.CharField(_("SNOMED CT concept"), max_length=18, blank=True)

    class Meta:
        verbose_name = _("examination")
        verbose_name_plural = _("examinations")


class Specialty(Entity):
    kind_of_rows = Kind.SPECIALTY

    #: With a `related_name`, as the default one is a field of doctors.
    entity_ptr = models.OneToOneField(
        Entity, models.CASCADE, parent_link=True, primary_key=True, related_name="as_specialty"
    )

    class Meta:
        verbose_name = _("specialty")
        verbose_name_plural = _("specialties")


ENTITY_MODELS: dict[Kind, type[Entity]] = {
    model.kind_of_rows: model
    for model in (Campus, Department, Doctor, Condition, Treatment, Examination, Specialty)
}
