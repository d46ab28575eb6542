"""Requests to language models (without their text), prices of models, and the daily budget."""

from __future__ import annotations

from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.models.language import DEFAULTS
from retrieval.models.documents import hospital
from zol.records.versioned import DefaultedRow


class ModelPrice(DefaultedRow):
    """The price of one model, as its provider publishes it. A self-hosted model costs 0."""

    defaults = DEFAULTS / "model_prices.csv"
    identity = ("model",)

    model = models.CharField(_("model"), max_length=120)
    input_per_million = models.FloatField(
        _("price per million input tokens"),
        validators=[MinValueValidator(0.0)],
        help_text=_("In the currency of your provider's bill."),
    )
    output_per_million = models.FloatField(
        _("price per million output tokens"), validators=[MinValueValidator(0.0)]
    )

    class Meta:
        verbose_name = _("price of a model")
        verbose_name_plural = _("prices of models")
        ordering = ["model"]
        constraints = [models.UniqueConstraint(fields=["hospital", "model"], name="price_once")]

    def __str__(self) -> str:
        return self.model


PURPOSES = [
    ("classify", _("understanding a question")),
    ("understand", _("understanding a question")),
    ("answer", _("writing the answer")),
    ("text", _("writing the answer")),
    ("verdict", _("checking a statement")),
    ("suggest", _("suggestions")),
    ("judge", _("checking an answer")),
    ("grade", _("grading an answer")),
]


class ModelCall(models.Model):
    """One request to a model."""

    hospital = hospital()
    message = models.UUIDField(_("message"), null=True)
    purpose = models.CharField(_("purpose"), max_length=40, choices=PURPOSES)
    endpoint = models.CharField(_("model endpoint"), max_length=40)
    model = models.CharField(_("model"), max_length=120)
    seconds = models.FloatField(_("seconds"))
    first_word = models.FloatField(
        _("time to first word"), help_text=_("In seconds; 0 if there was no answer.")
    )
    tokens_in = models.PositiveIntegerField(_("input tokens"))
    tokens_out = models.PositiveIntegerField(_("output tokens"))
    cost = models.FloatField(_("cost"))
    failure = models.CharField(_("failure"), max_length=40, blank=True)
    created_at = models.DateTimeField(_("asked"), auto_now_add=True)

    class Meta:
        verbose_name = _("request to a model")
        verbose_name_plural = _("requests to models")
        ordering = ["-created_at"]
        indexes = [
            models.Index(
                fields=["hospital", "created_at"], name="calls_of_a_day",
                include=["tokens_in", "tokens_out", "cost"],
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.purpose} · {self.model}"


class ModelBudget(models.Model):
    """A hospital's daily budget of models; once it is used up the embedded engine answers."""

    hospital = models.OneToOneField(
        "zol.Hospital", models.CASCADE, editable=False, verbose_name=_("hospital"), related_name="+"
    )
    tokens = models.PositiveBigIntegerField(
        _("tokens per day"),
        default=0,
        help_text=_("Input and output tokens together. 0 means no limit."),
    )
    cost = models.FloatField(
        _("cost per day"), default=0,
        help_text=_("Calculated with the prices of models, in their currency. 0 means no "
                    "limit."),
    )  # fmt: skip

    class Meta:
        verbose_name = _("language model budget")
        verbose_name_plural = _("language model budget")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(cost__gte=0), name="budget_not_negative",
                violation_error_message=_("The cost per day must be 0 or more."),
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        return str(_("per day"))
