"""The pages of a pack: the list and the bytes of each, read, kept and registered for ingestion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from evaluation.packs import tables
from evaluation.packs.findings import Change, Changes, Findings, Place, laid_over
from evaluation.packs.form import PAGE_COLUMNS, PAGES, PAGES_FOLDER
from evaluation.packs.records import Pack, PageRecord, Reference
from evaluation.packs.tables import Row, read_table
from retrieval.ingestion.process import keep_original
from retrieval.ingestion.read import MEDIA_TYPES
from retrieval.models import Document
from retrieval.models.documents import DocumentCategory
from retrieval.services import withdraw
from taxonomy.kinds import Kind
from zol.models import Hospital
from zol.values import read_date

CATEGORIES = frozenset(DocumentCategory.values)
#: Of one page. What is larger is no page; it would be refused at ingestion too.
LARGEST = 100 * 1024 * 1024


def read_pages(data: bytes, language: str, findings: Findings) -> Iterator[PageRecord]:
    """Give the rows of the list of pages; an empty language is the hospital's own."""
    for row in read_table(data, PAGES, PAGE_COLUMNS, (), findings):
        campuses = tables.parts(row.text("campuses", limit=1000))
        yield PageRecord(
            path=row.needed("path", limit=300),
            url=row.value("url", tables.read_url, "", limit=500),
            title=row.needed("title", limit=300),
            category=_category(row),
            language=row.value("language", tables.read_language, language),
            updated_on=row.value("updated_at", read_date, None),
            authority=row.value("authority", tables.read_number(0.3, 1.0), 1.0),
            url_tier=row.value("url_tier", tables.read_tier, 3),
            campuses=campuses,
            place=row.place("path"),
            mentions=tuple(
                Reference((Kind.CAMPUS, campus), row.place("campuses")) for campus in campuses
            ),
        )


def _category(row: Row) -> str:
    row.needed("category")
    return row.value("category", tables.one_of(CATEGORIES, "category"), "")


def read_originals(
    folder: Path, pages: tuple[PageRecord, ...], findings: Findings
) -> dict[str, bytes]:
    """Return the bytes of every page that is listed; what is not listed is pointed out."""
    root = folder / PAGES_FOLDER
    found: dict[str, bytes] = {}
    for page in pages:
        if not page.path:
            continue
        if problem := _problem(root, page.path):
            findings.wrong(page.place, f"path: {problem}.")
        elif page.path not in found:
            found[page.path] = (root / page.path).read_bytes()
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
    for position, page in enumerate(pack.pages, start=1):
        original = keep_original(
            hospital.pk, pack.originals[page.path], media_type(page.path), write=not dry_run
        )
        values = _values(page) | {"original_id": original.pk, "position": position}
        change = _register(hospital, page.path, existing.pop(page.path, None), values)
        changes.count("page", change)
    gone = [
        row for row in existing.values() if row.position and row.status != Document.Status.WITHDRAWN
    ]
    withdraw(hospital, gone)
    changes.count("page", Change.GONE, len(gone))


def media_type(path: str) -> str:
    return MEDIA_TYPES[PurePosixPath(path).suffix.lower()]


def _values(page: PageRecord) -> dict[str, Any]:
    names = ("url", "title", "category", "language", "updated_on", "authority", "url_tier")
    return {name: getattr(page, name) for name in names} | {"campuses": list(page.campuses)}


def _register(
    hospital: Hospital, path: str, row: Document | None, values: dict[str, Any]
) -> Change:
    if row is None:
        Document.objects.create(hospital=hospital, path=path, **values)
        return Change.ADDED
    if row.status == Document.Status.WITHDRAWN:
        values["status"] = Document.Status.REGISTERED
    is_other = any(getattr(row, name) != values[name] for name in ("original_id", "title"))
    if is_other and row.status != Document.Status.READY:
        values["status"] = Document.Status.REGISTERED
    return laid_over(row, values)
