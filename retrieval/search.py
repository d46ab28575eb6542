"""Hybrid search: one SQL statement, one round trip, passages best first."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from django.db import connection
from pgvector import HalfVector
from psycopg.pq import Format

from retrieval.analysis import content_words, stems
from retrieval.embedding import Embedder, get_embedder
from retrieval.fields import unpacked
from retrieval.index import reading, teach
from retrieval.index.writing import SCAN_UP_TO
from retrieval.passage import Pages, Passage, Source
from retrieval.query import Query, QueryText, SearchResult, bases_by_score
from retrieval.subjects import JUDGED, Subjects
from retrieval.vectors import Matrix, normalised
from zol.text import words

#: Places and categories are joined here: 1.1.0 calls the function unchanged.
STATEMENT = f"""
    SELECT hit.*, (SELECT c.fields::text FROM retrieval_chunk c WHERE c.id = hit.chunk_id),
    (SELECT {JUDGED} FROM retrieval_chunk c WHERE c.id = hit.chunk_id) FROM zol_search(
    %s::halfvec, %s::text[], %s::text[], %s::float8, %s::float8, %s::float8, %s::float8, %s::float8,
    %s::int, %s::int, %s::float8, %s::float8, %s::text[], %s::int, %s::int,
    %s::boolean, %s::float8, %s::float8, %s::float8) AS hit"""

#: Columns of a candidate, in order; then those of its `Source`.
SAID = (
    "chunk_id", "dense_rank", "keyword_rank", "bm25", "similarity", "fused", "text", "section",
    "page", "ordinal", "category", "entity_kinds", "questions", "document_id",
)  # fmt: skip
OF_PAGE = tuple(field.name for field in fields(Source))[1:]
KEPT = tuple(
    name for name in SAID if name not in ("bm25", "entity_kinds", "questions", "document_id")
)

#: Most chunks scored by a keyword lane, so that a question of very common words costs no more than
#: others.
MOST_SCORED = 20_000
#: Fusion by reciprocal ranks; the database function takes both for one release, 1.1.0 passes them.
RRF_K, FUSE_BY_RANK = 60.0, False
#: Least relative gap between the dense lane's first and tenth hit for the lane to count, and how
#: fast it then counts fully.
DENSE_SPREAD, DENSE_SPREAD_GAIN = 0.1, 6.0
#: Share of the question's information below which the best keyword hit is doubtful.
KEYWORD_DOUBT = 0.15
#: Repeats of a word of weight 1; weights are rounded to these.
GRAIN = 4


def hybrid_search(
    query: Query, *, embedder: Embedder | None = None, subjects: Subjects | None = None
) -> SearchResult:
    """Search the served hospital's pages. Every passage has its true cosine, whichever lane found
    it (D4), a base score (`query`), and its category by the subjects, else as ingested."""
    embedder = embedder or get_embedder()
    # Also without the dense lane: keyword hits have a cosine.
    vector = question_vector(query, embedder)
    key = subjects.key if subjects else ""
    return found_from(run([key, *parameters(query, vector, embedder)]), query, subjects)


def search_pages(query: Query, pages: Pages, subjects: Subjects | None = None) -> SearchResult:
    """Search with each page in one language: the asker's if available, else the pages'."""
    found = hybrid_search(query, subjects=subjects)
    spoken = (query.asked_in, query.language)
    return replace(found, passages=pages.in_one_language(found.passages, spoken))


def question_vector(query: Query | QueryText, embedder: Embedder) -> Matrix:
    """Return the question's vector: the mean of its translation's and of the question as asked,
    after the turn that completes it; the former alone if the encoder does not know the language.

    Of 667 standalone questions of outsiders, this vector alone ranks an answering page first for 54
    % and among fifteen for 92 %; of 150 follow-ups 45 and 89 %. As asked: 45, 88, 11 and 47 %.
    """
    if not query.asked or query.asked_in not in embedder.languages:
        return embedder.embed_query(query.text)
    asked = embedder.embed_query(f"{query.before} {query.asked}".strip())
    return normalised(embedder.embed_query(query.text) + asked) if query.text else asked


def parameters(query: Query, vector: Matrix | None, embedder: Embedder) -> list[Any]:
    """Return the parameters of the statement."""
    tuning = query.tuning
    dense = tuning.dense_weight if query.dense_weight is None else query.dense_weight
    # A tuned weight of 0 still measures the best hit.
    is_dense = tuning.dense and query.dense_weight != 0
    keyword = tuning.keyword_weight if query.keyword_weight is None else query.keyword_weight
    keyword = keyword if tuning.keyword else 0.0
    terms = terms_of(query) if keyword > 0 else []
    per_lane = (query.limit or tuning.limit) * tuning.over_fetch
    return [
        None if vector is None else HalfVector(vector),
        # Words as written have a lane of their own, which has no weight.
        [],
        terms,
        dense if is_dense else None,
        0.0,
        keyword,
        RRF_K,
        embedder.calibration.floor if query.floor is None else query.floor,
        per_lane,
        per_lane,
        tuning.bm25_k1,
        tuning.bm25_b,
        sorted(query.categories) or None,
        SCAN_UP_TO,
        MOST_SCORED,
        FUSE_BY_RANK,
        DENSE_SPREAD,
        DENSE_SPREAD_GAIN,
        KEYWORD_DOUBT,
    ]


def terms_of(query: Query) -> list[str]:
    """Return the stems of the words, each repeated by its weight."""
    if not query.words:
        return stems(content_words(words(query.text), query.stop_words), query.language)
    found: dict[str, float] = {}
    for word, weight in query.words.items():
        for stem in stems([word], query.language):
            found[stem] = max(found.get(stem, 0.0), weight)
    # The index weighs a word by its count.
    return [stem for stem, weight in found.items() for _ in range(max(1, round(weight * GRAIN)))]


def run(values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the rows of the statement: first the totals, then the candidates."""
    with reading(), connection.cursor() as cursor:
        teach(cursor)
        cursor.cursor.format = Format.BINARY  # Needs no parsing.
        cursor.execute(STATEMENT, values)
        return list(cursor.fetchall())


def found_from(
    rows: Sequence[tuple[Any, ...]], query: Query, subjects: Subjects | None = None
) -> SearchResult:
    (*_, best_similarity, dense_hits, _proven, _fields, _category), *hits = rows
    bases = bases_by_score([hit[5] for hit in hits])
    # Passages of one page share it.
    pages: dict[int, Source] = {}
    return SearchResult(
        passages=tuple(
            _passage(hit, base, pages, subjects) for hit, base in zip(hits, bases, strict=True)
        ),
        best_similarity=best_similarity,
        dense_hits=dense_hits,
    )


def _passage(
    row: tuple[Any, ...], base: float, pages: dict[int, Source], subjects: Subjects | None
) -> Passage:
    said = dict(zip(SAID, row, strict=False))
    source = pages.get(said["document_id"])
    if source is None:
        page: dict[str, Any] = dict(zip(OF_PAGE, row[len(SAID) :], strict=False))
        page["campuses"] = tuple(page["campuses"])
        source = pages[said["document_id"]] = Source(said["document_id"], **page)
    kept = {name: said[name] for name in KEPT}
    lists: dict[str, Any] = {name: tuple(said[name]) for name in ("entity_kinds", "questions")}
    *_, fields, judged = row
    if subjects:
        kept["category"] = judged or subjects.judge(said["text"], source.title, said["section"])
    places = unpacked(said["text"], said["section"], json.loads(fields))
    return Passage(source=source, base=base, places=places, **kept, **lists)
