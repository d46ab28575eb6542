"""How well the product's own index finds what a test collection says it should."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from django.db import transaction

from evaluation import measures
from evaluation.lab.benchmarks.collections import Collection, Item, language_of
from retrieval.analysis import count_tokens
from retrieval.embedding import Embedder
from retrieval.index.text import IndexedChunk
from retrieval.index.writing import embedded, index_chunks, prepare, refresh_statistics
from retrieval.ingestion.read.blocks import Block, Sort
from retrieval.ingestion.split import split
from retrieval.models import Chunk, Document
from retrieval.query import Query
from retrieval.search import hybrid_search
from retrieval.tuning import RetrievalTuning
from taxonomy.models import LexiconConcept
from zol.tenancy import required_hospital_id
from zol.text import words
from zol.versioned import default_rows

#: What each lane's name says about the weights of a query; None is the product's own.
LANES: Mapping[str, tuple[float | None, float | None]] = {
    "keyword": (0.0, None),
    "dense": (None, 0.0),
    "hybrid": (None, None),
}
#: Documents that a ranking is judged to.
DEPTH = 100
#: Documents of one transaction.
BATCH = 200


@dataclass(frozen=True, slots=True)
class Manner:
    """How the questions of a collection are asked."""

    language: str
    stop_words: frozenset[str]
    tuning: RetrievalTuning
    is_chunked: bool = False


@dataclass(frozen=True, slots=True)
class LaneReport:
    ndcg: float
    recall: float
    p50_ms: float
    p95_ms: float

    def as_json(self) -> dict[str, float]:
        return {
            "ndcg@10": round(self.ndcg, 4),
            "recall@100": round(self.recall, 4),
            "p50_ms": round(self.p50_ms, 2),
            "p95_ms": round(self.p95_ms, 2),
        }


def load(
    documents: Sequence[Item], embedder: Embedder, *, chunked: bool, language: str
) -> Iterator[int]:
    """Index documents for the served hospital; yield how many more are in."""
    prepare(embedder)
    hospital_id = required_hospital_id()
    for batch in _batches(documents, BATCH):
        pieces = [list(_pieces(item, chunked=chunked)) for item in batch]
        with transaction.atomic():
            rows = Document.objects.bulk_create(
                Document(
                    hospital_id=hospital_id,
                    path=item.key,
                    title=item.title[:300],
                    language=language,
                    status=Document.Status.READY,
                )
                for item in batch
            )
            chunks = Chunk.objects.bulk_create(
                Chunk(
                    hospital_id=hospital_id,
                    document=row,
                    ordinal=ordinal,
                    content=text,
                    section=section[:300],
                    tokens=count_tokens(text),
                )
                for row, parts in zip(rows, pieces, strict=True)
                for ordinal, (section, text) in enumerate(parts)
            )
            titles = (item.title for item, parts in zip(batch, pieces, strict=True) for _ in parts)
            indexed = [
                IndexedChunk(chunk.pk, title, chunk.content, section=chunk.section)
                for chunk, title in zip(chunks, titles, strict=True)
            ]
            index_chunks(None, embedded(indexed, embedder))
        yield len(batch)
    refresh_statistics(hospital_id)


def measure(
    collection: Collection, lane: str, embedder: Embedder, manner: Manner
) -> Iterator[LaneReport | None]:
    """Ask every question in one lane; yield None after each, and the report at the end."""
    dense_weight, keyword_weight = LANES[lane]
    gains, recalls, times = [], [], []
    for question in collection.questions:
        query = Query(
            question.text,
            language=manner.language,
            stop_words=manner.stop_words,
            tuning=manner.tuning,
            dense_weight=dense_weight,
            keyword_weight=keyword_weight,
            # The floor is about answering; a ranking is judged to its end.
            floor=-1.0,
            limit=DEPTH * (4 if manner.is_chunked else 1) // manner.tuning.over_fetch,
        )
        started = perf_counter()
        found = hybrid_search(query, embedder=embedder)
        times.append((perf_counter() - started) * 1000)
        ranking = list(dict.fromkeys(passage.source.path for passage in found.passages))
        relevance = collection.judgements[question.key]
        gains.append(measures.ndcg(ranking, relevance))
        recalls.append(measures.recall(ranking, relevance, depth=DEPTH))
        yield None
    yield LaneReport(
        measures.mean(gains),
        measures.mean(recalls),
        measures.percentile(times, 0.50),
        measures.percentile(times, 0.95),
    )


def function_words(collection: Collection, language: str) -> frozenset[str]:
    """Return the words of the default lexicon that say nothing in the questions' language.

    Questions in another language than the documents keep all their words: the list is not theirs,
    and the few words that both languages share are all that they have in common.
    """
    if language_of(collection.questions) != language:
        return frozenset()
    rows: Iterable[Any] = default_rows(LexiconConcept, required_hospital_id())
    said = (
        word
        for row in rows
        if row.kind == LexiconConcept.Kind.FUNCTION
        for word in getattr(row, language, "").split("|")
    )
    folded = (words(word) for word in said)
    return frozenset(each[0] for each in folded if len(each) == 1)


def _pieces(item: Item, *, chunked: bool) -> Iterator[tuple[str, str]]:
    """Return the chunks of a document, each with its section."""
    if not chunked:
        yield "", item.text
        return
    paragraphs = (line for line in item.text.split("\n") if line.strip())
    for piece in split((Block(Sort.TEXT, paragraph) for paragraph in paragraphs), title=item.title):
        yield piece.section, piece.text


def _batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
