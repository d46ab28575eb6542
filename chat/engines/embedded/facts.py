"""What the published taxonomy says about the things of a question, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chat.phrases import Phrases
from chat.schedules import slots
from chat.turn import Context
from retrieval.intents import Intent
from taxonomy.kinds import Kind, Predicate
from taxonomy.vocabulary import Thing, Vocabulary

#: Topics of questions about when something is open.
ABOUT_HOURS = frozenset({"hours", "visiting"})
ABOUT_ROUTE = frozenset({"route", "parking", "accessibility"})
#: Kinds that a department is asked for.
CARE = (Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION)
LEADS = {
    Kind.CONDITION: "lead_condition_department",
    Kind.TREATMENT: "lead_treatment_department",
    Kind.EXAMINATION: "lead_examination_department",
}
#: A department is described in full; of further ones only the essentials are said.
MOST_DEPARTMENTS = 3
#: Rosters told one after another for something that several departments treat.
MOST_ROSTERS = 2


@dataclass(frozen=True, slots=True)
class Fact:
    """A sentence of the taxonomy, and the thing whose page bears it out."""

    text: str
    thing: Thing
    #: Said as an item of a list.
    is_item: bool = False


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells facts of one hospital in one language."""

    vocabulary: Vocabulary
    phrases: Phrases
    language: str

    def say(self, kind: str, **values: object) -> str:
        return self.phrases.say(kind, self.language, **values)

    def name(self, thing: Thing) -> str:
        return self.phrases.name(thing, self.language)

    def names(self, things: Sequence[Thing]) -> str:
        return self.phrases.listed([self.name(thing) for thing in things], self.language)

    # --- people ---

    def doctor_line(self, doctor: Thing) -> Iterator[str]:
        """Yield a doctor's name, specialty, departments and campuses, as far as known."""
        yield doctor_name(doctor)
        if specialty := doctor.get("specialty"):
            yield specialty
        if departments := self.vocabulary.departments_of(doctor):
            yield self.names(departments)
        if campuses := self.vocabulary.campuses_of(doctor):
            yield self.names(campuses)

    def doctor(self, doctor: Thing) -> Iterator[Fact]:
        """Tell where a doctor works and when they consult."""
        departments = self.vocabulary.departments_of(doctor)
        campuses = self.vocabulary.campuses_of(doctor)
        if departments and campuses:
            lead = self.say(
                "lead_doctor",
                doctor=doctor_name(doctor),
                specialty=doctor.get("specialty") or self.names(departments),
                department=self.names(departments),
                campus=self.names(campuses),
            )
        else:
            lead = ", ".join(self.doctor_line(doctor)) + "."
        yield Fact(lead, doctor)
        if schedule := self.schedule(doctor):
            said = self.say("fact_schedule", doctor=doctor_name(doctor), schedule=schedule)
            yield Fact(said, doctor)
        if languages := doctor.data.get("languages"):
            spoken = [self.say(f"language_name_{code}") or code for code in languages]
            listed = self.phrases.listed(spoken, self.language)
            yield Fact(
                self.say("fact_languages", doctor=doctor_name(doctor), languages=listed), doctor
            )
        for department in departments[:1]:
            yield from self.reach(department)

    def schedule(self, doctor: Thing) -> str:
        parts = []
        for slot in slots(doctor.get("schedule")):
            campus = self.vocabulary.get(Kind.CAMPUS, slot.campus)
            where = f" ({self.name(campus)})" if campus else ""
            parts.append(f"{self.say(f'weekday_{slot.day}')} {slot.start}-{slot.end}{where}")
        return "; ".join(parts)

    def roster(self, department: Thing, doctors: Sequence[Thing]) -> Iterator[Fact]:
        """Tell every doctor of a department."""
        kind = {0: "lead_roster_none", 1: "lead_roster_one"}.get(len(doctors), "lead_roster")
        yield Fact(self.say(kind, department=self.name(department), count=len(doctors)), department)
        for doctor in doctors:
            name, *rest = self.doctor_line_short(doctor)
            yield Fact(f"{name} ({', '.join(rest)})" if rest else name, doctor, is_item=True)

    def doctor_line_short(self, doctor: Thing) -> Iterator[str]:
        yield doctor_name(doctor)
        if specialty := doctor.get("specialty"):
            yield specialty
        if campuses := self.vocabulary.campuses_of(doctor):
            yield self.names(campuses)

    # --- care ---

    def where(self, thing: Thing) -> Fact:
        """Tell which departments deal with a condition, treatment or examination."""
        departments = self.names(self.vocabulary.departments_of(thing))
        named = {str(thing.kind): self.name(thing), "department": departments}
        return Fact(self.say(LEADS[thing.kind], **named), thing)

    def care(self, thing: Thing) -> Iterator[Fact]:
        """Tell where something is dealt with, and how those departments are reached."""
        departments = self.vocabulary.departments_of(thing)
        if not departments:
            return
        yield self.where(thing)
        for department in departments[:MOST_DEPARTMENTS]:
            yield from self.reach(department)

    def carers(self, thing: Thing) -> tuple[Thing, ...]:
        """Return the doctors who are known to treat, offer or perform something."""
        treated = self.vocabulary.objects(thing, Predicate.TREATED_BY)
        offering = (
            doctor
            for predicate in (Predicate.HANDLES, Predicate.OFFERS, Predicate.PERFORMS)
            for doctor in self.vocabulary.subjects(thing, predicate)
        )
        return tuple(t for t in (*treated, *offering) if t.kind is Kind.DOCTOR)

    # --- places ---

    def reach(self, department: Thing) -> Iterator[Fact]:
        """Tell where a department is and how to call it."""
        if campuses := self.vocabulary.campuses_of(department):
            said = self.say("fact_campus", name=self.name(department), campus=self.names(campuses))
            yield Fact(said, department)
        if phone := department.get("phone"):
            yield Fact(self.say("fact_phone", name=self.name(department), phone=phone), department)

    def contact(self, department: Thing) -> Iterator[Fact]:
        yield from self.reach(department)
        if email := department.get("email"):
            yield Fact(self.say("fact_email", name=self.name(department), email=email), department)

    def hours(self, thing: Thing, *, visiting: bool) -> Iterator[Fact]:
        if hours := thing.get("hours"):
            kind = "fact_visiting_hours" if visiting else "fact_hours"
            yield Fact(self.say(kind, name=self.name(thing), hours=hours), thing)

    def campus(self, campus: Thing) -> Iterator[Fact]:
        town = f"{campus.get('postcode')} {campus.get('city')}".strip()
        if address := ", ".join(part for part in (campus.get("street"), town) if part):
            yield Fact(self.say("fact_address", name=self.name(campus), address=address), campus)
        if phone := campus.get("phone"):
            yield Fact(self.say("fact_phone", name=self.name(campus), phone=phone), campus)


