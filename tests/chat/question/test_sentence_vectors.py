"""The vectors of the default examples are kept beside them; new ones are read when needed."""

from __future__ import annotations

import numpy as np
import pytest

from chat.question.learned import sentence_vectors as meaning
from chat.question.learned.examples import Example, examples_of
from retrieval.embedding import get_hearer
from retrieval.intents import Intent
from taxonomy.lexicon import Lexicon
from tests.chat.question.readers import ROWS, default_rows


@pytest.fixture(scope="module")
def meanings() -> meaning.Meanings:
    return meaning.meanings()


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon(default_rows(ROWS["taxonomy.lexiconconcept"]))


def example(text: str, language: str = "nl") -> Example:
    return Example(Intent.UNKNOWN, language, text)


def test_nearly_all_default_examples_are_kept(lexicon: Lexicon) -> None:
    """Run `python -m lab example_vectors` after editing them."""
    kept = meaning.kept().vectors or {}
    heard = examples_of(default_rows(ROWS["chat.intentexample"]))
    missing = [e for e in heard if meaning.fingerprint(meaning.spoken(e, lexicon)) not in kept]

    assert len(missing) <= 0.02 * len(heard)
    assert meaning.kept().model == get_hearer().model


def test_a_kept_vector_is_what_would_be_read_now(
    meanings: meaning.Meanings, lexicon: Lexicon
) -> None:
    text = "waar kan ik parkeren"

    (kept,) = meanings.of_examples([example(text)], lexicon)

    assert np.allclose(kept, meanings.of_text(text), atol=0.01)


def test_an_example_of_staff_is_read(meanings: meaning.Meanings, lexicon: Lexicon) -> None:
    text = "mag ik mijn trekharmonica meebrengen naar de kamer"

    (read,) = meanings.of_examples([example(text)], lexicon)

    assert np.allclose(read, meanings.of_text(text), atol=1e-4)


def test_a_masked_name_is_spoken_as_a_usual_word(lexicon: Lexicon) -> None:
    assert meaning.spoken(example("info over {condition}"), lexicon) != "info over {condition}"
    assert "{" not in meaning.spoken(example("info over {condition}"), lexicon)
