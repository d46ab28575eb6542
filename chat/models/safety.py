"""What keeps answers safe and staff may change: questions for advice, limits of a detector."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.models.language import DEFAULTS, any_language
from zol.records.versioned import DefaultedRow


class AdvicePhrase(DefaultedRow):
    """A phrase that asks for personal medical advice, or the name of a medicine.

    A word that ends with * stands for every word that begins so; one that begins with * for every
    word that ends so: "*statin*" is any word with "statin" in it.
    """

    defaults = DEFAULTS / "advice.csv"
    identity = ("kind", "language", "role", "text")

    class Role(models.TextChoices):
        PHRASE = "phrase", _("asks for advice")
        MEDICINE = "medicine", _("names a medicine")

    kind = models.CharField(_("about"), max_length=30)
    language = models.CharField(_("language"), max_length=3, choices=any_language)
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    text = models.CharField(
        _("phrase"), max_length=160, help_text=_("A * at the end of a word stands for any ending.")
    )

    class Meta:
        verbose_name = _("words of a question for advice")
        verbose_name_plural = _("questions for advice")
        ordering = ["role", "kind", "language", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "kind", "language", "role", "text"], name="advice_once"
            )
        ]

    def __str__(self) -> str:
        return self.text
