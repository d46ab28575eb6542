"""Filters of a list of doctors: a day, a language, women or men, a campus; and their reader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from taxonomy.dates.reading import weekdays
from taxonomy.dates.words import Calendar
from taxonomy.facts.schedules import slots
from taxonomy.kinds import Kind
from taxonomy.vocabulary import Thing, Vocabulary
from zol.text import fold

#: Letters from which a word may begin with the name of a language: "nederlandstalig".
BEGINS = 6
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")


@dataclass(frozen=True, slots=True)
class Filters:
    """What the doctors who are asked for have in common."""

    #: Counted from 1 for Monday; one of them is enough.
    days: frozenset[int] = frozenset()
    #: Codes; all of them are spoken.
    languages: frozenset[str] = frozenset()
    #: Letters of women and men; one of them is enough.
    genders: frozenset[str] = frozenset()
    #: Where; one of them is enough.
    campuses: tuple[Thing, ...] = ()

    def __bool__(self) -> bool:
        """Whether a list is shorter for it: a campus alone is where a list is of."""
        return bool(self.days or self.languages or self.genders)

    def after(self, earlier: Filters) -> Filters:
        """Return these with what an earlier question asked for and these say nothing of."""
        return Filters(
            self.days or earlier.days,
            self.languages or earlier.languages,
            self.genders or earlier.genders,
            self.campuses or earlier.campuses,
        )

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
        return not self.days or any(
            slot.day in self.days and self._is_there(vocabulary.get(Kind.CAMPUS, slot.campus))
            for slot in slots(doctor.get("schedule"))
        )

    def _is_there(self, campus: Thing | None) -> bool:
        """Tell whether a consultation is at a campus asked for, as far as the schedule tells."""
        return not self.campuses or campus is None or campus in self.campuses


@dataclass(frozen=True, slots=True)
class FilterReader:
    """Reads the days and languages that a question names."""

    calendar: Calendar = Calendar()
    #: By the language of a question, the languages that doctors speak: folded name and code.
    spoken: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    #: By language, words that take out a day, "niet op vrijdag", and titles of people.
    except_: Mapping[str, frozenset[str]] = field(default_factory=dict)
    titles: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def read(self, question: str, language: str) -> Filters:
        """Return what a question in a language names. Where it takes out a day, no day counts: the
        whole list says when everybody is there."""
        written = _WORD.findall(question)
        said = [fold(word).replace("\u2019", "'") for word in written]
        takes_out = not self.except_.get(language, frozenset()).isdisjoint(said)
        days = () if takes_out else weekdays(question, language, self.calendar)
        return Filters(
            frozenset(day for _, day in days), frozenset(self._languages(written, said, language))
        )

    def _languages(
        self, written: Sequence[str], said: Sequence[str], language: str
    ) -> Iterator[str]:
        """Yield the codes of languages named; what stands behind a title is somebody's name."""
        titles = self.titles.get(language, ())
        spoken = [
            word.rpartition("'")[2]  # "qu'anglais"
            for at, word in enumerate(said)
            if not (at and said[at - 1] in titles and written[at][0].isupper())
        ]
        for name, code in self.spoken.get(language, ()):
            if any(_names(word, name) for word in spoken):
                yield code


def _names(word: str, name: str) -> bool:
    return word == name or (len(name) >= BEGINS and word.startswith(name))
