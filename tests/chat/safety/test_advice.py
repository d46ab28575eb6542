"""Requests for personal advice and questions about other hospitals are recognised."""

from functools import cache

import pytest

from chat.engines.embedded.classify import ADVICE_FROM
from chat.safety.advice import Elsewhere, advice_cues_of, elsewhere_of
from retrieval.intents import Intent
from taxonomy.snapshot import Profile, Snapshot
from taxonomy.vocabulary import Kind
from tests.builders import snapshot as built
from tests.builders import thing, vocabulary
from tests.chat.question.readers import asked, snapshot


@pytest.mark.parametrize(
    ("question", "refuses"),
    [
        ("Mag ik stoppen met mijn bloedverdunner?", True),
        ("hoe bouw ik zelf mijn sertraline af", True),
        ("ik neem al jaren antidepressiva, moet ik daar nu mee stoppen?", True),
        ("je prends cela depuis des années, je peux les arrêter ?", True),
        ("when can I go back on my blood thinner", True),
        ("cum scad singur sertralina", True),
        ("Do you think I have arthritis in my knee?", True),
        ("Mag ik voor een kijkonderzoek gewoon mijn ontbijt nemen?", False),
        ("mag ik eten voor een bloedafname", False),
        ("mag ik mijn medicatie nemen op de dag van de operatie", False),
        ("μπορώ να φέρω τα αντιπηκτικά μου στην εισαγωγή", False),
        ("Which doctors treat arthritis?", False),
        ("Που μπορώ να παρκάρω;", False),
        ("", False),
    ],
)
def test_personal_advice_differs_from_general_rules(question, *, refuses):
    assert (asked(question).intent is Intent.OUT_OF_SCOPE_MEDICAL_ADVICE) is refuses


def test_evidence_shows_the_phrase_or_the_probability_of_advice():
    chance, phrase = asked("en is dat nu kanker of niet").evidence["advice"]
    learned, nothing = asked("wat geef ik mijn dochtertje van twee best tegen de koorts").evidence[
        "advice"
    ]

    assert (chance, phrase) == (1.0, "is dat nu kanker")
    assert ADVICE_FROM <= learned < 1.0
    assert not nothing


def test_a_hospital_may_add_its_own_phrase():
    own = {"kind": "advice", "language": "nl", "role": "phrase", "text": "mijn parkeerplaat*"}
    cues = built(**{"chat.advicephrase": [own]}).derived(advice_cues_of)

    assert cues.check("waar leg ik mijn parkeerplaatje").phrase == "mijn parkeerplaatje"


def test_names_of_medicines_are_found_by_their_endings():
    cues = snapshot().derived(advice_cues_of)

    assert cues.check("simvastatines ophalen").is_of_medicine
    assert not cues.check("een pillendoos").is_of_medicine


HERE = thing(Kind.CAMPUS, "Campus Lanaken", city="Genk")


@cache
def elsewhere() -> Elsewhere:
    rows = {"chat.cue": snapshot().rows_of("chat.cue")}
    profile = Profile(slug="zt", name="Ziekenhuis Test", short_name="ZT")
    return Snapshot(1, 1, profile, vocabulary(HERE), rows).derived(elsewhere_of)


@pytest.mark.parametrize(
    ("question", "is_another"),
    [
        ("ziekenhuis genk parking", False),
        ("kom van leuven, welke afrit moet ik nemen voor jullie ziekenhuis", False),
        ("Welche Klinik ist für Nieren zuständig?", False),
        ("ik had foto's in een ander ziekenhuis, moet ik die meebrengen", False),
        ("is uz leuven beter dan zt?", False),
        ("telefoonnummer cardiologie uz leuven", True),
        ("how do I book at the hospital in Brussels", True),
        ("numéro de la maternité de l'hôpital Érasme", True),
        ("İstanbul'daki hastane randevusu nasıl alınır", True),
        ("επισκεπτήριο στο νοσοκομείο Ευαγγελισμός στην Αθήνα", True),
    ],
)
def test_questions_about_another_hospital_are_recognised(question, *, is_another):
    assert bool(elsewhere().check(question)) is is_another


def test_a_listed_hospital_name_may_be_our_own():
    rows = {"chat.cue": snapshot().rows_of("chat.cue")}
    named = Profile(slug="sj", name="Clinique Saint-Jean", short_name="Jean")

    assert elsewhere().check("parking clinique saint-jean")
    assert (
        not Snapshot(1, 1, named, rows=rows)
        .derived(elsewhere_of)
        .check("parking clinique saint-jean")
    )
