"""Code classifies messages in eight languages, and seldom refuses a question that has an answer."""

import pytest

from retrieval.intents import Intent
from tests.chat.question.readers import asked

LOOKUPS = {
    Intent.DOCTOR_LOOKUP: {
        "nl": "Welke artsen werken bij cardiologie?",
        "fr": "Quels médecins travaillent en cardiologie ?",
        "ro": "Ce medici lucrează la cardiologie?",
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
        ("ik wil een afspraak maken bij dermatologie", Intent.BOOKING_OR_CONTACT),
        ("ik heb al weken last van mijn knie", Intent.AMBIGUOUS_SYMPTOM_DESCRIPTION),
        ("Moet ik stoppen met mijn bloedverdunner?", Intent.OUT_OF_SCOPE_MEDICAL_ADVICE),
        ("gaat het regenen morgen?", Intent.OFF_TOPIC),
        ("bezoekuren UZ Leuven", Intent.OTHER_HOSPITAL),
        ("nummer van cardiologie aub", Intent.BOOKING_OR_CONTACT),
        ("hallo", Intent.VAGUE_INPUT),
        ("", Intent.VAGUE_INPUT),
    ],
)
def test_intents_are_distinguished(question: str, intent: Intent) -> None:
    assert asked(question).intent is intent


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("Hallo, waar kan ik parkeren?", id="politeness is not vague"),
        pytest.param(
            "verwezen door UZ Leuven naar ZT, waar kan ik parkeren?", id="our own subject"
        ),
        pytest.param("Is er muziek in de wachtzaal van cardiologie?", id="music, but here"),
        pytest.param("cardilogie", id="one misspelt word"),
        pytest.param("mijn kind van 3 jaar heeft jeuk, bij wie kan ik terecht?", id="an age"),
        pytest.param("ik heb rugpijn", id="a complaint is no request for a diagnosis"),
        pytest.param("parkeren Sint-Jan", id="a campus named like another hospital"),
        pytest.param("welke medicatie moet ik meebrengen bij opname", id="what to bring"),
        pytest.param(
            "need my cholesterol checked, can i have breakfast before or not?", id="a rule"
        ),
    ],
)
def test_answerable_questions_are_not_refused(question: str) -> None:
    assert not asked(question).intent.is_blocked


def test_all_members_are_asked_for() -> None:
    assert asked("Welke artsen werken bij cardiologie?").wants_list
    assert asked("Quels sont tous les médecins de cardiologie ?").wants_list
    assert not asked("Wie is dr. Van den Berg?").wants_list


def test_evidence_explains_the_classification() -> None:
    evidence = asked("Waar kan ik parkeren bij cardiologie?").evidence

    assert len(evidence["examples"]) == 5
    assert evidence["needs"][0][0].startswith("parking")
    assert ("department_exact_name", "cardiologie", "Cardiologie") in evidence["resolvers"]


@pytest.mark.parametrize(
    "question",
    [
        "hoeveel kost een fles dafalgan siroop en hoeveel ml mag mijn dochter van 3 ervan?",
        "do you think I have MS? my legs feel numb sometimes",
        "combien de gouttes de sirop je donne à la petite, elle pèse 11 kg",
    ],
)
def test_advice_for_one_person_is_refused_however_it_is_asked(question: str) -> None:
    assert asked(question).intent is Intent.OUT_OF_SCOPE_MEDICAL_ADVICE
