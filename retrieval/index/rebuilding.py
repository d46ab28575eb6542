"""Making a hospital's index anew while the old one serves.

New vectors are gathered beside the old ones, a batch at a time. Then one transaction writes the
terms anew, puts the new vectors in the place of the old and notes what made them: a search sees the
old index until it commits, and the new one after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import connection, transaction
from django.db.models import F
from pgvector import HalfVector

from retrieval.embedding.base import Embedder
from retrieval.index import statements, vectors
from retrieval.index.state import note_embedding
from retrieval.index.text import IndexedChunk
from retrieval.index.writing import SCAN_UP_TO, call, refresh_statistics, write_terms
from retrieval.models import Chunk, CorpusState
from zol.tenancy import required_hospital_id

#: Chunks that are embedded together.
BATCH = 256


def rebuild(embedder: Embedder) -> Iterator[int]:
    """Make the served hospital's index anew; yield how many chunks more have been embedded."""
    hospital_id = required_hospital_id()
    if _dimensions() is None:
        call("SELECT zol_prepare_index(%s)", [embedder.dimensions])
    call("SELECT zol_stage_begin()", [])
    yield from _stage(_lacking(), embedder)
    with transaction.atomic():
        CorpusState.objects.get_or_create(hospital_id=hospital_id)
        call("SELECT zol_lock_index()", [])
        # What came while the others were embedded.
        for _ in _stage(_lacking(), embedder):
            pass
        for chunks in _batches(Chunk.objects.order_by("pk").values_list("pk", flat=True)):
            write_terms(list(_indexed(chunks)))
        call("SELECT zol_stage_swap(%s, %s)", [embedder.dimensions, SCAN_UP_TO])
        note_embedding(embedder)
        CorpusState.objects.filter(hospital_id=hospital_id).update(revision=F("revision") + 1)
    refresh_statistics(hospital_id)


def _stage(chunk_ids: Sequence[int], embedder: Embedder) -> Iterator[int]:
    for batch in _batches(chunk_ids):
        chunks = list(_indexed(batch))
        matrix, kept = statements.read(chunks, embedder)
        rows: list[Any] = [
            (chunk.chunk_id, HalfVector(row)) for chunk, row in zip(chunks, matrix, strict=True)
        ]
        with connection.cursor() as cursor:
            vectors.teach(cursor)
            cursor.executemany("SELECT zol_stage_vector(%s, %s::halfvec)", rows)
        # In place: who still serves with another embedding finds another key, and computes.
        statements.keep(batch, kept)
        yield len(rows)


def _indexed(chunk_ids: Sequence[int]) -> Iterator[IndexedChunk]:
    rows = Chunk.objects.filter(pk__in=chunk_ids).select_related("document").order_by("pk")
    return map(IndexedChunk.of, rows)


def _lacking() -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT zol_stage_lacking()")
        return sorted(row[0] for row in cursor.fetchall())


def _dimensions() -> int | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT zol_index_dimensions()")
        row = cursor.fetchone()
    return row[0] if row else None


def _batches(numbers: Iterable[int]) -> Iterator[list[int]]:
    listed = list(numbers)
    for start in range(0, len(listed), BATCH):
        yield listed[start : start + BATCH]
