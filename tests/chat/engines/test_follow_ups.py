"""A question that means nothing by itself is completed with the one before it."""

from __future__ import annotations

import pytest

from chat.question.classification import OwnClassification
from chat.turn import Exchange, Turn, Understanding
from retrieval.intents import Intent
from tests.chat.question.readers import asked, names, reader
from zol.languages import LANGUAGES

PARKING = {
    "nl": "Waar kan ik parkeren?", "en": "Where can I park?", "fr": "Où puis-je me garer ?",
    "de": "Wo kann ich parken?", "tr": "Nereye park edebilirim?", "it": "Dove posso parcheggiare?",
    "ro": "Unde pot parca?", "el": "Πού μπορώ να παρκάρω;",
}  # fmt: skip


def test_the_costs_after_parking_are_those_of_parking() -> None:
    meaning = asked("en de kosten?", "Waar kan ik parkeren?")

    assert meaning.is_followup
    assert meaning.topic == "parking"
    assert meaning.wants == "price"


@pytest.mark.parametrize(
    "question",
    ["nee sorry, op de andere campus, in Genk", "ook in Genk?", "of is dat alleen in Genk zo?"],
)
def test_a_campus_alone_is_no_new_matter(question: str) -> None:
    meaning = asked(question, PARKING["nl"])

    assert meaning.is_followup
    assert (meaning.topic, meaning.intent) == ("parking", Intent.NAVIGATION_OR_PRACTICAL_INFO)


def test_takes_over_the_doctor() -> None:
    meaning = asked("Wanneer heeft hij consultatie?", "Wie is dr. Jan Van den Berg?")

    assert names(meaning) == ["Dr. Jan Van den Berg"]
    assert "Van den Berg" in meaning.query


def test_a_new_subject_is_asked_the_same() -> None:
    meaning = asked("en orthopedie?", "Welke artsen werken bij cardiologie?")

    assert meaning.intent is Intent.DOCTOR_LOOKUP
    assert names(meaning) == ["Orthopedie"]
    assert meaning.wants_list


def test_reaches_back_over_another_follow_up() -> None:
    meaning = asked("en in het weekend?", "Waar kan ik parkeren?", "en de kosten?")

    assert meaning.topic == "parking"


def test_a_whole_question_stands_by_itself() -> None:
    meaning = asked("Wat is syfilis?", "Welke artsen werken bij cardiologie?")

    assert not meaning.is_followup
    assert "Cardiologie" not in names(meaning)


def test_nothing_is_a_follow_up_without_history() -> None:
    assert not asked("en de kosten?").is_followup


def test_advice_stays_advice() -> None:
    meaning = asked("welke dosis heb ik nodig", "Wat is syfilis?")

    assert meaning.intent is Intent.OUT_OF_SCOPE_MEDICAL_ADVICE


def test_what_needs_a_subject_and_names_none_is_about_the_last_one() -> None:
    meaning = asked("welke dienst behandelt dat?", "Wat is syfilis?")

    assert meaning.is_followup
    assert "Syfilis" in names(meaning)


def test_visiting_hours_after_a_place_are_those_of_the_place() -> None:
    meaning = asked(
        "on peut rendre visite le week-end ? de quelle heure à quelle heure",
        "Waar is cardiologie?",
        page="fr",
    )

    assert names(meaning) == ["Cardiologie"]
    assert meaning.topic == "visiting"


def test_visiting_hours_after_a_list_of_doctors_are_those_of_the_hospital() -> None:
    meaning = asked(
        "What are the visiting hours?", "Welke artsen werken bij cardiologie?", page="en"
    )

    assert names(meaning) == []
    assert meaning.topic == "visiting"


def test_a_thing_of_its_own_is_asked_after_whatever_the_first_was() -> None:
    meaning = asked("en het telefoonnummer?", "Welke artsen werken bij cardiologie?")

    assert meaning.intent is Intent.BOOKING_OR_CONTACT
    assert names(meaning) == ["Cardiologie"]


def test_a_short_question_is_in_the_language_of_the_one_before() -> None:
    assert asked("und in Genk?", "Was kostet ein Einzelzimmer pro Tag?").language == "de"
    assert asked("and in Genk?", "Which days does Dr Van den Berg see patients?").language == "en"


@pytest.mark.parametrize("page", LANGUAGES)
def test_the_bare_name_of_a_campus_asks_the_same_of_it_in_the_visitors_language(page: str) -> None:
    meaning = asked("Sint-Jan?", PARKING[page], page=page)

    assert (meaning.topic, meaning.is_followup) == ("parking", True)
    assert meaning.intent is Intent.NAVIGATION_OR_PRACTICAL_INFO
    assert meaning.language == page


def test_the_bare_name_of_another_doctor_asks_the_same_of_that_one() -> None:
    first = asked("Wanneer heeft dr. Leen Maes consultatie?")

    meaning = asked("dr. Van den Berg?", "Wanneer heeft dr. Leen Maes consultatie?")

    assert (meaning.topic, meaning.intent) == (first.topic, first.intent)
    assert names(meaning) == ["Dr. Jan Van den Berg"]


def test_a_bare_department_after_another_asks_the_same_of_it() -> None:
    meaning = asked("orthopedie?", "Welke artsen werken bij cardiologie?")

    assert (meaning.intent, names(meaning)) == (Intent.DOCTOR_LOOKUP, ["Orthopedie"])


