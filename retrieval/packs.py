"""The sheet of pages in a hospital pack: one row and one file for each page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os.path import isfile
from pathlib import Path, PurePosixPath
from typing import Any

from retrieval.ingestion.process import keep_original
from retrieval.models import Document
from retrieval.reading import MEDIA_TYPES
from retrieval.services import withdraw
from taxonomy.facts.records import FactContext
from taxonomy.packs.cells import PackRow, parts, reader, within
from taxonomy.packs.findings import CellPlace, Change, Changes, Findings
from taxonomy.packs.relations import FACTS
from taxonomy.packs.sheets import PackContext, Reference, RowRecord, Sheet, in_order, update_row
from taxonomy.vocabulary import Kind
from zol.models import Hospital
from zol.records.values import cell_of

FOLDER = "pages"
COLUMNS = (
    "path", "url", "title", "category", "language", "updated_at", "authority", "url_tier",
    "campuses", "translation_of",
)  # fmt: skip
#: Columns missing in packs of earlier releases.
NEEDED = COLUMNS[:-1]
#: Fields of the row, in column order.
FIELDS = tuple("updated_on" if name == "updated_at" else name for name in COLUMNS)
#: Fields that ingestion reads from the page if the pack has none, and the fields of their origin.
ORIGINS = {"updated_on": "updated_from", "translation_of": "translation_from"}
#: Largest page in bytes.
LARGEST = 100 * 1024 * 1024


class PageSheet(Sheet):
    """The sheet of pages."""

    def row(self, row: PackRow, context: FactContext) -> RowRecord | None:
        """Return a page; an empty language is the hospital's own."""
        known = {each.name: reader(each) for each in Document._meta.concrete_fields}
        row.needed("category")
        fields: dict[str, Any] = {
            "path": row.needed("path", limit=300),
            "url": row.value("url", known["url"], "", limit=500),
            "title": row.needed("title", limit=300),
            "category": row.value("category", known["category"], ""),
            "language": row.value("language", known["language"], context.language),
            "updated_on": row.value("updated_at", known["updated_on"], None),
            "authority": row.value("authority", within(0.3, 1.0), 1.0),
            "url_tier": row.value("url_tier", within(1, 3, int), 3),
            "campuses": list(parts(row.text("campuses", limit=1000))),
            "translation_of": row.text("translation_of", limit=300),
        }
        there = row.place("campuses")
        mentions = (Reference((Kind.CAMPUS, campus), there) for campus in fields["campuses"])
        return RowRecord(fields, row.place("path"), tuple(mentions))

    def values_of(self, row: Any) -> dict[str, Any]:
        """Return what the pack states about a page, without values read from the page itself."""
        blank: dict[str, Any] = {"updated_on": None, "translation_of": ""}
        read = {name: blank[name] for name, origin in ORIGINS.items() if getattr(row, origin)}
        return super().values_of(row) | read

    def cells(self, said: Mapping[str, Any]) -> Sequence[str]:
        return [cell_of(said[name]) for name in self.fields]

    def rows(self, hospital: Hospital | int) -> list[Any]:
        """Return the pages that are in use and have their bytes."""
        rows = Document.objects.filter(hospital=hospital, original__isnull=False)
        used = rows.exclude(status=Document.Status.WITHDRAWN)
        return in_order(used.select_related("original"))

    def check(self, pack: PackContext, findings: Findings) -> None:
        """Warn of facts whose source is not a page."""
        paths = {page.fields["path"] for page in pack.rows[self.file]}
        for page in pack.rows[self.file]:
            if (whole := page.fields["translation_of"]) and whole not in paths:
                findings.warn(page.place, f"translation_of: there is no page “{whole}”.")
        for fact in pack.rows[FACTS.file]:
            if (source := fact.fields["source"]) and source not in paths:
                findings.warn(fact.place, f"source: there is no page “{source}”.")

    def attached(
        self, folder: Path, records: tuple[RowRecord, ...], findings: Findings
    ) -> dict[str, bytes]:
        """Return the bytes of each listed page by its path; warn of files that are not listed."""
        root = folder / FOLDER
        found: dict[str, bytes] = {}
        for page in records:
            if not (path := page.fields["path"]):
                continue
            if problem := _problem(root, path):
                findings.wrong(page.place, f"path: {problem}.")
            elif path not in found:
                found[path] = (root / path).read_bytes()
        for place in sorted(root.rglob("*")):
            path = place.relative_to(root).as_posix()
            if place.is_file() and path not in found and path != PurePosixPath(self.file).name:
                findings.warn(CellPlace(f"{FOLDER}/{path}", 1, 1), "The page is not in index.csv.")
        return found

    def copies(self, hospital: Hospital) -> Iterator[tuple[str, bytes]]:
        for row in self.rows(hospital):
            with row.original.file.open("rb") as file:
                yield f"{FOLDER}/{row.path}", file.read()

    def write(
        self, hospital: Hospital, records: Iterable[RowRecord], changes: Changes,
        files: Mapping[str, bytes], *, dry_run: bool,
    ) -> None:  # fmt: skip
        """Register every page; search keeps the old text of a changed page until it is ingested."""
        existing = {row.path: row for row in Document.objects.filter(hospital=hospital)}
        for position, page in enumerate(records, start=1):
            path = page.fields["path"]
            data, kind = files[path], MEDIA_TYPES[PurePosixPath(path).suffix.lower()]
            original = keep_original(hospital.pk, data, kind, write=not dry_run)
            values = {**page.fields, "original_id": original.pk, "position": position}
            changes.count(self.noun, _register(hospital, existing.pop(path, None), values))
        gone = [
            row
            for row in existing.values()
            if row.position and row.status != Document.Status.WITHDRAWN
        ]
        withdraw(hospital, gone)
        changes.count(self.noun, Change.GONE, len(gone))


PAGES = PageSheet(
    f"{FOLDER}/index.csv", "page", Document, FIELDS, ("path",), COLUMNS, NEEDED,
    label=("path", "path"), is_optional=False,
)  # fmt: skip


def _problem(root: Path, path: str) -> str:
    """Return why a page is refused; empty if it is accepted."""
    if path.startswith("/") or "\\" in path or ".." in PurePosixPath(path).parts:
        return f"“{path}” leaves the folder of pages"
    place = root / path
    if not isfile(place):  # noqa: PTH113 (an impossible name is no file, and no error)
        return f"the page “{path}” does not exist"
    if not place.resolve().is_relative_to(root.resolve()):
        return f"“{path}” leaves the folder of pages"
    if place.suffix.lower() not in MEDIA_TYPES:
        return f"“{path}” cannot be read: files may end in {', '.join(sorted(MEDIA_TYPES))}"
    if place.stat().st_size > LARGEST:
        return f"“{path}” is larger than {LARGEST // 1024 // 1024} MB"
    return ""


def _register(hospital: Hospital, row: Document | None, values: dict[str, Any]) -> Change:
    if row is None:
        Document.objects.create(hospital=hospital, **values)
        return Change.NEW
    # Values that ingestion read from the page stay if the pack has none.
    for name, origin in ORIGINS.items():
        values[origin] = ""
        if not values[name] and getattr(row, origin):
            values[name], values[origin] = getattr(row, name), getattr(row, origin)
    if row.status == Document.Status.WITHDRAWN:
        values["status"] = Document.Status.REGISTERED
    is_other = any(getattr(row, name) != values[name] for name in ("original_id", "title"))
    if is_other and row.status != Document.Status.READY:
        values["status"] = Document.Status.REGISTERED
    return update_row(row, values)
