"""The form of a pack: which files, which columns, and what a column says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evaluation.packs import tables
from taxonomy.kinds import Kind, Predicate
from taxonomy.models import Department
from taxonomy.models.entities import ENTITY_MODELS
from zol.values import LATITUDE, LONGITUDE, read_date

PROFILE = "hospital.yaml"
RELATIONS = "taxonomy/relations.csv"
FACTS = "taxonomy/facts.csv"
PAGES = "pages/index.csv"
PAGES_FOLDER = "pages"
GOLDEN = "golden.jsonl"
CURATED = "taxonomy/curated.jsonl"
TRANSLATIONS = "taxonomy/translations.jsonl"

RELATION_COLUMNS = ("subject_type", "subject", "predicate", "object_type", "object")
PAGE_COLUMNS = (
    "path", "url", "title", "category", "language", "updated_at", "authority", "url_tier",
    "campuses",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReferenceColumn:
    """A column of references: the relation it states, and which way round."""

    column: str
    target: Kind
    predicate: Predicate
    #: The referenced entity is the subject, the row's own the object.
    inverse: bool = False

    def ends(self, own: tuple[Kind, str], other: tuple[Kind, str]) -> tuple[Ref, Ref]:
        """Return subject and object."""
        return (other, own) if self.inverse else (own, other)


#: An entity, by its kind and key.
Ref = tuple[Kind, str]


#: Fields that a pack calls something else.
_CALLED = {"kind": "sort", "lat": "latitude", "lon": "longitude"}
#: What a column says of its field, where that is more than a text.
READERS: dict[str, Callable[[str], Any]] = {
    "url": tables.read_url,
    "review_by": read_date,
    "absent_until": read_date,
    "hours": tables.read_hours,
    "schedule": tables.read_schedule,
    "latitude": tables.read_degrees(LATITUDE),
    "longitude": tables.read_degrees(LONGITUDE),
    "sort": tables.one_of(frozenset(Department.Sort.values), "kind of department"),
    "email": tables.read_email,
    "gender": tables.read_gender,
    "languages": tables.read_languages,
    "snomed": tables.read_snomed,
}


@dataclass(frozen=True)
class EntityTable:
    """One file of entities."""

    kind: Kind
    name: str
    columns: tuple[str, ...]
    optional: tuple[str, ...] = ("url", "review_by")
    #: The file may be absent.
    is_optional: bool = False
    needed: tuple[str, ...] = ("key", "name")
    links: tuple[ReferenceColumn, ...] = ()

    @cached_property
    def fields(self) -> dict[str, Any]:
        """What columns say of the entity itself: the fields of its model, by their columns."""
        known = {each.name: each for each in ENTITY_MODELS[self.kind]._meta.concrete_fields}
        told = [name for name in (*self.columns, *self.optional) if name not in ("key", "name")]
        called = {name: _CALLED.get(name, name) for name in told}
        return {name: known[own] for name, own in called.items() if own in known}

    @property
    def file(self) -> str:
        return f"taxonomy/{self.name}.csv"


SHEETS = (
    EntityTable(
        Kind.CAMPUS,
        "campuses",
        ("key", "name", "aliases", "street", "postcode", "city", "phone"),
        optional=("hours", "url", "review_by", "lat", "lon"),
    ),
    EntityTable(
        Kind.DEPARTMENT,
        "departments",
        ("key", "name", "aliases", "kind", "phone", "email", "campuses", "url"),
        optional=("hours", "review_by"),
        links=(ReferenceColumn("campuses", Kind.CAMPUS, Predicate.LOCATED_AT),),
    ),
    EntityTable(
        Kind.SPECIALTY,
        "specialties",
        ("key", "name", "aliases", "departments", "professions"),
        is_optional=True,
        links=(ReferenceColumn("departments", Kind.DEPARTMENT, Predicate.BELONGS_TO),),
    ),
    EntityTable(
        Kind.DOCTOR,
        "doctors",
        (
            "key", "title", "first_name", "last_name", "gender", "specialty",
            "departments", "campuses", "languages", "url",
        ),
        optional=("schedule", "absent_until", "review_by"),
        needed=("key", "last_name"),
        links=(
            ReferenceColumn("departments", Kind.DEPARTMENT, Predicate.WORKS_IN),
            ReferenceColumn("campuses", Kind.CAMPUS, Predicate.LOCATED_AT),
        ),
    ),
    EntityTable(
        Kind.CONDITION,
        "conditions",
        ("key", "name", "aliases", "latin", "snomed", "departments"),
        links=(ReferenceColumn("departments", Kind.DEPARTMENT, Predicate.HANDLES, inverse=True),),
    ),
    EntityTable(
        Kind.TREATMENT,
        "treatments",
        ("key", "name", "aliases", "latin", "snomed", "departments", "conditions"),
        links=(
            ReferenceColumn("departments", Kind.DEPARTMENT, Predicate.OFFERS, inverse=True),
            ReferenceColumn("conditions", Kind.CONDITION, Predicate.TREATS),
        ),
    ),
    EntityTable(
        Kind.EXAMINATION,
        "examinations",
        ("key", "name", "aliases", "snomed", "departments", "conditions"),
        links=(
            ReferenceColumn("departments", Kind.DEPARTMENT, Predicate.PERFORMS, inverse=True),
            ReferenceColumn("conditions", Kind.CONDITION, Predicate.TREATED_BY, inverse=True),
        ),
    ),
)  # fmt: skip
#: The columns of references, by the kinds that they join and how.
LINKS = {
    (subject[0], link.predicate, target[0]): link
    for sheet in SHEETS
    for link in sheet.links
    for subject, target in (link.ends((sheet.kind, ""), (link.target, "")),)
}
SHEET_OF = {sheet.kind: sheet for sheet in SHEETS}
