"""A hospital as a folder in the form of a pack.

A file that still says what the loaded one said is given back byte for byte, with its comments,
order of columns and way of writing numbers. What was changed since is written in the normal form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.core.files.storage import default_storage

from evaluation.packs.findings import Findings
from evaluation.packs.form import (
    FACTS,
    PAGES,
    PAGES_FOLDER,
    PROFILE,
    RELATION_COLUMNS,
    RELATIONS,
    SHEETS,
    EntityTable,
)
from evaluation.packs.golden import GOLDEN_ROWS
from evaluation.packs.pages import PAGE_ROWS, pages_of
from evaluation.packs.profile import ProfileRecord, profile_of, profile_text, read_profile
from evaluation.packs.read import OPTIONAL
from evaluation.packs.records import AliasRecord, EntityRecord, RelationRecord, Taxonomy
from evaluation.packs.rows import CURATED_ROWS, FACT_ROWS, TRANSLATION_ROWS
from evaluation.packs.tables import WOMAN, csv_text
from evaluation.packs.taxonomy import read_relations, read_sheet
from evaluation.packs.write import source_path
from taxonomy.kinds import AliasKind
from taxonomy.models.relations import house_of
from zol.models import Hospital
from zol.tenancy import serving
from zol.values import BETWEEN, cell_of


def export_pack(hospital: Hospital, folder: Path) -> int:
    """Write the pack of a hospital; return the number of files."""
    with serving(hospital):
        texts = dict(_texts(hospital))
        for name, data in texts.items():
            _put(folder / name, data)
        pages = list(pages_of(hospital))
        for page, original in pages:
            with original.file.open("rb") as file:
                _put(folder / PAGES_FOLDER / page.fields["path"], file.read())
    return len(texts) + len(pages)


def _put(place: Path, data: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(data)


def _texts(hospital: Hospital) -> Iterator[tuple[str, bytes]]:
    loaded, profile = _PackFiles(hospital), profile_of(hospital)
    yield PROFILE, loaded.profile(profile) or profile_text(profile)
    for name, records, text, read, *more in _files(hospital):
        kept = loaded.same(name, records, read, *more)
        # The others are there only when they say something, or did.
        if kept or records or name not in OPTIONAL:
            yield name, kept or text(records)


def _files(hospital: Hospital) -> Iterator[tuple[Any, ...]]:
    """Yield each file: its name, what it says, what writes that and reads it, with what more."""
    taxonomy = Taxonomy(hospital)
    for sheet in SHEETS:
        entities, text = tuple(taxonomy.of_sheet(sheet)), partial(sheet_text, sheet)
        yield sheet.file, entities, text, read_sheet, sheet, hospital.country
    yield RELATIONS, tuple(taxonomy.listed), relations_text, read_relations
    pages = tuple(page for page, _original in pages_of(hospital))
    yield PAGES, pages, PAGE_ROWS.text, PAGE_ROWS.read, hospital.default_language
    yield FACTS, FACT_ROWS.of(hospital), FACT_ROWS.text, FACT_ROWS.read, house_of(hospital)
    for each in (CURATED_ROWS, TRANSLATION_ROWS, GOLDEN_ROWS):
        yield each.file, each.of(hospital), each.text, each.read


class _PackFiles:
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
        return data if loaded and loaded.whole == record else None


def sheet_text(sheet: EntityTable, entities: Sequence[EntityRecord]) -> bytes:
    """Return a file of entities; optional columns only where some entity has a value."""
    rows = [_cells(sheet, entity) for entity in entities]
    told = [name for name in sheet.optional if any(row[name] for row in rows)]
    columns = (*sheet.columns, *told)
    return csv_text(columns, ([row[name] for name in columns] for row in rows))


def _cells(sheet: EntityTable, entity: EntityRecord) -> dict[str, str]:
    cells = {name: cell_of(entity.fields[own.name]) for name, own in sheet.fields.items()}
    cells |= {"gender": WOMAN[0]} if cells.get("gender") == "f" else {}
    cells |= {"key": entity.key, "name": entity.name}
    for column, is_profession in (("aliases", False), ("professions", True)):
        cells[column] = _alias_cell(
            each for each in entity.aliases if (each.kind is AliasKind.PROFESSION) is is_profession
        )
    for link in sheet.links:
        said = (each for each in entity.relations if each.link is link)
        cells[link.column] = BETWEEN.join(
            link.ends(each.subject, each.object)[1][1] for each in said
        )
    return cells


def _alias_cell(aliases: Iterable[AliasRecord]) -> str:
    return BETWEEN.join(
        each.text
        if each.language == "nl" and ":" not in each.text[:3]
        else f"{each.language}:{each.text}"
        for each in aliases
    )


def relations_text(relations: Iterable[RelationRecord]) -> bytes:
    rows = ((*each.subject, each.predicate, *each.object) for each in relations)
    return csv_text(RELATION_COLUMNS, rows)
