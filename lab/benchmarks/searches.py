"""How long a search takes: the whole statement, its parts, and the floor under them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
import psycopg
from django.db import connection, connections, transaction
from pgvector import HalfVector

from evaluation import figures
from lab.benchmarks.corpus import CHUNKS_PER_DOCUMENT, GeneratedText, Generator
from retrieval.analysis import IndexedChunk
from retrieval.embedding import E5Embedder, Embedder
from retrieval.index.writing import call, index_chunks, prepare, refresh_statistics
from retrieval.models import Chunk, Document, DocumentCategory
from retrieval.query import Query
from retrieval.search import STATEMENT, found_from, parameters, run
from retrieval.tuning import RetrievalTuning
from zol.tenancy import required_hospital_id

#: Chunks of one transaction.
BATCH = 500
QUESTIONS = 200
ROUNDS = 3
#: Every hundredth document is of this category: a filter that leaves few rows.
RARE = DocumentCategory.BILLING


Way = Callable[[Query, GeneratedText], object]


@dataclass(frozen=True, slots=True)
class TimingRow:
    """One line of the report."""

    name: str
    p50_ms: float
    p95_ms: float

    @classmethod
    def of(cls, name: str, seconds: Sequence[float]) -> TimingRow:
        milliseconds = [each * 1000 for each in seconds]
        return cls(
            name, figures.percentile(milliseconds, 0.5), figures.percentile(milliseconds, 0.95)
        )


def embedder_of(generator: Generator) -> Embedder:
    """Return who the generated vectors are said to be of: they are drawn, at any size."""
    return E5Embedder(generator.dimensions)


def fill(generator: Generator) -> Iterator[int]:
    """Index a generated corpus for the served hospital; yield how many chunks more are in."""
    prepare(embedder_of(generator))
    # 0.4 instead of 37 ms a chunk at 100,000; `refresh_statistics` builds the graph again.
    call("SELECT zol_drop_graph()", [])
    hospital_id = required_hospital_id()
    for first in range(0, generator.chunks, BATCH):
        last = min(first + BATCH, generator.chunks)
        written = list(generator.written(first, last))
        with transaction.atomic():
            _store(hospital_id, first, written)
        yield last - first
    refresh_statistics(hospital_id)
    with connections["owner"].cursor() as cursor:
        cursor.execute("ANALYZE retrieval_chunk, retrieval_document, retrieval_term")


def _store(hospital_id: int, first: int, written: Sequence[GeneratedText]) -> None:
    starts = range(0, len(written), CHUNKS_PER_DOCUMENT)
    documents = Document.objects.bulk_create(
        Document(
            hospital_id=hospital_id,
            path=f"page-{first + start}",
            title=" ".join(written[start].text.split()[:6]).title(),
            status=Document.Status.READY,
            category=RARE if (first + start) % 1000 == 0 else DocumentCategory.BROCHURE,
        )
        for start in starts
    )
    chunks = Chunk.objects.bulk_create(
        Chunk(
            hospital_id=hospital_id,
            document=documents[place // CHUNKS_PER_DOCUMENT],
            ordinal=place % CHUNKS_PER_DOCUMENT,
            content=each.text,
        )
        for place, each in enumerate(written)
    )
    index_chunks(
        [
            IndexedChunk(chunk.pk, chunk.document.title, each.text)
            for chunk, each in zip(chunks, written, strict=True)
        ],
        np.stack([each.vector for each in written]),
    )


def queries(generator: Generator, wanted: int = QUESTIONS) -> list[tuple[Query, GeneratedText]]:
    return [(Query(each.text), each) for each in generator.questions(wanted)]


def measure(generator: Generator) -> Iterator[TimingRow | str]:
    """Time every way to search, in turns; yield a word on progress, then the rows."""
    asked = queries(generator)
    with ExitStack() as opened:
        yield from _timed(_ways(embedder_of(generator), opened), asked)


def _timed(
    ways: Mapping[str, Way], asked: Sequence[tuple[Query, GeneratedText]]
) -> Iterator[TimingRow | str]:
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(ROUNDS + 1):
        for query, written in asked:
            for name, way in ways.items():
                started = perf_counter()
                way(query, written)
                # The first round only warms up.
                if turn:
                    taken[name].append(perf_counter() - started)
        yield f"round {turn}"
    yield from (TimingRow.of(name, seconds) for name, seconds in taken.items())


def _ways(embedder: Embedder, opened: ExitStack) -> Mapping[str, Way]:
    def values(query: Query, written: GeneratedText) -> list[Any]:
        return ["", *parameters(query, written.vector, embedder)]

    def hybrid(query: Query, written: GeneratedText) -> object:
        return found_from(run(values(query, written)), query)

    def keyword(query: Query, written: GeneratedText) -> object:
        only = Query(query.text, dense_weight=0.0)
        return found_from(run(values(only, written)), only)

    def dense(query: Query, written: GeneratedText) -> object:
        only = Query(query.text, keyword_weight=0.0)
        return found_from(run(values(only, written)), only)

    def filtered(query: Query, written: GeneratedText) -> object:
        only = Query(query.text, categories=frozenset({str(RARE)}))
        return found_from(run(values(only, written)), only)

    raw = _raw_connection(opened)

    def without_django(query: Query, written: GeneratedText) -> object:
        rows = raw.execute(STATEMENT, values(query, written), binary=True).fetchall()
        return found_from(rows, query)

    owner = _owner_floor(opened)

    def floor(_: Query, written: GeneratedText) -> object:
        return owner(written)

    return {
        "dense floor (ids only)": floor,
        "hybrid, one statement": hybrid,
        "keyword lane only": keyword,
        "dense lane only": dense,
        "hybrid, rare category": filtered,
        "hybrid, raw psycopg": without_django,
    }


def _beside(alias: str, opened: ExitStack) -> psycopg.Connection[Any]:
    """Return a connection of our own to where Django's goes."""
    theirs = connections[alias].get_connection_params()
    ours = {name: theirs[name] for name in theirs.keys() - {"context", "cursor_factory"}}
    return opened.enter_context(psycopg.connect(**ours | {"prepare_threshold": 0}, autocommit=True))


