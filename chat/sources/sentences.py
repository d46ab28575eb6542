"""Verbalise findings of the taxonomy in the asker's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby

from chat.phrases import NAMES, Phrases
from taxonomy.facts.phrases import day_name, long_date, phrase
from taxonomy.facts.schedules import slots
from taxonomy.lookup.finding import CARD, Finding, FindingKind
from taxonomy.resolvers import Match
from taxonomy.vocabulary import Kind, Thing, Vocabulary
from zol.text import escaped, fold

LEADS = {
    Kind.CONDITION: "lead_condition_department",
    Kind.TREATMENT: "lead_treatment_department",
    Kind.EXAMINATION: "lead_examination_department",
}
ROSTERS = {0: "lead_roster_none", 1: "lead_roster_one"}


@dataclass(frozen=True, slots=True)
class Teller:
    """Names of one hospital's things in one language."""

    vocabulary: Vocabulary
    phrases: Phrases
    language: str
    #: The question's own word for a thing, if it is a known spelling.
    own_words: Mapping[Thing, str] = field(default_factory=dict)

    def say(self, kind: str, **values: object) -> str:
        return self.phrases.say(kind, self.language, **values)

    def name(self, thing: Thing) -> str:
        return self.phrases.name(thing, self.language)

    def name_as_asked(self, thing: Thing) -> str:
        """Return a thing's name after the asker's own word for it: "suikerziekte (Diabetes)"."""
        own = self.own_words.get(thing, "")
        is_other = own and fold(own) not in fold(thing.name)
        return f"{own} ({thing.name})" if is_other else self.name(thing)

    def names(self, things: Sequence[Thing]) -> str:
        return self.phrases.listed([self.name(thing) for thing in things], self.language)

    def schedule(self, written: str) -> str:
        """Return a consultation schedule in plain words."""
        parts = []
        for slot in slots(written):
            campus = self.vocabulary.get(Kind.CAMPUS, slot.campus)
            where = f" ({self.name(campus)})" if campus else ""
            parts.append(f"{day_name(slot.day, self.language)} {slot.start}-{slot.end}{where}")
        return "; ".join(parts)

    def hours(self, written: str) -> str:
        """Return staff-written hours with days in the asker's language."""
        return self.phrases.hours(written, self.language)


def own_words(matches: Iterable[Match], language: str) -> dict[Thing, str]:
    """Return the question's own words for things, in staff spelling."""
    return {
        match.thing: alias.text
        for match in matches
        for alias in match.thing.aliases
        if alias.kind in NAMES
        and alias.language == language
        and fold(alias.text) == fold(match.text)
    }


def doctor_name(doctor: Thing) -> str:
    """Return a doctor's name with title: "Dr. Jan Peeters"."""
    title, name = doctor.get("title"), doctor.name
    return name if not title or name.startswith(title) else f"{title} {name}"


def sentences_of(findings: Sequence[Finding], teller: Teller) -> Iterator[tuple[str, bool]]:
    """Yield findings as sentences (contact data as one), and whether each is a list item."""
    for (about, is_card), group in groupby(findings, key=lambda f: (f.about, f.kind in CARD)):
        if is_card:
            yield card(about, group, teller), True
            continue
        for finding in group:
            if text := SENTENCES[finding.kind](finding, teller):
                yield text, finding.kind.is_item


def card(thing: Thing, findings: Iterable[Finding], teller: Teller) -> str:
    """Return a place's contact data as one list line."""
    known = {finding.kind: finding for finding in findings}
    parts = [CARD_PARTS[says](known[says], teller) for says in CARD_PARTS if says in known]
    told = " · ".join(map(escaped, parts))
    return f"**{escaped(teller.name(thing))}**: {told}"


Sentence = Callable[[Finding, Teller], str]


def _labelled(label: str) -> Sentence:
    return lambda finding, teller: f"{teller.say(label)} {finding.value}".strip()


#: Parts of a contact line, in order.
CARD_PARTS: Mapping[FindingKind, Sentence] = {
    FindingKind.PHONE: _labelled("phone_label"),
    FindingKind.PLACE: lambda finding, teller: teller.names(finding.things),
    FindingKind.ADDRESS: _labelled("address_label"),
    FindingKind.EMAIL: _labelled("email_label"),
    FindingKind.HOURS: lambda finding, teller: (
        f"{teller.say('hours_label')}: {teller.hours(finding.value)}"
    ),
}


def _of_department(kind: str) -> Sentence:
    return lambda finding, teller: teller.say(kind, department=teller.name(finding.about))


def _dealt_with(finding: Finding, teller: Teller) -> str:
    thing = finding.about
    called = {str(thing.kind): teller.name_as_asked(thing)}
    return teller.say(LEADS[thing.kind], department=teller.names(finding.things), **called)


def _elsewhere(finding: Finding, teller: Teller) -> str:
    """Return that something is not at a campus but at others."""
    campus, places = teller.names(finding.others), teller.names(finding.things)
    name = teller.name(finding.about)
    return teller.say("fact_elsewhere", department=name, campus=campus, places=places)


