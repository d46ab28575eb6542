"""Decisions of staff that hold within a minute, without a release."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.interventions import Sort, lines_of
from chat.models.conversations import hospital

#: Fewest words of a line: one word would answer too many questions.
FEWEST = 2


class Intervention(models.Model):
    """A question that is withheld, or answered by hand, from now on."""

    class Kind(models.TextChoices):
        BLOCK = Sort.BLOCK, _("block: do not answer this question")
        FREEZE = Sort.FREEZE, _("freeze: hold the answer back while it is checked")
        CURATED = Sort.CURATED, _("curated answer: say this instead")

    class Incident(models.TextChoices):
        NONE = "", _("nothing went wrong")
        ADVICE = "advice", _("medical advice was given")
        WRONG = "wrong", _("something wrong was said")
        PRIVACY = "privacy", _("personal data was shown")

    hospital = hospital()
    kind = models.CharField(_("what to do"), max_length=10, choices=Kind.choices)
    questions = models.TextField(
        _("questions"),
        help_text=_(
            "One on a line: words that a question contains, in any order. "
            "A * at the end of a word stands for any ending."
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
    source = models.URLField(_("page that says so"), blank=True)
    review_by = models.DateField(
        _("review by"),
        null=True,
        blank=True,
        help_text=_("A curated answer is not given any more after this day."),
    )
    reason = models.CharField(_("why"), max_length=300)
    incident = models.CharField(
        _("incident"),
        max_length=10,
        choices=Incident.choices,
        blank=True,
        help_text=_("What went wrong, if something did. The home page counts medical advice."),
    )
    is_active = models.BooleanField(_("holds"), default=True)
    created_at = models.DateTimeField(_("made"), auto_now_add=True)

    class Meta:
        verbose_name = _("intervention")
        verbose_name_plural = _("interventions")
        ordering = ["-pk"]

    def __str__(self) -> str:
        first = self.questions.partition("\n")[0]
        return f"{self.get_kind_display()} · {first}"

    def clean(self) -> None:
        lines = lines_of(self.questions)
        if not lines or any(len(line) < FEWEST for line in lines):
            raise ValidationError({"questions": _("Give at least two words on every line.")})
        if self.kind != self.Kind.CURATED:
            return
        if not any(self.texts().values()):
            raise ValidationError({"text_nl": _("Write the answer in at least one language.")})
        if self.review_by is None:
            raise ValidationError(
                {"review_by": _("Say when this answer is to be looked at again.")}
            )

    def texts(self) -> dict[str, str]:
        """Return what is written, by language."""
        codes = ("nl", "en", "fr", "de", "tr", "it", "ro", "el")
        return {code: getattr(self, f"text_{code}") for code in codes}
