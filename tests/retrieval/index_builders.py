"""Pages in a real index, from texts."""

from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any
from zlib import crc32

import numpy as np
from django.db import connection

from retrieval.analysis import IndexedChunk, stems
from retrieval.embedding.base import Calibration, PassageText
from retrieval.index import as_search_failed
from retrieval.index.writing import LANE, embed_chunks, index_chunks, prepare, refresh_statistics
from retrieval.models import Chunk, Document
from retrieval.search import MOST_SCORED
from retrieval.vectors import Matrix, normalised
from zol.models import Hospital
from zol.tenancy import serving
from zol.text import words


class HashedWords:
    """An embedding of words and nothing else: quick, and of any size."""

    name, model = "words", "words-1"
    languages: frozenset[str] = frozenset()
    is_local = True
    calibration = Calibration(floor=0.12, low_similarity=0.10)

    def __init__(self, dimensions: int = 1536) -> None:
        self.dimensions = dimensions

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text):
                row[crc32(word.encode()) % self.dimensions] += 1
        return normalised(rows)

    def embed_passages(self, passages: Sequence[PassageText]) -> Matrix:
        return self.embed_documents([each.text for each in passages])

    def embed_query(self, text: str) -> Matrix:
        vector: Matrix = self.embed_documents([text])[0]
        return vector


EMBEDDER = HashedWords()
_numbers = count()


def indexed(
    hospital: Hospital, *texts: str, settled: bool = True, embedder: Any = EMBEDDER, **fields: Any
) -> list[Chunk]:
    """Return the chunks of one new page, one per text, as ingestion leaves them."""
    with serving(hospital):
        values = {"title": "", "status": Document.Status.READY} | fields
        page = Document.objects.create(hospital=hospital, path=f"p{next(_numbers)}", **values)
        chunks = Chunk.objects.bulk_create(
            Chunk(hospital=hospital, document=page, ordinal=place, content=text)
            for place, text in enumerate(texts)
        )
        prepare(embedder)
        rows = [IndexedChunk(chunk.pk, page.title, chunk.content) for chunk in chunks]
        index_chunks(rows, embed_chunks(rows, embedder))
    if settled:
        refresh_statistics(hospital, drift=0.0)
    return chunks


def keyword_search(
    terms: Sequence[str],
    *,
    limit: int = 28,
    categories: Iterable[str] = (),
    k1: float = 1.2,
    b: float = 0.75,
) -> tuple[tuple[int, float], ...]:
    """Return the chunks that contain some of these words, with their BM25 scores, best first."""
    values = [LANE, stems(terms, "nl"), k1, b, limit, sorted(categories) or None, MOST_SCORED]
    with as_search_failed(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT * FROM zol_keyword(%s::smallint, %s::text[], %s, %s, %s::int, %s::text[], %s::int)",
            values,
        )
        ids, scores, _ = cursor.fetchone()
    return tuple(zip(ids, scores, strict=True))
