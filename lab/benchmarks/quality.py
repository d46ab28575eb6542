"""How well the product's own index finds what a test collection in BEIR's format says it should."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from django.db import transaction
from lingua import IsoCode639_1, LanguageDetectorBuilder

from evaluation import figures
from evaluation.scores import gain
from retrieval.analysis import IndexedChunk, count_tokens
from retrieval.embedding import Embedder
from retrieval.index.writing import embed_chunks, index_chunks, prepare, refresh_statistics
from retrieval.ingestion.split import split
from retrieval.models import Chunk, Document
from retrieval.query import Query
from retrieval.reading.blocks import Block, Sort
from retrieval.search import hybrid_search
from retrieval.tuning import RetrievalTuning
from taxonomy.models import LexiconConcept
from zol.errors import BadInput
from zol.languages import LANGUAGES
from zol.records.versioned import default_rows
from zol.tenancy import required_hospital_id
from zol.text import words

#: Texts that are read to learn a collection's language.
SAMPLE = 200


@dataclass(frozen=True, slots=True)
class CollectionItem:
    """A document or a question."""

    key: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents, the questions that have judgements, and the judgements."""

    name: str
    documents: tuple[CollectionItem, ...]
    questions: tuple[CollectionItem, ...]
    #: By question, then by document: how relevant, 0 and up.
    judgements: Mapping[str, Mapping[str, int]]


def read(folder: Path) -> Collection:
    """Return the collection of a folder; say in a sentence what it lacks."""
    judgements = _judgements(folder / "qrels" / "test.tsv")
    return Collection(
        name=folder.resolve().name,
        documents=tuple(_items(folder / "corpus.jsonl")),
        questions=tuple(q for q in _items(folder / "queries.jsonl") if q.key in judgements),
        judgements=judgements,
    )


def language_of(items: tuple[CollectionItem, ...]) -> str:
    """Return the language that most of the items are written in."""
    known = [getattr(IsoCode639_1, code.upper()) for code in LANGUAGES]
    detector = LanguageDetectorBuilder.from_iso_codes_639_1(*known).build()
    texts = [item.text[:400] for item in items[:: max(1, len(items) // SAMPLE)]]
    heard = filter(None, detector.detect_languages_in_parallel_of(texts))
    votes = Counter(found.iso_code_639_1.name.lower() for found in heard)
    if not votes:
        raise BadInput("The language of these texts cannot be told; say it with --language")
    return max(sorted(votes), key=lambda code: votes[code])


def _items(path: Path) -> Iterator[CollectionItem]:
    for number, line in enumerate(_lines(path), start=1):
        try:
            row = json.loads(line)
            yield CollectionItem(str(row["_id"]), row["text"], row.get("title") or "")
        except (ValueError, KeyError, TypeError) as error:
            raise BadInput(f"{path}:{number}: not a row with _id and text ({error!r})") from error


def _judgements(path: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    rows = csv.reader(_lines(path), delimiter="\t", quoting=csv.QUOTE_NONE)
    for number, row in enumerate(rows, start=1):
        if number == 1 and row and not row[-1].strip().lstrip("-").isdigit():
            continue
        try:
            question, document, relevance = row
            found.setdefault(question, {})[document] = int(relevance)
        except ValueError as error:
            raise BadInput(f"{path}:{number}: not question, document, relevance") from error
    return found


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise BadInput(f"{path} is missing") from error
    return [line for line in text.split("\n") if line.strip()]


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
    documents: Sequence[CollectionItem], embedder: Embedder, *, chunked: bool, language: str
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
            index_chunks(indexed, embed_chunks(indexed, embedder))
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
        gains.append(ndcg(ranking, relevance))
        recalls.append(recall(ranking, relevance, depth=DEPTH))
        yield None
    yield LaneReport(
        figures.mean(gains),
        figures.mean(recalls),
        figures.percentile(times, 0.50),
        figures.percentile(times, 0.95),
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


def _pieces(item: CollectionItem, *, chunked: bool) -> Iterator[tuple[str, str]]:
    """Return the chunks of a document, each with its section."""
    if not chunked:
        yield "", item.text
        return
    paragraphs = (line for line in item.text.split("\n") if line.strip())
    for piece in split((Block(Sort.TEXT, paragraph) for paragraph in paragraphs), title=item.title):
        yield piece.section, piece.content


def _batches(items: Sequence[CollectionItem], size: int) -> Iterator[Sequence[CollectionItem]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def ndcg(ranking: Sequence[str], relevance: Mapping[str, int], *, depth: int = 10) -> float:
    """Return the normalised discounted cumulative gain of the first documents of a ranking."""
    ideal = gain(sorted((r for r in relevance.values() if r > 0), reverse=True)[:depth])
    if ideal == 0:
        return 0.0
    return gain([max(0, relevance.get(key, 0)) for key in ranking[:depth]]) / ideal


def recall(ranking: Sequence[str], relevance: Mapping[str, int], *, depth: int = 100) -> float:
    """Return which share of the relevant documents stands among the first of a ranking."""
    wanted = {key for key, grade in relevance.items() if grade > 0}
    return len(wanted.intersection(ranking[:depth])) / len(wanted) if wanted else 0.0
