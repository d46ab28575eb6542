"""Two encoders heard together: one vector of both, each for what it hears."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured

from retrieval.embedding import Together, get_embedder, get_listener
from retrieval.embedding.base import Calibration, EncoderPassage, QuestionVectors
from retrieval.embedding.lexical import LexicalEmbedder
from retrieval.query import Query, QueryText
from retrieval.search import question_vector, spoken_vector

HOURS = "Het bezoekuur is van 14 tot 20 uur."
TEXTS = [HOURS, "Een wagen parkeert u op parking 1.", "De cafetaria verkoopt broodjes."]
MEANT = Calibration(0.05, 0.1, 0.9, 0.2)


@pytest.fixture(scope="module")
def both() -> Together:
    embedder = get_embedder()
    assert isinstance(embedder, Together)
    return embedder


def test_a_cosine_is_the_mean_of_both_weighed_by_their_shares():
    parts = (LexicalEmbedder(128), LexicalEmbedder(256))
    together = Together(parts, (3.0, 1.0), MEANT)

    one, other = together.embed_documents(TEXTS[:2])

    cosines = [np.prod(part.embed_documents(TEXTS[:2]), axis=0).sum() for part in parts]
    assert one @ other == pytest.approx(0.75 * cosines[0] + 0.25 * cosines[1], abs=1e-6)
    assert np.linalg.norm(one) == pytest.approx(1.0, abs=1e-6)


def test_who_they_are_and_what_they_hear_is_told_of_both(both):
    assert both.model == "multilingual-e5-small+use-multilingual-3"
    assert both.dimensions == sum(part.dimensions for part in both.parts)
    assert both.languages >= {"nl", "en", "fr", "de", "tr", "it", "ro", "el"}


def test_a_passage_is_read_by_each_in_its_own_way(both):
    told = EncoderPassage("Bezoek", tuple(("Bezoek", text) for text in TEXTS), "\n".join(TEXTS))

    whole, (rows,) = both.embed_passages([told])

    first, (in_context,) = both.parts[0].embed_passages([told])
    second = both.parts[1].embed_documents([told.text])
    alone = both.parts[1].embed_documents([f"Bezoek: {text}" for text in TEXTS])
    assert np.allclose(whole, both.joined([first, second]), atol=1e-5)
    assert np.allclose(rows, both.joined([in_context, alone]), atol=1e-5)


def test_what_is_expected_is_what_is_asked_for(both):
    asked = "Tot hoe laat mag mijn bezoek blijven?"
    both.forget()
    alone = both.embed_query(asked)
    both.forget()

    both.expect(asked)

    assert np.array_equal(both.embed_query(asked), alone)


def test_who_asks_for_a_vector_that_is_being_made_waits_for_it():
    made, begun, may_end = [], Event(), Event()

    def embed(text):
        made.append(text)
        begun.set()
        may_end.wait(30)
        return np.ones(2, dtype=np.float32)

    known = QuestionVectors(embed)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(known, "Waar?")
        begun.wait(30)
        second = threads.submit(known, "Waar?")
        may_end.set()

    assert first.result() is second.result()
    assert made == ["Waar?"]


def test_what_could_not_be_embedded_is_tried_again():
    answers = iter([RuntimeError("geen geheugen"), np.ones(2, dtype=np.float32)])

    def embed(text):
        given = next(answers)
        if isinstance(given, Exception):
            raise given
        return given

    known = QuestionVectors(embed)
    with pytest.raises(RuntimeError, match="geen geheugen"):
        known("Waar?")

    assert known("Waar?").tolist() == [1.0, 1.0]


def test_a_passage_without_a_statement_has_none(both):
    whole, rows = both.embed_passages(
        [EncoderPassage("Bezoek", (), "Bezoek"), EncoderPassage("", (), "")]
    )

    assert whole.shape == (2, both.dimensions)
    assert [each.shape for each in rows] == [(0, both.dimensions)] * 2


def test_each_hears_the_question_in_the_languages_that_it_knows(both):
    passages, sentences = both.parts
    asked, translated = "Πού μπορώ να παρκάρω;", "Waar kan ik parkeren?"
    query = Query(text=translated, asked=asked, asked_in="el")

    vector = question_vector(query, both)

    expected = both.joined([passages.embed_query(asked), sentences.embed_query(translated)])
    assert np.allclose(vector, expected, atol=1e-5)


def test_each_compares_in_the_words_that_it_hears(both):
    passages, sentences = both.parts
    asked, said = "Πού μπορώ να παρκάρω;", "parkeren parking"

    greek = spoken_vector(QueryText(asked, "el", said), both)
    dutch = spoken_vector(QueryText("Waar parkeer ik?", "nl", said), both)

    expected = both.joined([passages.embed_query(asked), sentences.embed_query(said)])
    assert np.allclose(greek, expected, atol=1e-5)
    assert np.allclose(dutch, both.embed_query("Waar parkeer ik?"), atol=1e-5)


def test_a_followup_also_counts_as_it_was_completed(both):
    query = Query(text="parkeren avond", asked="En ’s avonds?", asked_in="nl", stands_alone=False)
    alone = Query(text="parkeren avond", asked="En ’s avonds?", asked_in="nl")
    completed = both.embed_query("parkeren avond")

    followed, asked = (question_vector(each, both) for each in (query, alone))

    assert followed @ completed > asked @ completed


def test_a_vector_that_is_remembered_cannot_be_changed(both):
    with pytest.raises(ValueError, match="read-only"):
        both.embed_query("waar is de kapel")[0] = 1.0


def test_a_larger_size_changes_no_cosine_and_a_smaller_one_is_refused(both, settings):
    settings.EMBEDDING = {**settings.EMBEDDING, "dimensions": 1536}
    large = get_embedder()

    one, other = both.embed_documents(TEXTS), large.embed_documents(TEXTS)

    assert other.shape == (3, 1536)
    assert np.allclose(one @ one.T, other @ other.T, atol=1e-5)
    settings.EMBEDDING = {**settings.EMBEDDING, "dimensions": 768}
    with pytest.raises(
        ImproperlyConfigured, match=r"is 768; this provider gives 896\. Leave it out"
    ):
        get_embedder()


def test_questions_are_compared_with_each_other_by_the_sentence_encoder(settings):
    assert (get_embedder().name, get_listener().name) == ("together", "multilingual")

    settings.EMBEDDING = {**settings.EMBEDDING, "provider": "lexical"}
    assert get_listener() is get_embedder()
