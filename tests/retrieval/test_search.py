"""One statement finds what both lanes find, for the served hospital and nobody else's."""

import numpy as np
import pytest
from django.db import DatabaseError, connection, transaction

from retrieval.models import Chunk, Document
from retrieval.query import Query
from retrieval.search import hybrid_search
from tests.retrieval.index_builders import EMBEDDER, indexed
from zol.errors import SearchFailed
from zol.tenancy import NOBODY, serving

pytestmark = pytest.mark.django_db

PARKING = "U parkeert uw auto op parking 1 van de campus"
SKIN = "De huidarts ontvangt u op afspraak"
BILL = "Uw factuur betaalt u binnen dertig dagen"


def ask(text, **fields):
    return hybrid_search(Query(text, **fields), embedder=EMBEDDER)


def texts(found):
    return [passage.text for passage in found.passages]


def true_cosine(question, text):
    one = EMBEDDER.embed_query(question).astype(np.float16).astype(np.float64)
    other = EMBEDDER.embed_documents([text])[0].astype(np.float16).astype(np.float64)
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_finds_what_is_asked_for_first(hospital):
    indexed(hospital, PARKING, SKIN, BILL)

    assert texts(ask("waar parkeer ik mijn auto"))[0] == PARKING
    assert texts(ask("afspraken bij de huidarts"))[0] == SKIN


def test_words_that_are_given_are_looked_up_and_count_as_much_as_they_are_said_to(hospital):
    indexed(hospital, PARKING, SKIN)

    def found(auto, **more):
        return texts(ask("waar staat mijn wagen", words={"auto": auto} | more, dense_weight=0.0))

    assert found(1.0) == [PARKING]
    assert found(0.25, huidarts=1.0)[0] == SKIN
    assert found(1.0, huidarts=0.25)[0] == PARKING


def test_a_passage_brings_all_that_is_known_of_it_and_its_page(hospital):
    page = {
        "title": "Parkeren", "url": "https://zt.example/parkeren", "category": "Practical",
        "authority": 0.5, "url_tier": 2, "campuses": ["Noord"], "summary": "Kort.",
    }  # fmt: skip
    known = {
        "section": "Tarieven", "page": 3, "category": "practical", "entity_kinds": ["campus"],
        "questions": ["Waar parkeer ik?"],
    }  # fmt: skip
    (chunk,) = indexed(hospital, PARKING, **page)
    Chunk.objects.filter(pk=chunk.pk).update(**known)

    (passage,) = ask("parking").passages

    def has(found, wanted):
        told = {name: getattr(found, name) for name in wanted}
        return {name: list(v) if isinstance(v, tuple) else v for name, v in told.items()}

    assert has(passage, known) == known
    assert (passage.chunk_id, passage.ordinal) == (chunk.pk, 0)
    assert has(passage.source, page) == page
    assert passage.source.language == "nl"


def test_every_passage_has_its_true_cosine_whichever_lane_found_it(hospital):
    indexed(hospital, PARKING, SKIN, BILL)
    question = "parking campus"

    found = ask(question, floor=0.99)

    assert found.passages
    assert found.dense_hits == 0
    for passage in found.passages:
        assert passage.dense_rank == 0
        assert passage.similarity == pytest.approx(true_cosine(question, passage.text), abs=2e-3)


def test_the_best_similarity_is_measured_before_the_floor(hospital):
    indexed(hospital, PARKING, SKIN)

    found = ask("iets over de campus", floor=0.99)

    assert found.dense_hits == 0
    assert found.best_similarity != 0.0
    assert found.best_similarity == pytest.approx(
        max(true_cosine("iets over de campus", text) for text in (PARKING, SKIN)), abs=2e-3
    )


def test_a_lane_that_is_off_contributes_nothing(hospital):
    indexed(hospital, PARKING, SKIN, BILL)

    by_words = ask("parking", dense_weight=0.0)
    by_meaning = ask("parking", keyword_weight=0.0, floor=-1.0)

    assert texts(by_words) == [PARKING]
    assert [p.dense_rank for p in by_words.passages] == [0]
    assert len(by_meaning.passages) == 3
    assert [p.keyword_rank for p in by_meaning.passages] == [0, 0, 0]


def test_only_the_categories_asked_for_are_searched(hospital):
    indexed(hospital, PARKING, category="Practical")
    indexed(hospital, "Wat parkeren kost staat op uw factuur", category="Billing")

    found = ask("parkeren", categories=frozenset({"Billing"}), floor=-1.0)

    assert [p.source.category for p in found.passages] == ["Billing"]


@pytest.mark.parametrize(
    "switch_off",
    [
        lambda chunk: Chunk.objects.filter(pk=chunk.pk).update(is_enabled=False),
        lambda chunk: Document.objects.filter(pk=chunk.document_id).update(status="withdrawn"),
        lambda chunk: chunk.delete(),
        lambda chunk: Document.objects.get(pk=chunk.document_id).delete(),
    ],
    ids=["a chunk switched off", "a page withdrawn", "a chunk deleted", "a page deleted"],
)
def test_what_is_switched_off_is_found_no_more_by_either_lane(hospital, switch_off):
    (chunk,) = indexed(hospital, PARKING)
    indexed(hospital, SKIN)

    switch_off(chunk)

    assert PARKING not in texts(ask("parking campus", floor=-1.0))


def test_two_hospitals_never_see_each_others_pages(hospital, other_hospital):
    indexed(hospital, PARKING)
    indexed(other_hospital, f"{PARKING} van Elders")

    assert texts(ask("parking campus", floor=-1.0)) == [PARKING]
    with serving(other_hospital):
        assert texts(ask("parking campus", floor=-1.0)) == [f"{PARKING} van Elders"]


def test_another_hospitals_words_do_not_move_the_scores(hospital, other_hospital):
    indexed(hospital, PARKING, SKIN)
    before = [(p.chunk_id, p.fused) for p in ask("parking afspraak").passages]

    indexed(other_hospital, *["parking parking parking"] * 20)

    assert [(p.chunk_id, p.fused) for p in ask("parking afspraak").passages] == before


def test_nobody_served_finds_nothing(hospital):
    indexed(hospital, PARKING)

    with serving(NOBODY), pytest.raises(SearchFailed), transaction.atomic():
        ask("parking")


BM25 = "zol_bm25({0}, 1::smallint, '{{parking}}'::text[], 1.2, 0.75, 5, NULL, 100)"


@pytest.mark.parametrize(
    "rows",
    ["retrieval_vector", "retrieval_posting", "retrieval_packed", "retrieval_term", "retrieval_lane",
     "retrieval_vector_{0}", "retrieval_posting_{0}_1", BM25],
)  # fmt: skip
def test_the_application_may_not_read_any_index_but_by_searching(hospital, rows):
    indexed(hospital, PARKING)

    with (
        pytest.raises(DatabaseError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"SELECT count(*) FROM {rows.format(hospital.pk)}")


def test_a_search_is_one_statement(hospital, django_assert_num_queries):
    indexed(hospital, PARKING)

    with django_assert_num_queries(1):
        ask("parking")


def test_an_index_that_was_never_made_finds_nothing(hospital):
    found = ask("parking")

    assert (found.passages, found.best_similarity, found.dense_hits) == ((), 0.0, 0)


def test_hostile_words_are_words(hospital):
    indexed(hospital, PARKING)

    assert texts(ask("parking'; DROP TABLE retrieval_chunk; -- {1:2}/3 \\ %s"))[0] == PARKING
