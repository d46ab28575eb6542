"""Findings of the taxonomy put into sentences of the asker's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from chat.answering.phrasing import Teller, doctor_name
from chat.lookup.finding import Finding, Says
from taxonomy.facts.phrases import date_said, phrase
from taxonomy.kinds import Kind
from taxonomy.vocabulary import Thing
from zol.markdown import escaped

#: How a place is reached; said in one line of a list.
CARD = frozenset({Says.PLACE, Says.PHONE, Says.EMAIL, Says.HOURS, Says.ADDRESS})
LEADS = {
    Kind.CONDITION: "lead_condition_department",
    Kind.TREATMENT: "lead_treatment_department",
    Kind.EXAMINATION: "lead_examination_department",
}
ROSTERS = {0: "lead_roster_none", 1: "lead_roster_one"}


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence of the taxonomy, and the thing whose page bears it out."""

    text: str
    thing: Thing
    #: Said as an item of a list.
    is_item: bool = False


def facts_of(findings: Sequence[Finding], teller: Teller) -> Iterator[Fact]:
    """Yield findings as facts; all that is known of how to reach one place is one line."""
    for (about, is_card), group in groupby(findings, key=_card_of):
        if is_card:
            yield card(about, tuple(group), teller)
        else:
            for finding in group:
                yield from SENTENCES[finding.says](finding, teller)


def _card_of(finding: Finding) -> tuple[Thing, bool]:
    return finding.about, finding.says in CARD


def card(thing: Thing, findings: Iterable[Finding], teller: Teller) -> Fact:
    """Return how a place is reached, as one line of a list."""
    known = {finding.says: finding for finding in findings}
    parts = [CARD_PARTS[says](known[says], teller) for says in CARD_PARTS if says in known]
    told = " · ".join(map(escaped, parts))
    return Fact(f"**{escaped(teller.name(thing))}**: {told}", thing, is_item=True)


def _labelled(label: str) -> Callable[[Finding, Teller], str]:
    def part(finding: Finding, teller: Teller) -> str:
        name = teller.say(label)
        return f"{name} {finding.value}" if name else finding.value

    return part


def _opening(finding: Finding, teller: Teller) -> str:
    return f"{teller.say('hours_label')}: {teller.hours(finding.value)}"


#: What a line about a place says, in this order.
CARD_PARTS: Mapping[Says, Callable[[Finding, Teller], str]] = {
    Says.PHONE: _labelled("phone_label"),
    Says.PLACE: lambda finding, teller: teller.names(finding.things),
    Says.ADDRESS: _labelled("address_label"),
    Says.EMAIL: _labelled("email_label"),
    Says.HOURS: _opening,
}


def _dealt_with(finding: Finding, teller: Teller) -> Iterator[Fact]:
    thing = finding.about
    named = {
        str(thing.kind): teller.name_as_asked(thing),
        "department": teller.names(finding.things),
    }
    yield Fact(teller.say(LEADS[thing.kind], **named), thing)


def _booked_at(finding: Finding, teller: Teller) -> Iterator[Fact]:
    yield Fact(teller.say("lead_booking", department=teller.name(finding.about)), finding.about)


def _reached(finding: Finding, teller: Teller) -> Iterator[Fact]:
    said = teller.say("lead_department_contact", department=teller.name(finding.about))
    yield Fact(said, finding.about)


def _suited(finding: Finding, teller: Teller) -> Iterator[Fact]:
    """Tell where somebody can turn to with complaints."""
    said = teller.say("lead_complaint_department", department=teller.name(finding.about))
    yield Fact(said, finding.about)


def _part_of(finding: Finding, teller: Teller) -> Iterator[Fact]:
    said = teller.say(
        "fact_part_of", name=teller.name(finding.about), department=teller.names(finding.things)
    )
    yield Fact(said, finding.about)


def _elsewhere(finding: Finding, teller: Teller) -> Iterator[Fact]:
    """Tell that what is asked for is not at a campus, but at others."""
    said = teller.say(
        "fact_elsewhere",
        department=teller.name(finding.about),
        campus=teller.names(finding.others),
        places=teller.names(finding.things),
    )
    yield Fact(said, finding.about)


def _doctor(finding: Finding, teller: Teller) -> Iterator[Fact]:
    """Tell where a doctor works, as far as that is known."""
    doctor, departments = finding.about, finding.things
    campuses = teller.vocabulary.campuses_of(doctor)
    if not (departments and campuses):
        yield Fact(escaped(", ".join(teller.doctor_line(doctor)) + "."), doctor)
        return
    said = teller.say(
        "lead_doctor",
        doctor=doctor_name(doctor),
        specialty=doctor.get("specialty") or teller.names(departments),
        department=teller.names(departments),
        campus=teller.names(campuses),
    )
    yield Fact(said, doctor)


