"""Rows of language data: cues, examples, fixed texts, emergencies and prompts, per language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.models.names import TEXTS
from retrieval.models.steering import intent_choices
from taxonomy.dates.words import MOMENT, is_meaning
from zol.languages import Language
from zol.records.versioned import DefaultedRow

DEFAULTS = Path(__file__).parent.parent / "defaults"

CUES = [
    ("trigger", _("asks for information")),
    ("person", _("asks for a person")),
    ("identity", _("asks who answers")),
    ("greeting", _("greets")),
    ("thanks", _("thanks")),
    ("goodbye", _("says goodbye")),
    ("except", _("leaves something out")),
    ("hospital_word", _("word for a hospital")),
    ("other_hospital_marker", _("another hospital or place")),
    ("selfname", _("tells one's own name")),
    ("naming", _("tells a name")),
    ("nameparticle", _("part of a family name")),
    ("namesake", _("comes before a name that is not a patient's")),
    ("eponym", _("a name that stands for an illness")),
    ("person_title", _("title of a person")),
    ("birthdate", _("announces a date of birth")),
    ("personal_number", _("announces a personal number")),
    ("street", _("word of an address")),
    ("spelled_sign", _("sign written as a word")),
    ("number_word", _("number in words")),
    ("weekday", _("word of hours")),
    ("moment", _("day or time")),
    ("measure", _("unit of measure")),
    ("dose_unit", _("unit of a dose")),
    ("diagnosis_given", _("tells a diagnosis")),
    ("admission", _("admits that nothing was found")),
    ("qualifier", _("denies, limits or qualifies")),
    ("risky", _("could do harm")),
    ("standing", _("may be said without a source")),
]


def language() -> models.CharField:
    return models.CharField(_("language"), max_length=2, choices=Language.choices)


def any_language() -> list[tuple[str, Any]]:
    """Return the languages, and "any" for rows of no particular language."""
    return [*Language.choices(), ("any", _("any"))]


class IntentExample(DefaultedRow):
    """An example question with its intent. Slots such as {doctor} stand for names."""

    defaults = DEFAULTS / "intent_examples.csv"
    identity = ("intent", "language", "text")

    intent = models.CharField(_("intent"), max_length=40, choices=intent_choices)
    language = language()
    text = models.CharField(_("question"), max_length=300)

    class Meta:
        verbose_name = _("example question")
        verbose_name_plural = _("example questions")
        ordering = ["intent", "language", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "intent", "language", "text"], name="intent_example_once"
            )
        ]

    def __str__(self) -> str:
        return self.text


class Cue(DefaultedRow):
    """A word or phrase that is evidence about a question."""

    defaults = DEFAULTS / "cues.csv"
    identity = ("kind", "target", "language", "text")

    kind = models.CharField(_("kind of cue"), max_length=30, db_index=True, choices=CUES)
    target = models.CharField(_("meaning"), max_length=40, blank=True)
    language = language()
    text = models.CharField(_("word or phrase"), max_length=160)
    weight = models.FloatField(_("weight"), default=1.0)

    class Meta:
        verbose_name = _("cue")
        verbose_name_plural = _("cues")
        ordering = ["kind", "target", "language", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "kind", "target", "language", "text"], name="cue_once"
            )
        ]

    def __str__(self) -> str:
        return self.text

    def clean(self) -> None:
        super().clean()
        if self.kind == MOMENT and not is_meaning(self.target):
            text = _(
                "“%(part)s” is not a meaning of days: write it like “day 1”, "
                "“weekday 5” or “month 12”."
            )
            raise ValidationError({"target": ValidationError(text, params={"part": self.target})})


class RewriteTemplate(DefaultedRow):
    """The sentence to which all questions of one intent and subject are rewritten."""

    defaults = DEFAULTS / "rewrite_templates.csv"
    identity = ("intent", "slot")

    intent = models.CharField(_("intent"), max_length=40, choices=intent_choices)
    slot = models.CharField(
        _("about"),
        max_length=40,
        blank=True,
        help_text=_("What the conversation must be about for this template to be used."),
    )
    template = models.CharField("Nederlands", max_length=300)
    en = models.CharField("English", max_length=300, blank=True)
    fr = models.CharField("Français", max_length=300, blank=True)
    de = models.CharField("Deutsch", max_length=300, blank=True)
    tr = models.CharField("Türkçe", max_length=300, blank=True)
    it = models.CharField("Italiano", max_length=300, blank=True)
    ro = models.CharField("Română", max_length=300, blank=True)
    el = models.CharField("Ελληνικά", max_length=300, blank=True)

    class Meta:
        verbose_name = _("rewrite template")
        verbose_name_plural = _("rewrite templates")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "intent", "slot"], name="template_once")
        ]

    def __str__(self) -> str:
        return self.template


class FixedText(DefaultedRow):
    """A fixed text of the product. Placeholders such as {department} are filled in."""

    defaults = DEFAULTS / "texts.csv"
    identity = ("kind", "language")
    answer_fields = frozenset({"text"})

    kind = models.CharField(_("text"), max_length=40)
    language = language()
    text = models.TextField(_("words"))

    class Meta:
        verbose_name = _("fixed text")
        verbose_name_plural = _("fixed texts")
        ordering = ["kind", "language"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "kind", "language"], name="text_once")
        ]

    def __str__(self) -> str:
        return f"{TEXTS.get(self.kind, self.kind)} ({self.language})"


class RedFlagPhrase(DefaultedRow):
    """A phrase that reports an emergency and stops the turn, or a word that denies one.

    A word ending in * matches every word with that beginning; up to two other words may come
    between two words of a phrase.
    """

    defaults = DEFAULTS / "red_flags.csv"
    identity = ("kind", "language", "role", "text")

    class Role(models.TextChoices):
        TRIGGER = "trigger", _("says it is happening")
        DENIAL = "denial", _("denies it")

    kind = models.CharField(
        _("situation"),
        max_length=30,
        help_text=_(
            "Only for a denial: “before” if it stands before what it denies, "
            "“after” if it stands after it."
        ),
    )
    language = models.CharField(_("language"), max_length=3, choices=any_language)
    role = models.CharField(_("role"), max_length=10, choices=Role.choices, default=Role.TRIGGER)
    text = models.CharField(
        _("phrase"),
        max_length=160,
        help_text=_(
            "Write a whole phrase as people type it. End a word with * to accept any ending."
        ),
    )

    class Meta:
        verbose_name = _("red flag")
        verbose_name_plural = _("red flags")
        ordering = ["kind", "language", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["hospital", "kind", "language", "role", "text"], name="red_flag_once"
            )
        ]

    def __str__(self) -> str:
        return self.text


class EmergencySituation(DefaultedRow):
    """A kind of emergency: its severity, the text that answers, and the desk to call."""

    defaults = DEFAULTS / "situations.csv"
    identity = ("kind",)
    answer_fields = frozenset({"desk", "phone"})

    class Danger(models.TextChoices):
        NOW = "emergency", _("emergency: life in danger")
        CRISIS = "crisis", _("crisis: suicide, self-harm, violence")
        POISON = "poison", _("poisoning")

    kind = models.CharField(_("situation"), max_length=30)
    danger = models.CharField(_("kind of danger"), max_length=10, choices=Danger.choices)
    text = models.CharField(
        _("texts"),
        max_length=20,
        help_text=_("Its fixed texts are called alarm_… (the full alarm) and notice_… (one line)."),
    )
    specialties = models.CharField(
        _("specialties"),
        max_length=200,
        blank=True,
        help_text=_(
            "Patients are referred to the first department that has one of these specialties."
        ),
    )
    desk = models.CharField(_("desk of this hospital"), max_length=120, blank=True)
    phone = models.CharField(
        _("number of this desk"),
        max_length=40,
        blank=True,
        help_text=_("If empty, the number of the department or else of the hospital is used."),
    )

    class Meta:
        verbose_name = _("desk of a situation")
        verbose_name_plural = _("desks of situations")
        ordering = ["danger", "kind"]
        constraints = [models.UniqueConstraint(fields=["hospital", "kind"], name="situation_once")]

    def __str__(self) -> str:
        return self.kind


class CountryLine(DefaultedRow):
    """A national emergency or help line, with the source of its number."""

    defaults = DEFAULTS / "country_lines.csv"
    identity = ("country", "kind", "number")

    country = models.CharField(_("country"), max_length=2)
    kind = models.CharField(_("line"), max_length=30)
    number = models.CharField(_("number"), max_length=40)
    language = models.CharField(
        _("language"),
        max_length=2,
        blank=True,
        default="",
        db_default="",
        choices=Language.choices,
        help_text=_("Language in which this line answers. If empty: the language of the country."),
    )
    name_nl = models.CharField("Nederlands", max_length=120, blank=True)
    name_en = models.CharField("English", max_length=120, blank=True)
    name_fr = models.CharField("Français", max_length=120, blank=True)
    name_de = models.CharField("Deutsch", max_length=120, blank=True)
    name_tr = models.CharField("Türkçe", max_length=120, blank=True)
    name_it = models.CharField("Italiano", max_length=120, blank=True)
    name_ro = models.CharField("Română", max_length=120, blank=True)
    name_el = models.CharField("Ελληνικά", max_length=120, blank=True)
    source = models.CharField(_("source"), max_length=300, blank=True)
    review_by = models.DateField(_("review by"), null=True, blank=True)

    class Meta:
        verbose_name = _("help line")
        verbose_name_plural = _("help lines")
        ordering = ["country", "kind", "pk"]

    def __str__(self) -> str:
        return f"{self.number} ({self.country})"


class InjectionPattern(DefaultedRow):
    """A regular expression over folded text that only attacks match."""

    defaults = DEFAULTS / "injection_patterns.csv"
    identity = ("pattern",)

    language = models.CharField(_("language"), max_length=8, choices=any_language, default="any")
    pattern = models.CharField(_("pattern"), max_length=500)
    description = models.CharField(_("attack that it catches"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("attack pattern")
        verbose_name_plural = _("attack patterns")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.description or self.pattern


class PromptSection(DefaultedRow):
    """A named section of the model's prompt."""

    defaults = DEFAULTS / "prompts.csv"
    identity = ("prompt", "section")

    prompt = models.CharField(_("prompt"), max_length=40)
    section = models.CharField(_("section"), max_length=40)
    position = models.PositiveSmallIntegerField(_("position"), default=0)
    text = models.TextField(_("words"))

    class Meta:
        verbose_name = _("prompt section")
        verbose_name_plural = _("prompts")
        ordering = ["prompt", "position"]
        constraints = [
            models.UniqueConstraint(fields=["hospital", "prompt", "section"], name="prompt_once")
        ]

    def __str__(self) -> str:
        return f"{self.prompt} · {self.section}"
