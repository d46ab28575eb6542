"""Doctors that were asked for in passing are added; nobody is whom nobody asked for."""

from __future__ import annotations

import pytest

from chat.live import tools, understood
from chat.stages.supplement import supplement
from chat.turn import Context, Turn

FLOORS = "> - Verdieping 1: Longziekten\n> - Verdieping 2: Oogziekten"


@pytest.fixture(autouse=True)
def served(mini):
    """Every test here is about the doctors of the small hospital."""


def added(question: str, answer: str) -> list[str]:
    kit, turn = tools(), Turn(question)
    ctx = Context(
        turn, question=question, understanding=understood(turn, kit.snapshot), answer=answer
    )
    return list(supplement(ctx, kit).detail.get("supplement", {}))


def test_a_plan_of_the_floors_adds_the_doctors_of_the_department_that_was_asked_about():
    assert added("Op welke verdieping van oogziekten zit mijn dokter?", FLOORS) == ["Oogziekten"]


def test_where_no_department_is_asked_about_nobody_is_added():
    assert added("Welke dokter helpt mij?", FLOORS) == []


def test_doctors_who_do_not_speak_the_language_asked_for_are_not_added():
    assert added("Welke dokter van oogziekten spreekt Grieks?", FLOORS) == []


def test_who_asks_for_nobody_gets_nobody():
    assert added("Op welke verdieping is het restaurant?", FLOORS) == []
