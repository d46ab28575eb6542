"""Conversations, messages and feedback, and cached answers (spec D10).

Personal data is redacted before it is stored here.
"""

from __future__ import annotations

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from chat.behaviours import UNSURE, Behaviour, Certainty, Channel, Mode
from chat.safety.emergencies.alarm import Danger, Strength
from retrieval.models.documents import hospital
from retrieval.models.steering import intent_choices
from zol.languages import Language

#: Stored letters of a word that the answer does not cover.
LONGEST_WORD = 80
CERTAINTIES = [
    (str(Certainty.FACT), _("a fact of the hospital")),
    (str(Certainty.CURATED), _("a curated answer")),
    (str(Certainty.SURE), _("sure")),
    (str(Certainty.NEAR), _("close, but not certain")),
    (str(Certainty.NOTHING), _("nothing found")),
]

BEHAVIOURS = [
    (str(Behaviour.ANSWER), _("answered")),
    (str(Behaviour.REFUSE_MEDICAL), _("medical advice refused")),
    (str(Behaviour.REFUSE_OFFTOPIC), _("refused: off topic")),
    (str(Behaviour.REFUSE_OTHER_HOSPITAL), _("refused: about another hospital")),
    (str(Behaviour.CLARIFY), _("asked the visitor to clarify")),
    (str(Behaviour.BLOCK_ATTACK), _("attack blocked")),
    (str(Behaviour.EMERGENCY), _("sent to the emergency number")),
]
WARNINGS = [
    (str(Danger.NONE), _("none")),
    (str(Danger.NOW), _("emergency")),
    (str(Danger.CRISIS), _("crisis")),
    (str(Danger.POISON), _("poisoning")),
]
STRENGTHS = [
    (str(Strength.NONE), _("none")),
    (str(Strength.LINE), _("a line above the answer")),
    (str(Strength.TEXT), _("a text above the answer")),
    (str(Strength.STOP), _("a text instead of an answer")),
]
CHANNELS = [
    (str(Channel.WEB), _("chat page")),
    (str(Channel.WIDGET), _("widget on a website")),
    (str(Channel.API), "API"),
    (str(Channel.DEMO), _("invented for the demonstration")),
]
MODES = [
    (str(Mode.STANDARD), _("standard")),
    (str(Mode.FULL), _("full")),
    (str(Mode.ESCALATED), _("escalated")),
]
#: Fields for the figures of a period; they hold no patient's text.
FIGURED = ["language", "intent", "certainty", "behaviour", "state", "finished_at", "cost"]


