"""The tables of entities and relations, as records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaluation.packs import cells
from evaluation.packs.form import RELATION_COLUMNS, RELATIONS, SHEET_OF, Ref, Sheet
from evaluation.packs.mistakes import Findings
from evaluation.packs.records import AliasRecord, EntityRecord, Mention, RelationRecord
from evaluation.packs.tables import Row, read_table
from taxonomy.facts.schedules import campuses_of
from taxonomy.kinds import ALLOWED, AliasKind, Kind, Predicate
from taxonomy.models import Department
from zol.values import LATITUDE, LONGITUDE, read_date

SORTS = frozenset(Department.Sort.values)
#: What is written in capitals and no longer than this is an abbreviation.
LONGEST_ABBREVIATION = 6


def read_sheet(
    data: bytes, sheet: Sheet, findings: Findings, country: str
) -> Iterator[EntityRecord]:
    """Give the entities of a file; telephone numbers are those of a country."""
    for row in read_table(data, sheet.file, sheet.columns, sheet.optional, findings):
        row.needed("key", limit=120)
        key = row.value("key", cells.read_key, "")
        for column in sheet.needed[1:]:
            row.needed(column)
        yield EntityRecord(
            kind=sheet.kind,
            key=key,
            name=_name(row, sheet.kind),
            fields=_fields(row, sheet.kind, country),
            place=row.place("key"),
            aliases=tuple(_aliases(row)),
            relations=tuple(_references(row, sheet, key)),
            mentions=tuple(
                Mention((Kind.CAMPUS, campus), row.place("schedule"))
                for campus in campuses_of(row.cells.get("schedule", ""))
            ),
        )


def _name(row: Row, kind: Kind) -> str:
    """A doctor is named without title, as people write about them; the title is a field."""
    if kind is not Kind.DOCTOR:
        return row.text("name")
    first, last = row.text("first_name", limit=80), row.text("last_name", limit=120)
    return f"{first} {last}".strip()


def _fields(row: Row, kind: Kind, country: str) -> dict[str, Any]:
    common = {
        "url": row.value("url", cells.read_url, "", limit=500),
        "review_by": row.value("review_by", read_date, None),
    }
    return common | _own_fields(row, kind, country)


def _own_fields(row: Row, kind: Kind, country: str) -> dict[str, Any]:
    no_languages: list[str] = []
    match kind:
        case Kind.CAMPUS:
            return {
                "street": row.text("street"),
                "postcode": row.text("postcode", limit=12),
                "city": row.text("city", limit=100),
                "phone": row.value("phone", cells.read_phone(country), "", limit=40),
                "hours": row.value("hours", cells.read_hours, "", limit=500),
                "latitude": row.value("lat", cells.read_degrees(LATITUDE), None),
                "longitude": row.value("lon", cells.read_degrees(LONGITUDE), None),
            }
        case Kind.DEPARTMENT:
            return {
                "sort": row.value("kind", cells.one_of(SORTS, "kind of department"), "department"),
                "phone": row.value("phone", cells.read_phone(country), "", limit=40),
                "email": row.value("email", cells.read_email, "", limit=254),
                "hours": row.value("hours", cells.read_hours, "", limit=500),
            }
        case Kind.DOCTOR:
            return {
                "title": row.text("title", limit=40),
                "first_name": row.text("first_name", limit=80),
                "last_name": row.text("last_name", limit=120),
                "gender": row.value("gender", cells.read_gender, ""),
                "specialty": row.text("specialty"),
                "languages": row.value("languages", cells.read_languages, no_languages),
                "schedule": row.value("schedule", cells.read_schedule, ""),
            }
        case Kind.CONDITION | Kind.TREATMENT:
            return {"latin": row.text("latin"), "snomed": _snomed(row)}
        case Kind.EXAMINATION:
            return {"snomed": _snomed(row)}
        case _:
            return {}


def _snomed(row: Row) -> str:
    return row.value("snomed", cells.read_snomed, "")


def _aliases(row: Row) -> Iterator[AliasRecord]:
    for column, kind in (("aliases", None), ("professions", AliasKind.PROFESSION)):
        for part in cells.parts(row.cells.get(column, "")):
            try:
                language, text = cells.read_alias(part)
            except cells.WrongCell as error:
                row.wrong(column, str(error))
                continue
            if len(text) > 200:
                row.wrong(column, "an alias has at most 200 characters")
            yield AliasRecord(text, language, kind or alias_kind(text), row.place(column))


def alias_kind(text: str) -> AliasKind:
    """Return what a listed alias is, as far as its form tells."""
    is_short = len(text) <= LONGEST_ABBREVIATION and " " not in text
    return AliasKind.ABBREVIATION if is_short and text.isupper() else AliasKind.SYNONYM


def _references(row: Row, sheet: Sheet, key: str) -> Iterator[RelationRecord]:
    for link in sheet.links:
        keys = cells.parts(row.cells.get(link.column, ""))
        for number, other in enumerate(keys):
            if not other:
                row.wrong(link.column, "there is an empty value between two |")
            elif other in keys[:number]:
                row.wrong(link.column, f"“{other}” stands there twice")
            else:
                subject, target = link.ends((sheet.kind, key), (link.target, other))
                yield RelationRecord(subject, link.predicate, target, row.place(link.column))


def read_relations(data: bytes, findings: Findings) -> Iterator[RelationRecord]:
    """Give the relations that no column can say."""
    for row in read_table(data, RELATIONS, RELATION_COLUMNS, (), findings):
        subject, target = _end(row, "subject"), _end(row, "object")
        predicate = row.value(
            "predicate", cells.one_of(frozenset(map(str, Predicate)), "relation"), ""
        )
        if not row.needed("predicate") or not (predicate and subject and target):
            continue
        if (subject[0], target[0]) not in ALLOWED[Predicate(predicate)]:
            row.wrong("predicate", f"{predicate} cannot join a {subject[0]} and a {target[0]}")
            continue
        yield RelationRecord(subject, Predicate(predicate), target, row.place("subject"))


def _end(row: Row, column: str) -> Ref | None:
    kinds = frozenset(str(kind) for kind in SHEET_OF)
    kind = row.value(f"{column}_type", cells.one_of(kinds, "type"), "")
    key = row.needed(column)
    row.needed(f"{column}_type")
    return (Kind(kind), key) if kind and key else None
