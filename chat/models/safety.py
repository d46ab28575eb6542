"""What keeps answers safe and staff may change: limits of the detector of machine-made suffixes."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.models.language import DEFAULTS, language
from zol.versioned import VersionedRow


class SuffixThreshold(VersionedRow):
    """From which value on a signal of a machine-made suffix counts; two of them block.

    Without a row the fitted default holds: deleting rows does not switch the detector off.
    """

    defaults = DEFAULTS / "suffix_thresholds.csv"
    identity = ("language", "signal")

    class Signal(models.TextChoices):
        DICTIONARY = "dictionary", _("share of words in no dictionary")
        ENTROPY = "entropy", _("bits per character")
        RUN = "run", _("special characters in a row")
        SPECIAL = "special", _("share of words with special characters")

    language = language()
    signal = models.CharField(_("signal"), max_length=12, choices=Signal.choices)
    value = models.FloatField(
        _("counts from"), validators=[MinValueValidator(0.05), MaxValueValidator(4.0)]
    )

    class Meta:
        verbose_name = _("limit of the suffix detector")
        verbose_name_plural = _("limits of the suffix detector")
        ordering = ["language", "signal"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "language", "signal"], name="limit_once")
        ]

    def __str__(self) -> str:
        return f"{self.signal} ({self.language}) ≥ {self.value}"
