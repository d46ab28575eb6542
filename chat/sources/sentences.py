"""Write findings of the taxonomy as sentences in the asker's language."""

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
class Phrasing:
    """Names and fixed texts of one hospital in one language."""

    vocabulary: Vocabulary
    phrases: Phrases
    language: str
    #: The question's own words for entities, if they are known spellings.
    own_words: Mapping[Thing, str] = field(default_factory=dict)

    def say(self, kind: str, **values: object) -> str:
        return self.phrases.say(kind, self.language, **values)

    def name(self, thing: Thing) -> str:
        return self.phrases.name(thing, self.language)

    def name_as_asked(self, thing: Thing) -> str:
        """Return an entity's name behind the asker's word for it: "suikerziekte (Diabetes)"."""
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
    """Return the question's own words for entities, as staff spell them."""
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


def sentences_of(findings: Sequence[Finding], phrasing: Phrasing) -> Iterator[tuple[str, bool]]:
    """Yield findings as sentences, and whether each is a list item; contact data of one place are
    one sentence."""
    for (about, is_card), group in groupby(findings, key=lambda f: (f.about, f.kind in CARD)):
        if is_card:
            yield card(about, group, phrasing), True
            continue
        for finding in group:
            if text := SENTENCES[finding.kind](finding, phrasing):
                yield text, finding.kind.is_item


def card(thing: Thing, findings: Iterable[Finding], phrasing: Phrasing) -> str:
    """Return a place's contact data as one list line."""
    known = {finding.kind: finding for finding in findings}
    parts = [CARD_PARTS[says](known[says], phrasing) for says in CARD_PARTS if says in known]
    return f"**{escaped(phrasing.name(thing))}**: {' · '.join(map(escaped, parts))}"


Sentence = Callable[[Finding, Phrasing], str]


def _labelled(label: str) -> Sentence:
    return lambda finding, phrasing: f"{phrasing.say(label)} {finding.value}".strip()


#: Parts of a contact line, in order.
CARD_PARTS: Mapping[FindingKind, Sentence] = {
    FindingKind.PHONE: _labelled("phone_label"),
    FindingKind.PLACE: lambda finding, phrasing: phrasing.names(finding.things),
    FindingKind.ADDRESS: _labelled("address_label"),
    FindingKind.EMAIL: _labelled("email_label"),
    FindingKind.HOURS: lambda finding, phrasing: (
        f"{phrasing.say('hours_label')}: {phrasing.hours(finding.value)}"
    ),
}


def _of_department(kind: str) -> Sentence:
    return lambda finding, phrasing: phrasing.say(kind, department=phrasing.name(finding.about))


def _treated_at(finding: Finding, phrasing: Phrasing) -> str:
    thing = finding.about
    named = {str(thing.kind): phrasing.name_as_asked(thing)}
    return phrasing.say(LEADS[thing.kind], department=phrasing.names(finding.things), **named)


def _elsewhere(finding: Finding, phrasing: Phrasing) -> str:
    """Write that something is not at one campus but at others."""
    campus, places = phrasing.names(finding.others), phrasing.names(finding.things)
    name = phrasing.name(finding.about)
    return phrasing.say("fact_elsewhere", department=name, campus=campus, places=places)


def _doctor(finding: Finding, phrasing: Phrasing) -> str:
    """Write where a doctor works, as far as known."""
    doctor, departments = finding.about, phrasing.names(finding.things)
    campuses = phrasing.names(phrasing.vocabulary.campuses_of(doctor))
    if not (departments and campuses):
        return escaped(", ".join(_line(doctor, phrasing)) + ".")
    return phrasing.say(
        "lead_doctor",
        doctor=doctor_name(doctor),
        specialty=doctor.get("specialty") or departments,
        department=departments,
        campus=campuses,
    )


def _line(doctor: Thing, phrasing: Phrasing, *, with_departments: bool = True) -> Iterator[str]:
    """Yield a doctor's name, specialty, departments and campuses, as far as known."""
    words = phrasing.vocabulary
    departments = words.departments_of(doctor) if with_departments else ()
    places = (phrasing.names(departments), phrasing.names(words.campuses_of(doctor)))
    yield from filter(None, (doctor_name(doctor), doctor.get("specialty"), *places))


