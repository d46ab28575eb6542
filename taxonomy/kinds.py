"""The kinds of things a hospital consists of, and how they may relate. Plain values."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from itertools import product


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
    Predicate.BELONGS_TO: frozenset(
        {
            (Kind.CAMPUS, Kind.HOSPITAL),
            (Kind.SPECIALTY, Kind.DEPARTMENT),
            (Kind.DEPARTMENT, Kind.DEPARTMENT),
            (Kind.DOCTOR, Kind.SPECIALTY),
        }
    ),
    Predicate.PART_OF: frozenset(
        (kind, kind) for kind in (Kind.DEPARTMENT, Kind.CONDITION, Kind.TREATMENT, Kind.EXAMINATION)
    ),
    Predicate.HAS_FACILITY: _pairs(
        [Kind.HOSPITAL, Kind.CAMPUS, Kind.DEPARTMENT],
        [Kind.DEPARTMENT, Kind.EXAMINATION, Kind.TREATMENT],
    ),
}
