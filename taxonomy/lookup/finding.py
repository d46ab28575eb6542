"""Findings: statements of the taxonomy before they are worded, and the filters of doctors."""

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

#: Letters from which a word may begin with the name of a language: "nederlandstalig".
BEGINS = 6
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")


@dataclass(frozen=True, slots=True)
class Filters:
    """Criteria that the requested doctors share."""

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
        if self.campuses and set(self.campuses).isdisjoint(vocabulary.campuses_of(doctor)):
            return False
        if not self.languages.issubset(doctor.data.get("languages") or ()):
            return False
        if self.genders and doctor.get("gender") not in self.genders:
            return False
        there = (None, *self.campuses)  # A schedule need not tell the campus.
        return not self.days or any(
            slot.day in self.days
            and (not self.campuses or vocabulary.get(Kind.CAMPUS, slot.campus) in there)
            for slot in slots(doctor.get("schedule"))
        )


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
            is_long = len(name) >= BEGINS
            if any(word == name or (is_long and word.startswith(name)) for word in spoken):
                yield code


class Says(StrEnum):
    """Kinds of statement that a finding makes."""

    #: These departments deal with a condition, treatment or examination.
    DEALT_WITH = "dealt_with"
    #: Appointments are made with this department.
    BOOKED_AT = "booked_at"
    #: How a place is reached; what follows says it.
    REACHED = "reached"
    #: Complaints that were described are for this department; what follows says how it is reached.
    SUITED = "suited"
    #: A department is at these campuses and not at the one that is asked about.
    ELSEWHERE = "elsewhere"
    #: A department is a part of others.
    PART_OF = "part_of"
    #: Where a doctor works.
    DOCTOR = "doctor"
    SCHEDULE = "schedule"
    #: From which day on a doctor who is away consults again.
    ABSENT = "absent"
    SPEAKS = "speaks"
    #: A department has these doctors; each follows as a `MEMBER`.
    ROSTER = "roster"
    MEMBER = "member"
    #: These doctors fit what is asked of them, each follows as a `MEMBER`; nobody is known to.
    FILTERED = "filtered"
    FILTERED_NONE = "filtered_none"
    #: So many more fit, at these departments among others.
    FURTHER = "further"
    #: A campus has these departments; each follows as a `DEPARTMENT`.
    AT_CAMPUS = "at_campus"
    DEPARTMENT = "department"
    #: Several people fit; each follows as an `OPTION`.
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
        """Whether it is said as one line of a list."""
        return self in (Says.MEMBER, Says.OPTION, Says.DEPARTMENT)


#: What tells who somebody is, or who works somewhere.
PEOPLE = frozenset({Says.DOCTOR, Says.ROSTER, Says.FILTERED, Says.AMBIGUOUS, Says.OPTION})
#: How a place is reached; said in one line.
CARD = frozenset({Says.PLACE, Says.PHONE, Says.EMAIL, Says.HOURS, Says.ADDRESS})
#: What is said without knowing that it is meant.
GUESSED = frozenset({Says.AMBIGUOUS, Says.SUITED, Says.FILTERED_NONE})
#: What each wish of a question is met by. A price or a rule is on pages only.
MEETS = {
    "one": frozenset({Says.PHONE, Says.EMAIL, Says.DOCTOR}),
    "all": PEOPLE | {Says.AT_CAMPUS},
    "people": PEOPLE,
    "place": frozenset({Says.PLACE, Says.ADDRESS, Says.DEALT_WITH, Says.PART_OF, Says.AT_CAMPUS}),
    "steps": frozenset({Says.BOOKED_AT}),
    "time": frozenset({Says.HOURS, Says.VISITING_HOURS, Says.SCHEDULE, Says.ABSENT}),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One statement, and the thing whose page bears it out."""

    says: Says
    about: Thing
    #: The other things that it names.
    things: tuple[Thing, ...] = ()
    #: A number, an address or hours, as staff wrote it.
    value: str = ""
    filters: Filters = Filters()
    #: Those among which what is found is not.
    others: tuple[Thing, ...] = ()

    def as_data(self) -> dict[str, object]:
        """Return the finding as plain values, for the trace."""
        return {
            "says": str(self.says),
            "about": self.about.name,
            "kind": str(self.about.kind),
            "things": [thing.name for thing in self.things],
            "value": self.value,
            "source": self.about.url or "taxonomy",
        }
