"""A question is understood in eight languages without any model, and rather answered than refused."""

from __future__ import annotations

import pytest

from retrieval.intents import Intent
from tests.chat.question.readers import asked, names

LOOKUPS = {
    Intent.DOCTOR_LOOKUP: {
        "nl": "Welke artsen werken bij cardiologie?",
        "en": "Which doctors work in cardiology?",
        "fr": "Quels médecins travaillent en cardiologie ?",
        "de": "Welche Ärzte arbeiten in der Kardiologie?",
        "it": "Quali medici lavorano in cardiologia?",
        "ro": "Ce medici lucrează la cardiologie?",
        "el": "Ποιοι γιατροί εργάζονται στην καρδιολογία;",
    },
    Intent.NAVIGATION_OR_PRACTICAL_INFO: {
        "nl": "Waar kan ik parkeren?",
        "en": "Where can I park?",
        "fr": "Où puis-je me garer ?",
        "de": "Wo kann ich parken?",
        "tr": "Nereye park edebilirim?",
        "it": "Dove posso parcheggiare?",
        "ro": "Unde pot parca?",
        "el": "Πού μπορώ να παρκάρω;",
    },
}


@pytest.mark.parametrize(
    ("intent", "language", "question"),
    [(i, code, q) for i, questions in LOOKUPS.items() for code, q in questions.items()],
)
def test_the_same_question_in_each_language(intent: Intent, language: str, question: str) -> None:
    meaning, dutch = asked(question), asked(LOOKUPS[intent]["nl"])

    assert meaning.intent is intent
    assert meaning.language == language
    assert meaning.query == dutch.query


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("Wie is dr. Van den Berg?", Intent.DOCTOR_LOOKUP),
        ("Welke afdeling behandelt suikerziekte?", Intent.DEPARTMENT_OR_SERVICE_LOOKUP),
        ("Wat is syfilis?", Intent.CONDITION_INFORMATION),
        ("Hoe verloopt een hartfilmpje?", Intent.TREATMENT_OR_EXAM_INFORMATION),
        ("wat zijn de bezoekuren", Intent.NAVIGATION_OR_PRACTICAL_INFO),
        ("hoeveel kost een hartfilmpje", Intent.NAVIGATION_OR_PRACTICAL_INFO),
        ("ik wil een afspraak maken bij dermatologie", Intent.BOOKING_OR_CONTACT),
        ("ik heb al weken last van mijn knie", Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION),
        ("Moet ik stoppen met mijn bloedverdunner?", Intent.OUT_OF_SCOPE_MEDICAL_ADVICE),
        ("welke dosis heb ik nodig", Intent.OUT_OF_SCOPE_MEDICAL_ADVICE),
        ("gaat het regenen morgen?", Intent.OFF_TOPIC),
        ("What's the weather like tomorrow?", Intent.OFF_TOPIC),
        ("bezoekuren UZ Leuven", Intent.OTHER_HOSPITAL),
        ("hallo", Intent.VAGUE_INPUT),
        ("?", Intent.VAGUE_INPUT),
        ("", Intent.VAGUE_INPUT),
    ],
)
def test_tells_intents_apart(question: str, intent: Intent) -> None:
    assert asked(question).intent is intent


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("Hallo, waar kan ik parkeren?", id="politeness is not vague"),
        pytest.param(
            "verwezen door UZ Leuven naar ZT, waar kan ik parkeren?", id="we are the subject"
        ),
        pytest.param("Is er muziek in de wachtzaal van cardiologie?", id="music, but here"),
        pytest.param("cardilogie", id="one misspelt word"),
        pytest.param(
            "mijn kind van 3 jaar heeft jeuk, bij wie kan ik terecht?", id="an age, no advice"
        ),
        pytest.param("ik heb rugpijn", id="a complaint is not a request for a diagnosis"),
        pytest.param("parkeren Sint-Jan", id="a campus that shares its name with another hospital"),
    ],
)
def test_rather_answers_than_refuses(question: str) -> None:
    assert not asked(question).intent.is_blocked


@pytest.mark.parametrize(
    ("question", "greeting"),
    [("Goedemorgen", "greeting"), ("dank u wel!", "thanks"), ("tot ziens", "goodbye")],
)
def test_greetings_are_told_apart(question: str, greeting: str) -> None:
    assert asked(question).greeting == greeting


