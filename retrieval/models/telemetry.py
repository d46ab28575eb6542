"""What is measured about retrieval, off the answer's path."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from retrieval.models.documents import hospital


class CategoryMismatch(models.Model):
    """How far the best passages of an answer were from the subject asked about (spec D7)."""

    hospital = hospital()
    conversation_id = models.UUIDField(null=True)
    message_id = models.UUIDField(null=True)
    steering_row = models.CharField(_("steering row"), max_length=60, blank=True)
    intent = models.CharField(_("intent"), max_length=40, blank=True)
    primary_category = models.CharField(_("primary category"), max_length=40, blank=True)
    mismatch_rate = models.FloatField(_("mismatch rate"))
    chunks_total = models.PositiveSmallIntegerField(_("passages"))
    chunks_off_category = models.PositiveSmallIntegerField(_("off category"))
    #: At most 200 characters, redacted.
    query_preview = models.CharField(_("question"), max_length=200, blank=True)
    created_at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("category mismatch")
        verbose_name_plural = _("category mismatches")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.mismatch_rate:.2f} {self.steering_row}"
