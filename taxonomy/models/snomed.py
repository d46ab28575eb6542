"""Reference tables of SNOMED CT, shared by all hospitals, and proposals for each hospital.

Only `load_snomed` writes the reference tables, as the owner of the database. It replaces them as a
whole, so they have no foreign keys.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from taxonomy.models.entities import Entity, OfHospital
from taxonomy.models.proposals import Decidable


class SnomedRelease(models.Model):
    """One loaded release. The reference tables hold the current one; the others are history."""

    edition = models.CharField(_("edition"), max_length=120)
    effective = models.DateField(_("date of the release"))
    languages = ArrayField(models.CharField(max_length=8), verbose_name=_("languages"))
    fingerprint = models.CharField(max_length=64)
    counts = models.JSONField(_("numbers of rows"), default=dict)
    #: Number of entities affected by changes since the previous release.
    changes = models.JSONField(_("changes"), default=dict)
    seconds = models.FloatField(_("seconds to load"), default=0)
    peak_mib = models.PositiveIntegerField(_("peak memory (MiB)"), default=0)
    loaded_at = models.DateTimeField(_("loaded at"), auto_now_add=True)
    is_current = models.BooleanField(_("current"), default=True)

    class Meta:
        verbose_name = _("SNOMED CT release")
        verbose_name_plural = _("SNOMED CT releases")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["is_current"], condition=Q(is_current=True), name="snomed_one_is_current"
            )
        ]

    def __str__(self) -> str:
        return f"{self.edition} {self.effective}"


class SnomedConcept(models.Model):
    id = models.BigIntegerField(primary_key=True)
    is_active = models.BooleanField()
    effective = models.DateField()

    def __str__(self) -> str:
        return str(self.pk)


class SnomedDescription(models.Model):
    """A term for a concept. `key` is its normalised form for look-up, empty when it is too long."""

    class Sort(models.TextChoices):
        NAME = "f", _("fully specified name")
        SYNONYM = "s", _("synonym")
        DEFINITION = "d", _("definition")

    class Acceptability(models.TextChoices):
        PREFERRED = "p", _("preferred")
        ACCEPTABLE = "a", _("acceptable")
        NEITHER = "n", _("not accepted")

    id = models.BigIntegerField(primary_key=True)
    concept = models.BigIntegerField()
    language = models.CharField(max_length=8)
    sort = models.CharField(max_length=1, choices=Sort.choices)
    acceptability = models.CharField(max_length=1, choices=Acceptability.choices)
    #: Number of words of the term.
    size = models.SmallIntegerField()
    key = models.CharField(max_length=200)
    term = models.TextField()

    class Meta:
        indexes = [
            models.Index(fields=["key"], name="snomed_term_key", condition=~Q(key="")),
            models.Index(fields=["concept"], name="snomed_term_concept"),
        ]

    def __str__(self) -> str:
        return self.term


class SnomedRelationship(models.Model):
    """An active relationship of the release, IS-A or any other."""

    id = models.BigIntegerField(primary_key=True)
    source = models.BigIntegerField()
    type = models.BigIntegerField()
    destination = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["source"], name="snomed_relationship_source")]

    def __str__(self) -> str:
        return f"{self.source} {self.type} {self.destination}"


class SnomedIsA(models.Model):
    """The transitive closure of IS-A; a concept is not its own ancestor."""

    pk = models.CompositePrimaryKey("ancestor", "descendant")
    ancestor = models.BigIntegerField()
    descendant = models.BigIntegerField()
    #: Length of the shortest path.
    distance = models.SmallIntegerField()

    class Meta:
        indexes = [models.Index(fields=["descendant"], name="snomed_isa_descendant")]

    def __str__(self) -> str:
        return f"{self.descendant} is a {self.ancestor}"


class SnomedProposal(Decidable):
    """A concept that may match an entity, without effect until a person accepts it."""

    class By(models.TextChoices):
        CODE = "code", _("its SNOMED code")
        NAME = "name", _("its name")
        LATIN = "latin", _("its Latin name")
        ALIAS = "alias", _("another word for it")

    entity = models.ForeignKey(
        Entity, models.CASCADE, verbose_name=_("entity"), related_name="snomed_proposals"
    )
    concept = models.BigIntegerField(_("SNOMED CT concept"))
    preferred_term = models.CharField(_("preferred term"), max_length=400)
    #: Terms that may become aliases: text, language.
    synonyms = models.JSONField(_("synonyms"), default=list)
    matched_by = models.CharField(_("recognised by"), max_length=10, choices=By.choices)
    matched_text = models.CharField(_("words"), max_length=200)
    #: Number of other concepts that match.
    rivals = models.PositiveIntegerField(_("other concepts that fit"), default=0)
    release = models.CharField(_("release"), max_length=160)

    class Meta:
        verbose_name = _("SNOMED CT proposal")
        verbose_name_plural = _("SNOMED CT proposals")
        ordering = ["entity__kind", "entity__name", "rivals", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "entity", "concept"], name="snomed_proposed_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.entity} = {self.preferred_term} ({self.concept})"


class SnomedChange(OfHospital):
    """A change by a new release to a concept that an entity has."""

    class Sort(models.TextChoices):
        ADDED = "added", _("new term")
        REMOVED = "removed", _("term is gone")
        ALIAS = "alias", _("term is gone, and it is an alias of this entity")
        RETIRED = "retired", _("concept is no longer active")

    release = models.ForeignKey(
        SnomedRelease, models.CASCADE, verbose_name=_("release"), related_name="+"
    )
    entity = models.ForeignKey(Entity, models.CASCADE, verbose_name=_("entity"), related_name="+")
    concept = models.BigIntegerField(_("SNOMED CT concept"))
    sort = models.CharField(_("change"), max_length=10, choices=Sort.choices)
    language = models.CharField(_("language"), max_length=8, blank=True)
    term = models.TextField(_("term"), blank=True)

    class Meta:
        verbose_name = _("change by a SNOMED CT release")
        verbose_name_plural = _("changes by SNOMED CT releases")
        ordering = ["-release", "entity__name", "sort", "term"]

    def __str__(self) -> str:
        return f"{self.entity}: {self.get_sort_display()} {self.term}"
