"""The sheets of the taxonomy: entities of each kind, relations, facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from taxonomy.facts.parts import WrongPart
from taxonomy.facts.records import COLUMNS, FactContext, cells_of, read_record
from taxonomy.models import Fact
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.packs.cells import PackRow, one_of
from taxonomy.packs.entities import EntitySheet
from taxonomy.packs.relations import RELATIONS
from taxonomy.packs.sheets import Reference, RowRecord, Sheet
from taxonomy.vocabulary import Kind
from zol.records.refusals import refused


class FactSheet(Sheet):
    """Facts, one a row."""

    def row(self, row: PackRow, house: FactContext) -> RowRecord | None:
        try:
            found = read_record(row.cells, house)
        except WrongPart as error:
            row.wrong(error.name or "value", " ".join(refused(error).messages))
            return None
        kind = row.value("subject_kind", one_of(ENTITY_MODELS), "")
        subject = (Kind(kind), row.needed("subject")) if kind else None
        said = {
            "need": found.need, "subject": subject, "conditions": found.conditions.data(),
            "value": found.line, "source": row.text("source", limit=300),
            "sentence": row.text("sentence", limit=2_000), "valid_from": found.valid_from,
            "valid_to": found.valid_to,
        }  # fmt: skip
        place = row.place("need")
        return RowRecord(said, place, (Reference(subject, place),) if subject else ())

    def cells(self, said: Mapping[str, Any]) -> Sequence[str]:
        return cells_of(**said)


FACTS = FactSheet(
    "taxonomy/facts.csv", "fact", Fact,
    ("need", "subject", "conditions", "value", "source", "sentence", "valid_from", "valid_to"),
    ("need", "subject", "conditions", "valid_from"),
    COLUMNS, ("need", "value"), called=("need", "need"), apart=COLUMNS,
)  # fmt: skip


def sheet(
    kind: Kind, name: str, columns: str, optional: str = "url review_by", *,
    filled: tuple[str, ...] = ("name",), is_optional: bool = False,
) -> EntitySheet:  # fmt: skip
    """Return the sheet of a kind, by the columns of its file."""
    needed = tuple(columns.split())
    return EntitySheet(
        f"taxonomy/{name}.csv", str(kind), ENTITY_MODELS[kind], (), ("key",),
        (*needed, *optional.split()), needed, kind=kind, filled=filled, is_optional=is_optional,
    )  # fmt: skip


#: In the order in which they are loaded: columns refer to what comes before.
ENTITIES = (
    sheet(
        Kind.CAMPUS, "campuses", "key name aliases street postcode city phone",
        "hours url review_by lat lon",
    ),
    sheet(
        Kind.DEPARTMENT, "departments", "key name aliases kind phone email campuses url",
        "hours review_by",
    ),
    sheet(
        Kind.SPECIALTY, "specialties", "key name aliases departments professions", is_optional=True
    ),
    sheet(
        Kind.DOCTOR, "doctors",
        "key title first_name last_name gender specialty departments campuses languages url",
        "schedule absent_until review_by", filled=("last_name",),
    ),
    sheet(Kind.CONDITION, "conditions", "key name aliases latin snomed departments"),
    sheet(Kind.TREATMENT, "treatments", "key name aliases latin snomed departments conditions"),
    sheet(Kind.EXAMINATION, "examinations", "key name aliases snomed departments conditions"),
)  # fmt: skip
SHEETS = (*ENTITIES, RELATIONS, FACTS)
