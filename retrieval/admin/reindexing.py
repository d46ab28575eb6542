"""Putting one edited chunk in the index, in the place of what search had of it."""

from __future__ import annotations

from django.db import transaction

from retrieval.embedding import get_embedder
from retrieval.index.text import IndexedChunk
from retrieval.index.writing import embedded, index_chunks, prepare
from retrieval.ingestion.store import bump_revision
from retrieval.models import Chunk


def reindex(chunk: Chunk) -> None:
    """Let search read a chunk as it is now. Asks the embedding provider outside the transaction."""
    text = IndexedChunk(
        chunk_id=chunk.pk,
        title=chunk.document.title,
        content=chunk.content,
        section=chunk.section,
        context=chunk.context,
        questions=tuple(chunk.questions),
    )
    embedder = get_embedder()
    entries = embedded([text], embedder)
    with transaction.atomic():
        prepare(embedder)
        index_chunks(chunk.document_id, entries)
        bump_revision(chunk.hospital_id)
