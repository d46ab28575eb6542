"""Pages in a real index, from texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from retrieval.analysis import IndexedChunk
from retrieval.embedding import LexicalEmbedder
from retrieval.index.writing import embedded, index_chunks, prepare, refresh_statistics
from retrieval.models import Chunk, Document
from zol.models import Hospital
from zol.tenancy import serving

EMBEDDER = LexicalEmbedder()
_numbers = count()


def indexed(hospital: Hospital, *texts: str, settled: bool = True, **fields: Any) -> list[Chunk]:
    """Return the chunks of one new page, one per text, as ingestion leaves them."""
    with serving(hospital):
        values = {"title": "", "status": Document.Status.READY} | fields
        page = Document.objects.create(hospital=hospital, path=f"p{next(_numbers)}", **values)
        chunks = Chunk.objects.bulk_create(
            Chunk(hospital=hospital, document=page, ordinal=place, content=text)
            for place, text in enumerate(texts)
        )
        prepare(EMBEDDER)
        rows = [IndexedChunk(chunk.pk, page.title, chunk.content) for chunk in chunks]
        index_chunks(page.pk, embedded(rows, EMBEDDER))
    if settled:
        refresh_statistics(hospital, drift=0.0)
    return chunks


def reciprocal_rank_fusion(
    rankings: Iterable[tuple[float, Sequence[int]]], *, k: float
) -> Mapping[int, float]:
    """Return the fused score of everything that some weighted ranking holds, best first."""
    fused: dict[int, float] = {}
    for weight, ranking in rankings:
        for rank, found in enumerate(ranking, start=1):
            fused[found] = fused.get(found, 0.0) + weight / (k + rank)
    return dict(sorted(fused.items(), key=lambda pair: (-pair[1], pair[0])))