def test_a_bare_department_after_a_question_about_no_such_thing_stands_by_itself() -> None:
    meaning = asked("cardiologie", "Waar kan ik parkeren?")

    assert not meaning.is_followup
    assert meaning.topic != "parking"


ROOM_AND_CAMPUS = {
    "nl": ("Wat kost een eenpersoonskamer?", "en in Genk?"),
    "en": ("How much is a single room?", "and in Genk?"),
    "fr": ("C'est combien, une chambre seule ?", "et à Genk ?"),
    "de": ("Was kostet ein Einzelzimmer?", "und in Genk?"),
    "tr": ("Tek kişilik oda ne kadar?", "peki Genk'te?"),
    "it": ("Quanto costa una camera singola?", "e a Genk?"),
    "ro": ("Cât costă o cameră de o persoană?", "și în Genk?"),
    "el": ("Πόσο κοστίζει ένα μονόκλινο δωμάτιο;", "και στο Genk;"),
}


@pytest.mark.parametrize("page", LANGUAGES)
def test_another_campus_keeps_the_words_and_the_need_of_the_question(page: str) -> None:
    before, question = ROOM_AND_CAMPUS[page]
    first, meaning = asked(before, page=page), asked(question, before, page=page)

    assert set(first.terms) <= set(meaning.terms)
    assert need_of(meaning) == need_of(first)
    assert all(word in meaning.query.casefold() for word in first.terms)


def test_a_later_question_with_a_subject_of_its_own_is_searched_for_by_its_own_words() -> None:
    meaning = asked("et mes médicaments, je les amène ?", "Que dois-je apporter, quels papiers ?")

    assert meaning.is_followup
    assert "documenten" not in meaning.terms
    assert "medicatie" in meaning.terms


WHEN_THEN = {
    "nl": "en wanneer zijn die er?", "en": "and which days are they there?",
    "fr": "et ils consultent quand ?", "de": "und wann sind die da?",
    "tr": "peki hangi günler varlar?", "it": "e in quali giorni ci sono?",
    "ro": "și în ce zile sunt?", "el": "και ποια μέρα δέχονται;",
}  # fmt: skip


@pytest.mark.parametrize("page", LANGUAGES)
def test_when_after_doctors_asks_for_their_hours(page: str) -> None:
    meaning = asked(WHEN_THEN[page], DOCTORS[page], page=page)

    assert (meaning.intent, names(meaning)) == (Intent.DOCTOR_LOOKUP, ["Cardiologie"])
    assert meaning.wants == "time"


def need_of(meaning: Understanding) -> str:
    said = meaning.classification
    assert isinstance(said, OwnClassification)
    return max(said.needs, key=said.needs.__getitem__)


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
    "nl": ("Werkt een van hen op vrijdag?", "Zit iemand van deze artsen op woensdag in Genk dan?"),
    "en": ("Does one of them work on Fridays?", "Could I see any of these doctors on Wednesday?"),
    "fr": ("L'un d'eux consulte-t-il le vendredi ?", "Lequel est là le mercredi matin en fait ?"),
    "de": ("Arbeitet einer von ihnen am Freitag?", "Ist einer der beiden auch mittwochs da?"),
    "tr": ("Onlardan biri cuma günü çalışıyor mu?", "Hangisi çarşamba sabahı orada oluyor?"),
    "it": ("Uno di loro lavora il venerdì?", "Posso vedere uno di questi medici mercoledì?"),
    "ro": ("Lucrează vreunul dintre ei vineri?", "Este unul din cei doi acolo miercuri?"),
    "el": ("Δουλεύει κάποιος από αυτούς την Παρασκευή;", "Ποιος από αυτούς είναι εκεί Τετάρτη;"),
}
THE_ONE = {
    "nl": "Wat is zijn nummer?", "en": "What's her number?", "fr": "Quel est son numéro ?",
    "de": "Wie lautet seine Nummer?", "tr": "Onun numarası nedir?", "it": "Qual è il suo numero?",
    "ro": "Care este numărul ei?", "el": "Ποιος είναι ο αριθμός του;",
}  # fmt: skip


@pytest.mark.parametrize("page", LANGUAGES)
def test_some_of_the_doctors_who_were_told_may_be_asked_for(page: str) -> None:
    for question in SOME_OF_THEM[page]:
        meaning = asked(question, DOCTORS[page], page=page)

        assert (meaning.intent, names(meaning)[-1]) == (Intent.DOCTOR_LOOKUP, "Cardiologie")


def test_a_question_after_another_is_in_its_language_unless_it_shows_another() -> None:
    before = "Oğlum 4 yaşında 15 kilo, ateşi 38,7. Parasetamol kaç mg?"

    turkish = asked("peki 8 aylık kardeşi, o da 8,5 kilo?", before)
    english = asked("And what are the visiting hours on the maternity ward?", before)

    assert (turkish.language, english.language) == ("tr", "en")


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
def test_what_begins_with_and_goes_on_from_the_question_before(question: str, before: str) -> None:
    assert asked(question, before).is_followup


def test_a_later_question_is_about_the_one_doctor_whom_the_answer_named() -> None:
    told = "Voor uw schouder kunt u terecht bij Dr. Jan Van den Berg."
    history = (Exchange("Bij wie moet ik zijn voor mijn schouder?", told),)

    meaning = reader().understand(Turn("en wanneer zit die dokter er?", "nl", history))

    assert "Dr. Jan Van den Berg" in names(meaning)
