"""The keyword lane is BM25, exactly: the chunks and the scores of an independent implementation."""

import random
from collections import Counter
from math import log

import bm25s
import numpy as np
import pytest

from retrieval.index.writing import refresh_statistics
from tests.retrieval.index_builders import indexed, keyword_search

pytestmark = pytest.mark.django_db

WORDS = [f"woord{number}" for number in range(60)]


def reference(texts, terms, *, k1=1.2, b=0.75):
    """Return every chunk's score, from the formula and nothing else."""
    counted = [Counter(text.split()) for text in texts]
    average = sum(map(Counter.total, counted)) / len(counted)
    spread = {term: sum(term in words for words in counted) for term in terms}
    idf = {term: log(1 + (len(texts) - df + 0.5) / (df + 0.5)) for term, df in spread.items()}
    norms = [k1 * (1 - b + b * words.total() / average) for words in counted]
    return [
        sum(
            idf[term] * words[term] * (k1 + 1) / (words[term] + norm)
            for term in terms
            if words[term]
        )
        for words, norm in zip(counted, norms, strict=True)
    ]


def assert_agrees(chunks, texts, terms, *, limit=28, **numbers):
    expected = reference(texts, terms, **numbers)
    by_chunk = {chunk.pk: score for chunk, score in zip(chunks, expected, strict=True)}
    wanted = sorted((pair for pair in by_chunk.items() if pair[1] > 0), key=lambda p: (-p[1], p[0]))

    found = keyword_search(terms, limit=limit, **numbers)

    assert [score for _, score in found] == pytest.approx([s for _, s in wanted[:limit]], rel=1e-9)
    # Equal scores may stand in either order; every chunk has the score it should.
    assert all(by_chunk[chunk] == pytest.approx(score, rel=1e-9) for chunk, score in found)


def zipf_texts(size, *, seed=1):
    generator = random.Random(seed)  # noqa: S311
    weights = [1 / (place + 1) for place in range(len(WORDS))]
    return [
        " ".join(generator.choices(WORDS, weights, k=generator.randint(1, 60))) for _ in range(size)
    ]


def test_agrees_with_bm25s_on_100_questions(hospital):
    texts = zipf_texts(600)
    chunks = indexed(hospital, *texts)
    place_of = {chunk.pk: place for place, chunk in enumerate(chunks)}
    retriever = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
    retriever.index([text.split() for text in texts], show_progress=False)
    generator = random.Random(2)  # noqa: S311

    for _ in range(100):
        terms = generator.sample(WORDS, generator.randint(1, 6))
        # Lucene's form of the formula leaves out the constant (k1 + 1).
        theirs = retriever.get_scores(terms) * 2.2
        found = keyword_search(terms)

        best = np.sort(theirs[theirs > 0])[::-1][:28]
        assert [score for _, score in found] == pytest.approx(list(best), rel=1e-4)
        assert all(theirs[place_of[chunk]] == pytest.approx(s, rel=1e-4) for chunk, s in found)


def test_stays_exact_when_the_average_length_has_drifted(hospital):
    short = zipf_texts(120, seed=3)
    indexed_short = indexed(hospital, *short)
    long = [f"{text} {' '.join(WORDS[20:50])}" for text in zipf_texts(60, seed=4)]
    # The impacts still have the old average: nothing has settled the index.
    chunks = [*indexed_short, *indexed(hospital, *long, settled=False)]

    for terms in (WORDS[:2], WORDS[5:9], [WORDS[0], WORDS[40]], WORDS[30:33]):
        assert_agrees(chunks, [*short, *long], terms, limit=10)


@pytest.mark.parametrize(
    ("k1", "b"), [(0.9, 0.4), (2.0, 1.0), (1.2, 0.0), (0.01, 0.75)], ids=lambda n: f"{n}"
)
def test_other_numbers_are_exact_before_and_after_the_index_settles(hospital, k1, b):
    texts = zipf_texts(80)
    chunks = indexed(hospital, *texts)

    assert_agrees(chunks, texts, WORDS[3:7], limit=10, k1=k1, b=b)
    refresh_statistics(hospital, k1=k1, b=b)
    assert_agrees(chunks, texts, WORDS[3:7], limit=10, k1=k1, b=b)


def test_statistics_follow_chunks_that_go_and_change(hospital):
    texts = zipf_texts(50)
    chunks = indexed(hospital, *texts)

    chunks[7].document.chunks.filter(pk__in=[chunk.pk for chunk in chunks[:10]]).delete()
    kept, remaining = chunks[10:], texts[10:]

    assert_agrees(kept, remaining, WORDS[2:6])


@pytest.mark.parametrize("terms", [[], ["nergens"], [""]], ids=["none", "unknown", "empty"])
def test_questions_without_known_words_find_nothing_and_chunks_without_words_are_not_found(
    hospital, terms
):
    assert keyword_search(["parkeren"]) == ()  # The index was never made.
    _, parking = indexed(hospital, "…", "een pagina over parkeren")

    assert keyword_search(terms) == ()
    assert [chunk for chunk, _ in keyword_search(["parkeren"])] == [parking.pk]
