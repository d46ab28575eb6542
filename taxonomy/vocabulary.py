"""The published taxonomy as plain values, in memory: looking something up costs microseconds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from taxonomy.kinds import AliasKind, Kind, Predicate


class Spelling(NamedTuple):
    """A way to write an entity's name."""

    text: str
    language: str
    kind: AliasKind


@dataclass(frozen=True, slots=True)
class Thing:
    """A published entity. Two are equal when they are the same entity of the same version."""

    kind: Kind
    key: str
    name: str
    url: str = field(default="", compare=False)
    aliases: tuple[Spelling, ...] = field(default=(), compare=False)
    #: The fields of its kind by name (phone, hours, specialty, …).
    data: Mapping[str, Any] = field(default_factory=dict, compare=False, hash=False)
    #: Keys of entities that became this one; they still lead here.
    former_keys: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return self.name

    def get(self, name: str) -> str:
        """Return a field as text; empty when it is not known."""
        return str(self.data.get(name) or "")


@dataclass(frozen=True, slots=True)
class Fact:
    """One published relation."""

    subject: Thing
    predicate: Predicate
    object: Thing


class Vocabulary:
    """All published things of a hospital and how they relate. Immutable once built."""

    def __init__(self, things: Iterable[Thing] = (), facts: Iterable[Fact] = ()) -> None:
        self.things = tuple(things)
        self.facts = tuple(facts)
        self._by_key = {
            (thing.kind, key): thing for thing in self.things for key in thing.former_keys
        }
        self._by_key |= {(thing.kind, thing.key): thing for thing in self.things}
        self._objects: dict[tuple[Predicate, Thing], list[Thing]] = defaultdict(list)
        self._subjects: dict[tuple[Predicate, Thing], list[Thing]] = defaultdict(list)
        self._from: dict[Thing, list[Fact]] = defaultdict(list)
        self._to: dict[Thing, list[Fact]] = defaultdict(list)
        for fact in self.facts:
            self._objects[fact.predicate, fact.subject].append(fact.object)
            self._subjects[fact.predicate, fact.object].append(fact.subject)
            self._from[fact.subject].append(fact)
            self._to[fact.object].append(fact)

    def get(self, kind: Kind, key: str) -> Thing | None:
        """Return a thing by its key, or by that of one that was merged into it."""
        return self._by_key.get((kind, key))

    def of_kind(self, kind: Kind) -> Iterator[Thing]:
        return (thing for thing in self.things if thing.kind is kind)

    def objects(self, subject: Thing, predicate: Predicate) -> tuple[Thing, ...]:
        """Return what a thing relates to, in the order that staff gave."""
        return tuple(self._objects.get((predicate, subject), ()))

    def subjects(self, target: Thing, predicate: Predicate) -> tuple[Thing, ...]:
        """Return what relates to a thing."""
        return tuple(self._subjects.get((predicate, target), ()))

    def facts_from(self, thing: Thing) -> tuple[Fact, ...]:
        """Return every relation of which a thing is the subject."""
        return tuple(self._from.get(thing, ()))

    def facts_to(self, thing: Thing) -> tuple[Fact, ...]:
        """Return every relation of which a thing is the object."""
        return tuple(self._to.get(thing, ()))

    def departments_of(self, thing: Thing) -> tuple[Thing, ...]:
        """Return the departments where a person is helped with this thing, most relevant first."""
        match thing.kind:
            case Kind.DEPARTMENT:
                found: tuple[Thing, ...] = (thing,)
            case Kind.DOCTOR:
                found = self.objects(thing, Predicate.WORKS_IN)
            case Kind.CONDITION:
                found = self.subjects(thing, Predicate.HANDLES)
            case Kind.TREATMENT:
                found = self.subjects(thing, Predicate.OFFERS)
            case Kind.EXAMINATION:
                found = self.subjects(thing, Predicate.PERFORMS)
            case Kind.SPECIALTY:
                found = self.objects(thing, Predicate.BELONGS_TO)
            case _:
                found = ()
        return tuple(thing for thing in found if thing.kind is Kind.DEPARTMENT)

    def doctors_in(self, department: Thing) -> tuple[Thing, ...]:
        return self.subjects(department, Predicate.WORKS_IN)

    def at_campuses(
        self, things: Sequence[Thing], campuses: Collection[Thing]
    ) -> tuple[Thing, ...]:
        """Return those at one of the campuses; all of them when none is, or none is named."""
        there = tuple(t for t in things if not set(campuses).isdisjoint(self.campuses_of(t)))
        return there or tuple(things)

    def campuses_of(self, thing: Thing) -> tuple[Thing, ...]:
        """Return where a department is or a doctor consults."""
        return self.objects(thing, Predicate.LOCATED_AT)