def doctor_name(doctor: Thing) -> str:
    """Return a doctor's name with title: "Dr. Jan Peeters"."""
    title, name = doctor.get("title"), doctor.name
    return name if not title or name.startswith(title) else f"{title} {name}"


def facts_for(ctx: Context, teller: Teller) -> tuple[Fact, ...]:
    """Return what the taxonomy says to a question, most important first."""
    meant = ctx.understanding
    if ctx.roster:
        return tuple(roster_facts(ctx, teller))
    if people := [match for match in meant.matches if match.thing.kind is Kind.DOCTOR]:
        first = people[0]
        if first.is_ambiguous:
            return tuple(ambiguous_facts((first.thing, *first.alternatives), teller))
        return tuple(fact for match in people[:3] for fact in teller.doctor(match.thing))
    return tuple(dict.fromkeys(_care_and_places(ctx, teller)))


def roster_facts(ctx: Context, teller: Teller) -> Iterator[Fact]:
    department = teller.vocabulary.departments_of(ctx.roster[0])
    asked = [d for d in departments_asked(ctx, teller) if d in department] or list(department)
    yield from teller.roster(asked[0], ctx.roster)
    yield from teller.reach(asked[0])


def ambiguous_facts(doctors: Sequence[Thing], teller: Teller) -> Iterator[Fact]:
    """Name everybody who fits; never choose silently."""
    yield Fact(teller.say("ambiguous"), doctors[0])
    for doctor in doctors:
        yield Fact(", ".join(teller.doctor_line(doctor)), doctor, is_item=True)


def departments_asked(ctx: Context, teller: Teller) -> list[Thing]:
    """Return the departments of everything a question names, each once."""
    found: dict[Thing, None] = {}
    for match in ctx.understanding.matches:
        found |= dict.fromkeys(teller.vocabulary.departments_of(match.thing))
    return list(found)


def _care_and_places(ctx: Context, teller: Teller) -> Iterator[Fact]:
    meant = ctx.understanding
    departments = departments_asked(ctx, teller)
    care = meant.matched(*CARE)
    if meant.intent is Intent.DOCTOR_LOOKUP and departments:
        yield from _doctors_for(care, departments, meant.matched(Kind.CAMPUS), teller)
    elif meant.intent is Intent.BOOKING_OR_CONTACT and departments:
        yield Fact(
            teller.say("lead_booking", department=teller.name(departments[0])), departments[0]
        )
        yield from teller.contact(departments[0])
    elif care:
        for thing in care[:2]:
            yield from teller.care(thing)
    else:
        for department in departments[:MOST_DEPARTMENTS]:
            yield from _department(ctx, department, teller)
    if not departments or meant.topic in ABOUT_ROUTE:
        for campus in meant.matched(Kind.CAMPUS):
            yield from teller.campus(campus)


def _doctors_for(
    care: Sequence[Thing], departments: Sequence[Thing], campuses: Sequence[Thing], teller: Teller
) -> Iterator[Fact]:
    """Tell who treats something: those who are known to, else everybody of its departments.

    Where a campus is named, only who consults there is told.
    """
    words = teller.vocabulary
    if care:
        yield teller.where(care[0])
    known = list(dict.fromkeys(d for thing in care for d in teller.carers(thing)))
    for doctor in words.at_campuses(known, campuses):
        yield Fact(", ".join(teller.doctor_line(doctor)), doctor, is_item=True)
    for department in departments[:MOST_ROSTERS]:
        if not known:
            there = words.at_campuses(words.doctors_in(department), campuses)
            yield from teller.roster(department, there)
        yield from teller.reach(department)


def _department(ctx: Context, department: Thing, teller: Teller) -> Iterator[Fact]:
    topic = ctx.understanding.topic
    if topic in ABOUT_HOURS:
        yield from teller.hours(department, visiting=topic == "visiting")
    yield from teller.contact(department)
    if topic not in ABOUT_HOURS:
        yield from teller.hours(department, visiting=False)
