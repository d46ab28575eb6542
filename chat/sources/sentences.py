"""Verbalise findings of the taxonomy in the asker's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby

from chat.phrases import NAMES, Phrases
from taxonomy.facts.phrases import date_said, day_name, phrase
from taxonomy.facts.schedules import slots
from taxonomy.lookup.finding import CARD, Finding, Says
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
class Wording:
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


def sentences_of(findings: Sequence[Finding], wording: Wording) -> Iterator[tuple[str, bool]]:
    """Yield findings as sentences (contact data as one), and whether each is a list item."""
    for (about, is_card), group in groupby(findings, key=lambda f: (f.about, f.says in CARD)):
        if is_card:
            yield card(about, group, wording), True
            continue
        for finding in group:
            if text := SENTENCES[finding.says](finding, wording):
                yield text, finding.says.is_item


def card(thing: Thing, findings: Iterable[Finding], wording: Wording) -> str:
    """Return a place's contact data as one list line."""
    known = {finding.says: finding for finding in findings}
    parts = [CARD_PARTS[says](known[says], wording) for says in CARD_PARTS if says in known]
    told = " · ".join(map(escaped, parts))
    return f"**{escaped(wording.name(thing))}**: {told}"


Sentence = Callable[[Finding, Wording], str]


def _labelled(label: str) -> Sentence:
    return lambda finding, wording: f"{wording.say(label)} {finding.value}".strip()


#: Parts of a contact line, in order.
CARD_PARTS: Mapping[Says, Sentence] = {
    Says.PHONE: _labelled("phone_label"),
    Says.PLACE: lambda finding, wording: wording.names(finding.things),
    Says.ADDRESS: _labelled("address_label"),
    Says.EMAIL: _labelled("email_label"),
    Says.HOURS: lambda finding, wording: (
        f"{wording.say('hours_label')}: {wording.hours(finding.value)}"
    ),
}


def _of_department(kind: str) -> Sentence:
    return lambda finding, wording: wording.say(kind, department=wording.name(finding.about))


def _dealt_with(finding: Finding, wording: Wording) -> str:
    thing = finding.about
    called = {str(thing.kind): wording.name_as_asked(thing)}
    return wording.say(LEADS[thing.kind], department=wording.names(finding.things), **called)


def _elsewhere(finding: Finding, wording: Wording) -> str:
    """Return that something is not at a campus but at others."""
    campus, places = wording.names(finding.others), wording.names(finding.things)
    name = wording.name(finding.about)
    return wording.say("fact_elsewhere", department=name, campus=campus, places=places)


def _doctor(finding: Finding, wording: Wording) -> str:
    """Return a doctor's place of work, as far as known."""
    doctor, departments = finding.about, wording.names(finding.things)
    campuses = wording.names(wording.vocabulary.campuses_of(doctor))
    if not (departments and campuses):
        return escaped(", ".join(_line(doctor, wording)) + ".")
    return wording.say(
        "lead_doctor",
        doctor=doctor_name(doctor),
        specialty=doctor.get("specialty") or departments,
        department=departments,
        campus=campuses,
    )


def _line(doctor: Thing, wording: Wording, *, with_departments: bool = True) -> Iterator[str]:
    """Yield a doctor's name, specialty, departments and campuses, as far as known."""
    words = wording.vocabulary
    departments = words.departments_of(doctor) if with_departments else ()
    places = (wording.names(departments), wording.names(words.campuses_of(doctor)))
    yield from filter(None, (doctor_name(doctor), doctor.get("specialty"), *places))


def _schedule(finding: Finding, wording: Wording) -> str:
    schedule = wording.schedule(finding.value)
    name = doctor_name(finding.about)
    return wording.say("fact_schedule", doctor=name, schedule=schedule) if schedule else ""


