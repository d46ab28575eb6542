"""Requests to a failing endpoint pause; then one caller tries whether it is back."""

import time

import pytest

from zol.runtime import breaker
from zol.runtime.breaker import MOST_FAILURES, Breaker, EndpointLeftAlone


class Down(Exception):
    pass


def fail():
    raise Down


@pytest.fixture
def tripped(monkeypatch):
    monkeypatch.setattr(breaker, "PAUSE", 0.2)
    made = Breaker("The model", Down)
    for _ in range(MOST_FAILURES):
        with pytest.raises(Down):
            made.call(fail)
    return made


def test_after_the_pause_one_caller_tries_while_the_others_wait_on(tripped):
    with pytest.raises(EndpointLeftAlone, match="The model failed 5 times"):
        tripped.call(lambda: "too soon")
    time.sleep(0.25)

    def another_comes():
        with pytest.raises(EndpointLeftAlone):
            tripped.call(lambda: "another")
        return "back"

    assert tripped.call(another_comes) == "back"
    assert tripped.call(lambda: "everybody") == "everybody"


def test_a_trial_that_fails_begins_another_pause(tripped):
    time.sleep(0.25)
    with pytest.raises(Down):
        tripped.call(fail)

    with pytest.raises(EndpointLeftAlone):
        tripped.call(lambda: "too soon")
