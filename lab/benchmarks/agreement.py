"""Is the keyword lane's BM25 the one of the textbook? Computed here again, from the texts alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import isclose, log
from typing import Any

from django.db import connection

from evaluation.figures import mean
from lab.benchmarks.corpus import Generator
from retrieval.analysis import IndexedChunk, keyword_text, stems
from retrieval.index import as_search_failed
from retrieval.index.writing import LANE
from retrieval.models import Chunk
from retrieval.search import MOST_SCORED
from retrieval.tuning import RetrievalTuning
from zol.text import words as words_of

#: Best chunks of a question that are compared, and by how much a score may differ.
BEST, ROUNDING = 28, 1e-6


KEYWORD_STATEMENT = """SELECT * FROM zol_keyword(
    %s::smallint, %s::text[], %s::float8, %s::float8, %s::int, %s::text[], %s::int)"""


def stemmed(text: str) -> list[str]:
    """Return the stems of a text, as the keyword lane indexes them."""
    return stems(words_of(text), "nl")


def keyword_agreement(generator: Generator, *, asked: int = 100) -> float:
    """Return the share of the best chunks whose score is the one computed independently."""
    questions = [stemmed(each.text) for each in generator.questions(asked)]
    corpus = Corpus(frozenset(word for words in questions for word in words))
    shares = []
    for words in questions:
        expected = corpus.scores(words)[:BEST]
        found = _scored(words)
        same = sum(
            isclose(one, other, rel_tol=ROUNDING)
            for one, other in zip(found, expected, strict=False)
        )
        shares.append(same / max(len(found), len(expected), 1))
    return mean(shares)


def _scored(words: list[str]) -> list[float]:
    values: list[Any] = [LANE, words, 1.2, 0.75, BEST, None, MOST_SCORED]
    with as_search_failed(), connection.cursor() as cursor:
        cursor.execute(
            "SELECT scores FROM zol_keyword(%s::smallint, %s, %s, %s, %s, %s, %s)", values
        )
        return list(cursor.fetchone()[0])


class Corpus:
    """How often each word that is asked for stands in each chunk of the served hospital."""

    def __init__(self, wanted: frozenset[str]) -> None:
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        rows = Chunk.objects.order_by("pk").values_list("pk", "document__title", "content")
        for place, (pk, title, content) in enumerate(rows.iterator(chunk_size=2_000)):
            words = stemmed(keyword_text(IndexedChunk(pk, title, content)))
            self._lengths.append(len(words))
            for word, times in Counter(words).items():
                if word in wanted:
                    self._postings[word].append((place, times))

    def scores(self, words: list[str]) -> list[float]:
        """Return the BM25 of every chunk that holds a word of a question, best first."""
        k1, b = RetrievalTuning().bm25_k1, RetrievalTuning().bm25_b
        count = len(self._lengths)
        average = sum(self._lengths) / count
        found: dict[int, float] = defaultdict(float)
        for word in words:
            holds = self._postings.get(word, [])
            rarity = log(1 + (count - len(holds) + 0.5) / (len(holds) + 0.5))
            for place, times in holds:
                norm = k1 * (1 - b + b * self._lengths[place] / average)
                found[place] += rarity * times * (k1 + 1) / (times + norm)
        return sorted(found.values(), reverse=True)
