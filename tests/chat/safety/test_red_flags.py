"""An emergency is heard at once; a question about one is only a question."""

from __future__ import annotations

import pytest

from chat.safety.red_flags import RedFlags
from tests.chat.understanding.readers import ROWS, default_rows


def flags() -> RedFlags:
    return RedFlags(default_rows(ROWS["chat.redflagphrase"]))


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("ik heb pijn op de borst", "chest_pain"),
        ("Ik heb PIJN heel erg op mijn borst!", "chest_pain"),
        ("I have chest pain", "chest_pain"),
        ("J'ai une douleur dans la poitrine", "chest_pain"),
        ("ik wil niet meer leven", "suicide"),
        ("ik krijg een hartaanval, wat is een goed ziekenhuis", "chest_pain"),
    ],
)
def test_hears_an_emergency(question: str, kind: str) -> None:
    assert flags().check(question).kind == kind


@pytest.mark.parametrize(
    "question",
    [
        "Wat zijn de symptomen van een beroerte?",
        "bezoekuren spoed",
        "brochure over pijn op de borst",
        "Waar kan ik parkeren?",
        "",
    ],
)
def test_a_question_about_one_is_no_emergency(question: str) -> None:
    assert not flags().check(question)


def test_what_happens_now_outweighs_words_of_information() -> None:
    assert flags().check("ik krijg nu pijn op de borst, wat zijn de bezoekuren")


def test_remembers_the_conversation() -> None:
    flag = flags().check("en waar is de ingang?", ["ik heb pijn op de borst"])

    assert flag.kind == "chest_pain"
    assert flag.is_earlier


def test_hears_what_is_said_in_two_messages() -> None:
    flag = flags().check("op de borst", ["goeiedag", "ik heb pijn"])

    assert flag.kind == "chest_pain"
    assert not flag.is_earlier


def test_every_trigger_is_heard_by_itself() -> None:
    rows = default_rows(ROWS["chat.redflagphrase"])
    triggers = [row for row in rows if row["role"] == "trigger"]
    heard = RedFlags(triggers)
    deaf = [row["text"] for row in triggers if not heard.check(row["text"])]

    assert deaf == []
