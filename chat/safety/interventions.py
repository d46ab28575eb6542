"""Interventions by which staff change answers without a release: withhold an answer, replace it,
or show a bulletin above it.

Plain values: `chat.selectors` reads the rows; stages match them with questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from chat.phrases import Phrases
from chat.safety.phrases import PhraseWord, pattern
from taxonomy.facts.phrases import long_date
from taxonomy.language.tokens import folded


class Sort(StrEnum):
    BLOCK = "block"
    FREEZE = "freeze"
    CURATED = "curated"
    BULLETIN = "bulletin"


@dataclass(frozen=True, slots=True)
class Intervention:
    """An intervention on questions with certain words, or on a subject."""

    id: int
    sort: Sort
    #: Patterns, one per line, words in any order; one match is enough.
    lines: tuple[tuple[PhraseWord, ...], ...]
    #: Replacement text, by language.
    texts: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    #: Last day on which a curated answer is given.
    review_by: date | None = None
    #: First and last day in force.
    valid_from: date | None = None
    valid_to: date | None = None
    #: Kind and key of the bulletin's subject.
    subject: tuple[str, str] | None = None

    @property
    def is_general(self) -> bool:
        """Return whether it concerns the whole hospital."""
        return not self.lines and self.subject is None

    def is_about(self, words: frozenset[str]) -> bool:
        return any(all(any(map(wanted.matches, words)) for wanted in line) for line in self.lines)

    def is_in_force(self, today: date) -> bool:
        """Return whether it is in force and not due for review."""
        last = (self.valid_to or today, self.review_by or today)
        return (self.valid_from or today) <= today <= min(last)

    def text(self, *languages: str) -> tuple[str, str]:
        """Return the first available text of these languages, and its language."""
        codes = (code for code in (*languages, *self.texts) if self.texts.get(code))
        return next(((self.texts[code], code) for code in codes), ("", ""))

    def announced(self, phrases: Phrases, language: str) -> tuple[str, str, str]:
        """Return a bulletin's heading, text and language; the heading names a language other than
        the visitor's."""
        text, code = self.text(language, phrases.profile.default_language)
        until = long_date(self.valid_to, language) if self.valid_to else ""
        name = "" if code == language else phrases.say(f"language_name_{code}", language)
        heading = phrases.say("bulletin", language, date=until)
        return f"{heading} ({name})" if name else heading, text, code


@dataclass(frozen=True, slots=True)
class Interventions:
    """All interventions in force, the latest first."""

    items: tuple[Intervention, ...] = ()

    def about(self, question: str, today: date) -> Intervention | None:
        """Return the intervention on a question, if there is one."""
        words = frozenset(folded(question))
        others = (item for item in self.items if item.sort is not Sort.BULLETIN)
        return next(
            (item for item in others if item.is_about(words) and item.is_in_force(today)), None
        )

    def bulletins(self, today: date) -> tuple[Intervention, ...]:
        """Return the bulletins of a day on any subject."""
        return tuple(i for i in self.items if i.sort is Sort.BULLETIN and i.is_in_force(today))


def lines_of(text: str) -> tuple[tuple[PhraseWord, ...], ...]:
    """Return the patterns of a text, one for each line."""
    return tuple(words for line in text.splitlines() if (words := pattern(line)))
