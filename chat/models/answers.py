"""Answers that are given again to who asks the same, for a while (spec D10)."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from chat.models.conversations import Conversation, hospital
from retrieval.models.steering import intent_choices
from zol.languages import Language


class CachedAnswer(models.Model):
    """One answer, and all that a question must share to get it.

    It goes with the conversation in which it was given, if any: who is forgotten is not quoted.
    """

    hospital = hospital()
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, null=True, editable=False, related_name="+",
        verbose_name=_("given in"),
    )  # fmt: skip
    #: Published version, corpus, terminology and incidents that it was given from.
    knowledge = models.CharField(max_length=120, editable=False)
    exact = models.CharField(max_length=64, editable=False)
    reworded = models.CharField(max_length=64, editable=False)
    room = models.CharField(max_length=64, editable=False)
    content = ArrayField(models.CharField(max_length=120), editable=False, default=list)
    #: As long as the embedder makes it, whose name is part of the room.
    vector = HalfVectorField(null=True, editable=False)
    question = models.TextField(_("question (redacted)"))
    query = models.TextField(_("question as understood"))
    intent = models.CharField(_("intent"), max_length=40, choices=intent_choices)
    language = models.CharField(_("language"), max_length=8, choices=Language.choices)
    answer = models.TextField(_("answer"))
    citations = models.JSONField(_("citations"), default=list)
    contact = models.JSONField(_("contact"), default=dict)
    follow_ups = models.JSONField(_("suggestions"), default=list)
    verified = models.BooleanField(_("verified with hospital data"), default=False)
    engine = models.CharField(_("engine"), max_length=20, blank=True)
    created_at = models.DateTimeField(_("given"), auto_now_add=True)
    expires_at = models.DateTimeField(_("is forgotten at"))

    class Meta:
        verbose_name = _("remembered answer")
        verbose_name_plural = _("remembered answers")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "exact", "knowledge"], name="answer_remembered_once"
            )
        ]
        indexes = [
            models.Index(fields=["hospital", "reworded"], name="answer_reworded"),
            models.Index(fields=["hospital", "expires_at"], name="answer_expiry"),
            models.Index(fields=["hospital", "room", "-id"], name="answer_room"),
        ]

    def __str__(self) -> str:
        return self.question[:80]


class CacheState(models.Model):
    """How often everything that was remembered has been thrown away."""

    hospital = models.OneToOneField(
        "zol.Hospital", models.CASCADE, editable=False, related_name="+"
    )
    purges = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.purges)
