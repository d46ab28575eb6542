"""Sheets of entities: one file for each kind, with columns of aliases and relations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from typing import Any, NamedTuple

from django.db.models import Q

from taxonomy.facts.records import FactContext
from taxonomy.facts.schedules import campuses_of
from taxonomy.models import Alias, Doctor, Entity
from taxonomy.models.entities import ENTITY_MODELS
from taxonomy.packs.cells import PackRow, WrongCell, csv_text, parts, read_alias, read_key, reader
from taxonomy.packs.findings import CellPlace, Change, Changes, Findings, Mistake
from taxonomy.packs.relations import (
    FACTS,
    LINKS,
    LINKS_OF,
    RELATIONS,
    ReferenceColumn,
    completed,
    entities_of,
    kinds_of,
    mergers_of,
    relations_of,
    write_relations,
)
from taxonomy.packs.sheets import (
    PackContext,
    Ref,
    Reference,
    RowRecord,
    Sheet,
    Triple,
    in_order,
    replace_rows,
    update_row,
)
from taxonomy.vocabulary import AliasKind, Kind, Predicate
from zol.models import Hospital
from zol.records.values import BETWEEN, cell_of
from zol.text import fold

#: Fields by columns with another name.
FIELDS = {"kind": "sort", "lat": "latitude", "lon": "longitude"}
#: The columns of aliases, in order.
ALIASES = ("aliases", "professions")
#: The notation of women in the gender column.
WOMAN = "v"
#: Maximum letters of an abbreviation, which is in capitals, and of an alias.
LONGEST_ABBREVIATION, LONGEST_ALIAS = 6, 200


class AliasRecord(NamedTuple):
    """An alias in a cell."""

    language: str
    text: str
    kind: AliasKind


@dataclass(frozen=True)
class EntitySheet(Sheet):
    """The sheet of a kind of entities."""

    kind: Kind = Kind.HOSPITAL
    #: Columns that must not be empty.
    filled: tuple[str, ...] = ("name",)

    @property
    def links(self) -> tuple[ReferenceColumn, ...]:
        return LINKS_OF.get(self.kind, ())

    def own(self) -> dict[str, Any]:
        """Return the model's fields by column."""
        known = {each.name: each for each in self.model._meta.concrete_fields}
        fields = {name: FIELDS.get(name, name) for name in self.columns}
        return {name: known[own] for name, own in fields.items() if own in known}

    def names(self) -> set[str]:
        """Return the fields that a file sets, with the name of a doctor, which is derived."""
        return {each.name for each in self.own().values()} | {"name"}

    def row(self, row: PackRow, context: FactContext) -> RowRecord | None:
        row.needed("key", limit=120)
        for column in self.filled:
            row.needed(column)
        if row.cells.get("gender") == WOMAN:
            row.cells["gender"] = Doctor.Gender.FEMALE
        checks = tuple(self.model(hospital=Hospital(country=context.country)).checks())
        fields = {
            each.name: row.value(column, reader(each, checks, context.language), each.get_default())
            for column, each in self.own().items()
            if column != "key"
        }
        if self.kind is Kind.DOCTOR:  # The name has no title.
            fields["name"] = f"{fields['first_name']} {fields['last_name']}".strip()
        fields["key"] = row.value("key", read_key, "")
        fields |= {
            name: tuple(_aliases(row, name, context.language))
            for name in ALIASES
            if name in self.columns
        }
        fields |= {link.column: tuple(_keys(row, link.column)) for link in self.links}
        mentions = [
            Reference((link.target, key), row.place(link.column))
            for link in self.links
            for key in fields[link.column]
        ]
        mentions += [
            Reference((Kind.CAMPUS, key), row.place("schedule"))
            for key in campuses_of(fields.get("schedule", ""))
        ]
        return RowRecord(fields, row.place("key"), tuple(mentions), row.numbers)

    def entities(self, records: Iterable[RowRecord]) -> Iterator[Ref]:
        for each in records:
            yield self.kind, each.fields["key"]

    def check(self, pack: PackContext, findings: Findings) -> None:
        """Note aliases of two entities of the kind, and warn of aliases that are another's name."""
        first: dict[tuple[str, str], tuple[str, CellPlace]] = {}
        named = {fold(each.fields["name"]): each for each in pack.rows[self.file]}
        for record, column, alias in _all_aliases(pack.rows[self.file]):
            other = named.get(fold(alias.text), record)
            if other is not record:
                text = f"The alias “{alias.text}” is the name of “{other.fields['key']}” at"
                findings.warn(record.at(column), f"{text} {other.place}: it then means both.")
            place, own = record.at(column), record.fields["key"]
            key, at = first.setdefault((alias.language, fold(alias.text)), (own, place))
            if at is not place:
                note = findings.warn if key == own else findings.wrong
                text = f"The alias “{alias.text}” ({alias.language}) of “{own}”"
                note(place, f"{text} is already one of “{key}” at {at}.")

    def stated(self, record: RowRecord) -> Iterator[tuple[Triple, str]]:
        """Yield the relations in columns of a row, with the column."""
        own = self.kind, record.fields["key"]
        for link in self.links:
            for key in record.fields[link.column]:
                subject, target = link.ends(own, (link.target, key))
                yield (subject, link.predicate, target), link.column

    def cells(self, fields: Mapping[str, Any], language: str = "nl") -> Sequence[str]:
        cells = {name: cell_of(fields[own.name]) for name, own in self.own().items()}
        cells |= {"gender": WOMAN} if cells.get("gender") == Doctor.Gender.FEMALE else {}
        for name in ALIASES:
            cells[name] = BETWEEN.join(_alias_cell(a, language) for a in fields.get(name, ()))
        cells |= {link.column: cell_of(fields[link.column]) for link in self.links}
        return [cells[name] for name in self.columns]

    def text(self, records: Iterable[RowRecord], language: str = "nl") -> bytes:
        """Format the file, without optional columns that are empty."""
        rows = [self.cells(each.fields, language) for each in records]
        used = [
            at
            for at, name in enumerate(self.columns)
            if name in self.needed or any(row[at] for row in rows)
        ]
        return csv_text([self.columns[at] for at in used], ([r[at] for at in used] for r in rows))

    def of(self, hospital: Hospital) -> tuple[RowRecord, ...]:
        """Return the records of the active entities, with aliases and relations."""
        aliases: dict[tuple[int, bool], list[AliasRecord]] = defaultdict(list)
        for alias in in_order(Alias.objects.filter(hospital=hospital, entity_kind=self.kind)):
            record = AliasRecord(alias.language, alias.text, AliasKind(alias.kind))
            aliases[alias.entity_id, record.kind is AliasKind.PROFESSION].append(record)
        ends: dict[tuple[ReferenceColumn, str], list[str]] = defaultdict(list)
        for subject, predicate, target in relations_of(hospital, stated=True):
            kind, link = LINKS[subject[0], str(predicate), target[0]]
            own, other = link.ends(subject, target)
            if kind is self.kind:
                ends[link, own[1]].append(other[1])
        found = []
        rows = self.model.objects.filter(hospital=hospital, status=Entity.Status.ACTIVE)
        for row in in_order(rows):
            fields = {name: getattr(row, name) for name in self.names()}
            for name, is_profession in zip(ALIASES, (False, True), strict=True):
                if name in self.columns:
                    fields[name] = tuple(aliases[row.pk, is_profession])
            fields |= {each.column: tuple(ends[each, row.key]) for each in self.links}
            found.append(RowRecord(fields))
        return tuple(found)

    def refused(self, hospital: Hospital, records: Iterable[RowRecord]) -> Iterator[Mistake]:
        """Yield aliases that staff gave to another entity."""
        entities = entities_of(hospital)
        rows = Alias.objects.filter(hospital=hospital, entity_kind=self.kind, position=0)
        taken = {(row.language, row.folded): row.entity for row in rows.select_related("entity")}
        for record, column, alias in _all_aliases(records):
            own = entities.get((self.kind, record.fields["key"]))
            other = taken.get((alias.language, fold(alias.text)))
            if other is not None and (own is None or other.pk != own.pk):
                text = f"The alias “{alias.text}” ({alias.language}) of “{record.fields['key']}”"
                yield Mistake(record.at(column), f"{text} was given to “{other.key}” by staff.")

    def write(
        self, hospital: Hospital, records: Iterable[RowRecord], changes: Changes,
        files: Mapping[str, bytes], *, dry_run: bool,
    ) -> None:  # fmt: skip
        """Update entities, aliases and relations from the records."""
        records = tuple(records)
        _write_entities(self, hospital, records, changes)
        entities = entities_of(hospital)
        _write_aliases(self, hospital, records, entities, changes)
        stated: list[tuple[Triple, int]] = []
        for position, record in enumerate(records, start=1):
            if self.kind is Kind.CAMPUS:
                own, campus = (Kind.HOSPITAL, hospital.slug), (Kind.CAMPUS, record.fields["key"])
                stated.append(((own, Predicate.HAS_CAMPUS, campus), position))
                stated.append(((campus, Predicate.BELONGS_TO, own), position))
            stated += (
                (triple, at) for at, (triple, _column) in enumerate(self.stated(record), start=1)
            )
        write_relations(hospital, stated, _among(self), entities, changes)


