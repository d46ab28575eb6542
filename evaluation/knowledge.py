"""What golden questions may refer to: of a pack on disk, or of a hospital that is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from chat.models import CountryLine
from evaluation.consistency import Known
from evaluation.metrics.sources import page
from evaluation.packs.records import EntityRecord, Pack
from evaluation.packs.writing_pages import media_type
from retrieval.ingestion.read import read
from retrieval.models import ContentCategory, Document
from taxonomy.models.entities import ENTITY_MODELS
from zol.models import Hospital
from zol.versioned import default_rows

Reader = Callable[[], str]
#: Fields of a hospital that an answer may give.
PROFILE = (
    "name", "short_name", "phone", "emergency_phone", "helpdesk_phone", "out_of_hours_phone",
    "website", "address",
)  # fmt: skip


def known_of_pack(pack: Pack) -> Known:
    """Return what a pack knows; no database is asked."""
    profile = pack.profile.fields
    country = profile.get("country") or str(Hospital._meta.get_field("country").default)
    subjects = (row.freeze()["category"] for row in default_rows(ContentCategory, 0))
    lines = (row.freeze() for row in default_rows(CountryLine, 0))
    said = [
        *_texts(profile.get(name) for name in PROFILE),
        *(line["number"] for line in lines if line["country"] == country),
        *(text for entity in pack.entities for text in _entity_texts(entity)),
    ]
    readers = (
        (each.url, partial(_read, pack.originals[each.path], media_type(each.path)))
        for each in pack.pages
    )
    return Known(
        pages=_by_page(readers),
        addresses=frozenset(page(each.fields["url"]) for each in pack.entities),
        taxonomy="\n".join(said),
        subjects=tuple(subjects),
    )


def known_of_hospital(hospital: Hospital) -> Known:
    """Return what the served hospital knows: its rows, and the originals of its pages."""
    lines = CountryLine.objects.filter(country=hospital.country)
    rows = [row for model in ENTITY_MODELS.values() for row in model.objects.all()]
    said = [
        *_texts(getattr(hospital, name) for name in PROFILE),
        *lines.values_list("number", flat=True),
        *(text for row in rows for text in _row_texts(row)),
    ]
    documents = Document.objects.exclude(status=Document.Status.WITHDRAWN)
    readers = (
        (document.url, partial(_read_original, document))
        for document in documents.filter(original__isnull=False).select_related("original")
    )
    return Known(
        pages=_by_page(readers),
        addresses=frozenset(page(row.url) for row in rows),
        taxonomy="\n".join(said),
        subjects=tuple(ContentCategory.objects.values_list("category", flat=True)),
    )


def _by_page(readers: Iterable[tuple[str, Reader]]) -> Mapping[str, tuple[Reader, ...]]:
    found: dict[str, tuple[Reader, ...]] = {}
    for url, reader in readers:
        found[page(url)] = (*found.get(page(url), ()), reader)
    return found


def _read(data: bytes, media: str) -> str:
    """Return the text of a page as ingestion reads it."""
    return "\n".join(block.text for block in read(data, media))


def _read_original(document: Document) -> str:
    original = document.original
    if original is None:
        return ""
    with original.file.open("rb") as file:
        return _read(file.read(), original.media_type)


def _entity_texts(entity: EntityRecord) -> Iterator[str]:
    yield entity.name
    yield f"{entity.fields.get('title', '')} {entity.name}"
    yield from _texts(entity.fields.values())
    yield from (alias.text for alias in entity.aliases)


def _row_texts(row: Any) -> Iterator[str]:
    yield row.name
    yield f"{getattr(row, 'title', '')} {row.name}"
    yield from _texts(getattr(row, field.name) for field in row._meta.concrete_fields)
    yield from (alias.text for alias in row.aliases.all())


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, list | tuple):
            yield from _texts(value)
        elif isinstance(value, str) and value:
            yield value
