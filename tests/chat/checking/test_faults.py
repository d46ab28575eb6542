"""What a model says is judged by what it says: right words pass, invented ones do not. Whoever is
named exists, however the name is written."""

from __future__ import annotations

import pytest
import wordfreq

from chat.checking.evidence import Evidence, EvidenceLine, Exhibit
from chat.checking.faults import faults_of, places_exist, titled_people_exist
from chat.checking.knowledge import CUES, knowledge_of
from chat.checking.statements import Statement
from chat.safety.rows import defaults
from chat.turn import Citation
from taxonomy.kinds import Kind
from taxonomy.lexicon import ROWS as LEXICON
from taxonomy.snapshot import Profile, Snapshot
from taxonomy.vocabulary import Thing, Vocabulary
from tests.builders import snapshot, thing, vocabulary
from zol.languages import LANGUAGES
from zol.text import fold

SNAPSHOT = Snapshot(
    1,
    1,
    Profile(phone="089 00 50 50", country="be"),
    Vocabulary([Thing(Kind.DEPARTMENT, "neuro", "Neurologie", data={"phone": "089/00.51.35"})]),
    {
        "chat.cue": tuple({**row, "weight": float(row["weight"])} for row in defaults("cues")),
        "taxonomy.lexiconconcept": ({"concept": "department", "kind": "", "nl": "dienst"},),
    },
)
KNOWN = knowledge_of(SNAPSHOT)
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
CITY = knowledge_of(
    snapshot(
        vocabulary(
            thing(Kind.DEPARTMENT, "Urologie"), thing(Kind.DOCTOR, "Ann Peeters", title="Prof. dr.")
        ),
        **{CUES.replace(".", "__"): LISTED, LEXICON.replace(".", "__"): SPOKEN},
    )
)


def fault(text: str, language: str = "nl", source: str = "", source_language: str = "nl"):
    citation = Citation(n=1, title="Folder", url="", passage=source, language=source_language)
    exhibits = (Exhibit(citation, source, (EvidenceLine(source),)),) if source else ()
    evidence = Evidence(exhibits, own=KNOWN.own, language=language, figures=KNOWN.figures)
    return next(faults_of(Statement(text, language=language), evidence, KNOWN), None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_commonest_words_of_a_language_are_no_figure_that_they_are_not(language):
    read = [
        word
        for word in wordfreq.top_n_list(language, 500)
        if not any(sign.isnumeric() for sign in word)
        if KNOWN.figures.read(word, language) and fold(word) not in spelled(language)
    ]

    assert read == []


def spelled(language: str) -> set[str]:
    return {
        fold(row["text"])
        for row in defaults("cues")
        if (row["kind"], row["language"]) == ("number_word", language) and float(row["weight"]) >= 1
    }


@pytest.mark.parametrize(
    ("language", "text", "source"),
    [
        ("nl", "Onze afdeling helpt u ten laatste morgen [1].", "De afdeling helpt u morgen."),
        ("en", "Come on Monday, ask at our desk [1].", "Come on Monday and ask at the desk."),
        ("fr", "On vous aide dans notre service [1].", "Le service vous aide."),
        ("de", "Dort hilft man Ihnen, bitte geben Sie acht [1].", "Man hilft Ihnen, Vorsicht."),
        ("nl", "Geef dertien milliliter [1].", "Geef 13 ml."),
        ("fr", "Donnez neuf ml [1].", "Donnez 9 ml."),
    ],
)
def test_right_words_pass(language, text, source):
    said = fault(text, language, source, language)

    assert said is None or said.check != "numbers"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "Geef dertien milliliter [1]."), ("fr", "Donnez neuf ml [1]."),
        ("nl", "Donnez à votre enfant douze ml par jour [1]."),
    ],
)  # fmt: skip
def test_an_invented_number_in_words_is_found(language, text):
    assert fault(text, language, "Geef 6 ml.").check == "numbers"


def test_a_department_that_nobody_knows_is_found():
    found = fault("Ga naar de dienst Astrologie [1].", source="Ga naar de dienst.")

    assert found.detail == "no place here is called Astrologie"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("nl", "Dat staat niet op onze pagina's, bel 089 00 50 50."),
        ("en", "This is not on our pages; please call +32 89 00 50 50."),
        ("fr", "Ce n'est pas sur nos pages, appelez le 089/00.50.50."),
        ("de", "Das steht nicht auf unseren Seiten, rufen Sie 089 00 50 50 an."),
        ("tr", "Bu bilgi sayfalarımızda yok, 089 00 50 50 numarasını arayın."),
        ("it", "Non ho trovato questa informazione, chiami lo 089 00 50 50."),
        ("ro", "Nu am găsit această informație, sunați la 089 00 50 50."),
        ("el", "Δεν βρήκα αυτή την πληροφορία, καλέστε 089 00 50 50."),
        ("nl", "Bel 0032 89 00 51 35."),
    ],
)
def test_an_honest_no_and_the_hospitals_own_number_pass(language, text):
    assert fault(text, language) is None


@pytest.mark.parametrize(
    "text",
    [
        "Dat staat niet op onze pagina's, bel 089 11 22 33.",
        "Dat staat niet op onze pagina's, neem 3 tabletten en bel 089 00 50 50.",
        "Deze pijn gaat vanzelf over en een arts is zeker niet nodig.",
    ],
)
def test_no_claim_passes_under_cover_of_an_honest_no(text):
    assert fault(text) is not None


def strangers(text, facts=(), **evidence):
    return titled_people_exist(Statement(text), Evidence(facts=facts, **evidence), CITY)


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
    assert strangers("Dr. Peeters helpt u.", called=CITY.called) is None


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
    found = places_exist(Statement(text), Evidence(facts=("De Kaakchirurgie.",)), CITY)

    assert (found is None) is exists
