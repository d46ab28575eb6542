"""The days and languages that a question about doctors names, in eight languages."""

from __future__ import annotations

import pytest

from chat.sources.lookup import reader_of
from taxonomy.lookup.filters import Filters
from tests.builders import snapshot


@pytest.fixture(scope="module")
def reading():
    return reader_of(snapshot())


@pytest.mark.parametrize(
    ("language", "question", "days", "languages"),
    [
        pytest.param("nl", "oogarts op vrijdag die Nederlands spreekt", {5}, {"nl"}, id="nl"),
        pytest.param("nl", "een Nederlandstalige oogarts", (), {"nl"}, id="a compound"),
        pytest.param("en", "which doctor speaks Greek", (), {"el"}, id="en"),
        pytest.param("fr", "un oculiste qui consulte le mardi", {2}, (), id="fr"),
        pytest.param("de", "Augenarzt am Freitag, der Türkisch spricht", {5}, {"tr"}, id="de"),
        pytest.param("tr", "çarşamba günü hangi doktor var", {3}, (), id="tr"),
        pytest.param("it", "quale oculista riceve il venerdì", {5}, (), id="it"),
        pytest.param("ro", "ce doctor vorbește română", (), {"ro"}, id="ro"),
        pytest.param("el", "ποιος γιατρός μιλάει ελληνικά", (), {"el"}, id="el"),
        pytest.param("fr", "ma mère voit mal, quel médecin ?", (), (), id="no Tuesday"),
        pytest.param("nl", "wanneer is dokter Frans er?", (), (), id="a name"),
        pytest.param("nl", "welke oogarts is er, maar niet op vrijdag?", (), (), id="nl, except"),
        pytest.param("fr", "un oculiste, sauf le vendredi", (), (), id="fr, except"),
        pytest.param("tr", "cuma hariç hangi göz doktoru var", (), (), id="tr, except"),
    ],
)
def test_days_and_languages_are_read_in_the_language_of_the_question(
    reading, language, question, days, languages
):
    assert reading.read(question, language) == Filters(frozenset(days), frozenset(languages))
