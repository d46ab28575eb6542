"""An emergency ends the turn; a weaker alarm puts a warning above the answer."""

import pytest

from chat.behaviours import Behaviour
from chat.models import Conversation, EmergencySituation
from chat.safety.emergencies.alarm import Danger, Strength
from chat.services import TurnRequest, answer, take_turn
from chat.turn import Turn, details_of
from tests.taxonomy.releases import publish_draft

pytestmark = pytest.mark.django_db
STOPS = "help, mijn vader ademt niet meer"
#: No phrase stands in it; the network is sure.
FELL = "mijn man is van het dak gestuikt en ligt te kreunen op het terras"
PARKING = "Waar kan ik parkeren?"


@pytest.fixture
def conversation(mini):
    return Conversation.objects.create(hospital_id=mini.pk)


def test_a_phrase_stops_the_turn_and_the_trace_tells_why(conversation):
    message = answer(conversation, TurnRequest(STOPS))

    assert message.behaviour == Behaviour.EMERGENCY
    assert (message.warning, message.warned_by) == (Danger.NOW, Strength.STOP)
    assert message.answer.startswith("**Bel nu 112.**")
    told = next(details_of("detect_emergency", message.trace["stages"]))
    assert told["phrase"]
    assert told["situations"]


def test_the_network_warns_above_the_answer(conversation):
    message = answer(conversation, TurnRequest(FELL))

    assert message.behaviour != Behaviour.EMERGENCY
    assert message.warning == Danger.NOW
    assert "112" in message.answer.split(".")[0]


def test_the_warning_is_sent_before_anything_is_searched(mini):
    events: list[object] = []

    take_turn(Turn(FELL), events.append)

    first = next(event for event in events if hasattr(event, "text"))
    assert "112" in first.text


def test_what_is_asked_once_it_is_over_is_answered_as_ever(conversation):
    answer(conversation, TurnRequest(STOPS))
    following = answer(conversation, TurnRequest(PARKING))

    assert following.behaviour == Behaviour.ANSWER
    assert following.warning == Danger.NONE
    assert "112" not in following.answer


@pytest.mark.parametrize(
    ("question", "language", "first"),
    [
        ("ik wil niet meer leven", "nl", "1813"),
        ("je ne veux plus vivre", "fr", "0800 32 123"),
        ("ich will nicht mehr leben", "de", "108"),
        ("I don't want to live anymore", "en", "02 648 40 14"),
    ],
)
def test_a_crisis_names_the_line_of_the_askers_language_first(mini, question, language, first):
    told = take_turn(Turn(question, language)).context

    assert told.alarm.danger is Danger.CRISIS
    numbers = {number: told.answer.find(number) for number in ("1813", "0800 32 123", "108", "112")}
    assert told.answer.find(first) == min(at for at in numbers.values() if at >= 0) or (
        told.answer.find(first) < told.answer.find("112")
    )


def test_a_language_without_a_line_gets_those_of_the_hospital_and_in_english(mini):
    told = take_turn(Turn("artık yaşamak istemiyorum", "tr")).context

    assert told.answer.find("1813") < told.answer.find("02 648 40 14")


def test_a_situation_has_the_main_number_until_a_hospital_gives_it_one_of_its_own(mini):
    asked = Turn("mijn water is gebroken, langs waar moet ik binnen")
    before = take_turn(asked).context
    assert before.alarm.kind == "labour_emergency"
    assert mini.phone in before.answer.split(".**")[0]
    row = EmergencySituation.objects.get(kind="labour_emergency")
    row.desk, row.phone = "Verloskamer", "089 11 22 33"
    row.save()
    publish_draft(mini)

    told = take_turn(asked).context

    assert told.answer.startswith("**Bel nu Verloskamer: 089 11 22 33.**")


@pytest.mark.parametrize(
    "question",
    ["mój mąż stracił przytomność i nie oddycha", "у моего мужа инфаркт, он без сознания"],
)
def test_a_language_not_spoken_here_is_warned_in_two(mini, question):
    told = take_turn(Turn(question)).context

    assert told.alarm.danger is Danger.NOW
    assert "Bel nu 112" in told.answer
    assert "112 now" in told.answer


def test_who_describes_an_emergency_is_sent_to_no_family_doctor_below_its_text(conversation):
    message = answer(
        conversation, TurnRequest("mijn vader praat plots raar en zijn arm hangt slap")
    )

    assert message.warned_by == Strength.TEXT
    assert "112" in message.answer.split(".")[0]
    assert "huisarts" not in message.answer
    assert message.citations == []
