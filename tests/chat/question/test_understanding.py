"""A model's classification becomes an understanding, with entities that code resolves."""

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


def test_entities_of_the_rewritten_question_come_first():
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
def test_a_models_classification_gives_the_intent(said, intent):
    assert meaning(**said).intent is intent


def test_uncertain_advice_is_a_question():
    assert not meaning(intent=Intent.OUT_OF_SCOPE_MEDICAL_ADVICE, confidence=0.4).intent.is_blocked


def test_billing_is_searched_by_its_own_row():
    assert meaning(intent="billing_or_insurance").topic == "billing"


def test_the_topic_of_a_follow_up_is_that_of_the_rewritten_question():
    later = {"rewritten": "Wat kost de parking?", "follows": True}

    assert meaning("en de kosten?", "Waar kan ik parkeren?", **later).topic == "parking"


def test_a_certain_detection_overrides_the_models_language():
    assert meaning("Quels sont les horaires de visite ?", language="nl").language == "fr"
    assert meaning("1 2 3", language="en").language == "nl"


def test_a_language_that_is_not_offered_is_answered_in_the_pages_language():
    reader = message_reader_of(snapshot())
    few = MessageReader(reader.index, reader.lexicon, frozenset(), ("nl", "fr"))

    found = understood(replace(SAID, language="de"), Turn("Wann ist Besuchszeit?"), few)
    offered = understood(replace(SAID, language="fr"), Turn("Quand puis-je venir ?"), few)

    assert (found.detected, found.answered_in) == ("de", ("nl", "en"))
    assert (offered.detected, offered.answered_in) == ("fr", ("fr",))


def test_parts_and_expected_answer_are_those_of_the_classification():
    parts = (Part("bezoekuren", "time"), Part("prijs van de parking", "price"))

    assert meaning(parts=parts).parts == ("bezoekuren", "prijs van de parking")
    assert (meaning(parts=parts).wants, meaning(parts=parts[:1]).parts) == ("time", ())
    assert meaning(parts=(Part("artsen", "all"),)).wants_list


def test_a_day_that_code_cannot_read_is_taken_from_the_model():
    said = MeantMoment("2026-12-24T00:00", "2026-12-25T00:00", "de dag voor Kerstmis")

    assert moments_meant(said, ()) == (said,)
    assert moments_meant(None, ()) == ()
