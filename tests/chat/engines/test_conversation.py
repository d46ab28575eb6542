"""Two questions in a message are split, courtesy is recognised, and follow-ups are completed."""

import pytest

from chat.turn import Exchange, Turn, Understanding
from retrieval.intents import Intent
from tests.chat.question.readers import asked, names, reader
from zol.languages import LANGUAGES


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        pytest.param(
            "Wat zijn de bezoekuren en bij wie kan ik terecht voor suikerziekte?",
            ("Wat zijn de bezoekuren", "bij wie kan ik terecht voor suikerziekte?"),
            id="joined by and",
        ),
        pytest.param(
            "Waar kan ik parkeren en op welke dienst word ik geholpen met suikerziekte?",
            ("Waar kan ik parkeren", "op welke dienst word ik geholpen met suikerziekte?"),
            id="a word between the conjunction and what asks",
        ),
        pytest.param(
            "Mijn moeder heeft suikerziekte. Welke dienst is dat? Waar kan ik parkeren?",
            ("Mijn moeder heeft suikerziekte. Welke dienst is dat?", "Waar kan ik parkeren?"),
            id="what is told goes with the question behind it",
        ),
    ],
)
def test_splits_plain_conjunctions(question: str, parts: tuple[str, ...]) -> None:
    assert asked(question).parts == parts


@pytest.mark.parametrize(
    "question",
    [
        "Waar kan ik parkeren?",
        "Hallo. Waar kan ik parkeren?",
        "mijn moeder heeft suikerziekte en ze woont alleen, welke dienst is dat?",
        "Wat is het telefoonnummer van dr. Van den Berg?",
    ],
)
def test_leaves_one_question_whole(question: str) -> None:
    assert asked(question).parts == ()


@pytest.mark.parametrize(
    ("language", "first", "second"),
    [
        ("en", "Where can I park", "and who works in cardiology?"),
        ("fr", "Où puis-je me garer", "et qui travaille en cardiologie ?"),
        ("de", "Wo kann ich parken", "und wer arbeitet in der Kardiologie?"),
        ("tr", "Otopark nerede", "ve kardiyolojide kim çalışıyor?"),
        ("it", "Dove posso parcheggiare", "e chi lavora in cardiologia?"),
        ("ro", "Unde pot parca", "și cine lucrează la cardiologie?"),
        ("el", "Πού μπορώ να παρκάρω", "και ποιος εργάζεται στην καρδιολογία;"),
    ],
)
def test_two_questions_are_split_in_every_language(language: str, first: str, second: str) -> None:
    parts = asked(f"{first} {second}", page=language).parts

    assert parts == (first, second.partition(" ")[2])


@pytest.mark.parametrize(
    ("message", "greeting"),
    [
        ("Goedemorgen", "greeting"), ("dank u wel!", "thanks"), ("Merci pour l'explication", "thanks"),
        ("tot ziens", "goodbye"), ("teşekkürler", "thanks"), ("kan ik een medewerker spreken?", "person"),
        ("are you a robot?", "identity"), ("ευχαριστώ πολύ", "thanks"), ("mulțumesc", "thanks"),
        ("Hallo, waar kan ik parkeren?", ""), ("Bedankt! Tot hoe laat is het bezoek?", ""),
        ("bedankt, mijn borst doet pijn", ""),
    ],
)  # fmt: skip
def test_courtesy_differs_from_a_courteous_question(message: str, greeting: str) -> None:
    assert asked(message).greeting == greeting


PARKING = {"nl": "Waar kan ik parkeren?", "tr": "Nereye park edebilirim?", "ro": "Unde pot parca?"}


def test_the_costs_after_parking_are_those_of_parking() -> None:
    meaning = asked("en de kosten?", "Waar kan ik parkeren?")

    assert meaning.is_followup
    assert meaning.topic == "parking"
    assert meaning.wants == "price"
    assert not asked("en de kosten?").is_followup


WHO_WORKS = "Welke artsen werken bij cardiologie?"


@pytest.mark.parametrize(
    ("before", "question", "page", "intent", "things"),
    [
        pytest.param("Wie is dr. Jan Van den Berg?", "Wanneer heeft hij consultatie?", "nl",
                     Intent.DOCTOR_LOOKUP, ["Dr. Jan Van den Berg"], id="a doctor"),
        pytest.param("Wanneer heeft dr. Leen Maes consultatie?", "dr. Van den Berg?", "nl",
                     Intent.DOCTOR_LOOKUP, ["Dr. Jan Van den Berg"], id="another doctor"),
        pytest.param(WHO_WORKS, "en orthopedie?", "nl", Intent.DOCTOR_LOOKUP, ["Orthopedie"],
                     id="another department"),
        pytest.param(WHO_WORKS, "orthopedie?", "nl", Intent.DOCTOR_LOOKUP, ["Orthopedie"],
                     id="its bare name"),
        pytest.param(WHO_WORKS, "en het telefoonnummer?", "nl", Intent.BOOKING_OR_CONTACT,
                     ["Cardiologie"], id="something of its own"),
        pytest.param(WHO_WORKS, "What are the visiting hours?", "en",
                     Intent.NAVIGATION_OR_PRACTICAL_INFO, [], id="hours after a list of doctors"),
    ],
)  # fmt: skip
def test_a_follow_up_keeps_intent_and_entities(before, question, page, intent, things) -> None:
    meaning = asked(question, before, page=page)

    assert (meaning.intent, names(meaning)) == (intent, things)


