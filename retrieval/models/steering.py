"""Models of the rows that steer search, which releases publish, and of what steering measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Q, Value
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from pydantic import ValidationError as WrongShape

from retrieval.intents import Intent
from retrieval.models.documents import DocumentCategory, hospital
from retrieval.tuning import SETTINGS, RetrievalTuning, tuned
from taxonomy.models.entities import kind_choices
from zol.languages import Language
from zol.records.versioned import DefaultedRow, VersionedRow
from zol.tenancy import required_hospital_id

DEFAULTS = Path(__file__).parent.parent / "defaults"
INTENT_NAMES: dict[Intent, Any] = {
    Intent.DOCTOR_LOOKUP: _("Finding a doctor"),
    Intent.DEPARTMENT_OR_SERVICE_LOOKUP: _("Finding a department or service"),
    Intent.CONDITION_INFORMATION: _("About a condition"),
    Intent.TREATMENT_OR_EXAM_INFORMATION: _("About a treatment or examination"),
    Intent.NAVIGATION_OR_PRACTICAL_INFO: _("Practical information"),
    Intent.BOOKING_OR_CONTACT: _("Appointment or contact"),
    Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION: _("Complaint described"),
    Intent.UNKNOWN: _("Intent not known"),
    Intent.OUT_OF_SCOPE_MEDICAL_ADVICE: _("Medical advice asked"),
    Intent.OFF_TOPIC: _("Not about the hospital"),
    Intent.OTHER_HOSPITAL: _("Another hospital"),
    Intent.VAGUE_INPUT: _("Too vague to tell"),
}
#: Default rows of the matrix.
ROW_NAMES: dict[str, Any] = {
    "medical_information": _("Medical information"),
    "doctor_information": _("Doctors"),
    "department_or_service": _("Departments and services"),
    "navigation_or_practical_info": _("Practical information"),
    "appointment_scheduling": _("Appointments"),
    "billing_or_insurance": _("Bills and insurance"),
    "administrative_or_legal": _("Administration and rights"),
}


def row_name(row: str) -> Any:
    """Return the name of a matrix row; for a row that a hospital added, its code in words."""
    return ROW_NAMES.get(row) or row.replace("_", " ")


def shown(value: Any) -> str:
    """Return a number formatted for staff."""
    if isinstance(value, bool):
        return gettext("on") if value else gettext("off")
    return f"{value:g}"


#: Outside these bounds an affinity could bury or force a passage whatever its text (reference 000).
LOWEST_AFFINITY, HIGHEST_AFFINITY = 0.55, 1.30


def intent_choices() -> list[tuple[str, Any]]:
    """Return every intent with its name."""
    return [*INTENT_NAMES.items()]


class ContentCategory(DefaultedRow):
    """A subject of passages, with the guard for the model's prompt when it dominates."""

    defaults = DEFAULTS / "categories.csv"
    identity = ("category",)

    category = models.SlugField(_("category"), max_length=40)
    guard_en = models.TextField(
        _("prompt guard"), blank=True, help_text=_("Part of the prompt, in English.")
    )
    name_nl = models.CharField("Nederlands", max_length=80, blank=True)
    name_en = models.CharField("English", max_length=80, blank=True)
    name_fr = models.CharField("Français", max_length=80, blank=True)
    name_de = models.CharField("Deutsch", max_length=80, blank=True)
    name_tr = models.CharField("Türkçe", max_length=80, blank=True)
    name_it = models.CharField("Italiano", max_length=80, blank=True)
    name_ro = models.CharField("Română", max_length=80, blank=True)
    name_el = models.CharField("Ελληνικά", max_length=80, blank=True)

    class Meta:
        verbose_name = _("content category")
        verbose_name_plural = _("content categories")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "category"], name="content_category_once")
        ]

    def __str__(self) -> str:
        return self.category


class CategoryKeyword(DefaultedRow):
    """A word that indicates the category of a passage."""

    defaults = DEFAULTS / "category_keywords.csv"
    identity = ("category", "language", "keyword")

    category = models.SlugField(_("category"), max_length=40)
    language = models.CharField(_("language"), max_length=2, choices=Language.choices)
    keyword = models.CharField(_("word or phrase"), max_length=100)
    weight = models.FloatField(
        _("weight"), default=1.0, help_text=_("1 is a weak hint, 3 decides.")
    )

    class Meta:
        verbose_name = _("category keyword")
        verbose_name_plural = _("category keywords")
        ordering = ["category", "language", "keyword"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "category", "language", "keyword"], name="keyword_once"
            ),
            models.CheckConstraint(
                condition=Q(weight__gt=0) & Q(weight__lte=5), name="keyword_weight_within_bounds"
            ),
        ]

    def __str__(self) -> str:
        return self.keyword


class SteeringRoute(DefaultedRow):
    """The row of the affinity matrix for an intent or topic. A topic overrides the intent."""

    defaults = DEFAULTS / "steering_routes.csv"
    identity = ("intent", "topic")

    intent = models.CharField(_("intent"), max_length=40, choices=intent_choices, blank=True)
    topic = models.CharField(_("topic"), max_length=40, blank=True)
    row = models.SlugField(
        _("matrix row"),
        max_length=60,
        blank=True,
        help_text=_("If empty, the matrix does not change the ranking."),
    )

    class Meta:
        verbose_name = _("steering route")
        verbose_name_plural = _("steering routes")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "intent", "topic"], name="route_once")
        ]

    def __str__(self) -> str:
        return f"{self.topic or self.get_intent_display()} → {row_name(self.row)}"


