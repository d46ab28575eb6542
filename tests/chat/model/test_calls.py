"""What is asked of models is written down without a word of it, and has a budget a day."""

import pytest

from chat import services
from chat.admin.figures import budget_tasks
from chat.channels import sessions
from chat.models import ModelBudget, ModelCall
from chat.selectors import Prices, budget_used, prices_of
from chat.services import TurnRequest
from chat.tasks import CALLS_KEPT, forget_calls
from chat.wiring import models_answer
from tests.builders import snapshot
from tests.chat.model.conftest import QUESTION, said
from tests.scripted import Line
from zol.llm import faults, refusals
from zol.llm.base import Call
from zol.runtime.stopping import Stop, TurnStopped, stopped_by
from zol.tenancy import serving

GOOD = "Na een ingreep krijgt uw kind pijnstilling mee."


@pytest.fixture(autouse=True)
def anew():
    budget_used.forget()
    yield
    budget_used.forget()


@pytest.fixture
def conversation(stack, hospital_with_doses):
    stack.play(said(GOOD, "krijgt uw kind"))
    return sessions.start(hospital_with_doses, "nl")


def test_each_request_is_written_down_without_a_word(stack, conversation):
    message = services.answer(conversation, TurnRequest(QUESTION))

    rows = ModelCall.objects.filter(message=message.pk).values()
    assert {row["purpose"] for row in rows} >= {"classify", "answer"}
    answered = next(row for row in rows if row["purpose"] == "answer")
    assert answered["endpoint"] == "primary"
    assert answered["tokens_in"] > 0 < answered["first_word"] <= answered["seconds"]
    assert not any("pijnstilling" in str(row) for row in rows)


def test_what_a_turn_used_that_was_stopped_is_written_down_too(stack, conversation):
    stop = Stop()

    def stop_now(request):
        stop.set()
        return Line(GOOD, delay=3.0)

    stack.play(answer=stop_now)
    with stopped_by(stop), pytest.raises(TurnStopped):
        services.answer(conversation, TurnRequest(QUESTION))

    assert ModelCall.objects.get(purpose="answer").failure == "LeftOff"


@pytest.mark.parametrize("budget", [{"tokens": 1}, {"cost": 1e-9}], ids=["tokens", "money"])
def test_a_budget_that_is_used_up_leaves_the_embedded_engine_and_tells_staff(
    stack, conversation, budget
):
    ModelCall.objects.create(
        hospital=conversation.hospital, purpose="answer", endpoint="primary", model="tiny",
        seconds=1, first_word=1, tokens_in=1, tokens_out=1, cost=1.0,
    )  # fmt: skip
    assert models_answer()
    assert list(budget_tasks(None)) == []

    ModelBudget.objects.create(hospital=conversation.hospital, **budget)
    budget_used.forget()

    assert budget_used() >= 1
    assert services.answer(conversation, TurnRequest(QUESTION)).engine == "embedded"
    assert stack.asked() == []
    assert [task.is_urgent for task in budget_tasks(None)] == [True]


def test_what_was_asked_long_ago_is_thrown_away(conversation, monkeypatch):
    services.answer(conversation, TurnRequest(QUESTION))
    assert CALLS_KEPT > 0

    forget_calls()
    kept = ModelCall.objects.count()
    monkeypatch.setattr("chat.tasks.CALLS_KEPT", 0)
    forget_calls()

    assert (kept > 0, ModelCall.objects.count()) == (True, 0)


def test_another_hospital_sees_none_of_it(conversation):
    services.answer(conversation, TurnRequest(QUESTION))

    with serving(conversation.hospital_id + 1):
        assert not ModelCall.objects.exists()


def test_a_model_that_cannot_be_held_to_a_schema_is_named(stack):
    stack.endpoint.beside.clear()
    stack.endpoint.play(lambda request: Line("{}", unknown=frozenset({"response_format"})))

    said = faults()

    assert any("primary refuses the schema answer: tiny-standard" in each for each in said)
    assert ("primary", "tiny-standard") in refusals
    stack.endpoint.play(lambda request: Line('{"state": "well"}'))
    assert faults() == []
    assert not refusals


def test_tokens_read_and_written_have_their_own_price():
    calls = [Call("primary", "big", 1.0, tokens_in=1_000_000, tokens_out=500_000)]

    assert Prices({"big": (2.0, 8.0)}).cost(calls) == pytest.approx(6.0)


def test_prices_are_rows():
    rows = [{"model": "big", "input_per_million": 1, "output_per_million": 2}]

    assert prices_of(snapshot(chat__modelprice=rows)).by_model == {"big": (1.0, 2.0)}
