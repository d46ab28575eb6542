"""Findings of a look-up, before they are put into words, and the filters of lists of doctors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from taxonomy.dates.reading import weekdays
from taxonomy.dates.words import Calendar
from taxonomy.facts.schedules import slots
from taxonomy.vocabulary import Kind, Thing, Vocabulary
from zol.text import fold

#: Minimum letters of a language's name that may begin a longer word: "nederlandstalig".
BEGINS = 6
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")


@dataclass(frozen=True, slots=True)
class Filters:
    """Criteria that the requested doctors share."""

    #: Numbered from 1 for Monday; a doctor matches on any of them.
    days: frozenset[int] = frozenset()
    #: Codes; a doctor must speak all of them.
    languages: frozenset[str] = frozenset()
    #: Codes of women and men; a doctor matches any of them.
    genders: frozenset[str] = frozenset()
    #: A doctor matches at any of them.
    campuses: tuple[Thing, ...] = ()

    def __bool__(self) -> bool:
        """Return whether doctors are filtered; a campus alone only chooses the list."""
        return bool(self.days or self.languages or self.genders)

    def after(self, earlier: Filters) -> Filters:
        """Return these filters, completed by those of an earlier question."""
        return Filters(
            self.days or earlier.days,
            self.languages or earlier.languages,
            self.genders or earlier.genders,
            self.campuses or earlier.campuses,
        )

    def keep(self, doctors: Iterable[Thing], vocabulary: Vocabulary) -> tuple[Thing, ...]:
        """Return the doctors that are known to match."""
        return tuple(doctor for doctor in doctors if self._fits(doctor, vocabulary))

    def _fits(self, doctor: Thing, vocabulary: Vocabulary) -> bool:
        if self.campuses and set(self.campuses).isdisjoint(vocabulary.campuses_of(doctor)):
            return False
        if not self.languages.issubset(doctor.data.get("languages") or ()):
            return False
        if self.genders and doctor.get("gender") not in self.genders:
            return False
        there = (None, *self.campuses)  # A schedule may lack its campus.
        return not self.days or any(
            slot.day in self.days
            and (not self.campuses or vocabulary.get(Kind.CAMPUS, slot.campus) in there)
            for slot in slots(doctor.get("schedule"))
        )


@dataclass(frozen=True, slots=True)
class FilterReader:
    """Parser of the days and languages that a question names."""

    calendar: Calendar = Calendar()
    #: By language of the question, the folded names and codes of languages that doctors speak.
    spoken: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)
    #: By language, words that exclude a day ("niet op vrijdag"), and titles of people.
    except_: Mapping[str, frozenset[str]] = field(default_factory=dict)
    titles: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def read(self, question: str, language: str) -> Filters:
        """Return the filters of a question. If it excludes a day, none is set, since the whole list
        shows when everybody consults."""
        written = _WORD.findall(question)
        words = [fold(word).replace("\u2019", "'") for word in written]
        excludes = not self.except_.get(language, frozenset()).isdisjoint(words)
        days = () if excludes else weekdays(question, language, self.calendar)
        return Filters(
            frozenset(day for _, day in days), frozenset(self._languages(written, words, language))
        )

    def _languages(
        self, written: Sequence[str], words: Sequence[str], language: str
    ) -> Iterator[str]:
        """Yield the codes of named languages, without surnames after a title ("dokter Duits")."""
        titles = self.titles.get(language, ())
        candidates = [
            word.rpartition("'")[2]  # "qu'anglais"
            for at, word in enumerate(words)
            if not (at and words[at - 1] in titles and written[at][0].isupper())
        ]
        for name, code in self.spoken.get(language, ()):
            is_long = len(name) >= BEGINS
            if any(word == name or (is_long and word.startswith(name)) for word in candidates):
                yield code


class FindingKind(StrEnum):
    """The statement that a finding makes."""

    #: These departments deal with a condition, treatment or examination.
    DEALT_WITH = "dealt_with"
    #: Appointments are made with this department.
    BOOKED_AT = "booked_at"
    #: How to reach a place, as given by the findings that follow.
    REACHED = "reached"
    #: The described complaints are for this department; how to reach it follows.
    SUITED = "suited"
    #: A department is at these campuses, not at the one in the question.
    ELSEWHERE = "elsewhere"
    #: A department is part of others.
    PART_OF = "part_of"
    #: Where a doctor works.
    DOCTOR = "doctor"
    SCHEDULE = "schedule"
    #: The date on which an absent doctor returns.
    ABSENT = "absent"
    SPEAKS = "speaks"
    #: A department has these doctors, who follow as `MEMBER`.
    ROSTER = "roster"
    MEMBER = "member"
    #: These doctors match the filters and follow as `MEMBER`; no doctor is known to match.
    FILTERED = "filtered"
    FILTERED_NONE = "filtered_none"
    #: The number of further doctors who match, and their main departments.
    FURTHER = "further"
    #: A campus has these departments, which follow as `DEPARTMENT`.
    AT_CAMPUS = "at_campus"
    DEPARTMENT = "department"
    #: Several doctors match a name and follow as `OPTION`.
    AMBIGUOUS = "ambiguous"
    OPTION = "option"
    PLACE = "place"
    PHONE = "phone"
    EMAIL = "email"
    HOURS = "hours"
    VISITING_HOURS = "visiting_hours"
    ADDRESS = "address"

    @property
    def is_item(self) -> bool:
        """Return whether it is printed as a line of a list."""
        return self in (FindingKind.MEMBER, FindingKind.OPTION, FindingKind.DEPARTMENT)


_K = FindingKind
#: Statements about people.
PEOPLE = frozenset({_K.DOCTOR, _K.ROSTER, _K.FILTERED, _K.AMBIGUOUS, _K.OPTION})
#: Contact details, printed in one line.
CARD = frozenset({_K.PLACE, _K.PHONE, _K.EMAIL, _K.HOURS, _K.ADDRESS})
#: Statements that may miss the meaning of the question.
GUESSED = frozenset({_K.AMBIGUOUS, _K.SUITED, _K.FILTERED_NONE})
#: Statements that satisfy each wish of a question. Prices and rules are only on pages.
MEETS = {
    "one": frozenset({_K.PHONE, _K.EMAIL, _K.DOCTOR}),
    "all": PEOPLE | {_K.AT_CAMPUS},
    "people": PEOPLE,
    "place": frozenset({_K.PLACE, _K.ADDRESS, _K.DEALT_WITH, _K.PART_OF, _K.AT_CAMPUS}),
    "steps": frozenset({_K.BOOKED_AT}),
    "time": frozenset({_K.HOURS, _K.VISITING_HOURS, _K.SCHEDULE, _K.ABSENT}),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One statement about an entity, whose page is its source."""

    kind: FindingKind
    about: Thing
    #: Other entities that it names.
    things: tuple[Thing, ...] = ()
    #: A number, address or hours as written by staff.
    value: str = ""
    filters: Filters = Filters()
    #: For `ELSEWHERE`: the campuses in the question.
    others: tuple[Thing, ...] = ()

    def as_data(self) -> dict[str, object]:
        """Return the finding as plain values, for the trace."""
        return {
            "says": str(self.kind),
            "about": self.about.name,
            "kind": str(self.about.kind),
            "things": [thing.name for thing in self.things],
            "value": self.value,
            "source": self.about.url or "taxonomy",
        }
