"""Models of ingestion runs, which recovery reads instead of the broker, and of measurements."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Value
from django.utils.translation import gettext_lazy as _

from retrieval.models.documents import Document, hospital
from retrieval.models.steering import intent_choices


def names_field() -> ArrayField:
    empty = Value([], ArrayField(models.CharField(max_length=40)))
    return ArrayField(models.CharField(max_length=40), default=list, db_default=empty)


class IngestionRun(models.Model):
    """A run over a set of documents; can be stopped, resumed and repeated."""

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        STOPPED = "stopped", _("stopped")
        FINISHED = "finished", _("finished")

    hospital = hospital()
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.RUNNING
    )
    reason = models.CharField(_("occasion"), max_length=200, blank=True)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField(_("started"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("ingestion run")
        verbose_name_plural = _("ingestion runs")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"#{self.pk}"


class IngestionItem(models.Model):
    """One document of a run."""

    class State(models.TextChoices):
        DISCOVERED = "discovered", _("waiting")
        PROCESSING = "processing", _("being processed")
        PROCESSED = "processed", _("processed")
        UNCHANGED = "unchanged", _("unchanged")
        EMPTY = "empty", _("no text found")
        FAILED = "failed", _("failed, will be tried again")
        DEAD = "dead", _("failed for good")

    hospital = hospital()
    run = models.ForeignKey(IngestionRun, models.CASCADE, related_name="items")
    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    state = models.CharField(
        _("state"), max_length=12, choices=State.choices, default=State.DISCOVERED
    )
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    claimed_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("document of a run")
        verbose_name_plural = _("documents of a run")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["run", "document"], name="document_once_in_a_run")
        ]

    def __str__(self) -> str:
        return f"{self.document} · {self.state}"


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
