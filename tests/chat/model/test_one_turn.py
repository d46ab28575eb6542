"""One turn with a model from end to end, and what goes wrong on the way."""

import json
from datetime import datetime

import pytest

from chat.turn import Exchange
from tests.chat.model.conftest import said, verdicts, written
from tests.scripted import Line

BEFORE = Exchange(
    "Ik krijg vrijdag een coloscopie. Hoe bereid ik me voor?",
    "U volgt 3 dagen vooraf een vezelarm dieet. [1]",
)
ASKED = (
    "en mijn bloedverdunner? mijn dochter van 19 brengt me, waar kan ze parkeren en wat kost 3 uur?"
)
SUNDAY = datetime(2026, 11, 29, 10, 40)
MEANT = {
    "urgency": "none", "kind": "question", "intent": "treatment_or_exam_information",
    "confidence": 0.94, "advice": "rule", "language": "nl", "follows": True,
    "rewritten": "bloedverdunners voor een coloscopie; parkeren aan de Dijk tarief 3 uur",
    "parts": [
        {"text": "bloedverdunners voor een coloscopie", "wants": "rule"},
        {"text": "parkeren aan de Dijk, prijs voor 3 uur", "wants": "price"},
    ],
    "entities": [],
    "moment": {"from": "2026-12-04T00:00", "to": "2026-12-05T00:00", "said": "vrijdag"},
}  # fmt: skip
THINNERS, DESK, DRIVE, RATE, HOME = (
    "7 dagen vooraf", "De dienst Oogziekten helpt u", "via de Bessemerstraat",
    "€ 1,20 per begonnen uur", "rijdt tot de volgende dag",
)  # fmt: skip
ONE = "Bespreek uw bloedverdunners en diabetesmedicatie 7 dagen vooraf met uw arts; stop er nooit uit uzelf mee."
TWO = "Uw onderzoek is vrijdag al: bel daarom Oogziekten maandag vanaf 8.30 uur op 011 00 11 20."
THREE = "Uw dochter rijdt binnen via de Bessemerstraat; 's voormiddags is het er snel vol."
FOUR = "Drie uur kost € 3,60 (€ 1,20 per begonnen uur, hoogstens € 6 per dag)."
FIVE = "U rijdt tot de volgende dag niet zelf."
STATEMENTS = (
    said(ONE, THINNERS),
    said(TWO, DESK),
    said(THREE, DRIVE),
    said(FOUR, RATE),
    said(FIVE, HOME),
)


@pytest.fixture
def turn(stack):
    def ask(**replies):
        statements = replies.pop("statements", STATEMENTS)
        stack.play(*statements, **({"classify": json.dumps(MEANT)} | replies))
        return stack.ask(ASKED, history=(BEFORE,), at=SUNDAY)

    stack.turn = ask
    return stack


def test_every_part_is_answered_in_order_with_the_sources_in_which_they_are_shown(turn):
    ctx = turn.turn()

    assert turn.fates == ["said"] * 5, turn.trace["generation"].detail["statements"]
    places = [ctx.answer.index(text) for text in (ONE, TWO, THREE, FOUR, FIVE)]
    assert places == sorted(places)
    assert [citation.title for citation in ctx.citations] == ["Coloscopie", "Parkeren aan de Dijk"]
    assert f"{FOUR} [2]" in ctx.answer
    assert ctx.answer.startswith(turn.seen)
    told = [request["messages"][-1]["content"] for request in turn.asked("verdict")]
    assert any(FOUR in each and RATE in each for each in told)
    assert not any("stop er nooit" in each for each in told)


def test_in_place_of_a_sum_that_is_none_and_of_stopping_a_medicine_stand_their_lines(turn):
    wrong = {
        0: said("Stop 7 dagen vooraf met uw bloedverdunners.", THINNERS),
        3: said(FOUR.replace("3,60", "4,80"), RATE),
    }

    def verdict(request):
        told = request["messages"][-1]["content"]
        is_wrong = any(each["text"] in told for each in wrong.values())
        return verdicts(request, "contradicted" if is_wrong else "supported")

    statements = [wrong.get(at, right) for at, right in enumerate(STATEMENTS)]
    ctx = turn.turn(statements=statements, verdict=verdict)

    assert [turn.fates[at] for at in wrong] == ["quoted instead"] * 2
    assert not any(each["text"] in ctx.answer for each in wrong.values())
    assert THINNERS in ctx.answer
    assert RATE in ctx.answer


def test_where_the_answer_breaks_off_its_lines_follow_and_code_adds_the_rest(turn):
    def cut(request):
        reply = written(request, *STATEMENTS)
        return Line(reply, cut_after=reply[: reply.index("dochter rijdt binnen")].count(" ") + 1)

    ctx = turn.turn(answer=cut)

    assert turn.fates[:2] == ["said", "said"]
    assert set(turn.fates[2:]) == {"shown as lines"}
    assert "Uw dochter" not in ctx.answer
    after = ctx.answer.partition(TWO)[2]
    assert RATE in after
    assert THINNERS not in after
    assert ctx.answer.startswith(turn.seen)
    assert ctx.degraded