def _schedule(finding: Finding, phrasing: Phrasing) -> str:
    schedule = phrasing.schedule(finding.value)
    name = doctor_name(finding.about)
    return phrasing.say("fact_schedule", doctor=name, schedule=schedule) if schedule else ""


def _absent(finding: Finding, phrasing: Phrasing) -> str:
    """Write that a doctor is absent, and until when."""
    language = phrasing.language
    back = phrase("opens", language, when=long_date(date.fromisoformat(finding.value), language))
    absence = f"{phrase('closed_now', language)}; {back}"
    return phrasing.say("fact_schedule", doctor=doctor_name(finding.about), schedule=absence)


def _speaks(finding: Finding, phrasing: Phrasing) -> str:
    names = [phrasing.say(f"language_name_{code}") or code for code in finding.value.split("|")]
    listed = phrasing.phrases.listed(names, phrasing.language)
    return phrasing.say("fact_languages", doctor=doctor_name(finding.about), languages=listed)


def _roster(finding: Finding, phrasing: Phrasing) -> str:
    count = len(finding.things)
    kind = ROSTERS.get(count, "lead_roster")
    if not all(member.get("title") for member in finding.things):
        kind = "lead_team"  # includes midwives and psychologists
    return phrasing.say(kind, department=phrasing.name(finding.about), count=count)


def _filtered(finding: Finding, phrasing: Phrasing) -> str:
    """Write the heading of a filtered list of doctors of a department or the hospital."""
    thing, filters = finding.about, finding.filters
    place = (
        phrasing.phrases.profile.short_name if thing.kind is Kind.DOCTOR else phrasing.name(thing)
    )
    criteria = [day_name(day, phrasing.language) for day in sorted(filters.days)]
    criteria += [phrasing.say(f"language_name_{code}") for code in sorted(filters.languages)]
    criteria += [phrasing.say(f"gender_{letter}") for letter in sorted(filters.genders)]
    criteria += map(phrasing.name, filters.campuses)
    listed = phrasing.phrases.listed(criteria, phrasing.language)
    return phrasing.say(f"lead_{finding.kind}", department=place, criteria=listed)


def _further(finding: Finding, phrasing: Phrasing) -> str:
    """Write how many more items there are."""
    places = phrasing.names(finding.things)
    return phrasing.say("more_doctors", count=finding.value, department=places)


def _department(finding: Finding, phrasing: Phrasing) -> str:
    known = (phrasing.name(finding.about), finding.about.get("phone"))
    return escaped(" · ".join(filter(None, known)))


def _member(finding: Finding, phrasing: Phrasing) -> str:
    name, *rest = _line(finding.about, phrasing, with_departments=False)
    return _with_schedule(f"{name} ({', '.join(rest)})" if rest else name, finding, phrasing)


def _with_schedule(line: str, finding: Finding, phrasing: Phrasing) -> str:
    """Return a doctor's list line, with consultation hours if known."""
    schedule = phrasing.schedule(finding.value)
    return escaped(f"{line}: {schedule}" if schedule else line)


SENTENCES: Mapping[FindingKind, Sentence] = {
    FindingKind.DEALT_WITH: _treated_at,
    FindingKind.BOOKED_AT: _of_department("lead_booking"),
    FindingKind.REACHED: _of_department("lead_department_contact"),
    FindingKind.SUITED: _of_department("lead_complaint_department"),
    FindingKind.PART_OF: lambda finding, phrasing: phrasing.say(
        "fact_part_of", name=phrasing.name(finding.about), department=phrasing.names(finding.things)
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
    FindingKind.AT_CAMPUS: lambda finding, phrasing: phrasing.say(
        "lead_campus_departments", campus=phrasing.name(finding.about)
    ),
    FindingKind.DEPARTMENT: _department,
    FindingKind.MEMBER: _member,
    FindingKind.AMBIGUOUS: lambda finding, phrasing: phrasing.say("ambiguous"),
    FindingKind.OPTION: lambda finding, phrasing: _with_schedule(
        ", ".join(_line(finding.about, phrasing)), finding, phrasing
    ),
    FindingKind.VISITING_HOURS: lambda finding, phrasing: phrasing.say(
        "fact_visiting_hours",
        name=phrasing.name(finding.about),
        hours=phrasing.hours(finding.value),
    ),
}