def test_all_members_are_asked_for() -> None:
    assert asked("Welke artsen werken bij cardiologie?").wants_list
    assert asked("Quels sont tous les médecins de cardiologie ?").wants_list
    assert not asked("Wie is dr. Van den Berg?").wants_list


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Wat kost parkeren?", "parking"),
        ("Wordt een hartfilmpje terugbetaald door de mutualiteit?", "billing"),
        ("Ik wil mijn medisch dossier inkijken", "legal"),
        ("Wie is dr. Van den Berg?", ""),
    ],
)
def test_notices_the_topic(question: str, topic: str) -> None:
    assert asked(question).topic == topic


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("dedem yoğun bakıma alındı bugün, ne zaman yanına girebiliriz?", "visiting"),
        ("krijg ik iets terug voor een eigen rolstoel aan te kopen", "billing"),
        ("is het labo zaterdag open?", "hours"),
    ],
)
def test_what_is_needed_tells_the_topic_that_no_word_names(question: str, topic: str) -> None:
    assert asked(question).topic == topic


def test_a_french_syphilis_is_for_dermatology() -> None:
    meaning = asked("Quel service traite la syphilis ?")

    assert meaning.language == "fr"
    assert "Syfilis" in meaning.query
    assert names(asked(meaning.query)) == names(meaning) == ["Syfilis", "Dermatologie"]


def test_one_complaint_is_rewritten_alike_in_every_language() -> None:
    questions = ["rugpijn", "back pain", "mal de dos", "sırt ağrısı", "Rückenschmerzen"]

    assert len({asked(question).query for question in questions}) == 1


@pytest.mark.parametrize(
    "question",
    ["ik heb pijn in mijn hand", "mir tut die Hand weh", "mi fa male la mano", "με πονάει το χέρι"],
)
def test_a_pain_is_asked_about_with_the_part_of_the_body(question: str) -> None:
    assert "hand" in asked(question).query


@pytest.mark.parametrize(
    "complaint",
    [
        pytest.param("er scheelt iets met mij", id="nl"),
        pytest.param("i'm sick", id="en"),
        pytest.param("ça ne va pas", id="fr"),
        pytest.param("ich fühle mich schlecht", id="de"),
        pytest.param("bir sorunum var", id="tr"),
        pytest.param("c'è qualcosa che non va", id="it"),
        pytest.param("am o problemă", id="ro"),
        pytest.param("έχω ένα πρόβλημα", id="el"),
    ],
)
def test_who_only_says_to_be_unwell_is_asked_what_for(complaint: str) -> None:
    assert asked(complaint).intent is Intent.VAGUE_INPUT


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("wat kost een knieprothese", id="nl"),
        pytest.param("how much is a knee replacement", id="en"),
        pytest.param("was kostet eine knieprothese", id="de"),
        pytest.param("diz protezi kaç para", id="tr"),
    ],
)
def test_what_a_treatment_costs_is_about_the_treatment(question: str) -> None:
    assert asked(question).intent is Intent.TREATMENT_OR_EXAM_INFORMATION


def test_what_comes_in_the_letter_box_comes_by_no_bus() -> None:
    assert asked("wanneer krijg ik de rekening van mijn verblijf in de bus").topic == "billing"
    assert asked("welke bus stopt aan het ziekenhuis").topic == "route"


def test_always_says_afdeling_and_the_short_name() -> None:
    dutch, english = (
        asked("wie zijn de artsen van orthopedie"),
        asked("who are the orthopedic doctors?"),
    )

    assert dutch.query == english.query
    assert "afdeling Orthopedie" in dutch.query
    assert "ZT" in dutch.query


def test_says_why() -> None:
    evidence = asked("Waar kan ik parkeren bij cardiologie?").evidence

    assert any("parkeren" in text for text, *_ in evidence["examples"])
    assert ("department_exact_name", "cardiologie", "Cardiologie") in evidence["resolvers"]


def test_the_code_of_a_ward_is_not_the_department() -> None:
    meaning = asked("Ik lig op de N2-afdeling, wanneer komt de arts van endocrinologie?")

    assert names(meaning)[0] == "Endocrinologie"
    assert "N2" not in meaning.query


def test_is_sure_of_what_is_clear() -> None:
    assert asked("Wie is dr. Van den Berg?").confidence > 0.7
    assert asked("Moet ik stoppen met mijn bloedverdunner?").confidence >= 0.7
