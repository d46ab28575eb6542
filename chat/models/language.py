"""The words by which questions are understood and answers are said: rows, in every language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.models.names import TEXTS
from retrieval.models.steering import intent_choices
from zol.languages import Language
from zol.versioned import DefaultedRow

DEFAULTS = Path(__file__).parent.parent / "defaults"

CUES = [
    ("topic", _("points to a topic")),
    ("trigger", _("asks for information")),
    ("list", _("asks for a list")),
    ("list_departments", _("asks for all departments")),
    ("person", _("asks for a human")),
    ("identity", _("asks who answers")),
    ("greeting", _("greets")),
    ("thanks", _("thanks")),
    ("goodbye", _("says goodbye")),
    ("followup", _("goes on about the question before")),
    ("connective", _("begins another question")),
    ("except", _("leaves something out")),
    ("offtopic", _("everyday matter")),
    ("hospital_word", _("word for a hospital")),
    ("other_hospital_marker", _("another hospital or place")),
    ("selfname", _("tells one's own name")),
    ("naming", _("tells a name")),
    ("nameparticle", _("part of a family name")),
    ("namesake", _("comes before a name that is nobody's")),
    ("eponym", _("a name that stands for an illness")),
    ("person_title", _("title of a person")),
    ("birthdate", _("announces a date of birth")),
    ("personal_number", _("announces a personal number")),
    ("street", _("word of an address")),
    ("spelled_sign", _("sign written as a word")),
    ("number_word", _("number in words")),
    ("weekday", _("day or word of hours")),
    ("measure", _("unit of measure")),
    ("dose_unit", _("unit of a dose")),
    ("diagnosis_given", _("tells a diagnosis")),
    ("admission", _("admits that nothing was found")),
]


def language() -> models.CharField:
    return models.CharField(_("language"), max_length=2, choices=Language.choices)


def any_language() -> list[tuple[str, Any]]:
    """Return the languages, and what is written in none in particular."""
    return [*Language.choices(), ("any", _("any"))]


class IntentExample(DefaultedRow):
    """A question as people ask it, and what they wanted. Slots such as {doctor} stand for names."""

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
    """A word or phrase that gives something away about a question."""

    defaults = DEFAULTS / "cues.csv"
    identity = ("kind", "target", "language", "text")

    kind = models.CharField(_("sort of cue"), max_length=30, db_index=True, choices=CUES)
    target = models.CharField(_("points to"), max_length=40, blank=True)
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


class RewriteTemplate(DefaultedRow):
    """The one sentence that all questions of an intent about one thing become."""

    defaults = DEFAULTS / "rewrite_templates.csv"
    identity = ("intent", "slot")

    intent = models.CharField(_("intent"), max_length=40, choices=intent_choices)
    slot = models.CharField(
        _("about"), max_length=40, blank=True, help_text=_("What must be known to use it.")
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
    """What we say ourselves. Placeholders such as {department} are filled in."""

    defaults = DEFAULTS / "texts.csv"
    identity = ("kind", "language")
    told = frozenset({"text"})

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
    """Words of an emergency, and words that speak against one.

    A word of a row that ends with * stands for every word that begins so. A rule names the slots
    that must all be filled: {chest} {pain}; what fills a slot are the rows of that name. Examples
    are whole questions from which is learned what an emergency sounds like, in other words too.
    """

    defaults = DEFAULTS / "red_flags.csv"
    identity = ("kind", "language", "role", "text")

    class Role(models.TextChoices):
        TRIGGER = "trigger", _("says it is happening")
        RULE = "rule", _("slots that together say it is happening")
        SLOT = "slot", _("fills a slot")
        DENIAL = "denial", _("denies it")
        DISTANT = "distant", _("says it is long ago or a story")
        CONTEXT = "context", _("says it is only a question")
        PRESENCE = "presence", _("says it is happening now")
        COUNSEL = "counsel", _("also asks for what pages tell: answered after the help line")
        IDIOM = "idiom", _("is an expression in which such words mean something else")
        SPELLING = "spelling", _("is how it is also written")
        EXAMPLE = "example", _("tells of an emergency, to learn from")
        HARMLESS = "harmless", _("only comes near one, to learn from")

    kind = models.CharField(
        _("emergency"),
        max_length=30,
        help_text=_(
            "Of a slot: its name. Of a denial: before or after, where it stands. "
            "Of a spelling: the words that are meant, or an ending: *yor. "
            "“any” holds for every emergency."
        ),
    )
    language = models.CharField(_("language"), max_length=3, choices=any_language)
    role = models.CharField(_("role"), max_length=10, choices=Role.choices)
    text = models.CharField(
        _("phrase"),
        max_length=160,
        help_text=_("A * at the end of a word stands for any ending. A rule: {chest} {pain}."),
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


class CountryLine(DefaultedRow):
    """An emergency or help line of a country, with where the number was found."""

    defaults = DEFAULTS / "country_lines.csv"
    identity = ("country", "kind", "number")

    country = models.CharField(_("country"), max_length=2)
    kind = models.CharField(_("line"), max_length=30)
    number = models.CharField(_("number"), max_length=40)
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
    """A regular expression, over folded text, that only an attack matches."""

    defaults = DEFAULTS / "injection_patterns.csv"
    identity = ("pattern",)

    language = models.CharField(_("language"), max_length=8, choices=any_language, default="any")
    pattern = models.CharField(_("pattern"), max_length=500)
    description = models.CharField(_("what it catches"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("attack pattern")
        verbose_name_plural = _("attack patterns")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.description or self.pattern


class PromptSection(DefaultedRow):
    """A named part of what a model is told."""

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
