"""Questions are embedded once, in the words that are heard, whoever asks."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from retrieval.embedding import E5Embedder, get_embedder, get_encoder
from retrieval.embedding.base import PassageText, remembered
from retrieval.query import Query
from retrieval.search import question_vector
from retrieval.vectors import normalised


@pytest.fixture(scope="module")
def embedder() -> E5Embedder:
    found = get_embedder()
    assert isinstance(found, E5Embedder)
    return found


def test_what_answers_is_found_by_other_layers_than_what_is_meant(embedder):
    text = "Tot hoe laat mag mijn bezoek blijven?"

    assert get_encoder() is embedder
    assert not np.allclose(embedder.embed_query(text), embedder.embed_message(text), atol=0.05)


def test_who_asks_for_a_vector_that_is_being_made_waits_for_it():
    made, begun, may_end = [], Event(), Event()

    def embed(text):
        made.append(text)
        begun.set()
        may_end.wait(30)
        return np.ones(2, dtype=np.float32)

    known = remembered(embed)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(known, "Waar?")
        begun.wait(30)
        second = threads.submit(known, "Waar?")
        may_end.set()

    assert first.result() is second.result()
    assert made == ["Waar?"]


def test_a_passage_longer_than_a_window_is_read_to_its_end(embedder):
    filler = ("Er is een cafetaria.",) * 150
    told = [
        PassageText("Bezoek", (*filler, *more), "") for more in ((), ("Parkeren kost geld.",) * 9)
    ]

    short, long = embedder.embed_passages([PassageText("Bezoek", (), ""), *told])[1:]

    assert 0.5 < short @ long < 0.999


def test_a_question_is_heard_as_it_was_asked_and_beside_its_words_in_the_pages_language(embedder):
    asked, translated = "Πού μπορώ να παρκάρω;", "Waar kan ik parkeren?"
    greek = Query(text=translated, asked=asked, asked_in="el")
    unknown = Query(text=translated, asked="Hvar get ég lagt?", asked_in="is")

    halves = map(embedder.embed_query, (translated, asked))

    assert np.array_equal(question_vector(greek, embedder), normalised(sum(halves)))
    assert np.array_equal(question_vector(unknown, embedder), embedder.embed_query(translated))


def test_a_followup_points_where_the_question_before_it_did(embedder):
    asked, before = "En ’s avonds?", "Wat kost de parking aan de hoofdingang?"
    alone = Query(text="parkeren avond", asked=asked, asked_in="nl")
    earlier = embedder.embed_query(before)

    followed = replace(alone, before=before)

    assert (
        question_vector(followed, embedder) @ earlier > question_vector(alone, embedder) @ earlier
    )
