"""What a question asks of the taxonomy, and the paths through it that every handler walks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from chat.lookup.filters import Filters, reader_of
from chat.lookup.finding import Finding, Says
from chat.lookup.spots import asks_spot
from chat.turn import Understanding
from retrieval.intents import Intent
from taxonomy.facts.days import Sort, split_hours
from taxonomy.kinds import Kind, Predicate
from taxonomy.lexicon import Concept, Lexicon, lexicon_of
from taxonomy.resolvers import Match, resolver_index
from taxonomy.resolvers.loose import BODY
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Thing, Vocabulary
from zol.text import words

#: Topics of questions about when something is open, and about how to get there.
ABOUT_HOURS = frozenset({"hours", "visiting"})
VISITING = "visiting"
ABOUT_ROUTE = frozenset({"route", "parking", "accessibility"})
#: Kinds that a department is asked for.
CARE = (Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION)
#: By what a department is known that somebody did not name.
FOLLOWS = "department_from_condition"
#: Of further departments only the essentials are said.
MOST_DEPARTMENTS = 3


#: Concepts of the lexicon whose words begin hours for visitors: "bezoek dagelijks 14:00-20:00".
VISITORS = frozenset({"visiting_hours", "visitor"})
VISITS = VISITORS | {"visit"}
#: Those whose words begin other hours: "raadpleging ma-vr 9:00-17:00".
OPENS = frozenset({"consultation", "opening_hours", "reception"})
#: What somebody comes for who is no visitor: "tot hoe laat mag ik langskomen voor mijn afspraak?"
CARED_FOR = frozenset({"appointment", "consultation"})
#: What somebody does to an appointment that there is: nobody then asks how one is made.
CHANGES = frozenset({"cancel", "reschedule", "cancel_appointment"})
#: What asks to come without an appointment: nobody is then told how one is made.
WALKS_IN = "without_appointment"
#: What asks to whom somebody turns, rather than whether something is done at all.
WHOM = frozenset({"who", "where", "which", "department", "ward", "doctor", "specialist", "contact"})
GENDERS = {"woman": "f", "man": "m"}
#: Matters that are settled alike for all departments, by concept or by the kind of one; not what
#: only asks for a price.
ALIKE = CHANGES | {"referral", "referral_needed"}
FORMAL = frozenset({"money", "rights"})
PRICED = frozenset({"cost", "price", "pay", "free_of_charge", "deposit", "reimbursement"})
HOW_MUCH = "how_much"
#: Words that ask when somebody is there.
WHEN = frozenset({"when", "what_time"})
PRACTICAL = frozenset({Intent.BOOKING_OR_CONTACT, Intent.NAVIGATION_OR_PRACTICAL_INFO})
#: Whom visitors come for, as they call them: "vanaf hoe laat mag ik bij mijn vader?"
RELATIVES = frozenset(
    {
        "mother",
        "father",
        "son",
        "daughter",
        "sibling",
        "husband_wife",
        "in_laws_grandparent",
        "grandchild",
        "friend_neighbour",
        "uncle_aunt",
    }
)


def is_touched(match: Match) -> bool:
    """Whether a department is not named, but follows from a word for something else."""
    return match.thing.kind is Kind.DEPARTMENT and (match.is_borrowed or match.by == FOLLOWS)


def no_ward(thing: Thing) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class LookupQuestion:
    """A question that was understood, and the taxonomy that it is put to."""

    meant: Understanding
    vocabulary: Vocabulary
    #: Whether a department is named by the code of a ward only; such a one is never shown as where
    #: somebody can turn to (a code once stood where Endocrinology should have).
    is_ward_code: Callable[[Thing], bool] = field(default=no_ward)
    lexicon: Lexicon = field(default_factory=Lexicon)
    #: The hospital's language, in which hours are written.
    language: str = "nl"
    #: Which doctors of a list are meant.
    filters: Filters = Filters()
    #: Whether it is asked which departments there are.
    lists_departments: bool = False
    #: Whether a floor, a building or an entrance is asked for.
    asks_spot: bool = False
    #: Whether it is asked when, in a word that asks nothing else.
    asks_when: bool = False
    #: Whether somebody asks to come without an appointment.
    without_appointment: bool = False
    #: Whether it is asked in so many words to whom or where somebody turns.
    asks_whom: bool = False
    #: Whether a woman or a man is spoken of.
    asks_gender: bool = False
    #: Whether an amount is asked for.
    asks_price: bool = False

    @property
    def is_visit(self) -> bool:
        """Whether it is asked when visitors are welcome, in these words or of a relative.

        To visit is also to come by: whoever speaks of an appointment comes for that.
        """
        spoken = self._spoken_of(self.meant.terms)
        if not CARED_FOR.isdisjoint(spoken) and spoken.isdisjoint(VISITORS):
            return False
        if self.meant.topic == VISITING or VISITS.isdisjoint(spoken):
            return self.meant.topic == VISITING
        of_relative = not RELATIVES.isdisjoint(spoken)
        is_practical = self.meant.intent is Intent.NAVIGATION_OR_PRACTICAL_INFO
        return self.meant.topic in ABOUT_HOURS or (of_relative and is_practical)

    @property
    def changes_appointment(self) -> bool:
        """Whether an appointment is to be moved or called off."""
        return not CHANGES.isdisjoint(self._spoken_of(self.meant.terms))

    @property
    def is_settled_alike(self) -> bool:
        """Whether it is about what is done alike for all departments, and pages tell how: an
        appointment to move, a prescription, a letter of referral."""
        if self.meant.intent not in PRACTICAL:
            return False
        spoken = self._concepts(self.meant.terms)
        return any(c.name in ALIKE or (c.kind in FORMAL and c.name not in PRICED) for c in spoken)

    @property
    def may_be_visit(self) -> bool:
        """Whether hours are asked by somebody who speaks of a relative."""
        is_said = not RELATIVES.isdisjoint(self._spoken_of(self.meant.terms))
        return self.meant.topic in ABOUT_HOURS and is_said

    def _spoken_of(self, texts: Iterable[str]) -> frozenset[str]:
        """Return the names of the concepts that texts in the hospital's language name."""
        return frozenset(concept.name for concept in self._concepts(texts))

    def _concepts(self, texts: Iterable[str]) -> Iterator[Concept]:
        for text in texts:
            for use in self.lexicon.read(words(text), self.language):
                yield from use.concepts

    def sort_of(self, text: str) -> Sort | None:
        """Tell whether a part of a place's hours speaks of visits or of consultations, if any."""
        said = self._spoken_of([text])
        if not VISITS.isdisjoint(said):
            return Sort.VISITING
        return None if OPENS.isdisjoint(said) else Sort.OPENING

    def departments_of(self, thing: Thing) -> tuple[Thing, ...]:
        """Return where a person is helped with a thing; for a ward's code, what it is a part of."""
        found: dict[Thing, None] = {}
        for department in self.vocabulary.departments_of(thing):
            if self.is_ward_code(department):
                found |= dict.fromkeys(self.parents_of(department))
            else:
                found[department] = None
        return tuple(found)

    def parents_of(self, department: Thing) -> tuple[Thing, ...]:
        parents = self.vocabulary.objects(department, Predicate.PART_OF)
        return tuple(parent for parent in parents if not self.is_ward_code(parent))

    @property
    def departments(self) -> tuple[Thing, ...]:
        """Return the departments of everything that the question names, each once.

        A practical question leads to none that it only touches: who parks before an operation asks
        nothing of the surgeons.
        """
        is_practical = self.meant.intent is Intent.NAVIGATION_OR_PRACTICAL_INFO
        named = (m for m in self.meant.matches if not (is_practical and is_touched(m)))
        return departments_of_all(self, [match.thing for match in named])

    @property
    def is_guessed(self) -> bool:
        """Whether the first department is not named, but a word only leads to it."""
        named = (m for m in self.meant.matches if m.thing.kind is Kind.DEPARTMENT)
        first = next(named, None)
        return first is not None and not self.care and is_touched(first)

    def is_told_by(self, findings: Sequence[Finding]) -> bool:
        """Whether findings speak of everything that is named, and of no department that only a
        part of the body leads to.

        Nobody who asks for a woman is told by a list that has men.
        """
        told = {thing for found in findings for thing in (found.about, *found.things)}
        named = self.meant.matched(Kind.DOCTOR, Kind.DEPARTMENT, Kind.SPECIALTY, *CARE)
        is_all = all(told & {thing, *self.departments_of(thing)} for thing in named)
        genders = {thing.get("gender") for thing in told if thing.kind is Kind.DOCTOR}
        is_led = any(m.by == FOLLOWS and m.confidence <= BODY for m in self.meant.matches)
        return is_all and not is_led and not (self.asks_gender and len(genders) > 1)

    def follows(self, department: Thing) -> bool:
        """Whether a department was not named, but follows from complaints that are described."""
        if self.meant.intent is not Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION:
            return False
        return any(m.thing == department and m.by == FOLLOWS for m in self.meant.matches)

    @property
    def care(self) -> tuple[Thing, ...]:
        return self.meant.matched(*CARE)

    @property
    def routed(self) -> tuple[Thing, ...]:
        """Return the departments that an answer must name: of the first thing of care."""
        return next(filter(None, map(self.departments_of, self.care)), ())

    @property
    def wards(self) -> tuple[Thing, ...]:
        """Return the wards that the question names by their codes, each a part of a department."""
        named = self.meant.matched(Kind.DEPARTMENT)
        return tuple(w for w in named if self.is_ward_code(w) and self.parents_of(w))

    @property
    def campuses(self) -> tuple[Thing, ...]:
        return self.meant.matched(Kind.CAMPUS)


