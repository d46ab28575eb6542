"""The form of a pack: which files, which columns, and what a column says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evaluation.packs import tables
from taxonomy.kinds import Kind, Predicate
from taxonomy.models import Department
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


@dataclass(frozen=True, slots=True)
class Column:
    """A column that says one field of an entity, under the field's name or a shorter one."""

    name: str
    read: Callable[[str], Any] = str
    #: What an empty cell says.
    default: Any = ""
    limit: int = 200
    of: str = ""

    @property
    def field(self) -> str:
        return self.of or self.name


URL = Column("url", tables.read_url, limit=500)
REVIEW_BY = Column("review_by", read_date, None)
#: Of the country of the hospital, which its reader has to be told.
PHONE = Column("phone", limit=40)
HOURS = Column("hours", tables.read_hours, limit=500)
LATIN, SNOMED = Column("latin"), Column("snomed", tables.read_snomed, limit=1000)
SORT = tables.one_of(frozenset(Department.Sort.values), "kind of department")


@dataclass(frozen=True, slots=True)
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
    #: What its columns say of the entity itself, but for its key, name and aliases.
    own: tuple[Column, ...] = ()

    @property
    def fields(self) -> tuple[Column, ...]:
        return (URL, REVIEW_BY, *self.own)

    @property
    def file(self) -> str:
        return f"taxonomy/{self.name}.csv"


SHEETS = (
    EntityTable(
        Kind.CAMPUS,
        "campuses",
        ("key", "name", "aliases", "street", "postcode", "city", "phone"),
        optional=("hours", "url", "review_by", "lat", "lon"),
        own=(
            Column("street"),
            Column("postcode", limit=12),
            Column("city", limit=100),
            PHONE,
            HOURS,
            Column("lat", tables.read_degrees(LATITUDE), None, of="latitude"),
            Column("lon", tables.read_degrees(LONGITUDE), None, of="longitude"),
        ),
    ),
    EntityTable(
        Kind.DEPARTMENT,
        "departments",
        ("key", "name", "aliases", "kind", "phone", "email", "campuses", "url"),
        optional=("hours", "review_by"),
        links=(ReferenceColumn("campuses", Kind.CAMPUS, Predicate.LOCATED_AT),),
        own=(
            Column("kind", SORT, "department", of="sort"),
            PHONE,
            Column("email", tables.read_email, limit=254),
            HOURS,
        ),
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
        own=(
            Column("title", limit=40),
            Column("first_name", limit=80),
            Column("last_name", limit=120),
            Column("gender", tables.read_gender),
            Column("specialty"),
            Column("languages", tables.read_languages, [], limit=1000),
            Column("schedule", tables.read_schedule, limit=1000),
            Column("absent_until", read_date, None),
        ),
    ),
    EntityTable(
        Kind.CONDITION,
        "conditions",
        ("key", "name", "aliases", "latin", "snomed", "departments"),
        links=(ReferenceColumn("departments", Kind.DEPARTMENT, Predicate.HANDLES, inverse=True),),
        own=(LATIN, SNOMED),
    ),
    EntityTable(
        Kind.TREATMENT,
        "treatments",
        ("key", "name", "aliases", "latin", "snomed", "departments", "conditions"),
        links=(
            ReferenceColumn("departments", Kind.DEPARTMENT, Predicate.OFFERS, inverse=True),
            ReferenceColumn("conditions", Kind.CONDITION, Predicate.TREATS),
        ),
        own=(LATIN, SNOMED),
    ),
    EntityTable(
        Kind.EXAMINATION,
        "examinations",
        ("key", "name", "aliases", "snomed", "departments", "conditions"),
        links=(
            ReferenceColumn("departments", Kind.DEPARTMENT, Predicate.PERFORMS, inverse=True),
            ReferenceColumn("conditions", Kind.CONDITION, Predicate.TREATED_BY, inverse=True),
        ),
        own=(SNOMED,),
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
