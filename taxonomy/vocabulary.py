"""The published taxonomy in memory: entities and relations as plain values.

A reference terminology (SNOMED CT) adds synonyms and narrower terms.
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
    """A type of relation between two entities."""

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
    """A kind of alias."""

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


#: The kinds of subject and object that each predicate may relate.
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
    """An alias of an entity, with its language and kind."""

    text: str
    language: str
    kind: AliasKind


@dataclass(frozen=True, slots=True)
class Thing:
    """A published entity. Equality compares kind, key and name."""

    kind: Kind
    key: str
    name: str
    url: str = field(default="", compare=False)
    aliases: tuple[Spelling, ...] = field(default=(), compare=False)
    #: Fields of its kind, such as phone, hours or specialty.
    data: Mapping[str, Any] = field(default_factory=dict, compare=False, hash=False)
    #: Keys of entities that were merged into this one, by which it can still be found.
    former_keys: tuple[str, ...] = field(default=(), compare=False)

    def __str__(self) -> str:
        return self.name

    def get(self, name: str) -> str:
        """Return a field as text; empty if unknown."""
        return str(self.data.get(name) or "")


@dataclass(frozen=True, slots=True)
class Triple:
    """One published relation."""

    subject: Thing
    predicate: Predicate
    object: Thing


class Vocabulary:
    """All published entities and relations of a hospital. Immutable once built."""

    def __init__(self, things: Iterable[Thing] = (), relations: Iterable[Triple] = ()) -> None:
        self.things = tuple(things)
        self.relations = tuple(relations)
        self._by_key = {
            (thing.kind, key): thing for thing in self.things for key in thing.former_keys
        }
        self._by_key |= {(thing.kind, thing.key): thing for thing in self.things}
        self._from: dict[Thing, list[Triple]] = defaultdict(list)
        self._to: dict[Thing, list[Triple]] = defaultdict(list)
        for relation in self.relations:
            self._from[relation.subject].append(relation)
            self._to[relation.object].append(relation)

    def get(self, kind: Kind, key: str) -> Thing | None:
        """Return an entity by its key or a former key."""
        return self._by_key.get((kind, key))

    def of_kind(self, kind: Kind) -> Iterator[Thing]:
        return (thing for thing in self.things if thing.kind is kind)

    def objects(self, subject: Thing, predicate: Predicate) -> tuple[Thing, ...]:
        """Return the objects of a relation, in the order given by staff."""
        return tuple(r.object for r in self.relations_from(subject) if r.predicate is predicate)

    def subjects(self, target: Thing, predicate: Predicate) -> tuple[Thing, ...]:
        """Return the subjects of a relation."""
        return tuple(r.subject for r in self.relations_to(target) if r.predicate is predicate)

    def relations_from(self, thing: Thing) -> tuple[Triple, ...]:
        """Return all relations with an entity as the subject."""
        return tuple(self._from.get(thing, ()))

    def relations_to(self, thing: Thing) -> tuple[Triple, ...]:
        """Return all relations with an entity as the object."""
        return tuple(self._to.get(thing, ()))

    def departments_of(self, thing: Thing) -> tuple[Thing, ...]:
        """Return the departments of an entity, in the order given by staff."""
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
        """Return the campuses of a department or doctor."""
        return self.objects(thing, Predicate.LOCATED_AT)


class ReferenceTerm(NamedTuple):
    """A term for an entity of the hospital, or for a narrower concept."""

    key: str
    language: str
    #: Number of words.
    size: int
    things: tuple[Thing, ...]
    #: IS-A steps from the term's concept up to that of the entities.
    distance: int


class TermMeaning(NamedTuple):
    """The entities that a term stands for."""

    things: tuple[Thing, ...]
    language: str
    size: int
    is_narrower: bool


class Terminology:
    """Index of reference terms. Immutable once built; empty if no terminology is loaded.

    Terms are kept as sorted hashes: a dictionary would take ten times the memory.
    """

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
        """Return the meaning of joined words."""
        hashed = hash(key)
        at = bisect_left(self._hashes, hashed)
        if at < len(self._hashes) and self._hashes[at] == hashed:
            return self._meanings[self._places[at]]
        return None

    def synonyms(self, thing: Thing) -> tuple[str, ...]:
        """Return the synonyms of an entity in the hospital's language, most usual first."""
        return tuple(self._synonyms.get(thing, ()))

    def broader(self, thing: Thing) -> tuple[Thing, ...]:
        """Return the broader entities of the hospital, nearest first."""
        return tuple(self._broader.get(thing, ()))

    def words_for(self, thing: Thing) -> tuple[str, ...]:
        """Return words that expand a search: two synonyms, then the names of broader entities."""
        return (*self.synonyms(thing)[:2], *(other.name for other in self.broader(thing)))

    def among(self, things: Iterable[Thing]) -> Terminology:
        """Return the same terminology with the entities of another version."""
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
