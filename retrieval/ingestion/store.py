"""Replacing a document in one transaction: search sees the old one or the new one, never half."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import replace as dataclass_replace

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from retrieval.embedding.base import Embedder
from retrieval.index.text import IndexedChunk
from retrieval.index.writing import Entry, embedded, index_chunks, remove_chunks
from retrieval.index.writing import prepare as prepare_index
from retrieval.ingestion.plan import Existing, Place, plan
from retrieval.ingestion.prepare import Prepared
from retrieval.models import Chunk, CorpusState, Document

#: How often a replacement is planned anew because somebody edited a chunk meanwhile.
TRIES = 5


class Overtaken(Exception):
    """Somebody edited the document between planning and writing; plan again."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a document has become."""

    status: Document.Status
    content_hash: str
    reason: str = ""


def replace(
    document: Document,
    prepared: Prepared,
    embedder: Embedder,
    outcome: Outcome,
    *,
    settle: Callable[[], None],
) -> None:
    """Make a document's chunks and index rows those prepared; `settle` joins the transaction."""
    for attempt in range(1, TRIES + 1):
        existing = read_existing(document.pk)
        places = plan(existing, prepared.drafts)
        texts = [_indexed(place, document.title) for place in places]
        # The provider is asked outside the transaction, which would otherwise wait for it.
        entries = embedded(texts, embedder)
        try:
            with transaction.atomic():
                prepare_index(embedder)
                _write(document, prepared, outcome, _Plan(existing, places, entries))
                settle()
        except Overtaken:
            if attempt == TRIES:
                raise
            continue
        return


@dataclass(frozen=True, slots=True)
class _Plan:
    existing: Sequence[Existing]
    places: Sequence[Place]
    entries: Sequence[Entry]


def read_existing(document_id: int) -> tuple[Existing, ...]:
    rows = Chunk.objects.filter(document_id=document_id).order_by("ordinal", "pk")
    return tuple(
        Existing(
            pk=row.pk,
            content=row.content,
            section=row.section,
            context=row.context,
            questions=tuple(row.questions),
            source_hash=row.source_hash,
            is_edited=row.is_edited,
            is_marked=row.is_pinned or row.category_fixed or not row.is_enabled,
        )
        for row in rows
    )


def _indexed(place: Place, title: str, chunk_id: int = 0) -> IndexedChunk:
    """Return what search will read of a place."""
    told = place.existing if place.keeps_text and place.existing else place.draft
    assert told is not None, "a place holds a draft or keeps a text"  # noqa: S101 (for types)
    return IndexedChunk(
        chunk_id=chunk_id,
        title=title,
        content=told.content,
        section=told.section,
        context=told.context,
        questions=told.questions,
    )


def _write(document: Document, prepared: Prepared, outcome: Outcome, planned: _Plan) -> None:
    fresh = Document.objects.select_for_update().get(pk=document.pk)
    if read_existing(document.pk) != planned.existing:
        raise Overtaken
    _write_document(fresh, prepared, outcome)
    kept = {place.existing.pk for place in planned.places if place.existing}
    gone = [chunk.pk for chunk in planned.existing if chunk.pk not in kept]
    remove_chunks(gone)
    Chunk.objects.filter(pk__in=gone).delete()
    rows = Chunk.objects.in_bulk(kept)
    entries = []
    for ordinal, (place, entry) in enumerate(zip(planned.places, planned.entries, strict=True)):
        row = rows[place.existing.pk] if place.existing else Chunk(document=fresh)
        _fill(row, place, fresh, ordinal)
        row.save()
        entries.append(dataclass_replace(entry, chunk=_indexed(place, fresh.title, row.pk)))
    index_chunks(document.pk, entries)
    bump_revision(fresh.hospital_id)


def _write_document(document: Document, prepared: Prepared, outcome: Outcome) -> None:
    document.status = outcome.status
    document.content_hash = outcome.content_hash
    document.reason = outcome.reason
    document.has_instructions = prepared.has_instructions
    if not document.summary_edited:
        document.summary = prepared.summary
    document.processed_at = timezone.now()
    document.save(
        update_fields=[
            "status", "content_hash", "reason", "has_instructions", "summary", "processed_at",
        ]
    )  # fmt: skip


def _fill(row: Chunk, place: Place, document: Document, ordinal: int) -> None:
    row.hospital_id = document.hospital_id
    row.ordinal = ordinal
    row.source_changed = row.source_changed or place.source_changed
    draft = place.draft
    if draft is None:
        return
    row.source_hash = draft.source_hash
    row.page = draft.page
    if not place.keeps_text:
        row.content, row.section, row.context = draft.content, draft.section, draft.context
        row.questions, row.tokens = list(draft.questions), draft.tokens
        row.entity_kinds = list(draft.entity_kinds)
    if not row.category_fixed and not place.keeps_text:
        row.category, row.category_evidence = draft.category, draft.category_evidence


def bump_revision(hospital_id: int) -> None:
    """Make every answer that was remembered of the corpus unreachable."""
    changed = CorpusState.objects.filter(hospital_id=hospital_id).update(revision=F("revision") + 1)
    if not changed:
        CorpusState.objects.create(hospital_id=hospital_id, revision=1)
