"""Texts and questions become the same terms, and a length in tokens is the same everywhere."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.analysis import Analyzer, content_words, count_tokens
from taxonomy.language.tokens import STEMMERS
from zol.languages import LANGUAGES


def stemmed(language, text):
    analyzer = Analyzer(language)
    return analyzer.stem(analyzer.exact(text))


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


def test_the_exact_lane_keeps_endings_and_drops_accents():
    assert Analyzer("nl").exact("Reümatologische, behandelingen!") == [
        "reumatologische",
        "behandelingen",
    ]


def test_a_language_without_a_stemmer_keeps_its_words():
    assert stemmed("pl", "lekarze") == ["lekarze"]


def test_words_that_say_nothing_are_left_out():
    assert content_words(["waar", "is", "parking"], frozenset({"waar", "is"})) == ["parking"]


def test_a_question_of_nothing_else_keeps_them():
    assert content_words(["waar", "is"], frozenset({"waar", "is"})) == ["waar", "is"]


def test_threads_stem_alike():
    words = [f"behandelingen{n % 7} patienten afspraken" for n in range(400)]
    stem = partial(stemmed, "nl")

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(stem, words))

    assert found == [stem(text) for text in words]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("ziekenhuis", 3), ("de", 1), ("089 80 80 80", 4), ("Ja, hoor.", 4), ("καρδιά", 3)],
)
def test_tokens_are_counted_by_rule(text, tokens):
    assert count_tokens(text) == tokens


@given(st.text(), st.text())
def test_two_texts_cost_no_less_than_one(one, other):
    assert count_tokens(f"{one} {other}") >= count_tokens(one)
