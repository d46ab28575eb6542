"""Whether a text says a name, a number or a quotation, however either is written."""

from functools import partial

import pytest

from evaluation import metrics as answers
from evaluation.metrics import quotes

says = partial(answers.says, home="be")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param("U vindt de dienst CARDIOLOGIE op 2.", "Cardiologie", id="case"),
        pytest.param("Dr. Zoë Reümann werkt hier.", "Zoe Reumann", id="accents"),
        pytest.param("Kalp hastalıkları: Cardiologie'nin doktorları", "Cardiologie", id="suffix"),
        pytest.param("**Dr. Jan** Van den\nBerg [2]", "Jan Van den Berg", id="markup"),
        pytest.param("> - Eerste 30\n> minuten gratis", "30 minuten gratis", id="quotation"),
        pytest.param("Het kost €1,80 per uur.", "€ 1,80", id="currency"),
        pytest.param("Η Καρδιολογία είναι εδώ", "καρδιολογια", id="Greek"),
    ],
)
def test_is_said(text, wanted):
    assert says(text, wanted)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param("De dienst Neurologie helpt u.", "Urologie", id="part of another word"),
        pytest.param("Dat kost € 12,50.", "2,50", id="part of a number"),
        pytest.param("Dat kost € 2,50.", "2", id="before the comma"),
        pytest.param("Dat duurt 115 minuten.", "15 minuten", id="part of digits"),
        pytest.param("Bel 1121.", "112", id="longer number"),
        pytest.param("", "iets", id="nothing said"),
        pytest.param("alles", " | ", id="nothing wanted"),
    ],
)
def test_is_not_said(text, wanted):
    assert not says(text, wanted)


PHONES = [
    "089 00 51 11", "089/00.51.11", "089-00-51-11", "+3289005111", "0032(0)89 00 51 11",
    "+32 (0)89 00.51.11", "(089) 00 51 11",
]  # fmt: skip


@pytest.mark.parametrize("said", PHONES)
def test_a_telephone_number_is_the_same_in_every_format(said):
    for wanted in PHONES:
        assert says(f"Bel {said}, elke dag van 9 tot 17 u.", wanted)


@pytest.mark.parametrize(
    "said", ["089 00 51 12", "089 00 51 1", "189 00 51 11", "089 00 51 110", "+33 1 89 00 51 12"]
)
def test_another_number_is_another(said):
    assert not says(f"Bel {said}.", "089 00 51 11")


@pytest.mark.parametrize(
    ("text", "quote", "stands"),
    [
        pytest.param(
            "Daarna: € 1,80 per\nbegonnen uur.", "€ 1,80 per begonnen uur", True, id="spaces"
        ),
        pytest.param("de «kleine» ingang – links", 'De "kleine" ingang - links', True, id="marks"),
        pytest.param("de kleine ingang", "kleine ingangen", False, id="another word"),
        pytest.param("iets", " ", False, id="no quotation"),
    ],
)
def test_a_quotation_is_recognised_by_its_words(text, quote, stands):
    assert quotes(text, quote) is stands
