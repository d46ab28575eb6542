"""The words by which questions are understood and answers are said: rows, in every language."""

from __future__ import annotations

from pathlib import Path

from django.db import models
from django.utils.translation import gettext_lazy as _

from retrieval.intents import Intent
from zol.languages import Language
from zol.versioned import VersionedRow

DEFAULTS = Path(__file__).parent.parent / "defaults"
INTENTS = [(str(intent), str(intent)) for intent in Intent]


def language() -> models.CharField:
    return models.CharField(_("language"), max_length=2, choices=Language.choices)


class IntentExample(VersionedRow):
    """A question as people ask it, and what they wanted. Slots such as {doctor} stand for names."""

    defaults = DEFAULTS / "intent_examples.csv"
    identity = ("intent", "language", "text")

    intent = models.CharField(_("intent"), max_length=40, choices=INTENTS)
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


class Cue(VersionedRow):
    """A word or phrase that gives something away about a question."""

    defaults = DEFAULTS / "cues.csv"
    identity = ("kind", "target", "language", "text")

    kind = models.CharField(_("sort of cue"), max_length=30, db_index=True)
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


class RewriteTemplate(VersionedRow):
    """The one sentence that all questions of an intent about one thing become."""

    defaults = DEFAULTS / "rewrite_templates.csv"
    identity = ("intent", "slot")

    intent = models.CharField(_("intent"), max_length=40, choices=INTENTS)
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


class FixedText(VersionedRow):
    """What we say ourselves. Placeholders such as {department} are filled in."""

    defaults = DEFAULTS / "texts.csv"
    identity = ("kind", "language")

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
        return f"{self.kind} ({self.language})"


class RedFlagPhrase(VersionedRow):
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
    language = models.CharField(
        _("language"), max_length=3, choices=[*Language.choices, ("any", _("any"))]
    )
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


class CountryLine(VersionedRow):
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


class InjectionPattern(VersionedRow):
    """A regular expression, over folded text, that only an attack matches."""

    defaults = DEFAULTS / "injection_patterns.csv"
    identity = ("pattern",)

    language = models.CharField(_("language"), max_length=8, default="any")
    pattern = models.CharField(_("pattern"), max_length=500)
    description = models.CharField(_("what it catches"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("attack pattern")
        verbose_name_plural = _("attack patterns")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.description or self.pattern


class PromptSection(VersionedRow):
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
