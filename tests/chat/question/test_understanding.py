"""One understanding from a classification, whichever engine classified the message."""

from dataclasses import replace

import pytest

from chat.question.classification import Classification, MeantMoment, Mention, Part, moments_meant
from chat.question.understanding import MessageReader, message_reader_of, understood
from chat.turn import Exchange, Turn
from retrieval.intents import Intent
from tests.chat.question.readers import names, snapshot

SAID = Classification(
    "none", "question", Intent.CONDITION_INFORMATION, 0.9, "none", "nl", follows=False,
    rewritten="Wat is syfilis?", parts=(), entities=(), moment=None,
)  # fmt: skip


def meaning(question="Wat is syfilis?", *before, language="nl", **said):
    history = tuple(Exchange(text, "") for text in before)
    turn = Turn(question, language, history)
    return understood(replace(SAID, **said), turn, snapshot().derived(message_reader_of))


def test_what_the_rewritten_question_names_comes_before_what_the_visitor_named():
    found = meaning("en bij orthopedie?", rewritten="Wie behandelt syfilis?")

    assert names(found)[0] == "Syfilis"
    assert "Orthopedie" in names(found)


def test_a_mention_is_resolved_and_never_named_by_a_model():
    assert "Syfilis" in names(meaning("dat", rewritten="", entities=(Mention("?", "syphilis"),)))
    assert names(meaning("dat", rewritten="", entities=(Mention("?", "Blorp"),))) == []


@pytest.mark.parametrize(
    ("said", "intent"),
    [
        ({"intent": "jobs"}, Intent.NAVIGATION_OR_PRACTICAL_INFO),
        ({"advice": "personal"}, Intent.OUT_OF_SCOPE_MEDICAL_ADVICE),
        ({"advice": "personal", "confidence": 0.6}, Intent.CONDITION_INFORMATION),
        ({"kind": "unclear"}, Intent.VAGUE_INPUT),
        ({"kind": "person_wanted"}, Intent.VAGUE_INPUT),
        ({"kind": "thanks", "confidence": 0.6}, Intent.CONDITION_INFORMATION),
        ({"kind": "grief"}, Intent.CONDITION_INFORMATION),
    ],
)
def test_the_intent_that_a_models_word_amounts_to(said, intent):
    assert meaning(**said).intent is intent


def test_advice_of_which_a_model_is_unsure_is_a_question():
    assert not meaning(intent=Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, confidence=0.4).intent.is_blocked


def test_billing_is_searched_by_its_own_row():
    assert meaning(intent="billing_or_insurance").topic == "billing"


def test_the_topic_of_a_later_question_is_that_of_the_complete_one():
    later = {"rewritten": "Wat kost de parking?", "follows": True}

    assert meaning("en de kosten?", "Waar kan ik parkeren?", **later).topic == "parking"


def test_a_language_of_which_code_is_sure_is_the_language():
    assert meaning("Quels sont les horaires de visite ?", language="nl").language == "fr"
    assert meaning("1 2 3", language="en").language == "nl"


def test_what_is_asked_in_a_language_that_is_not_offered_is_answered_in_the_pages():
    reader = message_reader_of(snapshot())
    few = MessageReader(reader.index, reader.lexicon, frozenset(), ("nl", "fr"))

    found = understood(replace(SAID, language="de"), Turn("Wann ist Besuchszeit?"), few)
    offered = understood(replace(SAID, language="fr"), Turn("Quand puis-je venir ?"), few)

    assert (found.detected, found.answered_in) == ("de", ("nl", "en"))
    assert (offered.detected, offered.answered_in) == ("fr", ("fr",))


def test_what_is_wanted_and_the_parts_are_as_they_were_classified():
    parts = (Part("bezoekuren", "time"), Part("prijs van de parking", "price"))

    assert meaning(parts=parts).parts == ("bezoekuren", "prijs van de parking")
    assert (meaning(parts=parts).wants, meaning(parts=parts[:1]).parts) == ("time", ())
    assert meaning(parts=(Part("artsen", "all"),)).wants_list


def test_a_day_that_code_does_not_read_is_the_models():
    said = MeantMoment("2026-12-24T00:00", "2026-12-25T00:00", "de dag voor Kerstmis")

    assert moments_meant(said, ()) == (said,)
    assert moments_meant(None, ()) == ()