class AffinityCell(DefaultedRow):
    """The affinity of a category for a steering row: above 1 boosts, below 1 dampens."""

    defaults = DEFAULTS / "affinity.csv"
    identity = ("row", "category")

    row = models.SlugField(_("matrix row"), max_length=60)
    category = models.SlugField(_("category"), max_length=40)
    factor = models.FloatField(_("factor"), help_text=_("From 0.55 to 1.30; 1 is neutral."))

    class Meta:
        verbose_name = _("affinity")
        verbose_name_plural = _("affinity matrix")
        ordering = ["row", "category"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "row", "category"], name="affinity_once"),
            models.CheckConstraint(
                condition=Q(factor__gte=LOWEST_AFFINITY) & Q(factor__lte=HIGHEST_AFFINITY),
                name="affinity_within_bounds",
                violation_error_message=_("An affinity lies between 0.55 and 1.30."),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.row} × {self.category} = {self.factor}"


class CategoryFilter(DefaultedRow):
    """A category of pages that is searched for an intent."""

    defaults = DEFAULTS / "category_filters.csv"
    identity = ("intent", "document_category")

    intent = models.CharField(_("intent"), max_length=40, choices=intent_choices)
    document_category = models.CharField(
        _("category of page"), max_length=20, choices=DocumentCategory.choices
    )
    is_preferred = models.BooleanField(
        _("preferred"),
        default=False,
        help_text=_(
            "If ticked, pages of this category also rank higher; otherwise they are only searched."
        ),
    )

    class Meta:
        verbose_name = _("category filter")
        verbose_name_plural = _("category filters")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "intent", "document_category"], name="category_filter_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_intent_display()} · {self.get_document_category_display()}"


class EntityKindBoost(DefaultedRow):
    """A kind of entity whose mention in a passage suits an intent."""

    defaults = DEFAULTS / "entity_type_boosts.csv"
    identity = ("intent", "entity_type")

    intent = models.CharField(_("intent"), max_length=40, choices=intent_choices)
    entity_type = models.CharField(_("kind of entity"), max_length=20, choices=kind_choices)

    class Meta:
        verbose_name = _("entity boost")
        verbose_name_plural = _("entity boosts")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_intent_display()} · {self.get_entity_type_display()}"


class UnitPhrase(DefaultedRow):
    """A phrase that asks for a price or duration per unit."""

    defaults = DEFAULTS / "units.csv"
    identity = ("language", "question_phrase")

    dimension = models.CharField(_("dimension"), max_length=20)
    language = models.CharField(_("language"), max_length=2, choices=Language.choices)
    question_phrase = models.CharField(_("phrase"), max_length=60)
    unit = models.CharField(_("unit"), max_length=30)

    class Meta:
        verbose_name = _("unit phrase")
        verbose_name_plural = _("unit phrases")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.question_phrase


class RetrievalSetting(VersionedRow):
    """A retrieval setting that was changed; others have their defaults."""

    identity = ("name",)

    name = models.CharField(_("name"), max_length=80)
    value = models.JSONField(_("value"))

    class Meta:
        verbose_name = _("retrieval setting")
        verbose_name_plural = _("retrieval settings")
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "name"], name="retrieval_setting_once")
        ]

    def __str__(self) -> str:
        return f"{self.name} = {self.value}"

    @classmethod
    def change(cls, values: Mapping[str, Any], by: Any) -> None:
        """Store settings of the served hospital and log who changed them. Defaults are not stored;
        if one value is refused, none is stored.

        :raises ValidationError: by the name of the setting.
        """
        defaults, hospital_id = asdict(RetrievalTuning()), required_hospital_id()
        with transaction.atomic():
            before = defaults | dict(cls.objects.values_list("name", "value"))
            cls.objects.filter(name__in=values).delete()
            for name, value in values.items():
                row = cls(hospital_id=hospital_id, name=name, value=value)
                try:
                    row.clean()
                except ValidationError as error:
                    raise ValidationError({name: error.messages}) from error
                if value != defaults[name]:
                    row.save()
                text = f"{name}: {shown(before[name])} → {shown(value)}"
                LogEntry.objects.log_actions(by.pk, [row], CHANGE, text)

    def clean(self) -> None:
        if self.name not in SETTINGS:
            raise ValidationError({"name": _("This setting does not exist.")})
        try:
            tuned({self.name: self.value})
        except WrongShape as error:
            raise ValidationError({"value": error.errors()[0]["msg"]}) from error
        setting = SETTINGS[self.name]
        if not setting.allows(self.value):
            text = _("%(value)s is not between %(lowest)s and %(highest)s.")
            values = {"value": self.value, "lowest": setting.lowest, "highest": setting.highest}
            raise ValidationError({"value": text % values})


def names_field() -> ArrayField:
    empty = Value([], ArrayField(models.CharField(max_length=40)))
    return ArrayField(models.CharField(max_length=40), default=list, db_default=empty)


class CategoryMismatch(models.Model):
    """How far the best passages of an answer were off the subject asked about (spec D7)."""

    hospital = hospital()
    conversation_id = models.UUIDField(null=True)
    message_id = models.UUIDField(null=True)
    steering_row = models.CharField(_("steering row"), max_length=60, blank=True)
    intent = models.CharField(_("intent"), max_length=40, choices=intent_choices, blank=True)
    primary_category = models.CharField(_("primary category"), max_length=40, blank=True)
    mismatch_rate = models.FloatField(_("mismatch rate"))
    chunks_total = models.PositiveSmallIntegerField(_("passages"))
    chunks_off_category = models.PositiveSmallIntegerField(_("off category"))
    #: Categories of the passages read, and those whose affinity changed the first of them.
    categories = names_field()
    changed_by = names_field()
    #: At most 200 characters, redacted.
    query_preview = models.CharField(_("question"), max_length=200, blank=True)
    created_at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("category mismatch")
        verbose_name_plural = _("category mismatches")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.mismatch_rate:.2f} {self.steering_row}"
