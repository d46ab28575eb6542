"""Whoever an answer names exists, however the name is written."""

from __future__ import annotations

import pytest

from chat.checks.evidence import Evidence
from chat.checks.knowledge import CUES, knowledge_of
from chat.checks.names import places_exist, titled_people_exist
from chat.checks.statement import Statement
from taxonomy.kinds import Kind
from taxonomy.lexicon import ROWS as LEXICON
from tests.builders import snapshot, thing, vocabulary

LISTED = (
    {"kind": "person_title", "target": "", "language": "nl", "text": "dokter", "weight": 1.0},
    {"kind": "person_title", "target": "", "language": "tr", "text": "profesör", "weight": 1.0},
)
SPOKEN = (
    *tuple(
        {"concept": concept, "kind": "", **dict.fromkeys(("nl", "de", "fr"), words)}
        for concept, words in (
            ("doctor", "arts|Arzt"),
            ("specialist", "médecin spécialiste"),
            ("department", "dienst|Abteilung"),
        )
    ),
    {"concept": "to_you", "kind": "function", "de": "Ihnen"},
)
KNOWN = knowledge_of(
    snapshot(
        vocabulary(
            thing(Kind.DEPARTMENT, "Urologie"),
            thing(Kind.DOCTOR, "Ann Peeters", title="Prof. dr."),
        ),
        **{CUES.replace(".", "__"): LISTED, LEXICON.replace(".", "__"): SPOKEN},
    )
)


def strangers(text, facts=(), **evidence):
    return titled_people_exist(Statement(text), Evidence(facts=facts, **evidence), KNOWN)


@pytest.mark.parametrize(
    "text",
    [
        "Vraag naar Dr. Vermeiren.",
        "Vraag naar Dr.Vermeiren.",
        "Vraag naar Prof. Dr. Vermeiren.",
        "Vraag naar Dr. **Vermeiren**.",
        "Uw dokter: Vermeiren.",
        "Uw dokter:\nVermeiren",
        "Uw arts Vermeiren komt.",
        "Le medecin specialiste Vermeiren.",
        "Profesor Vermeiren.",
        "Dr. Ann Peeters en Dr. Vermeiren.",
        "Dr. Ann Peeters en Vermeiren.",
        "Dr. Ann Vermeiren.",
        "Dr. Ann M. Vermeiren.",
        "Dr. Ann in 't Vermeiren.",
        "Dr. Lee.",
        "Dr. Șerban.",
        "Dr. Çalışkan.",
        "Δρ. Vermeiren en dr. Λέων.",
    ],
)
def test_somebody_whom_nothing_names_is_found_out(text):
    assert strangers(text, ("Dr. Ann M. Peeters",)).check == "names"


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Ann Peeters helpt u.",
        "Vraag uw arts, Urologie helpt.",
        "Het is uw arts.",
        "De dokter van wacht.",
        "Prof. dr. Peeters.",
        "Fragen Sie, was Ihr Arzt Ihnen rät.",
    ],
)
def test_whom_a_fact_names_may_be_named_and_not_every_capital_is_a_name(text):
    assert strangers(text, ("Ann Peeters",)) is None


def test_that_the_taxonomy_has_somebody_is_enough_for_a_whole_answer_only():
    assert strangers("Dr. Peeters helpt u.").detail == "nobody here is called Peeters"
    assert strangers("Dr. Peeters helpt u.", called=KNOWN.called) is None


@pytest.mark.parametrize(
    ("text", "exists"),
    [
        ("Ga naar de dienst Urologie.", True),
        ("Die Abteilung Urologie Termine gibt.", True),
        ("Ga naar de dienst Kaakchirurgie.", True),
        ("Ga naar de dienst Astrologie.", False),
    ],
)
def test_a_department_is_one_of_the_taxonomy_or_of_a_source(text, exists):
    found = places_exist(Statement(text), Evidence(facts=("De Kaakchirurgie.",)), KNOWN)

    assert (found is None) is exists
