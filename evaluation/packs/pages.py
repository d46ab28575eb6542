"""The pages of a pack: the list and the bytes of each, read, kept and registered for ingestion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from evaluation.packs import tables
from evaluation.packs.findings import Change, Changes, Findings, Place, laid_over
from evaluation.packs.form import PAGE_COLUMNS, PAGES, PAGES_FOLDER
from evaluation.packs.records import Pack
from evaluation.packs.rows import Reference, RowFile, RowRecord, in_order
from evaluation.packs.tables import csv_text, read_table
from retrieval.ingestion.process import keep_original
from retrieval.ingestion.read import MEDIA_TYPES
from retrieval.models import Document, Original
from retrieval.models.documents import DocumentCategory
from retrieval.services import withdraw
from taxonomy.kinds import Kind
from zol.models import Hospital
from zol.values import cell_of, read_date

CATEGORIES = frozenset(DocumentCategory.values)
#: Of the row, in the order of the columns.
FIELDS = tuple("updated_on" if name == "updated_at" else name for name in PAGE_COLUMNS)
#: Of one page. What is larger is no page; it would be refused at ingestion too.
LARGEST = 100 * 1024 * 1024


def read_pages(data: bytes, language: str, findings: Findings) -> Iterator[RowRecord]:
    """Give the rows of the list of pages; an empty language is the hospital's own."""
    for row in read_table(data, PAGES, PAGE_COLUMNS, (), findings):
        row.needed("category")
        said: dict[str, Any] = {
            "path": row.needed("path", limit=300),
            "url": row.value("url", tables.read_url, "", limit=500),
            "title": row.needed("title", limit=300),
            "category": row.value("category", tables.one_of(CATEGORIES, "category"), ""),
            "language": row.value("language", tables.read_language, language),
            "updated_on": row.value("updated_at", read_date, None),
            "authority": row.value("authority", tables.read_number(0.3, 1.0), 1.0),
            "url_tier": row.value("url_tier", tables.read_tier, 3),
            "campuses": list(tables.parts(row.text("campuses", limit=1000))),
        }
        there = row.place("campuses")
        mentions = (Reference((Kind.CAMPUS, campus), there) for campus in said["campuses"])
        yield RowRecord(said, row.place("path"), tuple(mentions))


def pages_of(hospital: Hospital) -> Iterator[tuple[RowRecord, Original]]:
    """Give the pages that are in use, each with its bytes."""
    rows = Document.objects.filter(hospital=hospital).exclude(status=Document.Status.WITHDRAWN)
    for row in in_order(rows.select_related("original")):
        if row.original is not None:
            yield RowRecord(PAGE_ROWS.said(row)), row.original


def pages_text(pages: Iterable[RowRecord]) -> bytes:
    return csv_text(
        PAGE_COLUMNS, ([cell_of(each.fields[name]) for name in FIELDS] for each in pages)
    )


PAGE_ROWS = RowFile(
    PAGES, "page", Document, FIELDS, ("path",), read_pages, pages_text, ("path", "path")
)


def read_originals(
    folder: Path, pages: tuple[RowRecord, ...], findings: Findings
) -> dict[str, bytes]:
    """Return the bytes of every page that is listed; what is not listed is pointed out."""
    root = folder / PAGES_FOLDER
    found: dict[str, bytes] = {}
    for page in pages:
        if not (path := page.fields["path"]):
            continue
        if problem := _problem(root, path):
            findings.wrong(page.place, f"path: {problem}.")
        elif path not in found:
            found[path] = (root / path).read_bytes()
    _point_out_unlisted(root, found, findings)
    return found


def _problem(root: Path, path: str) -> str:
    """Say why a page cannot be taken, or nothing."""
    parts = PurePosixPath(path).parts
    if path.startswith("/") or "\\" in path or ".." in parts:
        return f"“{path}” leaves the folder of pages"
    place = root / path
    if not _is_file(place):
        return f"the page “{path}” does not exist"
    if not place.resolve().is_relative_to(root.resolve()):
        return f"“{path}” leaves the folder of pages"
    if place.suffix.lower() not in MEDIA_TYPES:
        return f"“{path}” is none of {', '.join(sorted(MEDIA_TYPES))}"
    if place.stat().st_size > LARGEST:
        return f"“{path}” is larger than {LARGEST // 1024 // 1024} MB"
    return ""


def _is_file(place: Path) -> bool:
    """Whether a file stands there; a name that no disk takes is no file."""
    try:
        return place.is_file()
    except OSError:
        return False


def _point_out_unlisted(root: Path, listed: dict[str, bytes], findings: Findings) -> None:
    for place in sorted(root.rglob("*")):
        path = place.relative_to(root).as_posix()
        if place.is_file() and path not in listed and path != PurePosixPath(PAGES).name:
            findings.warn(Place(f"{PAGES_FOLDER}/{path}", 1, 1), "The page is not in index.csv.")


def write_pages(hospital: Hospital, pack: Pack, changes: Changes, *, dry_run: bool) -> None:
    """Register every page; what search shows of a changed one stays until it is ingested anew."""
    existing = {row.path: row for row in Document.objects.filter(hospital=hospital)}
    for position, page in enumerate(pack.rows[PAGES], start=1):
        path = page.fields["path"]
        data, kind = pack.originals[path], MEDIA_TYPES[PurePosixPath(path).suffix.lower()]
        original = keep_original(hospital.pk, data, kind, write=not dry_run)
        values = {**page.fields, "original_id": original.pk, "position": position}
        change = _register(hospital, existing.pop(path, None), values)
        changes.count("page", change)
    gone = [
        row for row in existing.values() if row.position and row.status != Document.Status.WITHDRAWN
    ]
    withdraw(hospital, gone)
    changes.count("page", Change.GONE, len(gone))


def _register(hospital: Hospital, row: Document | None, values: dict[str, Any]) -> Change:
    if row is None:
        Document.objects.create(hospital=hospital, **values)
        return Change.ADDED
    if row.status == Document.Status.WITHDRAWN:
        values["status"] = Document.Status.REGISTERED
    is_other = any(getattr(row, name) != values[name] for name in ("original_id", "title"))
    if is_other and row.status != Document.Status.READY:
        values["status"] = Document.Status.REGISTERED
    return laid_over(row, values)