def _among(sheet: EntitySheet) -> Q:
    """Return a filter for the relations in columns of a sheet."""
    kinds = [kinds_of(sheet.kind, link) for link in sheet.links]
    if sheet.kind is Kind.CAMPUS:
        kinds.append((Kind.HOSPITAL, Predicate.HAS_CAMPUS, sheet.kind))
        kinds.append((sheet.kind, Predicate.BELONGS_TO, Kind.HOSPITAL))
    each = (Q(subject_kind=s, predicate=p, object_kind=o) for s, p, o in kinds)
    return reduce(or_, each, Q(pk=None))


def _write_entities(
    sheet: EntitySheet, hospital: Hospital, records: Iterable[RowRecord], changes: Changes
) -> None:
    merged = set(mergers_of(hospital))
    existing = {row.key: row for row in sheet.model.objects.filter(hospital=hospital)}
    for position, record in enumerate(records, start=1):
        values = {"position": position, **{n: record.fields[n] for n in sheet.names()}}
        row = existing.pop(record.fields["key"], None)
        if row is None:
            sheet.model.objects.create(hospital=hospital, **values)
            changes.count(sheet.noun, Change.NEW)
            continue
        if row.position == 0 and row.pk not in merged:
            # It was missing in the last pack, or staff made it before it came into the pack.
            values["status"] = Entity.Status.ACTIVE
        changes.count(sheet.noun, update_row(row, values))
    for row in existing.values():
        if row.position:
            update_row(row, {"position": 0, "status": Entity.Status.HIDDEN})
            changes.count(sheet.noun, Change.GONE)


