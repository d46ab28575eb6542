"""What somebody asks of a servant at home is not answered as a question to a hospital."""

from __future__ import annotations

import pytest

from retrieval.intents import Intent
from tests.chat.question.readers import asked

REQUESTS = {
    "nl": (
        "reserveer een tafel voor twee bij die nieuwe Griek",
        "beoordeel die thriller met vier sterren",
        "speel iets rustigs van een pianist",
        "heb ik zaterdag een regenjas nodig, wat zegt het weerbericht",
    ),
    "en": (
        "reserve a table for six somewhere with a terrace",
        "add that ballad to my playlist for running",
        "remind me to water the plants on Friday",
        "what is the weather going to do this weekend",
    ),
    "fr": ("réserve une table pour trois ce soir", "mets un réveil à six heures"),
    "de": ("reserviere einen Tisch für zwei am Samstag", "spiele etwas Ruhiges zum Einschlafen"),
    "tr": ("cuma akşamı için dört kişilik masa ayırt", "bana çöpü çıkarmayı hatırlat"),
    "it": ("prenota un tavolo con vista per due", "che tempo farà domenica al mare"),
    "ro": ("rezervă o masă pentru patru diseară", "setează o alarmă la șase"),
    "el": ("κλείσε ένα τραπέζι για τρεις απόψε", "τι καιρό θα κάνει την Κυριακή"),
}
QUESTIONS = (
    ("nl", "reserveer een eenpersoonskamer voor mijn bevalling"),
    ("nl", "boek een afspraak bij cardiologie"),
    ("nl", "speelt roken een rol bij diabetes"),
    ("nl", "is er televisie op de kamer en wat kost dat"),
    ("en", "find a cardiologist"),
    ("en", "show me the visiting hours"),
    ("en", "add my new insurance to my file"),
    ("fr", "trouver un cardiologue"),
    ("de", "zeige mir die Besuchszeiten"),
    ("it", "prenota una visita in cardiologia"),
)


@pytest.mark.parametrize(
    ("language", "question"), [(code, q) for code, some in REQUESTS.items() for q in some]
)
def test_a_request_that_no_hospital_grants_is_off_topic(language: str, question: str) -> None:
    assert asked(question, page=language).intent is Intent.OFF_TOPIC


@pytest.mark.parametrize(("language", "question"), QUESTIONS)
def test_the_same_verbs_may_ask_for_what_a_hospital_has(language: str, question: str) -> None:
    assert asked(question, page=language).intent is not Intent.OFF_TOPIC


def test_a_title_in_another_language_does_not_hide_the_order() -> None:
    meaning = asked("Silver Rivers of the North albümünü çalma listeme ekle", page="tr")

    assert meaning.intent is Intent.OFF_TOPIC
