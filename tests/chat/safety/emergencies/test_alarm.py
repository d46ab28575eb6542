"""Red-flag phrases stop a turn, the network only warns, and no alarm is stored."""

import pytest

from chat.safety.emergencies.alarm import (
    GOES_ON_FROM,
    LINE_FROM,
    TEXT_FROM,
    TOGETHER_FROM,
    Alarm,
    Danger,
    Detector,
    Reading,
    Situations,
    Strength,
)
from chat.safety.emergencies.phrases import RedFlags

PHRASES = (
    {"kind": "breathing", "language": "nl", "role": "trigger", "text": "krijg geen lucht"},
    {"kind": "suicide", "language": "nl", "role": "trigger", "text": "wil niet meer leven"},
)
SITUATIONS = (
    {"kind": "breathing", "danger": "emergency", "text": "emergency", "specialties": ""},
    {"kind": "labour", "danger": "emergency", "text": "labour", "specialties": "obstetrics"},
    {"kind": "suicide", "danger": "crisis", "text": "crisis", "specialties": ""},
)
NOTHING = "waar kan ik parkeren"


def reading(chance: float, danger: Danger = Danger.NOW, *, goes_on: float = 0.0, **leads: float):
    rest = dict.fromkeys(Danger, 0.0) | {danger: chance, Danger.NONE: 1 - chance}
    return Reading(rest, leads, goes_on)


def alarm(*messages: str, **readings: Reading) -> Alarm:
    """Return the alarm of the last message; a reading applies to messages that contain its name."""

    def read(text: str) -> Reading:
        named = [each for name, each in readings.items() if name in text]
        return named[-1] if named else reading(0.0)

    detector = Detector(RedFlags(PHRASES), Situations(SITUATIONS), read)
    *before, message = messages
    return detector.alarm(message, *before)


def test_a_phrase_stops_the_turn_whatever_the_network_reads():
    found = alarm("ik krijg geen lucht")

    assert (found.danger, found.strength, found.kind) == (Danger.NOW, Strength.STOP, "breathing")
    assert found.phrase == "krijg geen lucht"


@pytest.mark.parametrize(
    ("chance", "strength"),
    [
        (LINE_FROM - 0.01, Strength.NONE),
        (LINE_FROM, Strength.LINE),
        (TEXT_FROM, Strength.TEXT),
        (1.0, Strength.TEXT),
    ],
)
def test_the_network_warns_by_its_chance_and_never_stops(chance: float, strength: Strength):
    assert alarm("dak", dak=reading(chance)).strength is strength


def test_an_ordinary_message_raises_none():
    assert not alarm(NOTHING)


def test_the_likeliest_danger_of_the_network_decides():
    assert alarm("pil", pil=reading(0.95, Danger.POISON)).danger is Danger.POISON


def test_the_specialty_of_a_message_decides_the_desk():
    assert alarm("water", water=reading(0.95, obstetrics=0.8)).kind == "labour"
    assert alarm("water", water=reading(0.95, cardiology=0.8)).kind == "emergency"


def test_an_uncertain_specialty_comes_after_the_emergency_number():
    def texts(share: float) -> list[str]:
        found = alarm("water", water=reading(0.95, obstetrics=share))
        return [each.text for each in found.situations]

    assert texts(0.8) == ["labour"]
    assert texts(0.6) == ["emergency", "labour"]
    assert texts(0.4) == ["emergency"]


def test_an_intended_overdose_gets_both_texts():
    mixed = Reading({Danger.NONE: 0.0, Danger.CRISIS: 0.7, Danger.POISON: 0.3}, {})

    found = alarm("ik wil niet meer leven", leven=mixed)

    assert [each.text for each in found.situations] == ["crisis", "poison"]


def test_the_most_lethal_danger_comes_first():
    found = alarm("ik wil niet meer leven en ik krijg geen lucht")

    assert [each.text for each in found.situations] == ["emergency", "crisis"]
    assert found.danger is Danger.NOW


def test_an_alarm_that_was_raised_before_is_not_raised_again():
    assert not alarm("ik krijg geen lucht", NOTHING)
    assert not alarm("dak", NOTHING, dak=reading(0.99))


def test_a_message_that_continues_an_alarm_gets_one_line():
    water = reading(0.0, goes_on=GOES_ON_FROM)

    found = alarm("ik krijg geen lucht", "mag ik water drinken", water=water)

    assert (found.strength, found.kind) == (Strength.LINE, "breathing")


def test_still_about_it_means_nothing_where_nothing_was_answer():
    assert not alarm(NOTHING, "mag ik water drinken", water=reading(0.0, goes_on=1.0))


def test_a_phrase_across_two_messages_is_found():
    assert alarm("ik krijg", "geen lucht").strength is Strength.STOP


def test_a_crisis_across_two_messages_is_found():
    def read(text: str) -> Reading:
        together = "moe" in text and "brief" in text
        return reading(TOGETHER_FROM if together else 0.1, Danger.CRISIS)

    detector = Detector(RedFlags(PHRASES), Situations(SITUATIONS), read)

    assert detector.alarm("de brief ligt klaar", "ik ben zo moe").danger is Danger.CRISIS
    assert not detector.alarm("waar is de ingang", "ik ben zo moe")
