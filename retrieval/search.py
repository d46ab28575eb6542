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
from retrieval.categories import CATEGORY, CategoryClassifier
from retrieval.embedding import Embedder, get_embedder
from retrieval.fields import unpacked
from retrieval.index import as_search_failed
from retrieval.index.writing import SCAN_UP_TO
from retrieval.passage import Pages, Passage, Source
from retrieval.query import Query, SearchResult, bases_by_score
from retrieval.vectors import Matrix, normalised
from zol.text import words

#: Places and categories are joined here, because release 1.1.0 calls the function too.
STATEMENT = f"""
    SELECT hit.*, (SELECT c.fields::text FROM retrieval_chunk c WHERE c.id = hit.chunk_id),
    (SELECT {CATEGORY} FROM retrieval_chunk c WHERE c.id = hit.chunk_id) FROM zol_search(
    %s::halfvec, %s::text[], %s::text[], %s::float8, %s::float8, %s::float8, %s::float8, %s::float8,
    %s::int, %s::int, %s::float8, %s::float8, %s::text[], %s::int, %s::int,
    %s::boolean, %s::float8, %s::float8, %s::float8) AS hit"""

#: Columns of a candidate in order, then those of its `Source`; and those that a passage copies.
CANDIDATE = (
    "chunk_id", "dense_rank", "keyword_rank", "bm25", "similarity", "fused", "text", "section",
    "page", "ordinal", "category", "entity_kinds", "questions", "document_id",
)  # fmt: skip
OF_PAGE = tuple(field.name for field in fields(Source))[1:]
KEPT = tuple(
    name for name in CANDIDATE if name not in ("bm25", "entity_kinds", "questions", "document_id")
)

#: Most chunks that the keyword search scores, which bounds the time for very common words.
MOST_SCORED = 20_000
#: Arguments of fusion by reciprocal ranks, which only release 1.1.0 can switch on.
RRF_K, FUSE_BY_RANK = 60.0, False
#: The weight of the vector search grows with the relative gap between its first and tenth hit: gap
#: from which it counts, and gain.
DENSE_SPREAD, DENSE_SPREAD_GAIN = 0.1, 6.0
#: If the best keyword hit covers a smaller share of the question's information, the vector search
#: counts more.
KEYWORD_DOUBT = 0.15
#: Number of repeats of a word with weight 1.
GRAIN = 4


def hybrid_search(
    query: Query, *, embedder: Embedder | None = None, classifier: CategoryClassifier | None = None
) -> SearchResult:
    """Search the served hospital's pages. Each passage has its cosine, whichever search found it
    (D4), a base score (`query.py`), and its category by `classifier`, else as ingested."""
    embedder = embedder or get_embedder()
    # Also without the vector search: keyword hits have a cosine.
    vector = question_vector(query, embedder)
    key = classifier.key if classifier else ""
    return found_from(run([key, *parameters(query, vector, embedder)]), query, classifier)


def search_pages(
    query: Query, pages: Pages, classifier: CategoryClassifier | None = None
) -> SearchResult:
    """Search, and keep each page in one language: the asker's if available, else the pages'."""
    found = hybrid_search(query, classifier=classifier)
    languages = (query.asked_in, query.language)
    return replace(found, passages=pages.in_one_language(found.passages, languages))


def question_vector(query: Query, embedder: Embedder) -> Matrix:
    """Return the question's vector: the mean of the vectors of the question as asked and of its
    translation; the translation's alone if the encoder does not know the asker's language.

    A follow-up is embedded after the question before it. Measured on 667 questions and 150
    follow-ups of outsiders, a right page is among the first fifteen for 92 and 89 %; with the
    question as asked alone for 88 and 47 %.
    """
    if not query.asked or query.asked_in not in embedder.languages:
        return embedder.embed_query(query.text)
    asked = embedder.embed_query(f"{query.before} {query.asked}".strip())
    return normalised(embedder.embed_query(query.text) + asked) if query.text else asked


def parameters(query: Query, vector: Matrix | None, embedder: Embedder) -> list[Any]:
    """Return the parameters of the statement."""
    tuning = query.tuning
    dense = tuning.dense_weight if query.dense_weight is None else query.dense_weight
    # With a tuned weight of 0 the best cosine is still measured.
    is_dense = tuning.dense and query.dense_weight != 0
    keyword = tuning.keyword_weight if query.keyword_weight is None else query.keyword_weight
    keyword = keyword if tuning.keyword else 0.0
    terms = terms_of(query) if keyword > 0 else []
    per_lane = (query.limit or tuning.limit) * tuning.over_fetch
    return [
        None if vector is None else HalfVector(vector),
        [],  # Unstemmed words, which only 1.1.0 searches.
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
    with as_search_failed(), connection.cursor() as cursor:
        cursor.cursor.format = Format.BINARY  # Needs no parsing.
        cursor.execute(STATEMENT, values)
        return list(cursor.fetchall())


def found_from(
    rows: Sequence[tuple[Any, ...]], query: Query, classifier: CategoryClassifier | None = None
) -> SearchResult:
    (*_, best_similarity, dense_hits, _proven, _fields, _category), *hits = rows
    bases = bases_by_score([hit[5] for hit in hits])
    # Passages of one page share its source.
    pages: dict[int, Source] = {}
    return SearchResult(
        passages=tuple(
            _passage(hit, base, pages, classifier) for hit, base in zip(hits, bases, strict=True)
        ),
        best_similarity=best_similarity,
        dense_hits=dense_hits,
    )


def _passage(
    row: tuple[Any, ...],
    base: float,
    pages: dict[int, Source],
    classifier: CategoryClassifier | None,
) -> Passage:
    values = dict(zip(CANDIDATE, row, strict=False))
    source = pages.get(values["document_id"])
    if source is None:
        page: dict[str, Any] = dict(zip(OF_PAGE, row[len(CANDIDATE) :], strict=False))
        page["campuses"] = tuple(page["campuses"])
        source = pages[values["document_id"]] = Source(values["document_id"], **page)
    kept = {name: values[name] for name in KEPT}
    lists: dict[str, Any] = {name: tuple(values[name]) for name in ("entity_kinds", "questions")}
    *_, fields, stored = row
    if classifier:
        kept["category"] = stored or classifier.category_of(
            values["text"], source.title, values["section"]
        )
    places = unpacked(values["text"], values["section"], json.loads(fields))
    return Passage(source=source, base=base, places=places, **kept, **lists)
