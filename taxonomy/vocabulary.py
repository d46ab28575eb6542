"""The published taxonomy as plain values in memory: kinds of things, the things, how they relate.

A reference terminology (SNOMED CT) adds words for them. Looking something up costs microseconds.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product
from typing import Any, NamedTuple


class Kind(StrEnum):
    """A kind of entity."""

    HOSPITAL = "hospital"
    CAMPUS = "campus"
    DEPARTMENT = "department"
    DOCTOR = "doctor"
    CONDITION = "condition"
    TREATMENT = "treatment"
    EXAMINATION = "examination"
    SPECIALTY = "specialty"


class Predicate(StrEnum):
    """How one entity relates to another."""

    WORKS_IN = "WORKS_IN"
    HANDLES = "HANDLES"
    TREATS = "TREATS"
    TREATED_BY = "TREATED_BY"
    OFFERS = "OFFERS"
    PERFORMS = "PERFORMS"
    LOCATED_AT = "LOCATED_AT"
    HAS_CAMPUS = "HAS_CAMPUS"
    BELONGS_TO = "BELONGS_TO"
    PART_OF = "PART_OF"
    HAS_FACILITY = "HAS_FACILITY"


class AliasKind(StrEnum):
    """Why people use another word."""

    SYNONYM = "synonym"
    LAY = "lay"
    LATIN = "latin"
    ABBREVIATION = "abbreviation"
    MISSPELLING = "misspelling"
    PROFESSION = "profession"


_CARERS = (Kind.DEPARTMENT, Kind.DOCTOR)
_PLACES = (Kind.DEPARTMENT, Kind.DOCTOR, Kind.TREATMENT, Kind.EXAMINATION)


def _pairs(subjects: Iterable[Kind], objects: Iterable[Kind]) -> frozenset[tuple[Kind, Kind]]:
    return frozenset(product(subjects, objects))


#: Which kinds a predicate may join, subject first.
ALLOWED: dict[Predicate, frozenset[tuple[Kind, Kind]]] = {
    Predicate.WORKS_IN: _pairs([Kind.DOCTOR], [Kind.DEPARTMENT]),
    Predicate.HANDLES: _pairs(_CARERS, [Kind.CONDITION]),
    Predicate.TREATS: _pairs([Kind.TREATMENT, *_CARERS], [Kind.CONDITION]),
    Predicate.TREATED_BY: _pairs(
        [Kind.CONDITION], [Kind.TREATMENT, Kind.EXAMINATION, Kind.DEPARTMENT, Kind.DOCTOR]
    ),
    Predicate.OFFERS: _pairs(_CARERS, [Kind.TREATMENT]),
    Predicate.PERFORMS: _pairs(_CARERS, [Kind.EXAMINATION, Kind.TREATMENT]),
    Predicate.LOCATED_AT: _pairs(_PLACES, [Kind.CAMPUS]),
    Predicate.HAS_CAMPUS: _pairs([Kind.HOSPITAL], [Kind.CAMPUS]),
    Predicate.BELONGS_TO: frozenset({
        (Kind.CAMPUS, Kind.HOSPITAL), (Kind.SPECIALTY, Kind.DEPARTMENT),
        (Kind.DEPARTMENT, Kind.DEPARTMENT), (Kind.DOCTOR, Kind.SPECIALTY),
    }),
    Predicate.PART_OF: frozenset(
        (kind, kind) for kind in (Kind.DEPARTMENT, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION)
    ),
    Predicate.HAS_FACILITY: _pairs(
        [Kind.HOSPITAL, Kind.CAMPUS, Kind.DEPARTMENT],
        [Kind.DEPARTMENT, Kind.EXAMINATION, Kind.TREATMENT],
    ),
}  # fmt: skip


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
class Triple:
    """One published relation."""

    subject: Thing
    predicate: Predicate
    object: Thing


class Vocabulary:
    """All published things of a hospital and how they relate. Immutable once built."""

    def __init__(self, things: Iterable[Thing] = (), facts: Iterable[Triple] = ()) -> None:
        self.things = tuple(things)
        self.facts = tuple(facts)
        self._by_key = {
            (thing.kind, key): thing for thing in self.things for key in thing.former_keys
        }
        self._by_key |= {(thing.kind, thing.key): thing for thing in self.things}
        self._objects: dict[tuple[Predicate, Thing], list[Thing]] = defaultdict(list)
        self._subjects: dict[tuple[Predicate, Thing], list[Thing]] = defaultdict(list)
        self._from: dict[Thing, list[Triple]] = defaultdict(list)
        self._to: dict[Thing, list[Triple]] = defaultdict(list)
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

    def facts_from(self, thing: Thing) -> tuple[Triple, ...]:
        """Return every relation of which a thing is the subject."""
        return tuple(self._from.get(thing, ()))

    def facts_to(self, thing: Thing) -> tuple[Triple, ...]:
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

    def campuses_of(self, thing: Thing) -> tuple[Thing, ...]:
        """Return where a department is or a doctor consults."""
        return self.objects(thing, Predicate.LOCATED_AT)


class ReferenceTerm(NamedTuple):
    """A way to write a concept that something of the hospital is, or is a broader form of."""

    key: str
    language: str
    #: Words of the term.
    size: int
    things: tuple[Thing, ...]
    #: Steps up from the term's concept to that of the things; 0 for their own.
    distance: int


class TermMeaning(NamedTuple):
    """Meaning of a term."""

    things: tuple[Thing, ...]
    language: str
    size: int
    is_narrower: bool


class Terminology:
    """Immutable once built; empty when no terminology is loaded, and then it costs nothing."""

    def __init__(
        self,
        terms: Iterable[ReferenceTerm] = (),
        synonyms: Mapping[Thing, Sequence[str]] | None = None,
        broader: Mapping[Thing, Sequence[Thing]] | None = None,
    ) -> None:
        self._synonyms = dict(synonyms or {})
        self._broader = dict(broader or {})
        self._meanings: tuple[TermMeaning, ...] = ()
        self._hashes, self._places = array("q"), array("i")
        self._index(terms)

    def __len__(self) -> int:
        return len(self._hashes)

    def find(self, key: str) -> TermMeaning | None:
        """Return what words, joined, stand for in the terminology."""
        hashed = hash(key)
        at = bisect_left(self._hashes, hashed)
        if at < len(self._hashes) and self._hashes[at] == hashed:
            return self._meanings[self._places[at]]
        return None

    def synonyms(self, thing: Thing) -> tuple[str, ...]:
        """Return other words for a thing in the hospital's language, the usual ones first."""
        return tuple(self._synonyms.get(thing, ()))

    def broader(self, thing: Thing) -> tuple[Thing, ...]:
        """Return the hospital's things of which this is a narrower form, the nearest first."""
        return tuple(self._broader.get(thing, ()))

    def words_for(self, thing: Thing) -> tuple[str, ...]:
        """Return what a search for a thing gains: a synonym or two, then its broader forms here."""
        return (*self.synonyms(thing)[:2], *(other.name for other in self.broader(thing)))

    def among(self, things: Iterable[Thing]) -> Terminology:
        """Return what is known of the same things as another version has them."""
        now = {thing: thing for thing in things}
        other = Terminology(
            synonyms={now[thing]: words for thing, words in self._synonyms.items()},
            broader={now[thing]: [now[wider] for wider in found]
                     for thing, found in self._broader.items()},
        )  # fmt: skip
        other._hashes, other._places = self._hashes, self._places
        other._meanings = tuple(
            meaning._replace(things=tuple(now[thing] for thing in meaning.things))
            for meaning in self._meanings
        )
        return other

    def _index(self, terms: Iterable[ReferenceTerm]) -> None:
        nearest: dict[int, tuple[int, TermMeaning]] = {}
        for term in terms:
            hashed = hash(term.key)
            known = nearest.get(hashed)
            if known and known[0] < term.distance:
                continue
            things = term.things
            if known and known[0] == term.distance:
                things = tuple(dict.fromkeys((*known[1].things, *things)))
            meaning = TermMeaning(things, term.language, term.size, term.distance > 0)
            nearest[hashed] = (term.distance, meaning)
        places: dict[TermMeaning, int] = {}
        for hashed in sorted(nearest):
            self._hashes.append(hashed)
            self._places.append(places.setdefault(nearest[hashed][1], len(places)))
        self._meanings = tuple(places)
