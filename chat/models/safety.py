"""What keeps answers safe and staff may change: questions for advice, limits of a detector."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.models.language import DEFAULTS, any_language
from zol.versioned import DefaultedRow


class AdvicePhrase(DefaultedRow):
    """Words of a question for medical advice, and words that speak against one.

    A word of a row that ends with * stands for every word that begins so. A rule names the slots
    that must all be filled: {howmuch} {med}; what fills a slot are the rows of that name.
    """

    defaults = DEFAULTS / "advice.csv"
    identity = ("kind", "language", "role", "text")

    class Role(models.TextChoices):
        RULE = "rule", _("slots that together ask for advice")
        SLOT = "slot", _("fills a slot")
        PHRASE = "phrase", _("asks for advice")
        HINT = "hint", _("may ask for advice")
        SOURCE = "source", _("asks what a page says")
        PREPARE = "prepare", _("asks how to get ready")
        ROUTE = "route", _("asks whom to turn to")

    kind = models.CharField(_("sort of advice"), max_length=30, help_text=_("Of a slot: its name."))
    language = models.CharField(_("language"), max_length=3, choices=any_language)
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    text = models.CharField(
        _("phrase"),
        max_length=160,
        help_text=_("A * at the end of a word stands for any ending. A rule: {howmuch} {med}."),
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