class Conversation(models.Model):
    """One visitor's session. No account is needed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    hospital = hospital()
    language = models.CharField(
        _("language of the page"), max_length=2, choices=Language.choices, default=Language.NL
    )
    channel = models.CharField(_("channel"), max_length=10, choices=CHANNELS, default=Channel.WEB)
    #: Known only to the visitor's browser session; its holder may resume and erase.
    secret = models.CharField(max_length=64, blank=True, editable=False)
    created_at = models.DateTimeField(_("started"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return str(self.id)[:8]


class Message(models.Model):
    """A question and its answer, with its trace."""

    class State(models.TextChoices):
        RUNNING = "running", _("being answered")
        FINISHED = "finished", _("answered")
        STOPPED = "stopped", _("stopped")
        FAILED = "failed", _("failed")

    is_kept = True  # Whether it could be stored; no field.

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    hospital = hospital()
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, verbose_name=_("conversation"), related_name="messages"
    )
    question = models.TextField(_("question (redacted)"))
    answer = models.TextField(_("answer"), blank=True)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.RUNNING
    )
    mode = models.CharField(_("mode"), max_length=10, choices=MODES, default=Mode.STANDARD)
    language = models.CharField(_("language"), max_length=8, choices=Language.choices, blank=True)
    behaviour = models.CharField(_("behaviour"), max_length=30, choices=BEHAVIOURS, blank=True)
    intent = models.CharField(_("intent"), max_length=40, choices=intent_choices, blank=True)
    citations = models.JSONField(_("citations"), default=list)
    follow_ups = models.JSONField(_("suggestions"), default=list)
    #: Name, phone, hours and places of the department referred to.
    contact = models.JSONField(_("contact"), default=dict)
    verified = models.BooleanField(_("verified with hospital data"), default=False)
    degraded = models.BooleanField(_("degraded"), default=False)
    cached = models.BooleanField(_("repeated from memory"), default=False)
    engine = models.CharField(_("engine"), max_length=20, blank=True)
    #: Number of the published version used; 0 if none.
    version = models.PositiveIntegerField(_("version"), default=0)
    timings_ms = models.JSONField(_("timings"), default=dict)
    trace = models.JSONField(_("trace"), default=dict)
    #: Cost of the answering and grading models, in their currency.
    cost = models.FloatField(_("cost"), default=0)
    #: Warning of the visitor's last two messages, and how it was shown.
    warning = models.CharField(
        _("warning"), max_length=10, choices=WARNINGS, default="none", db_default="none"
    )
    warned_by = models.CharField(
        _("warning shown as"), max_length=5, choices=STRENGTHS, default="none", db_default="none"
    )
    certainty = models.CharField(_("certainty"), max_length=8, blank=True, choices=CERTAINTIES)
    missing = ArrayField(
        models.CharField(max_length=LONGEST_WORD), verbose_name=_("not on the pages found"),
        default=list, blank=True,
    )  # fmt: skip
    created_at = models.DateTimeField(_("asked"), auto_now_add=True, db_index=True)
    finished_at = models.DateTimeField(_("answered"), null=True)
    #: Lock of the answering process (`zol.postgres.locks`).
    process = models.CharField(max_length=60, blank=True, default="", db_default="", editable=False)

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["created_at"]
        indexes = [
            models.Index(
                "hospital", models.F("created_at").desc(), name="messages_unsure",
                condition=models.Q(certainty__in=UNSURE),
            ),
            models.Index(
                fields=["hospital", "created_at"], name="messages_figures", include=FIGURED
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return self.question[:80]


class Feedback(models.Model):
    """A visitor's feedback on an answer."""

    class Reason(models.TextChoices):
        NONE = "", _("no reason given")
        WRONG = "wrong", _("not correct")
        INCOMPLETE = "incomplete", _("not complete")
        OFF = "off", _("not what I asked")
        UNCLEAR = "unclear", _("hard to understand")

    hospital = hospital()
    message = models.OneToOneField(
        Message, models.CASCADE, verbose_name=_("message"), related_name="feedback"
    )
    is_good = models.BooleanField(_("helpful"))
    reason = models.CharField(
        _("reason"), max_length=12, choices=Reason.choices, default=Reason.NONE, blank=True
    )
    created_at = models.DateTimeField(_("given on"), auto_now_add=True)

    class Meta:
        verbose_name = _("feedback")
        verbose_name_plural = _("feedback")
        ordering = ["-pk"]
        indexes = [
            models.Index(
                fields=["hospital", "created_at"], name="feedback_figures", include=["is_good"]
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return "👍" if self.is_good else "👎"


class CachedAnswer(models.Model):
    """A cached answer, with everything that a question must match to receive it.

    Deleted with the conversation that it came from: a forgotten visitor is not quoted.
    """

    hospital = hospital()
    conversation = models.ForeignKey(
        Conversation, models.CASCADE, null=True, editable=False, related_name="+",
        verbose_name=_("given in conversation"),
    )  # fmt: skip
    #: Published version, corpus, terminology and incidents behind the answer.
    knowledge = models.CharField(max_length=120, editable=False)
    exact = models.CharField(max_length=64, editable=False)
    reworded = models.CharField(max_length=64, editable=False)
    room = models.CharField(max_length=64, editable=False)
    content = ArrayField(models.CharField(max_length=120), editable=False, default=list)
    #: Vector of the question; the embedder sets its size.
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
    created_at = models.DateTimeField(_("given on"), auto_now_add=True)
    expires_at = models.DateTimeField(_("kept until"))

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
    """A counter of cache purges."""

    hospital = models.OneToOneField(
        "zol.Hospital", models.CASCADE, editable=False, related_name="+"
    )
    purges = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return str(self.purges)