def _raw_connection(opened: ExitStack) -> psycopg.Connection[Any]:
    """Return a connection as the application has it, without Django around it."""
    raw = _beside("default", opened)
    raw.execute("SELECT set_config('zol.hospital', %s, false)", [str(required_hospital_id())])
    return raw


def _owner_floor(opened: ExitStack) -> Callable[[GeneratedText], object]:
    """Return the least that any dense search does: the nearest ids, as the owner, without rules."""
    owner = _beside("owner", opened)
    owner.execute("SET hnsw.ef_search = 64")
    hospital_id = required_hospital_id()
    state = owner.execute(
        "SELECT dimensions, has_graph FROM retrieval_vectorstate WHERE hospital_id = %s",
        [hospital_id],
    ).fetchone()
    assert state is not None, "the corpus was just written"  # noqa: S101 (for types)
    column = f"embedding::halfvec({state[0]})" if state[1] else "embedding"
    limit = RetrievalTuning().limit * RetrievalTuning().over_fetch
    statement = (
        f"SELECT chunk_id FROM retrieval_vector_{hospital_id} "
        f"ORDER BY {column} <=> %s::halfvec LIMIT {limit}"
    )
    return lambda written: owner.execute(statement, [HalfVector(written.vector)]).fetchall()


def dense_recall(generator: Generator, *, asked: int = 100) -> float:
    """Return the share of the truly nearest chunks that the dense lane finds."""
    limit = RetrievalTuning().limit * RetrievalTuning().over_fetch
    embedder = embedder_of(generator)
    shares = []
    with connections["owner"].cursor() as cursor:
        for query, written in queries(generator)[:asked]:
            only = Query(query.text, keyword_weight=0.0, floor=-1.0)
            rows = run(["", *parameters(only, written.vector, embedder)])
            vector: Any = HalfVector(written.vector)
            cursor.execute(
                f"SELECT chunk_id FROM retrieval_vector_{required_hospital_id()} "
                f"ORDER BY embedding <=> %s::halfvec LIMIT {limit}",
                [vector],
            )
            nearest = {row[0] for row in cursor.fetchall()}
            shares.append(len(nearest & {row[0] for row in rows[1:]}) / len(nearest))
    connection.ensure_connection()
    return figures.mean(shares)
