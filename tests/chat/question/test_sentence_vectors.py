"""The vectors of the default examples are kept beside them; new ones are read when needed."""

from __future__ import annotations

import numpy as np
import pytest

from chat.question.learned import sentence_vectors as meaning
from chat.question.learned.examples import Example, examples_of
from retrieval.embedding import MultilingualEmbedder
from retrieval.intents import Intent
from taxonomy.lexicon import Lexicon
from tests.chat.question.readers import ROWS, default_rows


@pytest.fixture(scope="module")
def meanings() -> meaning.Meanings:
    return meaning.Meanings(MultilingualEmbedder(), meaning.kept())


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon(default_rows(ROWS["taxonomy.lexiconconcept"]))


def example(text: str, language: str = "nl") -> Example:
    return Example(Intent.UNKNOWN, language, text)


def test_nearly_all_default_examples_are_kept(lexicon: Lexicon) -> None:
    """Run `manage.py read_examples` after editing them."""
    kept = meaning.kept().vectors or {}
    heard = [
        one
        for one in examples_of(default_rows(ROWS["chat.intentexample"]))
        if one.language in MultilingualEmbedder.languages
    ]
    missing = [e for e in heard if meaning.fingerprint(meaning.spoken(e, lexicon)) not in kept]

    assert len(missing) <= 0.02 * len(heard)


def test_a_kept_vector_is_what_would_be_read_now(
    meanings: meaning.Meanings, lexicon: Lexicon
) -> None:
    text = "waar kan ik parkeren"

    (kept,) = meanings.of_examples([example(text)], lexicon)

    assert np.allclose(kept, meanings.of_question(text, "nl"), atol=0.01)


def test_an_example_of_staff_is_read(meanings: meaning.Meanings, lexicon: Lexicon) -> None:
    text = "mag ik mijn trekharmonica meebrengen naar de kamer"

    (read,) = meanings.of_examples([example(text)], lexicon)

    assert np.allclose(read, meanings.of_question(text, "nl"), atol=1e-4)


def test_languages_that_the_encoder_cannot_read_point_nowhere(meanings: meaning.Meanings) -> None:
    assert not meanings.of_question("πού μπορώ να παρκάρω", "el").any()


def test_a_masked_name_is_spoken_as_a_usual_word(lexicon: Lexicon) -> None:
    assert meaning.spoken(example("info over {condition}"), lexicon) != "info over {condition}"
    assert "{" not in meaning.spoken(example("info over {condition}"), lexicon)
