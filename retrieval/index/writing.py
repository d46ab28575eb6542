"""Write and rebuild the index.

The application writes only through the functions of `sql/writing.sql`, which touch only the served
hospital's rows, in the transaction that writes the chunks. Triggers remove the index rows of chunks
that are deleted, disabled or moved to another category.

During a rebuild the old index stays in use: new vectors are collected in batches beside the old
ones, then one transaction rewrites the terms, swaps the vectors and records the embedding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import connection, transaction
from django.db.models import F
from pgvector import HalfVector

from retrieval.analysis import IndexedChunk, about, embedded_text, keyword_text, stems
from retrieval.embedding.base import Embedder, PassageText
from retrieval.index import ensure_index_matches, note_embedding
from retrieval.models import Chunk, CorpusState
from retrieval.statements import heading_of, quotable
from retrieval.vectors import Matrix
from zol.models import Hospital
from zol.tenancy import required_hospital_id, serving
from zol.text import words

#: Most vectors that are scanned one by one; with more, the HNSW graph is faster.
SCAN_UP_TO = 1_500
#: Drift of the average chunk length from which impacts are computed anew. Scores are exact either
#: way; drift only makes a search read more candidates.
DRIFT = 0.02
#: Changed chunks from which postings are packed again: packing takes 0.5 s per 1,000 chunks, and
#: unpacked postings cost each search half a millisecond.
SPARED = 50
#: The number of the keyword index of stems in the tables; 0 is that of unstemmed words, which only
#: release 1.1.0 writes and searches.
LANE = 1


def prepare(embedder: Embedder) -> None:
    """Create the served hospital's index, or check that its embedding matches."""
    ensure_index_matches(embedder, claim=True)
    call("SELECT zol_prepare_index(%s)", [embedder.dimensions])


def index_chunks(chunks: Sequence[IndexedChunk], vectors: Matrix) -> None:
    """Index chunks with their vectors, replacing their earlier entries. Their rows must be in the
    database."""
    if not chunks:
        return
    call("SELECT zol_prepare_index(%s)", [vectors.shape[1]])
    chunk_ids = [chunk.chunk_id for chunk in chunks]
    call("SELECT zol_remove_chunks(%s)", [chunk_ids])
    write_terms(chunks)
    _write_vectors("SELECT zol_index_vector(%s, %s::halfvec)", chunk_ids, vectors)


def write_terms(chunks: Sequence[IndexedChunk]) -> None:
    """Write the stems of chunks to the keyword index, replacing earlier ones."""
    language = Hospital.objects.get(pk=required_hospital_id()).default_language
    counted = [Counter(stems(words(keyword_text(chunk)), language)) for chunk in chunks]
    spread = Counter(term for terms in counted for term in terms)
    numbers = {term: number for number, term in enumerate(spread, start=1)}
    places = [place for place, terms in enumerate(counted, start=1) for _ in terms]
    refs = [numbers[term] for terms in counted for term in terms]
    counts = [count for terms in counted for count in terms.values()]
    chunk_ids = [chunk.chunk_id for chunk in chunks]
    call(
        "SELECT zol_index_terms(%s::smallint, %s::bigint[], %s::text[], %s::int[], %s::int[], "
        "%s::int[], %s::int[])",
        [LANE, chunk_ids, list(spread), list(spread.values()), places, refs, counts],
    )


def embed_chunks(chunks: Sequence[IndexedChunk], embedder: Embedder) -> Matrix:
    """Return the vectors of chunks. It calls the provider: use it outside a transaction."""
    return embedder.embed_passages([written(chunk) for chunk in chunks])


def written(chunk: IndexedChunk) -> PassageText:
    """Return a chunk as it is embedded: its statements, each heading once."""
    statements: list[str] = []
    heading = ""
    for line in quotable(chunk.content):
        if (over := heading_of(line, chunk.section)) not in ("", heading):
            statements.append(over)
        heading = over
        statements.append(line.text)
    return PassageText(about(chunk), tuple(statements), embedded_text(chunk))


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
        call("SELECT zol_pin_impacts(%s::smallint, %s, %s, %s)", [LANE, k1, b, drift])
        call("SELECT zol_pack(%s::smallint, %s)", [LANE, spared])
        call("SELECT zol_build_graph(%s)", [SCAN_UP_TO])
        call("SELECT zol_analyze_index()", [])


def _write_vectors(statement: str, chunk_ids: Sequence[int], vectors: Matrix) -> None:
    values: list[Any] = [*zip(chunk_ids, map(HalfVector, vectors), strict=True)]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)


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
        chunks = list(_indexed(batch))
        vectors = embed_chunks(chunks, embedder)
        ids = [chunk.chunk_id for chunk in chunks]
        _write_vectors("SELECT zol_stage_vector(%s, %s::halfvec)", ids, vectors)
        yield len(chunks)


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