#: Handlers answer one sort of question each.
Handler: TypeAlias = Callable[[LookupQuestion], Iterator[Finding]]


def carers_of(vocabulary: Vocabulary, thing: Thing) -> tuple[Thing, ...]:
    """Return the doctors who are known to treat, offer or perform something."""
    found = list(vocabulary.objects(thing, Predicate.TREATED_BY))
    for predicate in (Predicate.HANDLES, Predicate.OFFERS, Predicate.PERFORMS):
        found += vocabulary.subjects(thing, predicate)
    return tuple(dict.fromkeys(each for each in found if each.kind is Kind.DOCTOR))


def departments_of_all(asked: LookupQuestion, things: Iterable[Thing]) -> tuple[Thing, ...]:
    return tuple(dict.fromkeys(d for thing in things for d in asked.departments_of(thing)))


def elsewhere(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    """Find where a department is that is not at the campus which is asked about."""
    campuses = asked.vocabulary.campuses_of(department)
    if asked.campuses and campuses and not {*campuses} & {*asked.campuses}:
        yield Finding(Says.ELSEWHERE, department, things=campuses, others=asked.campuses)


def reach(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    """Find where a department is and how to call it."""
    if campuses := asked.vocabulary.campuses_of(department):
        yield Finding(Says.PLACE, department, things=campuses)
    if phone := department.get("phone"):
        yield Finding(Says.PHONE, department, value=phone)


def contact(asked: LookupQuestion, department: Thing) -> Iterator[Finding]:
    """Find every way to reach a department."""
    yield from reach(asked, department)
    if email := department.get("email"):
        yield Finding(Says.EMAIL, department, value=email)


def hours(asked: LookupQuestion, thing: Thing, *, visiting: bool) -> Iterator[Finding]:
    """Find when a place is open; for visitors, only the hours that are for them."""
    parts = split_hours(thing.get("hours"), asked.sort_of)
    if value := parts.visiting if visiting else parts.opening:
        yield Finding(Says.VISITING_HOURS if visiting else Says.HOURS, thing, value=value)


def asked_of(meant: Understanding, snapshot: Snapshot, question: str = "") -> LookupQuestion:
    """Return what a question asks of a published version.

    Its own words tell which doctors of a list are meant.
    """
    reader, lexicon = snapshot.derived(reader_of), snapshot.derived(lexicon_of)
    filters = reader.read(question, meant.language)
    said, asker = words(question), meant.detected or meant.language
    spoken = {c.name for use in lexicon.read(said, asker) for c in use.concepts}
    # Of doctors who were told, women may be asked for; else it may be the patient who is one.
    genders = frozenset(GENDERS[name] for name in spoken & GENDERS.keys() if meant.is_followup)
    return LookupQuestion(
        meant,
        snapshot.vocabulary,
        snapshot.derived(resolver_index).is_bare_ward,
        lexicon,
        snapshot.profile.default_language,
        replace(filters, campuses=meant.matched(Kind.CAMPUS), genders=genders),
        reader.lists_departments(question, meant.language),
        asks_spot(said, asker, lexicon),
        not WHEN.isdisjoint(spoken),
        WALKS_IN in spoken,
        not WHOM.isdisjoint(spoken),
        not spoken.isdisjoint(GENDERS),
        not (PRICED | {HOW_MUCH}).isdisjoint(spoken),
    )
