"""A question gets the same answer in every language."""

import pytest

from chat import services
from chat.answer_cache import store as answer_cache
from chat.channels import sessions
from chat.channels.frames import answer_html
from chat.phrases import phrases_of
from chat.services import TurnRequest
from chat.turn import Turn
from taxonomy.models import Department
from taxonomy.packs.folder import export_pack, load_pack, read_pack
from taxonomy.publishing.live import live_snapshot
from taxonomy.publishing.versions import publish
from tests import factories
from tests.chat.question.readers import asked, names
from tests.databases import databases
from tests.packs import CLAIRVAL
from zol.tenancy import serving


# A hospital in France, the first that is not Dutch: `ma` was read as Monday and `di` as Tuesday
# without a word, an alias without a prefix was Dutch, its numbers were dialled as Belgian ones.
def rows(file):
    return {row.fields["key"]: row.fields for row in read_pack(CLAIRVAL).rows[f"taxonomy/{file}"]}


def test_its_pack_is_read_in_french():
    doctors = rows("doctors.csv")
    aliases = rows("departments.csv")["maternite"]["aliases"]

    assert read_pack(CLAIRVAL).warnings == ()
    assert doctors["yann-le-goff"]["schedule"] == "mardi-vendredi 14:00-17:00@tilleuls"
    assert doctors["nadia-benyoucef"]["schedule"] == (
        "lundi 9:00-12:30@tilleuls|dimanche 9:00-11:00@tilleuls"
    )
    assert [(alias.language, alias.text) for alias in aliases] == [
        ("fr", "obstétrique"),
        ("fr", "salle de naissance"),
        ("nl", "kraamafdeling"),
        ("en", "maternity"),
    ]


@pytest.fixture
def clairval(mini):
    hospital, _changes = load_pack(read_pack(CLAIRVAL))
    with serving(hospital):
        publish(hospital, by=None)
        yield hospital


def answer(question, language):
    return services.take_turn(Turn(question, language)).context.answer


def test_it_answers_in_french_dutch_and_english(clairval, tmp_path):
    hours = "lu-ve 9h00-12h30, 13h30-17h00; di fermé; secrétariat ma 8h"
    say = phrases_of(live_snapshot()).hours

    assert say(hours, "fr") == (
        "lundi-vendredi 9h00-12h30, 13h30-17h00; dimanche fermé; secrétariat mardi 8h"
    )
    assert say(hours, "nl") == (
        "maandag-vrijdag 9u00-12u30, 13u30-17u00; zondag gesloten; secretariaat dinsdag 8h"
    )
    told = answer("Comment joindre le service de médiation ?", "fr")
    assert "Service de médiation" in told
    assert "service Service" not in told
    assert '<a href="tel:+33261911040">02 61 91 10 40</a>' in answer_html(told)
    assert "dinsdag 8:30-12:00" in answer("Wanneer heeft dokter Marchais raadpleging?", "nl")
    assert "Sunday 9:00-11:00" in answer("When does doctor Benyoucef see patients?", "en")
    assert "15" in answer("mon père ne respire plus", "fr")

    # Its tables are written as they are read, also where one is written anew.
    Department.objects.filter(key="imagerie").update(phone="02 61 91 11 39")

    export_pack(clairval, tmp_path / "out")
    told = (tmp_path / "out/taxonomy/departments.csv").read_text(encoding="utf-8")
    assert "imagerie,Imagerie médicale,radiologie|radio|scanner|nl:radiologie|en:radiology," in told


# A French question about syphilis was routed to Urology: look-ups ran on the words as written.
#
# Every language's question becomes one sentence in the hospital's language, and leads to one
# department.
QUESTIONS = (
    ("nl", "Wat is syfilis?"),
    ("fr", "C'est quoi la syphilis ?"),
    ("en", "What is syphilis?"),
    ("de", "Was ist Syphilis?"),
    ("it", "Che cos'è la sifilide?"),
    ("ro", "Ce este sifilisul?"),
    ("tr", "Frengi nedir?"),
    ("el", "Τι είναι η σύφιλη;"),
)


@pytest.mark.parametrize(("language", "question"), QUESTIONS)
def test_the_same_disease_is_asked_in_the_same_words_in_every_language(language, question):
    assert asked(question, page=language).query == asked(QUESTIONS[0][1]).query


@pytest.mark.parametrize(("language", "question"), QUESTIONS)
def test_no_language_leads_to_urology(language, question):
    found = names(asked(question, page=language))

    assert "Syfilis" in found
    assert "Urologie" not in found


# A short Dutch medical word was taken for Romanian, and the visitor got a Romanian answer.
@pytest.mark.parametrize(
    "word", ["cardio", "nier", "spoed", "urologie", "palpitaties", "eczeem", "migraine", "labo"]
)
def test_a_single_dutch_word_is_answered_in_dutch(word):
    assert asked(word).language == "nl"


# A voice answer was served to a visitor of the website; a Dutch one might reach a Turkish asker.
#: One question; all of these become the same once they are rewritten in the hospital's language.
PARKING = {
    "nl": "Hoeveel kost parkeren?",
    "de": "Wie viel kostet das Parken?",
    "en": "How much is parking?",
    "fr": "Combien coûte le parking ?",
}


def ask(hospital, language, channel):
    return services.answer(
        sessions.start(hospital, language, channel=channel), TurnRequest(PARKING[language])
    )


def test_nobody_gets_the_words_that_were_meant_for_another(mini):
    seen = {}
    for language in PARKING:
        for channel in ("web", "widget", "api"):
            message = ask(mini, language, channel)
            assert not message.cached, (language, channel)
            seen.setdefault(message.language, set()).add(message.answer)
    assert ask(mini, "nl", "web").cached
    assert ask(mini, "nl", "web").answer in seen["nl"]
    assert set(seen) == set(PARKING)
    assert not seen["de"] & seen["nl"]


def test_nor_what_another_hospital_answered(mini):
    ask(mini, "nl", "web")
    other = factories.hospital(slug="elders", name="Ziekenhuis Elders", short_name="ZE")
    try:
        factories.with_defaults(other)
        with serving(other):
            publish(other, by=None)
            answer_cache.forget_answers()
            assert not ask(other, "nl", "web").cached
    finally:
        databases.spoil()