def _write_aliases(
    sheet: EntitySheet, hospital: Hospital, records: Iterable[RowRecord],
    entities: Mapping[Ref, Entity], changes: Changes,
) -> None:  # fmt: skip
    wanted = {}
    for record in records:
        entity = entities[sheet.kind, record.fields["key"]]
        for position, (_record, _column, alias) in enumerate(_all_aliases([record]), start=1):
            make = partial(completed, Alias, entity=entity, language=alias.language)
            fields = {"text": alias.text, "position": position, "kind": str(alias.kind)}
            wanted[alias.language, fold(alias.text)] = make, fields | {"entity_id": entity.pk}
    rows = Alias.objects.filter(hospital=hospital, entity_kind=sheet.kind)
    existing = {(row.language, row.folded): row for row in rows}
    replace_rows("alias", existing, ((key, *each) for key, each in wanted.items()), changes)


def _aliases(row: PackRow, column: str, own: str) -> Iterator[AliasRecord]:
    for part in parts(row.cells.get(column, "")):
        try:
            language, text = read_alias(part, own)
        except WrongCell as error:
            row.wrong(column, str(error))
            continue
        if len(text) > LONGEST_ALIAS:
            row.wrong(column, f"an alias has at most {LONGEST_ALIAS} characters")
        is_short = len(text) <= LONGEST_ABBREVIATION and " " not in text and text.isupper()
        kind = AliasKind.ABBREVIATION if is_short else AliasKind.SYNONYM
        yield AliasRecord(language, text, kind if column == "aliases" else AliasKind.PROFESSION)


def _alias_cell(alias: AliasRecord, own: str) -> str:
    is_plain = alias.language == own and ":" not in alias.text[:3]
    return alias.text if is_plain else f"{alias.language}:{alias.text}"


def _all_aliases(records: Iterable[RowRecord]) -> Iterator[tuple[RowRecord, str, AliasRecord]]:
    for record in records:
        for column in ALIASES:
            for alias in record.fields.get(column, ()):
                yield record, column, alias


def _keys(row: PackRow, column: str) -> Iterator[str]:
    keys = parts(row.cells.get(column, ""))
    for number, key in enumerate(keys):
        if not key:
            row.wrong(column, "there is an empty value between two |")
        elif key in keys[:number]:
            row.wrong(column, f"“{key}” stands there twice")
        else:
            yield key


def write_own(hospital: Hospital) -> None:
    """Save the hospital as an entity, which relations can refer to."""
    own: dict[str, Any] = {"hospital": hospital, "kind": Kind.HOSPITAL, "key": hospital.slug}
    values = {"name": hospital.name, "url": hospital.website}
    Entity.objects.update_or_create(**own, defaults=values)


def sheet(
    kind: Kind, name: str, columns: str, optional: str = "url review_by", *,
    filled: tuple[str, ...] = ("name",), is_optional: bool = False,
) -> EntitySheet:  # fmt: skip
    """Return the sheet of a kind with these columns."""
    needed = tuple(columns.split())
    return EntitySheet(
        f"taxonomy/{name}.csv", str(kind), ENTITY_MODELS[kind], (), ("key",),
        (*needed, *optional.split()), needed, kind=kind, filled=filled, is_optional=is_optional,
    )  # fmt: skip


#: In loading order: columns refer to earlier sheets.
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
