"""Packed postings say what the rows say: whatever has changed since the packing, and at once."""

import random
from itertools import count

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.index.writing import LANE, call, rebuild, refresh_statistics
from retrieval.models import Chunk, Document, DocumentCategory
from tests import factories
from tests.retrieval.index_builders import EMBEDDER, indexed, keyword_search
from tests.retrieval.test_bm25 import WORDS, assert_agrees, reference, zipf_texts
from zol.tenancy import serving

pytestmark = pytest.mark.django_db

_numbers = count()
PARKING = "parking voor bezoekers"


def packed_again(*, spared=0):
    """Pack the lane; return whether it was not packed, with at most `spared` changes since."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT zol_pack(%s::smallint, %s)", [LANE, spared])
        return cursor.fetchone()[0]


def found(*terms, **options):
    return [chunk for chunk, _ in keyword_search(terms, **options)]


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    corpus=st.lists(
        st.lists(st.sampled_from(WORDS[:10]), min_size=1, max_size=20), min_size=4, max_size=20
    ),
    terms=st.lists(st.sampled_from(WORDS[:12]), min_size=1, max_size=6),
    gone=st.sets(st.integers(0, 3)),
    off=st.sets(st.integers(0, 3)),
    packed=st.booleans(),
)
def test_agrees_with_the_formula_whatever_has_changed_since(db, corpus, terms, gone, off, packed):
    texts = [" ".join(words) for words in corpus]
    early = len(texts) // 2
    row = factories.hospital(slug=f"p{next(_numbers)}")
    with serving(row):
        chunks = indexed(row, *texts[:early]) + indexed(row, *texts[early:], settled=False)
        Chunk.objects.filter(pk__in=[chunks[place].pk for place in gone]).delete()
        Chunk.objects.filter(pk__in=[chunks[place].pk for place in off]).update(is_enabled=False)
        if packed:
            refresh_statistics(row, spared=0)

        hits = keyword_search(terms, limit=5)

        kept = [place for place in range(len(texts)) if place not in gone]
        scores = reference([texts[place] for place in kept], terms)
        # What is switched off still counts in the statistics; it is not found.
        expected = sorted(
            (-score, chunks[place].pk)
            for place, score in zip(kept, scores, strict=True)
            if score > 0 and place not in off
        )
        assert [score for _, score in hits] == pytest.approx(
            [-score for score, _ in expected[:5]], rel=1e-9
        )
        assert {chunk for chunk, _ in hits} <= {chunk for _, chunk in expected}


def test_questions_that_read_much_are_as_exact_as_others(hospital):
    texts = zipf_texts(1_500, seed=5)
    chunks = indexed(hospital, *texts)
    generator = random.Random(6)  # noqa: S311

    for _ in range(12):
        terms = [*WORDS[:4], *generator.sample(WORDS[30:], 3)]
        assert_agrees(chunks, texts, terms, limit=generator.choice([5, 28]))


def test_the_filter_by_kind_finds_the_same(hospital):
    texts = zipf_texts(200, seed=7)
    indexed(hospital, *texts, category=DocumentCategory.PRACTICAL)

    for terms in (WORDS[:3], WORDS[10:15], [WORDS[0], WORDS[50]]):
        filtered = keyword_search(terms, categories={DocumentCategory.PRACTICAL})
        assert filtered == keyword_search(terms)


def test_equal_chunks_stand_in_the_same_order_packed_or_not(hospital):
    chunks = indexed(hospital, *[f"{PARKING} gelijk"] * 3, "iets anders", f"{PARKING} gelijk")
    Chunk.objects.filter(pk=chunks[1].pk).update(is_enabled=False)
    Chunk.objects.filter(pk=chunks[1].pk).update(is_enabled=True)

    hits = keyword_search(["parking", "gelijk"])

    equal = [chunks[place].pk for place in (0, 1, 2, 4)]
    assert [chunk for chunk, _ in hits] == equal
    assert len({score for _, score in hits}) == 1


def test_a_page_is_found_in_the_transaction_that_brings_it(hospital):
    indexed(hospital, PARKING)

    with transaction.atomic():
        (new,) = indexed(hospital, "parking voor fietsen", settled=False)
        assert new.pk in found("fietsen")
        transaction.set_rollback(True)

    assert found("fietsen") == []
    assert len(found("parking")) == 1


def test_so_many_changes_that_the_rows_serve_alone(hospital):
    texts = zipf_texts(450, seed=8)
    chunks = indexed(hospital, *texts)
    assert not packed_again()  # It has settled.

    Document.objects.filter(pk=chunks[0].document_id).update(category=DocumentCategory.NEWS)

    assert_agrees(chunks, texts, WORDS[3:8])
    # However many changes are spared: there is nothing packed that they could be compared with.
    assert packed_again(spared=1_000_000)
    assert_agrees(chunks, texts, WORDS[3:8])


def test_packing_again_forgets_what_is_gone_and_takes_what_came(hospital):
    old, kept = indexed(hospital, "parking fietsen", "parking bussen")
    old.delete()
    (new,) = indexed(hospital, "parking taxi", settled=False)

    refresh_statistics(hospital, spared=0)

    assert found("fietsen") == []
    assert found("taxi") == [new.pk]
    assert set(found("parking")) == {kept.pk, new.pk}


def test_an_index_made_anew_or_dropped_keeps_nothing_packed(hospital):
    indexed(hospital, PARKING)
    list(rebuild(EMBEDDER))
    assert len(found("parking")) == 1

    call("SELECT zol_drop_index()", [])
    (new,) = indexed(hospital, "parking opnieuw")

    assert found("parking") == [new.pk]
    assert found("bezoekers") == []