def _doctor(finding: Finding, teller: Teller) -> str:
    """Return a doctor's place of work, as far as known."""
    doctor, departments = finding.about, teller.names(finding.things)
    campuses = teller.names(teller.vocabulary.campuses_of(doctor))
    if not (departments and campuses):
        return escaped(", ".join(_line(doctor, teller)) + ".")
    return teller.say(
        "lead_doctor",
        doctor=doctor_name(doctor),
        specialty=doctor.get("specialty") or departments,
        department=departments,
        campus=campuses,
    )


def _line(doctor: Thing, teller: Teller, *, with_departments: bool = True) -> Iterator[str]:
    """Yield a doctor's name, specialty, departments and campuses, as far as known."""
    words = teller.vocabulary
    departments = words.departments_of(doctor) if with_departments else ()
    places = (teller.names(departments), teller.names(words.campuses_of(doctor)))
    yield from filter(None, (doctor_name(doctor), doctor.get("specialty"), *places))


def _schedule(finding: Finding, teller: Teller) -> str:
    schedule = teller.schedule(finding.value)
    name = doctor_name(finding.about)
    return teller.say("fact_schedule", doctor=name, schedule=schedule) if schedule else ""


def _absent(finding: Finding, teller: Teller) -> str:
    """Return that a doctor is absent, and until when."""
    language = teller.language
    back = phrase("opens", language, when=long_date(date.fromisoformat(finding.value), language))
    said = f"{phrase('closed_now', language)}; {back}"
    return teller.say("fact_schedule", doctor=doctor_name(finding.about), schedule=said)


def _speaks(finding: Finding, teller: Teller) -> str:
    spoken = [teller.say(f"language_name_{code}") or code for code in finding.value.split("|")]
    listed = teller.phrases.listed(spoken, teller.language)
    return teller.say("fact_languages", doctor=doctor_name(finding.about), languages=listed)


def _roster(finding: Finding, teller: Teller) -> str:
    count = len(finding.things)
    kind = ROSTERS.get(count, "lead_roster")
    if not all(member.get("title") for member in finding.things):
        kind = "lead_team"  # includes midwives and psychologists
    return teller.say(kind, department=teller.name(finding.about), count=count)


def _filtered(finding: Finding, teller: Teller) -> str:
    """Return the heading of a filtered list of doctors: of a department, or of the hospital."""
    thing, filters = finding.about, finding.filters
    place = teller.phrases.profile.short_name if thing.kind is Kind.DOCTOR else teller.name(thing)
    criteria = [day_name(day, teller.language) for day in sorted(filters.days)]
    criteria += [teller.say(f"language_name_{code}") for code in sorted(filters.languages)]
    criteria += [teller.say(f"gender_{letter}") for letter in sorted(filters.genders)]
    criteria += map(teller.name, filters.campuses)
    listed = teller.phrases.listed(criteria, teller.language)
    return teller.say(f"lead_{finding.kind}", department=place, criteria=listed)


def _further(finding: Finding, teller: Teller) -> str:
    """Return how many more items there are."""
    places = teller.names(finding.things)
    return teller.say("more_doctors", count=finding.value, department=places)


def _department(finding: Finding, teller: Teller) -> str:
    known = (teller.name(finding.about), finding.about.get("phone"))
    return escaped(" · ".join(filter(None, known)))


def _member(finding: Finding, teller: Teller) -> str:
    name, *rest = _line(finding.about, teller, with_departments=False)
    return _with_schedule(f"{name} ({', '.join(rest)})" if rest else name, finding, teller)


def _with_schedule(said: str, finding: Finding, teller: Teller) -> str:
    """Return a doctor's list line, with consultation hours if known."""
    schedule = teller.schedule(finding.value)
    return escaped(f"{said}: {schedule}" if schedule else said)


SENTENCES: Mapping[FindingKind, Sentence] = {
    FindingKind.DEALT_WITH: _dealt_with,
    FindingKind.BOOKED_AT: _of_department("lead_booking"),
    FindingKind.REACHED: _of_department("lead_department_contact"),
    FindingKind.SUITED: _of_department("lead_complaint_department"),
    FindingKind.PART_OF: lambda finding, teller: teller.say(
        "fact_part_of", name=teller.name(finding.about), department=teller.names(finding.things)
    ),
    FindingKind.ELSEWHERE: _elsewhere,
    FindingKind.DOCTOR: _doctor,
    FindingKind.SCHEDULE: _schedule,
    FindingKind.ABSENT: _absent,
    FindingKind.SPEAKS: _speaks,
    FindingKind.ROSTER: _roster,
    FindingKind.FILTERED: _filtered,
    FindingKind.FILTERED_NONE: _filtered,
    FindingKind.FURTHER: _further,
    FindingKind.AT_CAMPUS: lambda finding, teller: teller.say(
        "lead_campus_departments", campus=teller.name(finding.about)
    ),
    FindingKind.DEPARTMENT: _department,
    FindingKind.MEMBER: _member,
    FindingKind.AMBIGUOUS: lambda finding, teller: teller.say("ambiguous"),
    FindingKind.OPTION: lambda finding, teller: _with_schedule(
        ", ".join(_line(finding.about, teller)), finding, teller
    ),
    FindingKind.VISITING_HOURS: lambda finding, teller: teller.say(
        "fact_visiting_hours", name=teller.name(finding.about), hours=teller.hours(finding.value)
    ),
}
