"""The form of a pack: which files, which columns, and what a column says."""

from __future__ import annotations

from dataclasses import dataclass

from taxonomy.kinds import Kind, Predicate

PROFILE = "hospital.yaml"
RELATIONS = "taxonomy/relations.csv"
FACTS = "taxonomy/facts.csv"
PAGES = "pages/index.csv"
PAGES_FOLDER = "pages"
GOLDEN = "golden.jsonl"
CURATED = "taxonomy/curated.jsonl"

RELATION_COLUMNS = ("subject_type", "subject", "predicate", "object_type", "object")
PAGE_COLUMNS = (
    "path", "url", "title", "category", "language", "updated_at", "authority", "url_tier",
    "campuses",
)  # fmt: skip

#: How a woman is written in the gender column; the first is written by an export.
WOMAN = ("v", "f")
MEDIA_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".pdf": "application/pdf",
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


@dataclass(frozen=True, slots=True)
class Link:
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
class Sheet:
    """One file of entities."""

    kind: Kind
    name: str
    columns: tuple[str, ...]
    optional: tuple[str, ...] = ("url", "review_by")
    #: The file may be absent.
    is_optional: bool = False
    needed: tuple[str, ...] = ("key", "name")
    links: tuple[Link, ...] = ()

    @property
    def file(self) -> str:
        return f"taxonomy/{self.name}.csv"


SHEETS = (
    Sheet(
        Kind.CAMPUS,
        "campuses",
        ("key", "name", "aliases", "street", "postcode", "city", "phone"),
        optional=("hours", "url", "review_by", "lat", "lon"),
    ),
    Sheet(
        Kind.DEPARTMENT,
        "departments",
        ("key", "name", "aliases", "kind", "phone", "email", "campuses", "url"),
        optional=("hours", "review_by"),
        links=(Link("campuses", Kind.CAMPUS, Predicate.LOCATED_AT),),
    ),
    Sheet(
        Kind.SPECIALTY,
        "specialties",
        ("key", "name", "aliases", "departments", "professions"),
        is_optional=True,
        links=(Link("departments", Kind.DEPARTMENT, Predicate.BELONGS_TO),),
    ),
    Sheet(
        Kind.DOCTOR,
        "doctors",
        (
            "key", "title", "first_name", "last_name", "gender", "specialty",
            "departments", "campuses", "languages", "url",
        ),
        optional=("schedule", "review_by"),
        needed=("key", "last_name"),
        links=(
            Link("departments", Kind.DEPARTMENT, Predicate.WORKS_IN),
            Link("campuses", Kind.CAMPUS, Predicate.LOCATED_AT),
        ),
    ),
    Sheet(
        Kind.CONDITION,
        "conditions",
        ("key", "name", "aliases", "latin", "snomed", "departments"),
        links=(Link("departments", Kind.DEPARTMENT, Predicate.HANDLES, inverse=True),),
    ),
    Sheet(
        Kind.TREATMENT,
        "treatments",
        ("key", "name", "aliases", "latin", "snomed", "departments", "conditions"),
        links=(
            Link("departments", Kind.DEPARTMENT, Predicate.OFFERS, inverse=True),
            Link("conditions", Kind.CONDITION, Predicate.TREATS),
        ),
    ),
    Sheet(
        Kind.EXAMINATION,
        "examinations",
        ("key", "name", "aliases", "snomed", "departments", "conditions"),
        links=(
            Link("departments", Kind.DEPARTMENT, Predicate.PERFORMS, inverse=True),
            Link("conditions", Kind.CONDITION, Predicate.TREATED_BY, inverse=True),
        ),
    ),
)  # fmt: skip
SHEET_OF = {sheet.kind: sheet for sheet in SHEETS}
