"""What a model's tokens cost, so that every answer's cost can be told."""

from __future__ import annotations

from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.models.language import DEFAULTS
from zol.records.versioned import DefaultedRow


class ModelPrice(DefaultedRow):
    """The price of one model, as its provider publishes it. A model of one's own costs 0."""

    defaults = DEFAULTS / "model_prices.csv"
    identity = ("model",)

    model = models.CharField(_("model"), max_length=120)
    input_per_million = models.FloatField(
        _("a million tokens read"),
        validators=[MinValueValidator(0.0)],
        help_text=_("In the currency of your provider's bill."),
    )
    output_per_million = models.FloatField(
        _("a million tokens written"), validators=[MinValueValidator(0.0)]
    )

    class Meta:
        verbose_name = _("price of a model")
        verbose_name_plural = _("prices of models")
        ordering = ["model"]
        constraints = [models.UniqueConstraint(fields=["hospital", "model"], name="price_once")]

    def __str__(self) -> str:
        return self.model
