"""Interventions, which take effect within a minute without a release, and advice phrases."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.models.language import DEFAULTS, any_language
from chat.safety.interventions import Sort, lines_of
from retrieval.models.documents import hospital
from taxonomy.models import Entity
from zol.records.versioned import DefaultedRow

#: Fewest words per line: a single word would match too many questions.
FEWEST = 2


class Intervention(models.Model):
    """A question that is blocked or answered by hand from now on, or an announcement."""

    class Kind(models.TextChoices):
        BLOCK = Sort.BLOCK, _("block: do not answer this question")
        FREEZE = Sort.FREEZE, _("freeze: hold the answer back while it is checked")
        CURATED = Sort.CURATED, _("curated answer: show this text instead of the answer")
        BULLETIN = Sort.BULLETIN, _("bulletin: show this text before the answer")

    class Incident(models.TextChoices):
        NONE = "", _("nothing went wrong")
        ADVICE = "advice", _("medical advice was given")
        WRONG = "wrong", _("something wrong was said")
        PRIVACY = "privacy", _("personal data was shown")

    hospital = hospital()
    kind = models.CharField(_("what to do"), max_length=10, choices=Kind.choices)
    questions = models.TextField(
        _("questions"),
        blank=True,
        help_text=_(
            "Words that a question must contain, in any order; one set of words per line."
            " End a word with * to accept any ending. A bulletin needs no words."
        ),
    )
    text_nl = models.TextField("Nederlands", blank=True)
    text_en = models.TextField("English", blank=True)
    text_fr = models.TextField("Français", blank=True)
    text_de = models.TextField("Deutsch", blank=True)
    text_tr = models.TextField("Türkçe", blank=True)
    text_it = models.TextField("Italiano", blank=True)
    text_ro = models.TextField("Română", blank=True)
    text_el = models.TextField("Ελληνικά", blank=True)
    source = models.URLField(_("supporting page"), blank=True)
    review_by = models.DateField(
        _("review by"),
        null=True,
        blank=True,
        help_text=_("After this day the curated answer is no longer given."),
    )
    subject = models.ForeignKey(
        Entity, models.CASCADE, null=True, blank=True, verbose_name=_("subject"),
        related_name="+", help_text=_(
            "The bulletin is shown to visitors who ask about this subject or use the "
            "words above. Without a subject and without words it is shown before every "
            "answer."
        ),
    )  # fmt: skip
    valid_from = models.DateField(_("valid from"), null=True, blank=True)
    valid_to = models.DateField(
        _("valid until"), null=True, blank=True,
        help_text=_("Last day on which this is shown. A bulletin must have one; patients "
                    "see it."),
    )  # fmt: skip
    reason = models.CharField(_("why"), max_length=300)
    incident = models.CharField(
        _("incident"),
        max_length=10,
        choices=Incident.choices,
        blank=True,
        help_text=_(
            "Choose what went wrong, if anything. The home page counts cases of medical advice."
        ),
    )
    is_active = models.BooleanField(_("in use"), default=True)
    created_at = models.DateTimeField(_("created on"), auto_now_add=True)

    class Meta:
        verbose_name = _("intervention")
        verbose_name_plural = _("interventions")
        ordering = ["-pk"]

    def __str__(self) -> str:
        first = self.questions.partition("\n")[0]
        about = first or self.subject or _("the whole hospital")
        return f"{self.get_kind_display()} · {about}"

    def clean(self) -> None:
        wrong: dict[str, Any] = {}
        announces, lines = self.kind == self.Kind.BULLETIN, lines_of(self.questions)
        if not (lines or announces) or any(len(line) < FEWEST for line in lines):
            wrong["questions"] = _("Write at least two words on every line.")
        if self.valid_from and self.valid_to and self.valid_to < self.valid_from:
            wrong["valid_to"] = _("The last day is before the first day: correct one of them.")
        if announces and self.valid_to is None:
            wrong["valid_to"] = _("Enter the last day on which this is shown.")
        says = announces or self.kind == self.Kind.CURATED
        if says and not any(self.texts().values()):
            wrong["text_nl"] = _("Write the text in at least one language.")
        if self.kind == self.Kind.CURATED and self.review_by is None:
            wrong["review_by"] = _("Enter the day on which this answer must be reviewed.")
        if wrong:
            raise ValidationError(wrong)

    def state(self, today: date) -> Any:
        """Return whether it is scheduled, active or over."""
        last = min(self.valid_to or today, self.review_by or today)
        if not self.is_active or last < today:
            return _("ended")
        return _("not started yet") if self.valid_from and self.valid_from > today else _("now")

    def texts(self) -> dict[str, str]:
        """Return its texts by language."""
        codes = ("nl", "en", "fr", "de", "tr", "it", "ro", "el")
        return {code: getattr(self, f"text_{code}") for code in codes}


class AdvicePhrase(DefaultedRow):
    """A phrase that asks for personal medical advice, or the name of a medicine.

    A word ending in * matches every word with that beginning, one starting with * every word with
    that ending: "*statin*" matches any word that contains "statin".
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
        _("phrase"), max_length=160, help_text=_("End a word with * to accept any ending.")
    )

    class Meta:
        verbose_name = _("phrase that asks for advice")
        verbose_name_plural = _("phrases that ask for advice")
        ordering = ["role", "kind", "language", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "kind", "language", "role", "text"], name="advice_once"
            )
        ]

    def __str__(self) -> str:
        return self.text
