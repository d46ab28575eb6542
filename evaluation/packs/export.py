"""A hospital as a folder in the form of a pack.

A file that still says what the loaded one said is given back byte for byte, with its comments,
order of columns and way of writing numbers. What was changed since is written in the normal form.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from django.core.files.storage import default_storage

from evaluation.packs.curated import curated_of, curated_text, read_curated
from evaluation.packs.facts import fact_lines, facts_of, read_facts
from evaluation.packs.findings import Findings
from evaluation.packs.form import (
    CURATED,
    FACTS,
    GOLDEN,
    PAGE_COLUMNS,
    PAGES,
    PAGES_FOLDER,
    PROFILE,
    RELATION_COLUMNS,
    RELATIONS,
    SHEETS,
    TRANSLATIONS,
    EntityTable,
)
from evaluation.packs.golden import read_golden
from evaluation.packs.pages import read_pages
from evaluation.packs.profile import EXAMPLES, ORDER, read_profile
from evaluation.packs.records import (
    AliasRecord,
    EntityRecord,
    FactRecord,
    GoldenRecord,
    PageRecord,
    ProfileRecord,
    RelationRecord,
    Taxonomy,
    golden_of,
    pages_of,
    profile_of,
)
from evaluation.packs.tables import WOMAN
from evaluation.packs.taxonomy import read_relations, read_sheet
from evaluation.packs.translations import read_translations, translations_of, translations_text
from evaluation.packs.write import source_path
from taxonomy.facts.records import COLUMNS
from taxonomy.kinds import AliasKind
from taxonomy.models.relations import house_of
from zol.models import Hospital
from zol.tenancy import serving


def export_pack(hospital: Hospital, folder: Path) -> int:
    """Write the pack of a hospital; return the number of files."""
    with serving(hospital):
        texts = dict(_texts(hospital))
        for name, data in texts.items():
            _put(folder / name, data)
        pages = list(pages_of(hospital))
        for page, original in pages:
            with original.file.open("rb") as file:
                _put(folder / PAGES_FOLDER / page.path, file.read())
    return len(texts) + len(pages)


def _put(place: Path, data: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


def _texts(hospital: Hospital) -> Iterator[tuple[str, bytes]]:
    taxonomy = Taxonomy(hospital)
    loaded = _Loaded(hospital)
    profile = profile_of(hospital)
    yield PROFILE, loaded.profile(profile) or profile_text(profile)
    for sheet in SHEETS:
        entities = tuple(taxonomy.of_sheet(sheet))
        kept = loaded.same(sheet.file, entities, read_sheet, sheet, hospital.country)
        if kept or entities or not sheet.is_optional:
            yield sheet.file, kept or sheet_text(sheet, entities)
    yield from _optional(hospital, taxonomy, loaded)
    pages = tuple(page for page, _ in pages_of(hospital))
    kept = loaded.same(PAGES, pages, read_pages, hospital.default_language)
    yield PAGES, kept or pages_text(pages)


def _optional(
    hospital: Hospital, taxonomy: Taxonomy, loaded: _Loaded
) -> Iterator[tuple[str, bytes]]:
    """Yield the files that are there only when they say something, or did."""
    files: tuple[tuple[str, tuple[Any, ...], Callable[[Any], bytes], tuple[Any, ...]], ...] = (
        (RELATIONS, tuple(taxonomy.listed()), relations_text, (read_relations,)),
        (FACTS, facts_of(hospital), facts_text, (read_facts, house_of(hospital))),
        (CURATED, tuple(curated_of(hospital)), curated_text, (read_curated,)),
        (TRANSLATIONS, translations_of(hospital), translations_text, (read_translations,)),
        (GOLDEN, tuple(golden_of(hospital)), golden_text, (read_golden,)),
    )
    for name, records, text, reader in files:
        kept = loaded.same(name, records, *reader)
        if kept or records:
            yield name, kept or text(records)


class _Loaded:
    """The text files of the pack that was loaded last."""

    def __init__(self, hospital: Hospital) -> None:
        self.hospital = hospital

    def _bytes(self, name: str) -> bytes | None:
        path = source_path(self.hospital, name)
        if not default_storage.exists(path):
            return None
        with default_storage.open(path) as file:
            return bytes(file.read())

    def same(
        self,
        name: str,
        records: Sequence[object],
        read: Callable[..., Iterable[object]],
        *more: object,
    ) -> bytes | None:
        """Return the loaded file if it says exactly this, read with what more its reader needs."""
        data = self._bytes(name)
        if data is None or tuple(read(data, *more, Findings())) != tuple(records):
            return None
        return data

    def profile(self, record: ProfileRecord) -> bytes | None:
        data = self._bytes(PROFILE)
        loaded = read_profile(data, Findings()) if data is not None else None
        if loaded is None:
            return None
        # A field that the file leaves out has the default of the model.
        untold = Hospital(slug=loaded.slug, **loaded.fields)
        fields = {name: getattr(untold, name) for name in record.fields}
        said = (loaded.slug, fields, loaded.hosts, loaded.examples)
        is_same = said == (record.slug, record.fields, record.hosts, record.examples)
        return data if is_same else None


def profile_text(record: ProfileRecord) -> bytes:
    examples = {language: list(each) for language, each in record.examples.items()}
    own = {"slug": record.slug, "hosts": list(record.hosts), EXAMPLES: examples}
    values = {**record.fields, **own}
    told = {name: values[name] for name in ORDER if values[name] not in ("", [], {})}
    return yaml.safe_dump(told, allow_unicode=True, sort_keys=False).encode()


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue().encode()


def sheet_text(sheet: EntityTable, entities: Sequence[EntityRecord]) -> bytes:
    """Return a file of entities; optional columns only where some entity has a value."""
    rows = [_cells(sheet, entity) for entity in entities]
    told = [name for name in sheet.optional if any(row[name] for row in rows)]
    columns = (*sheet.columns, *told)
    return _table(columns, ([row[name] for name in columns] for row in rows))


def _cells(sheet: EntityTable, entity: EntityRecord) -> dict[str, str]:
    cells = {each.name: _cell(each.field, entity.fields[each.field]) for each in sheet.fields}
    cells |= {"key": entity.key, "name": entity.name}
    professions = [each for each in entity.aliases if each.kind is AliasKind.PROFESSION]
    others = [each for each in entity.aliases if each.kind is not AliasKind.PROFESSION]
    cells["aliases"], cells["professions"] = _alias_cell(others), _alias_cell(professions)
    for link in sheet.links:
        cells[link.column] = "|".join(
            (each.subject if link.inverse else each.object)[1]
            for each in entity.relations
            if each.predicate is link.predicate
            and (each.subject if link.inverse else each.object)[0] is link.target
        )
    return cells


def _cell(name: str, value: object) -> str:
    match name, value:
        case _, None | "":
            return ""
        case "gender", "f":
            return WOMAN[0]
        case (("latitude" | "longitude"), number):
            return f"{number:f}".rstrip("0").rstrip(".")
        case _, list() | tuple():
            return "|".join(map(str, value))
        case _:
            return str(value)


def _alias_cell(aliases: Iterable[AliasRecord]) -> str:
    return "|".join(
        each.text
        if each.language == "nl" and ":" not in each.text[:3]
        else f"{each.language}:{each.text}"
        for each in aliases
    )


def relations_text(relations: Iterable[RelationRecord]) -> bytes:
    rows = (
        (each.subject[0], each.subject[1], each.predicate, each.object[0], each.object[1])
        for each in relations
    )
    return _table(RELATION_COLUMNS, rows)


def facts_text(facts: Sequence[FactRecord]) -> bytes:
    return _table(COLUMNS, fact_lines(facts))


def pages_text(pages: Iterable[PageRecord]) -> bytes:
    return _table(
        PAGE_COLUMNS,
        (
            (
                page.path, page.url, page.title, page.category, page.language,
                _cell("updated_at", page.updated_on), str(page.authority), str(page.url_tier),
                "|".join(page.campuses),
            )
            for page in pages
        ),
    )  # fmt: skip


def golden_text(golden: Iterable[GoldenRecord]) -> bytes:
    return "".join(f"{each.line or _golden_line(each)}\n" for each in golden).encode()


def _golden_line(record: GoldenRecord) -> str:
    """Write a question that staff made; what is empty is left out."""
    told = {name: value for name, value in record.fields.items() if value not in ("", [])}
    return json.dumps({"id": record.key, **told}, ensure_ascii=False)