def test_reaches_back_over_another_follow_up() -> None:
    meaning = asked("en in het weekend?", "Waar kan ik parkeren?", "en de kosten?")

    assert meaning.topic == "parking"


def test_a_whole_question_stands_by_itself() -> None:
    meaning = asked("Wat is syfilis?", "Welke artsen werken bij cardiologie?")

    assert not meaning.is_followup
    assert "Cardiologie" not in names(meaning)


def test_advice_stays_advice() -> None:
    meaning = asked("welke dosis heb ik nodig", "Wat is syfilis?")

    assert meaning.intent is Intent.OUT_OF_SCOPE_MEDICAL_ADVICE


@pytest.mark.parametrize("page", PARKING)
def test_the_bare_name_of_a_campus_asks_the_same_of_it_in_the_visitors_language(page: str) -> None:
    meaning = asked("Sint-Jan?", PARKING[page], page=page)

    assert (meaning.topic, meaning.is_followup, meaning.language) == ("parking", True, page)


@pytest.mark.parametrize(
    ("page", "before", "question"),
    [
        ("nl", "Wat kost een eenpersoonskamer?", "en in Genk?"),
        ("de", "Was kostet ein Einzelzimmer?", "und in Genk?"),
        ("tr", "Tek kişilik oda ne kadar?", "peki Genk'te?"),
        ("el", "Πόσο κοστίζει ένα μονόκλινο δωμάτιο;", "και στο Genk;"),
    ],
)
def test_another_campus_keeps_the_words_the_need_and_the_language(page, before, question) -> None:
    first, meaning = asked(before, page=page), asked(question, before)

    assert meaning.language == page
    assert set(first.terms) <= set(meaning.terms)
    assert need_of(meaning) == need_of(first)
    assert all(word in meaning.query.casefold() for word in first.terms)


def test_a_bare_department_after_an_unrelated_question_is_no_follow_up() -> None:
    meaning = asked("cardiologie", "Waar kan ik parkeren?")

    assert not meaning.is_followup
    assert meaning.topic != "parking"


def test_a_follow_up_with_its_own_subject_keeps_its_own_words() -> None:
    meaning = asked("et mes médicaments, je les amène ?", "Que dois-je apporter, quels papiers ?")

    assert meaning.is_followup
    assert "documenten" not in meaning.terms
    assert "medicatie" in meaning.terms


WHEN_THEN = {
    "nl": "en wanneer zijn die er?", "fr": "et ils consultent quand ?",
    "tr": "peki hangi günler varlar?", "el": "και ποια μέρα δέχονται;",
}  # fmt: skip


@pytest.mark.parametrize("page", WHEN_THEN)
def test_when_after_doctors_asks_for_their_hours(page: str) -> None:
    meaning = asked(WHEN_THEN[page], DOCTORS[page], page=page)

    assert (meaning.intent, names(meaning)) == (Intent.DOCTOR_LOOKUP, ["Cardiologie"])
    assert meaning.wants == "time"


def need_of(meaning: Understanding) -> str:
    return max(meaning.needs, key=meaning.needs.__getitem__)


DOCTORS = {
    "nl": "Welke artsen werken bij cardiologie?",
    "en": "Which doctors work at cardiology?",
    "fr": "Quels médecins travaillent en cardiologie ?",
    "de": "Welche Ärzte arbeiten in der Kardiologie?",
    "tr": "Kardiyoloji bölümünde hangi doktorlar var?",
    "it": "Chi sono i cardiologi?",
    "ro": "Ce medici lucrează la cardiologie?",
    "el": "Ποιοι γιατροί δουλεύουν στην καρδιολογία;",
}
SOME_OF_THEM = {
    "nl": "Zit iemand van deze artsen op woensdag in Genk dan?",
    "en": "Could I see any of these doctors on Wednesday?",
    "fr": "Lequel est là le mercredi matin en fait ?",
    "de": "Ist einer der beiden auch mittwochs da?",
    "tr": "Hangisi çarşamba sabahı orada oluyor?",
    "it": "Posso vedere uno di questi medici mercoledì?",
    "ro": "Este unul din cei doi acolo miercuri?",
    "el": "Ποιος από αυτούς είναι εκεί Τετάρτη;",
}


@pytest.mark.parametrize("page", LANGUAGES)
def test_a_follow_up_may_ask_for_some_of_the_listed_doctors(page: str) -> None:
    meaning = asked(SOME_OF_THEM[page], DOCTORS[page], page=page)

    assert (meaning.intent, names(meaning)[-1]) == (Intent.DOCTOR_LOOKUP, "Cardiologie")


@pytest.mark.parametrize(
    ("question", "before"),
    [
        (
            "en als de dokter zegt dat ik alleen moet liggen, betaal ik dat dan ook?",
            "wat kost een kamer alleen per dag",
        ),
        ("and who can help me get home?", "what time do i have to leave on the day i go home"),
    ],
)
def test_a_question_that_begins_with_and_is_a_follow_up(question: str, before: str) -> None:
    assert asked(question, before).is_followup


def test_a_follow_up_is_about_the_one_doctor_in_the_answer() -> None:
    told = "Voor uw schouder kunt u terecht bij Dr. Jan Van den Berg."
    history = (Exchange("Bij wie moet ik zijn voor mijn schouder?", told),)

    meaning = reader().understand(Turn("en wanneer zit die dokter er?", "nl", history))

    assert "Dr. Jan Van den Berg" in names(meaning)
