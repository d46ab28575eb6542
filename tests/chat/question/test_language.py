"""The language of a short question is looked up, that of a longer one is weighed."""

import pytest

from chat.question.language import detect
from tests.chat.question.readers import reader


def language(text: str, page: str = "nl") -> tuple[str, str]:
    found = detect(text, page, reader().messages.index)
    return found.language, found.written


@pytest.mark.parametrize(
    ("text", "page", "expected"),
    [
        pytest.param("syfilis", "nl", "nl", id="a short Dutch medical word is not Romanian"),
        pytest.param("cardiologie", "fr", "nl", id="the hospital's own name"),
        pytest.param("dermatologue", "nl", "fr", id="an alias takes its language"),
        pytest.param("xyzzy", "tr", "tr", id="an unknown word takes the page's language"),
        pytest.param("παρκινγκ", "nl", "el", id="Greek letters"),
        pytest.param("mi-e rău", "nl", "ro", id="an expression of three words"),
        pytest.param("123", "it", "it", id="no words at all"),
        pytest.param("", "en", "en", id="nothing"),
    ],
)
def test_short_questions_are_looked_up(text: str, page: str, expected: str) -> None:
    assert language(text, page) == (expected, expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wanneer mag ik mijn moeder bezoeken?", "nl"),
        ("When may I visit my mother?", "en"),
        ("Quand puis-je rendre visite à ma mère ?", "fr"),
        ("Wann darf ich meine Mutter besuchen?", "de"),
        ("Annemi ne zaman ziyaret edebilirim?", "tr"),
        ("Când o pot vizita pe mama mea?", "ro"),
        ("Πότε μπορώ να επισκεφτώ τη μητέρα μου;", "el"),
    ],
)
def test_sentences_are_recognised_on_pages_in_any_language(text: str, expected: str) -> None:
    assert language(text, "nl")[0] == expected
    assert language(text, "en")[0] == expected


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Gdzie mogę zaparkować samochód przy szpitalu?", "pl"),
        ("¿Dónde puedo aparcar el coche cerca del hospital?", "es"),
        ("أين يمكنني ركن سيارتي بالقرب من المستشفى؟", "ar"),
    ],
)
def test_an_unsupported_language_is_recognised(text: str, written: str) -> None:
    assert language(text, "nl") == ("nl", written)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("le docteur il consulte quand", "fr"), ("cat costa o noapte la meerpaal", "ro")],
)
def test_the_language_that_has_all_words_wins(text, expected) -> None:
    assert language(text, "nl")[0] == expected
