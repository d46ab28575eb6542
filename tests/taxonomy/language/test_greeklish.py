"""Transliteration of Greek typed in Latin letters."""

import csv

import pytest

from chat.models import IntentExample
from taxonomy.language.greeklish import Greeklish, build
from taxonomy.language.lexicon import Lexicon
from taxonomy.models import LexiconConcept
from zol.text import fold


@pytest.fixture(scope="module")
def reader() -> Greeklish:
    with LexiconConcept.defaults.open(encoding="utf-8", newline="") as file:
        return build(Lexicon(csv.DictReader(file)))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        pytest.param("thelo ena rantevou", "θέλω ένα ραντεβού", id="as it sounds"),
        pytest.param("8elw ena rantebou", "θέλω ένα ραντεβού", id="as it looks"),
        pytest.param("exasa ta gyalia mou", "έχασα τα γυαλιά μου", id="x for xi and chi"),
        pytest.param("mporei na er8ei o skylos mou", "μπορεί να έρθει ο σκύλος μου", id="mp"),
        pytest.param("poia einai ta thlefwna", "ποια είναι τα τηλέφωνα", id="th for tau and eta"),
    ],
)
def test_spelling_variants_are_transliterated(reader: Greeklish, typed: str, meant: str) -> None:
    assert fold(reader.in_greek(typed)) == fold(meant)


def test_names_are_not_transliterated(reader: Greeklish) -> None:
    assert reader.in_greek("pou einai to nosokomeio sto Zutendaal").endswith("Zutendaal")


def test_questions_in_other_languages_are_not_transliterated(reader: Greeklish) -> None:
    with IntentExample.defaults.open(encoding="utf-8", newline="") as file:
        others = [row["text"] for row in csv.DictReader(file) if row["language"] != "el"]

    assert [text for text in others if reader.in_greek(text) != text] == []
