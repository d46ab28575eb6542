"""Doctors are found however their name is written, and never by a word that is not one."""

from __future__ import annotations

import pytest

from taxonomy.resolvers import Match, resolve
from taxonomy.vocabulary import Kind
from tests.taxonomy.vocabularies import index


def doctors(question: str) -> list[Match]:
    return [m for m in resolve(question, index(), "nl") if m.thing.kind is Kind.DOCTOR]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        pytest.param("dokter van den Berg", "Dr. Jan Van den Berg", id="particles, lower case"),
        pytest.param("Van Den Bergh", "Dr. Jan Van den Berg", id="as it sounds"),
        pytest.param("dr vandenberg", "Dr. Jan Van den Berg", id="written together"),
        pytest.param("prof jansens", "Prof. dr. Katrien Janssens", id="misspelt after a title"),
        pytest.param("Janssens Katrien", "Prof. dr. Katrien Janssens", id="inverted"),
        pytest.param("K. Janssens", "Prof. dr. Katrien Janssens", id="an initial"),
        pytest.param(
            "wanneer werkt veerle d'haeseleer", "Dr. Veerle D'Haeseleer", id="an apostrophe"
        ),
        pytest.param("francois lemaitre", "Dr. François Lemaître", id="accents dropped"),
        pytest.param("Dr Yilmaz", "Dr. Mehmet Yılmaz", id="a dotless i with its dot"),
        pytest.param("γιατρός Παπαδόπουλος", "Dr. Nikos Papadopoulos", id="Greek letters"),
        pytest.param("dr De Wit", "Dr. Piet De Wit", id="an ordinary word after a title"),
    ],
)
def test_finds_a_doctor(question: str, name: str) -> None:
    (match,) = doctors(question)

    assert match.thing.name == name
    assert not match.is_ambiguous


def test_two_doctors_of_one_name_are_both_returned() -> None:
    (match,) = doctors("Wie is dr. Peeters?")

    assert {match.thing.name, *(d.name for d in match.alternatives)} == {
        "Dr. Ann Peeters", "Dr. Koen Peeters",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("question", "name"),
    [
        pytest.param("Ann Peeters", "Dr. Ann Peeters", id="a first name"),
        pytest.param("dr. K. Peeters", "Dr. Koen Peeters", id="an initial"),
        pytest.param("dr Peeters van cardiologie", "Dr. Ann Peeters", id="a department"),
        pytest.param("dr Peeters, orthopedie", "Dr. Koen Peeters", id="the other department"),
        pytest.param("rugpijn, bij dokter Peeters", "Dr. Koen Peeters", id="a condition"),
    ],
)
def test_what_stands_beside_a_name_decides(question: str, name: str) -> None:
    (match,) = doctors(question)

    assert match.thing.name == name
    assert not match.is_ambiguous


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("ik draag de wit te lange jas", id="ordinary words"),
        pytest.param("mijn kamer was wit", id="an ordinary word"),
        pytest.param("ik heb maes gezegd", id="a short surname"),
        pytest.param("mijn man martin ligt bij jullie", id="a first name"),
        pytest.param("een berg van klachten", id="part of a surname"),
        pytest.param("dokter gezocht", id="a title and no name"),
    ],
)
def test_ordinary_words_are_nobody(question: str) -> None:
    assert doctors(question) == []


def test_a_stranger_with_a_known_surname_is_not_certain() -> None:
    (match,) = doctors("Piet Janssens")

    assert match.confidence < 0.8
