"""The lexicon: what one concept is called in each language, for everybody who reads questions."""

from __future__ import annotations

from pathlib import Path

from django.db import models
from django.utils.translation import gettext_lazy as _

from zol.versioned import VersionedRow

DEFAULTS = Path(__file__).parent.parent / "defaults"


class LexiconConcept(VersionedRow):
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
