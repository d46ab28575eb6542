"""The lexicon: words of a concept in each language, and specialties for complaints."""

from __future__ import annotations

from pathlib import Path

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from zol.records.versioned import DefaultedRow, VersionedRow

DEFAULTS = Path(__file__).parent.parent / "defaults"


class LexiconConcept(DefaultedRow):
    """A concept and its words; alternatives are separated by |, the first is the usual one."""

    class Kind(models.TextChoices):
        FUNCTION = "function", _("function word")
        PRACTICAL = "practical", _("practical matter")
        BODY = "body", _("body")
        SYMPTOM = "symptom", _("symptom")
        CONDITION = "condition", _("condition")
        SPECIALTY = "specialty", _("specialty")
        EXAMINATION = "examination", _("examination")
        TREATMENT = "treatment", _("treatment")
        MONEY = "money", _("money and insurance")
        RIGHTS = "rights", _("rights")
        PERSON = "person", _("person")
        TIME = "time", _("time")
        PLACE = "place", _("place")
        EVERYDAY = "everyday", _("everyday word")

    defaults = DEFAULTS / "lexicon.csv"
    identity = ("concept",)

    concept = models.CharField(_("concept"), max_length=80)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    nl = models.TextField("Nederlands", blank=True)
    en = models.TextField("English", blank=True)
    fr = models.TextField("Français", blank=True)
    de = models.TextField("Deutsch", blank=True)
    tr = models.TextField("Türkçe", blank=True)
    it = models.TextField("Italiano", blank=True)
    ro = models.TextField("Română", blank=True)
    el = models.TextField("Ελληνικά", blank=True)
    note = models.CharField(_("note"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("lexicon concept")
        verbose_name_plural = _("lexicon")
        ordering = ["concept"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "concept"], name="lexicon_concept_once")
        ]

    def __str__(self) -> str:
        return self.concept


NO_CONCEPT = _(
    "The lexicon has no concept “%s”: write the name of one of its concepts, or add it to the "
    "lexicon first."
)


def check_concepts(row: VersionedRow, *fields: str) -> None:
    """Refuse a row that names an unknown concept of the lexicon: it would have no effect."""
    named = {field: name for field in fields if (name := getattr(row, field))}
    concepts = LexiconConcept.objects.filter(concept__in=named.values())
    known = {*concepts.values_list("concept", flat=True)}
    if wrong := {field: NO_CONCEPT % name for field, name in named.items() if name not in known}:
        raise ValidationError(wrong)


class ComplaintRoute(DefaultedRow):
    """Route from a complaint, body part, illness, examination or treatment to a specialty.

    Both are lexicon concepts; a subspecialty leads to its specialty in the same way. The taxonomy
    of each hospital determines the department.
    """

    defaults = DEFAULTS / "complaint_routes.csv"
    identity = ("complaint", "specialty")

    complaint = models.CharField(
        _("complaint or part of the body"), max_length=80,
        help_text=_("A concept of the lexicon, such as “earache” or “ear”."),
    )  # fmt: skip
    specialty = models.CharField(
        _("specialty"), max_length=80,
        help_text=_("A concept of the lexicon, such as “ent”. The answer names this "
                    "hospital's department for it."),
    )  # fmt: skip
    weight = models.FloatField(
        _("weight"), default=1.0,
        help_text=_(
            "If a question names several complaints, their weights are added up. From 4 "
            "on, the route decides, even against the trained model."
        ),
    )  # fmt: skip

    class Meta:
        verbose_name = _("route of a complaint")
        verbose_name_plural = _("routes of complaints")
        ordering = ["complaint", "-weight"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "complaint", "specialty"], name="complaint_route_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.complaint} → {self.specialty}"

    def clean(self) -> None:
        super().clean()
        check_concepts(self, "complaint", "specialty")


class OwnNames(models.Model):
    """Mapping from a hospital's own column names and values to ours.

    "naam" is "name", "status=uit dienst" is "hidden"; what is called "" is left out.
    """

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    row_set = models.CharField(max_length=80)
    names = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["hospital", "row_set"], name="own_names_once")
        ]

    def __str__(self) -> str:
        return f"{self.row_set}: {len(self.names)}"
