"""Proposals for the taxonomy with the decisions of staff, and mergers of entities.

`Decidable` is the base of every queue of proposals.
"""

from __future__ import annotations

from pathlib import Path

from django.db import models
from django.utils.translation import gettext_lazy as _

from taxonomy.models.entities import Entity, OfHospital, kind_choices
from taxonomy.models.relations import PREDICATES
from zol.languages import Language
from zol.records.audit import account
from zol.records.versioned import DefaultedRow


class Decidable(OfHospital):
    """A proposal by the product, without effect until a person accepts it."""

    class Status(models.TextChoices):
        OPEN = "open", _("to be decided")
        ACCEPTED = "accepted", _("accepted")
        REJECTED = "rejected", _("rejected")

    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.OPEN
    )
    #: Result of the decision: aliases added, collisions.
    outcome = models.TextField(_("outcome"), blank=True)
    decided_by = account(_("decided by"), blank=True)
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN


DEFAULTS = Path(__file__).parent.parent / "defaults"


class PopulationCue(DefaultedRow):
    """A title before a doctor's name, recognised in imported spreadsheets of doctors."""

    #: The only sort in use; an upgraded hospital may have rows of other sorts.
    TITLE = "title"

    defaults = DEFAULTS / "population_cues.csv"
    identity = ("sort", "language", "phrase")

    #: Kept for one release: 1.1.0 reads it.
    sort = models.CharField(max_length=10, default=TITLE, editable=False)
    language = models.CharField(_("language"), max_length=2, choices=Language.choices)
    phrase = models.CharField(
        _("title"), max_length=80,
        help_text=_("As written in spreadsheets; capitals and accents make no difference."),
    )  # fmt: skip

    class Meta:
        verbose_name = _("title before a doctor's name")
        verbose_name_plural = _("titles before doctors' names")
        ordering = ["sort", "language", "phrase"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "sort", "language", "phrase"], name="population_cue_once"
            )
        ]

    def __str__(self) -> str:
        return self.phrase


class Proposal(Decidable):
    """An entity, alias or relation that a page states, or two entities that may be one."""

    class Sort(models.TextChoices):
        ENTITY = "entity", _("new entity")
        ALIAS = "alias", _("other word")
        RELATION = "relation", _("relation")
        MERGE = "merge", _("may be the same")

    sort = models.CharField(_("proposal"), max_length=10, choices=Sort.choices)
    #: Identifies the same proposal when a page is read again.
    identity = models.CharField(max_length=500, editable=False)
    kind = models.CharField(_("kind"), max_length=20, choices=kind_choices)
    #: Name of a new entity, or text of an alias.
    name = models.CharField(_("name or word"), max_length=200, blank=True)
    language = models.CharField(_("language"), max_length=8, blank=True)
    #: Fields of a new entity, and the relations that come with it: predicate, kind, key.
    data = models.JSONField(default=dict, editable=False)
    predicate = models.CharField(_("relation"), max_length=20, choices=PREDICATES, blank=True)
    #: Subject of the alias or relation; of two possible duplicates, the one to merge away.
    subject = models.ForeignKey(
        Entity, models.CASCADE, null=True, verbose_name=_("subject"), related_name="+"
    )
    #: Object of the relation; of two possible duplicates, the one to keep; or a similar entity.
    object = models.ForeignKey(
        Entity, models.CASCADE, null=True, verbose_name=_("object"), related_name="+"
    )
    #: Source pages: path, title, url, sentence.
    sources = models.JSONField(default=list, editable=False)
    sentence = models.TextField(_("sentence"), blank=True)
    page = models.CharField(_("page"), max_length=300, blank=True)
    support = models.PositiveIntegerField(_("pages"), default=1)
    #: Why a model doubts it; empty when it does not, or was not asked.
    doubt = models.CharField(_("how unsure the model is"), max_length=300, blank=True)
    #: Kept for one release: 1.1.0 reads it.
    is_checked = models.BooleanField(_("checked by a model"), default=False, editable=False)
    created_at = models.DateTimeField(_("proposed at"), auto_now_add=True)

    class Meta:
        verbose_name = _("proposal")
        verbose_name_plural = _("proposals")
        ordering = ["sort", "kind", "-support", "name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "identity"], name="proposed_once")
        ]
        indexes = [models.Index(fields=["hospital", "status"], name="proposal_queue")]

    def __str__(self) -> str:
        match self.sort:
            case self.Sort.RELATION:
                return f"{self.subject} {self.predicate} {self.object}"
            case self.Sort.ALIAS:
                return f"{self.subject}: “{self.name}” ({self.language})"
            case self.Sort.MERGE:
                return f"{self.subject} = {self.object}"
        return self.name


class Merger(OfHospital):
    """A merger of two entities: where the old key leads now, and how to undo it."""

    kind = models.CharField(_("kind"), max_length=20, choices=kind_choices)
    old_key = models.CharField(_("old key"), max_length=120)
    old_name = models.CharField(_("old name"), max_length=200)
    old_url = models.URLField(_("old page"), max_length=500, blank=True)
    #: The entity merged away: hidden, its key reserved.
    source = models.ForeignKey(
        Entity, models.CASCADE, related_name="+", verbose_name=_("merged entity")
    )
    target = models.ForeignKey(
        Entity, models.CASCADE, related_name="mergers", verbose_name=_("kept")
    )
    #: What was moved, filled in and dropped, to undo it.
    moved = models.JSONField(default=dict, editable=False)
    #: Differing values that were not taken over.
    collisions = models.JSONField(_("left unchanged"), default=list)
    by = account(_("merged by"))
    at = models.DateTimeField(_("merged at"), auto_now_add=True)
    undone_by = account(_("undone by"))
    undone_at = models.DateTimeField(_("undone at"), null=True)

    class Meta:
        verbose_name = _("merger")
        verbose_name_plural = _("mergers")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["source"], condition=models.Q(undone_at=None), name="merged_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.old_name} → {self.target}"


class PageReading(models.Model):
    """A pass of 1.1.0 over the pages. Kept for one release: 1.1.0 writes and reads it."""

    hospital = models.ForeignKey("zol.Hospital", models.CASCADE, related_name="+")
    total = models.PositiveIntegerField(_("pages"), default=0)
    done = models.PositiveIntegerField(_("read"), default=0)
    made = models.PositiveIntegerField(_("new proposals"), default=0)
    started_at = models.DateTimeField(_("started"), auto_now_add=True)
    moved_at = models.DateTimeField(auto_now=True)
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("reading of pages")
        verbose_name_plural = _("readings of pages")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.done}/{self.total}"
