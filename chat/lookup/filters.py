"""Which doctors of a list are asked for: who consults on a day, who speaks a language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chat.phrases import Phrases
from chat.schedules import slots
from taxonomy.vocabulary import Thing
from zol.text import fold, words

#: Kinds of the texts that name languages, before the code; staff may add more of them.
LANGUAGE = "language_name_"
#: Letters from which a word of a question names a day: "mon" and "di" are words too.
NAMES_DAY = 4
#: Letters from which a word may begin with the name of a language: "nederlandstalig".
BEGINS = 6


@dataclass(frozen=True, slots=True)
class Filters:
    """What the doctors who are asked for have in common."""

    #: Counted from 1 for Monday; one of them is enough.
    days: frozenset[int] = frozenset()
    #: Codes; all of them are spoken.
    languages: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.days or self.languages)

    def keep(self, doctors: Iterable[Thing]) -> tuple[Thing, ...]:
        """Return the doctors of whom it is known that they fit."""
        return tuple(doctor for doctor in doctors if self._fits(doctor))

    def _fits(self, doctor: Thing) -> bool:
        days = {slot.day for slot in slots(doctor.get("schedule"))}
        return self.languages.issubset(doctor.data.get("languages") or ()) and (
            not self.days or not self.days.isdisjoint(days)
        )

    def named(self, phrases: Phrases, language: str) -> str:
        """Return them as people say them: "vrijdag en Nederlands"."""
        kinds = [f"weekday_{day}" for day in sorted(self.days)]
        kinds += [f"{LANGUAGE}{code}" for code in sorted(self.languages)]
        return phrases.listed([phrases.say(kind, language) for kind in kinds], language)


def filters_in(question: str, phrases: Phrases, language: str) -> Filters:
    """Return the days and languages that a question in a language names."""
    if not question:
        return Filters()
    known = phrases.days.names.get(language, {})
    said = words(question)
    spoken = {
        kind.removeprefix(LANGUAGE): fold(text)
        for (kind, told_in), text in phrases.texts.items()
        if told_in == language and kind.startswith(LANGUAGE)
    }
    return Filters(
        frozenset(known[word] for word in said if len(word) >= NAMES_DAY and word in known),
        frozenset(code for code, name in spoken.items() if any(_names(w, name) for w in said)),
    )


def _names(word: str, name: str) -> bool:
    return bool(name) and (word == name or (len(name) >= BEGINS and word.startswith(name)))
