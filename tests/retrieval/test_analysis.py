"""Texts and questions become the same terms, and a length in tokens is the same everywhere."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.analysis import content_words, count_tokens, stems
from taxonomy.language.tokens import STEMMERS
from zol.languages import LANGUAGES
from zol.text import words


def stemmed(language, text):
    return stems(words(text), language)


def test_every_language_has_a_stemmer():
    assert set(LANGUAGES) <= set(STEMMERS)


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("nl", "behandelingen", "behandeling"),
        ("en", "treatments", "treatment"),
        ("fr", "consultations", "consultation"),
        ("de", "Untersuchungen", "Untersuchung"),
        ("tr", "doktorlar", "doktor"),
        ("it", "visite", "visita"),
        ("ro", "medicii", "medici"),
        ("el", "γιατροί", "γιατρός"),
    ],
)
def test_forms_of_a_word_share_a_stem(language, one, other):
    assert stemmed(language, one) == stemmed(language, other)


def test_a_language_without_a_stemmer_keeps_its_words():
    assert stemmed("pl", "lekarze") == ["lekarze"]


def test_words_that_say_nothing_are_left_out_of_all_but_a_question_of_nothing_else():
    idle = frozenset({"waar", "is"})

    assert content_words(["waar", "is", "parking"], idle) == ["parking"]
    assert content_words(["waar", "is"], idle) == ["waar", "is"]


def test_threads_stem_alike():
    texts = [f"behandelingen{n % 7} patienten afspraken" for n in range(400)]
    stem = partial(stemmed, "nl")

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(stem, texts))

    assert found == [stem(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("ziekenhuis", 3), ("de", 1), ("089 80 80 80", 4), ("Ja, hoor.", 4), ("καρδιά", 3)],
)
def test_tokens_are_counted_by_rule(text, tokens):
    assert count_tokens(text) == tokens


@given(st.text(), st.text())
def test_two_texts_cost_no_less_than_one(one, other):
    assert count_tokens(f"{one} {other}") >= count_tokens(one)
