"""Findings: statements of the taxonomy before they are put into words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from taxonomy.lookup.filters import Filters
from taxonomy.vocabulary import Thing
from zol.text import fold


class Says(StrEnum):
    """What a finding says about its thing."""

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


_NO_LETTER = re.compile(r"[\W_]+")


def states(texts: Sequence[str], finding: Finding) -> bool:
    """Tell whether one text names the thing of a finding with all that is said about it."""
    needed = [finding.about.name, *(thing.name for thing in finding.things), finding.value]
    wanted = [plain for plain in map(bare, needed) if plain]
    said = map(bare, texts)
    return len(wanted) > 1 and any(all(each in text for each in wanted) for text in said)


def bare(text: str) -> str:
    """Return the folded letters and digits alone: numbers are written with and without spaces."""
    return _NO_LETTER.sub("", fold(text))