def _absent(finding: Finding, wording: Wording) -> str:
    """Return that a doctor is absent, and until when."""
    language = wording.language
    back = phrase("opens", language, when=date_said(date.fromisoformat(finding.value), language))
    said = f"{phrase('closed_now', language)}; {back}"
    return wording.say("fact_schedule", doctor=doctor_name(finding.about), schedule=said)


def _speaks(finding: Finding, wording: Wording) -> str:
    spoken = [wording.say(f"language_name_{code}") or code for code in finding.value.split("|")]
    listed = wording.phrases.listed(spoken, wording.language)
    return wording.say("fact_languages", doctor=doctor_name(finding.about), languages=listed)


def _roster(finding: Finding, wording: Wording) -> str:
    count = len(finding.things)
    kind = ROSTERS.get(count, "lead_roster")
    if not all(member.get("title") for member in finding.things):
        kind = "lead_team"  # includes midwives and psychologists
    return wording.say(kind, department=wording.name(finding.about), count=count)


def _filtered(finding: Finding, wording: Wording) -> str:
    """Return the heading of a filtered list of doctors: of a department, or of the hospital."""
    thing, filters = finding.about, finding.filters
    place = wording.phrases.profile.short_name if thing.kind is Kind.DOCTOR else wording.name(thing)
    criteria = [day_name(day, wording.language) for day in sorted(filters.days)]
    criteria += [wording.say(f"language_name_{code}") for code in sorted(filters.languages)]
    criteria += [wording.say(f"gender_{letter}") for letter in sorted(filters.genders)]
    criteria += map(wording.name, filters.campuses)
    listed = wording.phrases.listed(criteria, wording.language)
    return wording.say(f"lead_{finding.says}", department=place, criteria=listed)


def _further(finding: Finding, wording: Wording) -> str:
    """Return how many more items there are."""
    places = wording.names(finding.things)
    return wording.say("more_doctors", count=finding.value, department=places)


def _department(finding: Finding, wording: Wording) -> str:
    known = (wording.name(finding.about), finding.about.get("phone"))
    return escaped(" · ".join(filter(None, known)))


def _member(finding: Finding, wording: Wording) -> str:
    name, *rest = _line(finding.about, wording, with_departments=False)
    return _with_schedule(f"{name} ({', '.join(rest)})" if rest else name, finding, wording)


def _with_schedule(said: str, finding: Finding, wording: Wording) -> str:
    """Return a doctor's list line, with consultation hours if known."""
    schedule = wording.schedule(finding.value)
    return escaped(f"{said}: {schedule}" if schedule else said)


SENTENCES: Mapping[Says, Sentence] = {
    Says.DEALT_WITH: _dealt_with,
    Says.BOOKED_AT: _of_department("lead_booking"),
    Says.REACHED: _of_department("lead_department_contact"),
    Says.SUITED: _of_department("lead_complaint_department"),
    Says.PART_OF: lambda finding, wording: wording.say(
        "fact_part_of", name=wording.name(finding.about), department=wording.names(finding.things)
    ),
    Says.ELSEWHERE: _elsewhere,
    Says.DOCTOR: _doctor,
    Says.SCHEDULE: _schedule,
    Says.ABSENT: _absent,
    Says.SPEAKS: _speaks,
    Says.ROSTER: _roster,
    Says.FILTERED: _filtered,
    Says.FILTERED_NONE: _filtered,
    Says.FURTHER: _further,
    Says.AT_CAMPUS: lambda finding, wording: wording.say(
        "lead_campus_departments", campus=wording.name(finding.about)
    ),
    Says.DEPARTMENT: _department,
    Says.MEMBER: _member,
    Says.AMBIGUOUS: lambda finding, wording: wording.say("ambiguous"),
    Says.OPTION: lambda finding, wording: _with_schedule(
        ", ".join(_line(finding.about, wording)), finding, wording
    ),
    Says.VISITING_HOURS: lambda finding, wording: wording.say(
        "fact_visiting_hours", name=wording.name(finding.about), hours=wording.hours(finding.value)
    ),
}
