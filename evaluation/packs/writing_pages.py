"""The pages of a pack: their bytes are kept, their rows registered for ingestion."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from evaluation.packs.changes import Change, Changes
from evaluation.packs.form import MEDIA_TYPES
from evaluation.packs.records import Pack, PageRecord
from retrieval.ingestion.originals import keep_original
from retrieval.models import Document
from retrieval.services import withdraw
from zol.models import Hospital


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
    differing = [name for name, value in values.items() if getattr(row, name) != value]
    for name in differing:
        setattr(row, name, values[name])
    if {"original_id", "title"} & set(differing) and row.status != Document.Status.READY:
        row.status = Document.Status.REGISTERED
        differing.append("status")
    if differing:
        row.save(update_fields=differing)
    return Change.CHANGED if differing else Change.UNCHANGED
