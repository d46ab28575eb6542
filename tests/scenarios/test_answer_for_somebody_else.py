"""A voice answer was served to a visitor of the website; a Dutch one might reach a Turkish asker."""

from chat import services
from chat.answer_cache import store as remembering
from chat.channels import sessions
from taxonomy.publishing.versions import publish
from tests import factories
from tests.databases import databases
from zol.tenancy import serving

#: One question; all of these become the same once they are rewritten in the hospital's language.
QUESTIONS = {
    "nl": "Hoeveel kost parkeren?",
    "de": "Wie viel kostet das Parken?",
    "en": "How much is parking?",
    "fr": "Combien coûte le parking ?",
}


def ask(hospital, language, channel):
    return services.answer(sessions.start(hospital, language, channel=channel), QUESTIONS[language])


def test_nobody_gets_the_words_that_were_meant_for_another(mini):
    seen = {}
    for language in QUESTIONS:
        for channel in ("web", "widget", "api"):
            message = ask(mini, language, channel)
            assert not message.cached, (language, channel)
            seen.setdefault(message.language, set()).add(message.answer)
    assert ask(mini, "nl", "web").cached
    assert ask(mini, "nl", "web").answer in seen["nl"]
    assert set(seen) == set(QUESTIONS)
    assert not seen["de"] & seen["nl"]


def test_nor_what_another_hospital_answered(mini):
    ask(mini, "nl", "web")
    other = factories.hospital(slug="elders", name="Ziekenhuis Elders", short_name="ZE")
    try:
        factories.with_defaults(other)
        with serving(other):
            publish(other, by=None)
            remembering.forget_answers()
            assert not ask(other, "nl", "web").cached
    finally:
        databases.spoil()
