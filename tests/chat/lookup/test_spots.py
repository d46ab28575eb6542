"""Which floor, building or entrance something is in: asked in words of eight languages."""

from __future__ import annotations

import pytest

from chat.lookup.finding import Says
from chat.lookup.handlers import findings_of
from chat.lookup.lookup_question import LookupQuestion
from chat.lookup.spots import asks_spot
from retrieval.intents import Intent
from taxonomy.kinds import Kind, Predicate
from taxonomy.lexicon import Lexicon
from tests.builders import meant, thing, vocabulary
from tests.chat.question.readers import default_rows
from zol.text import words

LEXICON = Lexicon(default_rows("taxonomy/defaults/lexicon.csv"))
EYES, ANN = thing(Kind.DEPARTMENT, "Oogkliniek"), thing(Kind.DOCTOR, "Ann Peeters", title="Dr.")
WORDS = vocabulary((ANN, Predicate.WORKS_IN, EYES))


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "welk paviljoen is de oogarts"),
        ("nl", "op de hoeveelste verdieping zit jullie labo"),
        ("nl", "welke ingang neem ik voor de dialyse"),
        ("nl", "verdieping oogarts"),
        ("en", "what floor is the lab on"),
        ("en", "which wing are the skin doctors in"),
        ("fr", "dans quel bâtiment se trouve la rhumatologie"),
        ("fr", "quel est l'étage de la cardiologie"),
        ("de", "in welchem Pavillon ist die Augenärztin"),
        ("de", "im wievielten Stock liegt das Labor"),
        ("tr", "göz doktoru hangi binada"),
        ("tr", "kan alma bölümü kaçıncı katta acaba"),
        ("it", "a che piano è l'oculista"),
        ("it", "in quale padiglione è la reumatologia"),
        ("ro", "la ce etaj este cardiologul"),
        ("ro", "în care clădire este laboratorul"),
        ("el", "σε ποιο περίπτερο είναι ο οφθαλμίατρος"),
        ("el", "σε ποιον όροφο είναι το εργαστήριο"),
    ],
)
def test_a_part_of_the_house_is_asked_for(language: str, question: str):
    assert asks_spot(words(question), language, LEXICON)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "waar is de oogarts"),
        ("nl", "welke oogartsen werken in dat gebouw"),
        ("nl", "ik lig op de vierde verdieping, wanneer mag mijn zus komen"),
        ("nl", "wat kost de toegang tot het zwembad"),
        ("en", "is there a cash machine in the building near the entrance"),
        ("fr", "y a-t-il un ascenseur pour tous les étages"),
        ("de", "welche Zimmer gibt es im Neubau und was kosten sie"),
        ("tr", "binada sigara içilir mi"),
        ("it", "quali medici lavorano in quel padiglione"),
        ("ro", "pot parca lângă clădire"),
        ("el", "υπάρχει ασανσέρ στο κτίριο"),
    ],
)
def test_to_speak_of_a_house_asks_for_no_part_of_it(language: str, question: str):
    assert not asks_spot(words(question), language, LEXICON)


def findings_for(*, asks_spot: bool):
    understood = meant(EYES, intent=Intent.DOCTOR_LOOKUP)
    return findings_of(LookupQuestion(understood, WORDS, asks_spot=asks_spot))


def test_who_asks_for_the_floor_is_told_no_list_of_doctors():
    assert Says.ROSTER in {finding.says for finding in findings_for(asks_spot=False)}
    assert [finding.says for finding in findings_for(asks_spot=True)] == [Says.REACHED]