def _schedule(finding: Finding, teller: Teller) -> Iterator[Fact]:
    doctor = finding.about
    if schedule := teller.schedule(finding.value):
        said = teller.say("fact_schedule", doctor=doctor_name(doctor), schedule=schedule)
        yield Fact(said, doctor)


def _absent(finding: Finding, teller: Teller) -> Iterator[Fact]:
    """Tell that a doctor does not consult now, and from which day on again."""
    doctor, language = finding.about, teller.language
    back = phrase("opens", language, when=date_said(date.fromisoformat(finding.value), language))
    said = f"{phrase('closed_now', language)}; {back}"
    yield Fact(teller.say("fact_schedule", doctor=doctor_name(doctor), schedule=said), doctor)


def _speaks(finding: Finding, teller: Teller) -> Iterator[Fact]:
    doctor = finding.about
    spoken = [teller.say(f"language_name_{code}") or code for code in finding.value.split("|")]
    listed = teller.phrases.listed(spoken, teller.language)
    yield Fact(teller.say("fact_languages", doctor=doctor_name(doctor), languages=listed), doctor)


def _roster(finding: Finding, teller: Teller) -> Iterator[Fact]:
    count = len(finding.things)
    kind = ROSTERS.get(count, "lead_roster")
    if not all(member.get("title") for member in finding.things):
        kind = "lead_team"  # Midwives and psychologists are no doctors.
    said = teller.say(kind, department=teller.name(finding.about), count=count)
    yield Fact(said, finding.about)


def _filtered(finding: Finding, teller: Teller) -> Iterator[Fact]:
    """Tell by what a list of doctors is chosen: of a department, or of the whole hospital."""
    thing, phrases = finding.about, teller.phrases
    place = phrases.profile.short_name if thing.kind is Kind.DOCTOR else teller.name(thing)
    criteria = finding.filters.named(phrases, teller.language)
    said = teller.say(f"lead_{finding.says}", department=place, criteria=criteria)
    yield Fact(said, thing)


def _further(finding: Finding, teller: Teller) -> Iterator[Fact]:
    """Tell how many more there are."""
    places = teller.names(finding.things)
    yield Fact(teller.say("more_doctors", count=finding.value, department=places), finding.about)


def _at_campus(finding: Finding, teller: Teller) -> Iterator[Fact]:
    campus = teller.name(finding.about)
    yield Fact(teller.say("lead_campus_departments", campus=campus), finding.about)


def _department(finding: Finding, teller: Teller) -> Iterator[Fact]:
    name, phone = teller.name(finding.about), finding.about.get("phone")
    said = f"{name} · {phone}" if phone else name
    yield Fact(escaped(said), finding.about, is_item=True)


def _member(finding: Finding, teller: Teller) -> Iterator[Fact]:
    name, *rest = teller.doctor_line_short(finding.about)
    said = f"{name} ({', '.join(rest)})" if rest else name
    yield Fact(with_schedule(said, finding, teller), finding.about, is_item=True)


def _option(finding: Finding, teller: Teller) -> Iterator[Fact]:
    said = ", ".join(teller.doctor_line(finding.about))
    yield Fact(with_schedule(said, finding, teller), finding.about, is_item=True)


def with_schedule(said: str, finding: Finding, teller: Teller) -> str:
    """Return a doctor's line of a list, with when they consult where that is told."""
    schedule = teller.schedule(finding.value)
    return escaped(f"{said}: {schedule}" if schedule else said)


def _ambiguous(finding: Finding, teller: Teller) -> Iterator[Fact]:
    yield Fact(teller.say("ambiguous"), finding.about)


def _visiting_hours(finding: Finding, teller: Teller) -> Iterator[Fact]:
    said = teller.say(
        "fact_visiting_hours", name=teller.name(finding.about), hours=teller.hours(finding.value)
    )
    yield Fact(said, finding.about)


SENTENCES: Mapping[Says, Callable[[Finding, Teller], Iterator[Fact]]] = {
    Says.DEALT_WITH: _dealt_with,
    Says.BOOKED_AT: _booked_at,
    Says.REACHED: _reached,
    Says.SUITED: _suited,
    Says.PART_OF: _part_of,
    Says.ELSEWHERE: _elsewhere,
    Says.DOCTOR: _doctor,
    Says.SCHEDULE: _schedule,
    Says.ABSENT: _absent,
    Says.SPEAKS: _speaks,
    Says.ROSTER: _roster,
    Says.FILTERED: _filtered,
    Says.FILTERED_NONE: _filtered,
    Says.FURTHER: _further,
    Says.AT_CAMPUS: _at_campus,
    Says.DEPARTMENT: _department,
    Says.MEMBER: _member,
    Says.AMBIGUOUS: _ambiguous,
    Says.OPTION: _option,
    Says.VISITING_HOURS: _visiting_hours,
}
