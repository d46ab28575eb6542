"""Which doctors are asked for: who consults on a day or at a campus, who speaks a language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from chat.phrases import Phrases
from taxonomy.facts.phrases import day_name
from taxonomy.facts.schedules import slots
from taxonomy.kinds import Kind
from taxonomy.vocabulary import Thing, Vocabulary

#: Kinds of the texts that name languages, before the code; staff may add more of them.
LANGUAGE = "language_name_"
#: Kinds of the texts that name women and men, before the letter that doctors have.
GENDER = "gender_"


@dataclass(frozen=True, slots=True)
class Filters:
    """What the doctors who are asked for have in common."""

    #: Counted from 1 for Monday; one of them is enough.
    days: frozenset[int] = frozenset()
    #: Codes; all of them are spoken.
    languages: frozenset[str] = frozenset()
    #: Days that do not suit; a consultation on any other is enough.
    without: frozenset[int] = frozenset()
    #: Letters of women and men; one of them is enough.
    genders: frozenset[str] = frozenset()
    #: Where; one of them is enough.
    campuses: tuple[Thing, ...] = ()

    def __bool__(self) -> bool:
        """Whether a list is shorter for it: a campus alone is where a list is of."""
        return bool(self.days or self.languages or self.without or self.genders)

    def keep(self, doctors: Iterable[Thing], vocabulary: Vocabulary) -> tuple[Thing, ...]:
        """Return the doctors of whom it is known that they fit."""
        return tuple(doctor for doctor in doctors if self._fits(doctor, vocabulary))

    def _fits(self, doctor: Thing, vocabulary: Vocabulary) -> bool:
        places = vocabulary.campuses_of(doctor)
        if self.campuses and set(self.campuses).isdisjoint(places):
            return False
        if not self.languages.issubset(doctor.data.get("languages") or ()):
            return False
        if self.genders and doctor.get("gender") not in self.genders:
            return False
        return not (self.days or self.without) or any(
            self._suits(slot.day) and self._is_there(vocabulary.get(Kind.CAMPUS, slot.campus))
            for slot in slots(doctor.get("schedule"))
        )

    def _suits(self, day: int) -> bool:
        return day not in self.without and (not self.days or day in self.days)

    def _is_there(self, campus: Thing | None) -> bool:
        """Whether a consultation is at a campus asked for, as far as the schedule tells."""
        return not self.campuses or campus is None or campus in self.campuses

    def named(self, phrases: Phrases, language: str) -> str:
        """Return them as people say them: "vrijdag, Nederlands en Campus Noord"."""
        days = [day_name(day, language) for day in sorted(self.days)]
        kinds = [f"{LANGUAGE}{code}" for code in sorted(self.languages)]
        kinds += [f"{GENDER}{letter}" for letter in sorted(self.genders)]
        said = days + [phrases.say(kind, language) for kind in kinds]
        said += [
            phrases.say("filter_without", language, day=day_name(day, language))
            for day in sorted(self.without)
        ]
        said += [phrases.name(campus, language) for campus in self.campuses]
        return phrases.listed(said, language)
