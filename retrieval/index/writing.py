"""Write and rebuild the index.

Writes run as the application, inside the transaction that writes the chunks. The owner role owns
the tables; the functions of `sql/writing.sql` write only the served hospital's rows. Triggers
delete the index rows of chunks that are deleted, disabled or moved to another category.

A rebuild leaves the old index in service: new vectors are collected beside the old ones in batches,
then one transaction rewrites the terms, swaps the vectors and records the embedding. Searches see
the old index until it commits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from django.db import connection, transaction
from django.db.models import F
from pgvector import HalfVector

from retrieval.analysis import IndexedChunk, about, embedded_text, keyword_text, stems
from retrieval.embedding.base import Embedder, PassageText
from retrieval.index import ensure_index_matches, note_embedding, teach
from retrieval.models import Chunk, CorpusState
from retrieval.statements import heading_of, quotable
from retrieval.vectors import Matrix
from zol.models import Hospital
from zol.tenancy import required_hospital_id, serving
from zol.text import words

#: Most vectors for an exact scan, at some 2 µs for each of 896 numbers; the graph is faster from
#: about here.
SCAN_UP_TO = 1_500
#: Drift of the average chunk length that triggers new impacts. Scores stay exact either way; drift
#: only makes the search read more candidates.
DRIFT = 0.02
#: Changed chunks that trigger repacking of the postings: unpacked ones cost a search half a
#: millisecond, packing takes 0.5 s per 1,000 chunks of the hospital.
SPARED = 50


class Lane(IntEnum):
    """The keyword lanes, numbered as in the tables."""

    EXACT = 0
    STEMMED = 1


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A chunk as it is indexed."""

    chunk: IndexedChunk
    embedding: Matrix


def prepare(embedder: Embedder) -> None:
    """Create the served hospital's index, or check that its embedding matches."""
    ensure_index_matches(embedder, claim=True)
    call("SELECT zol_prepare_index(%s)", [embedder.dimensions])


def index_chunks(rows: Sequence[IndexEntry]) -> None:
    """Index chunks, replacing their earlier entries. Their rows must be in the database."""
    if not rows:
        return
    call("SELECT zol_prepare_index(%s)", [len(rows[0].embedding)])
    chunk_ids = [row.chunk.chunk_id for row in rows]
    call("SELECT zol_remove_chunks(%s)", [chunk_ids])
    write_terms([row.chunk for row in rows])
    _write_vectors(chunk_ids, [row.embedding for row in rows])


def write_terms(chunks: Sequence[IndexedChunk]) -> None:
    """Write the terms of chunks to both keyword lanes, replacing earlier ones."""
    language = Hospital.objects.get(pk=required_hospital_id()).default_language
    chunk_ids = [chunk.chunk_id for chunk in chunks]
    exact = [words(keyword_text(chunk)) for chunk in chunks]
    _write_lane(Lane.EXACT, chunk_ids, exact)
    _write_lane(Lane.STEMMED, chunk_ids, [stems(found, language) for found in exact])


def embedded(chunks: Sequence[IndexedChunk], embedder: Embedder) -> list[IndexEntry]:
    """Return chunks with embeddings; calls the provider, so use it outside a transaction."""
    matrix = embedder.embed_passages([written(chunk) for chunk in chunks])
    return [IndexEntry(*each) for each in zip(chunks, matrix, strict=True)]


def written(chunk: IndexedChunk) -> PassageText:
    """Return a chunk's statements as embedded, each heading once."""
    read: list[str] = []
    heading = ""
    for line in quotable(chunk.content):
        if (over := heading_of(line, chunk.section)) not in ("", heading):
            read.append(over)
        heading = over
        read.append(line.text)
    return PassageText(about(chunk), tuple(read), embedded_text(chunk))


def remove_chunks(chunk_ids: Iterable[int]) -> None:
    """Remove chunks from the index; deleting their rows does so too."""
    call("SELECT zol_remove_chunks(%s)", [list(chunk_ids)])


def refresh_statistics(
    hospital: Hospital | int,
    *,
    drift: float = DRIFT,
    k1: float = 1.2,
    b: float = 0.75,
    spared: int = SPARED,
) -> None:
    """Refresh the index after a run: impacts, packing, graph, statistics."""
    with serving(hospital):
        for lane in Lane:
            call("SELECT zol_pin_impacts(%s::smallint, %s, %s, %s)", [int(lane), k1, b, drift])
            call("SELECT zol_pack(%s::smallint, %s)", [int(lane), spared])
        call("SELECT zol_build_graph(%s)", [SCAN_UP_TO])
        call("SELECT zol_analyze_index()", [])


def _write_lane(lane: Lane, chunk_ids: list[int], found: Sequence[Sequence[str]]) -> None:
    counted = list(map(Counter, found))
    spread = Counter(term for terms in counted for term in terms)
    numbers = {term: number for number, term in enumerate(spread, start=1)}
    places = [place for place, terms in enumerate(counted, start=1) for _ in terms]
    refs = [numbers[term] for terms in counted for term in terms]
    counts = [count for terms in counted for count in terms.values()]
    call(
        "SELECT zol_index_terms(%s::smallint, %s::bigint[], %s::text[], %s::int[], %s::int[], "
        "%s::int[], %s::int[])",
        [int(lane), chunk_ids, list(spread), list(spread.values()), places, refs, counts],
    )


def _write_vectors(chunk_ids: Sequence[int], rows: Sequence[Matrix]) -> None:
    values: list[Any] = [
        (chunk_id, HalfVector(row)) for chunk_id, row in zip(chunk_ids, rows, strict=True)
    ]
    with connection.cursor() as cursor:
        teach(cursor)
        cursor.executemany("SELECT zol_index_vector(%s, %s::halfvec)", values)


def call(statement: str, parameters: Sequence[Any]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)


#: Chunks per embedding batch.
BATCH = 256


def rebuild(embedder: Embedder) -> Iterator[int]:
    """Rebuild the served hospital's index; yield the number of chunks embedded at each step."""
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
        made = embedded(list(_indexed(batch)), embedder)
        rows: list[Any] = [(each.chunk.chunk_id, HalfVector(each.embedding)) for each in made]
        with connection.cursor() as cursor:
            teach(cursor)
            cursor.executemany("SELECT zol_stage_vector(%s, %s::halfvec)", rows)
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
