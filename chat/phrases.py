"""What we say ourselves: fixed texts, approved as rows in every language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from chat.safety.rows import defaults, rows_of_kind
from chat.schedules import WEEKDAY, DayNames, day_names
from taxonomy.kinds import AliasKind, Kind
from taxonomy.snapshot import Profile, Snapshot
from taxonomy.vocabulary import Thing
from zol.text import fold

#: When a text is missing in a language, it is said in one that most people can read.
FALLBACK = "en"
#: The questions that a hospital offers on its start page, one a line; there are no others.
EXAMPLES = "examples"
#: Lines for somebody who does not want to live any more.
CRISIS = ("suicide", "listening")
#: Aliases that are names, rather than abbreviations, mistakes or professions.
NAMES = (AliasKind.SYNONYM, AliasKind.LAY)
#: What signs and letters call by one name in every language.
UNTRANSLATED = (Kind.CAMPUS, Kind.DOCTOR, Kind.HOSPITAL)


_PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*)\}")


def filled(text: str, values: Mapping[str, Any]) -> str:
    """Fill in the placeholders of a text; whatever else is in braces stays as it is.

    People write these texts: a brace too many must not fail in front of a patient.
    """
    return _PLACEHOLDER.sub(lambda found: str(values.get(found[1], found[0])), text)


@dataclass(frozen=True, slots=True)
class Phrases:
    """The fixed texts of one hospital."""

    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    profile: Profile = Profile()
    #: Emergency and help lines of the hospital's country.
    lines: tuple[Mapping[str, str], ...] = ()
    #: How the hospital writes the days of its hours.
    days: DayNames = DayNames()
    _known: dict[str, dict[str, Any]] = field(default_factory=dict, compare=False, repr=False)

    def has(self, kind: str) -> bool:
        return (kind, self.profile.default_language) in self.texts

    def say(self, kind: str, language: str, **values: object) -> str:
        """Return a text in a language, filled in."""
        for tried in (language, self.profile.default_language, FALLBACK):
            if text := self.texts.get((kind, tried)):
                return filled(text, self._own(language) | values)
        return ""

    def examples(self, language: str) -> tuple[str, ...]:
        """Return the questions that the hospital offers to who reads a language."""
        return tuple(self.texts.get((EXAMPLES, language), "").splitlines())

    def _own(self, language: str) -> dict[str, Any]:
        """Return what every text may speak of: the hospital, and who helps in its country."""
        if language not in self._known:
            self._known[language] = self._read_own(language)
        return self._known[language]

    def _read_own(self, language: str) -> dict[str, Any]:
        own = asdict(self.profile)
        for line in reversed(self.lines):
            own[f"{line['kind']}_phone"] = line["number"]
        helping = [line for line in self.lines if line["kind"] in CRISIS]
        own["crisis_lines"] = "\n".join(
            f"- **{line['number']}** {line.get(f'name_{language}') or line['name_en']}"
            for line in helping
        )
        return own

    def listed(self, items: list[str] | tuple[str, ...], language: str) -> str:
        """Return items as people write them: "a, b en c"."""
        if len(items) < 2:
            return "".join(items)
        return f"{', '.join(items[:-1])} {self.say('list_and', language)} {items[-1]}"

    def name(self, thing: Thing, language: str) -> str:
        """Return a thing's name, with its name in the asker's language beside it."""
        if language == self.profile.default_language or thing.kind in UNTRANSLATED:
            return thing.name
        own = (a.text for a in thing.aliases if a.language == language and a.kind in NAMES)
        first = next(own, thing.name)
        return thing.name if fold(first) == fold(thing.name) else f"{thing.name} ({first})"


def phrases_of(snapshot: Snapshot) -> Phrases:
    return snapshot.derived(_read)


def _read(snapshot: Snapshot) -> Phrases:
    country = snapshot.profile.country
    rows = (*defaults("texts"), *snapshot.rows_of("chat.fixedtext"))
    return Phrases(
        # A text that a hospital does not have yet is said as it comes with the product.
        texts={(row["kind"], row["language"]): row["text"] for row in rows},
        profile=snapshot.profile,
        lines=tuple(
            row for row in snapshot.rows_of("chat.countryline") if row["country"] == country
        ),
        days=day_names(rows_of_kind(snapshot, "chat.cue", "cues", kind=WEEKDAY)),
    )
