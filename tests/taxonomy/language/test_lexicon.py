"""Look-up of concepts by word, and translation of words."""

import pytest

from taxonomy.language.lexicon import Lexicon
from tests.taxonomy.vocabularies import lexicon


@pytest.mark.parametrize(
    ("words", "language"),
    [
        pytest.param(["rugpijn"], "nl", id="Dutch"),
        pytest.param(["pijn", "in", "de", "rug"], "nl", id="another way to say it"),
        pytest.param(["back", "pain"], "en", id="English"),
        pytest.param(["mal", "de", "dos"], "fr", id="French"),
        pytest.param(["sirt", "agrisi"], "tr", id="Turkish, folded"),
        pytest.param(["ruckenschmerzen"], "de", id="German, folded"),
    ],
)
def test_synonyms_are_translated_to_one_word(words: list[str], language: str) -> None:
    assert lexicon().translate(words, language, "nl") == ("rugpijn",)


def test_translation_omits_stop_words_and_keeps_unknown_words() -> None:
    words = ["where", "have", "i", "parking", "at", "zol"]

    assert lexicon().translate(words, "en", "nl") == ("parkeren", "at", "zol")


def test_an_inflection_is_found_by_its_stem_in_its_own_language_alone() -> None:
    assert [concept.name for concept in lexicon().find("rugpijnen", "nl")] == ["back_pain"]
    assert lexicon().find("rugpijn", "en") == ()
    assert lexicon().knows("rugpijn")
    assert not lexicon().knows("rugpijn", "en")


def test_stop_words_belong_to_a_language() -> None:
    assert "waar" not in lexicon().stop_words("fr")
    assert lexicon().content_words(("waar", "parkeren"), "nl") == ("parkeren",)


def test_function_words_keep_their_meaning_in_an_inflected_expression() -> None:
    """To eat nothing is to fast; not to eat something is not."""
    known = Lexicon(
        [
            {"concept": "not", "kind": "function", "nl": "niet"},
            {"concept": "nothing", "kind": "function", "nl": "niets"},
            {"concept": "give", "kind": "function", "nl": "geef|geven"},
            {"concept": "eat", "kind": "practical", "nl": "eten|eet"},
            {"concept": "fasting", "kind": "practical", "nl": "niets eten"},
            {"concept": "breastfeeding", "kind": "practical", "nl": "borstvoeding geven"},
        ]
    )

    def read(*said: str) -> list[str]:
        return [use.concepts[0].name for use in known.read(said, "nl")]

    assert read("niet", "eet") == ["not", "eat"]
    assert read("niets", "eet") == ["fasting"]
    assert read("borstvoeding", "geef") == ["breastfeeding"]


@pytest.mark.parametrize(
    ("words", "language", "names"),
    [
        pytest.param(["rug", "pijn"], "nl", ["back_pain"], id="one word, written as two"),
        pytest.param(["back", "pack"], "en", [], id="two words that are none together"),
    ],
)
def test_a_compound_is_found_when_written_apart(
    words: list[str], language: str, names: list[str]
) -> None:
    uses = lexicon().read(words, language)

    assert [concept.name for use in uses if use.end == 2 for concept in use.concepts] == names
