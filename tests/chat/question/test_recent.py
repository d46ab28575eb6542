"""What was understood a moment ago need not be understood again, and nothing is understood otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.question.by_code import understand
from chat.question.reader import MOST, Reader, Recent
from chat.turn import Exchange, Turn
from retrieval.passage import Headings
from tests.chat.question.readers import reader

TALK = (
    "Wie is dr. Jan Van den Berg?", "Wanneer heeft hij consultatie?", "en op vrijdag?",
    "Welke artsen werken bij cardiologie?", "en orthopedie?", "Waar kan ik parkeren?",
    "en de kosten?", "en in het weekend?",
)  # fmt: skip


def turns() -> list[Turn]:
    """The questions of a conversation, each with what a turn remembers of those before."""
    said = [Exchange(question=text, answer="") for text in TALK]
    return [Turn(text, "nl", tuple(said[max(0, at - 5) : at])) for at, text in enumerate(TALK)]


def fresh() -> Reader:
    return replace(reader(), recent=Recent())


def test_a_conversation_is_understood_as_each_of_its_questions_is_by_itself() -> None:
    going_on = fresh()

    for turn in turns():
        assert understand(turn.question, turn, going_on) == understand(turn.question, turn, fresh())


def test_the_question_before_is_not_understood_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, *_ = turns()
    going_on = fresh()
    before = understand(first.question, first, going_on)
    known = going_on.recent.of(first, going_on.headings, lambda: pytest.fail("understood again"))

    assert known is before
    assert understand(second.question, second, going_on).is_followup


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"language": "fr"}, id="on a page in another language"),
        pytest.param({"history": (Exchange("Waar kan ik parkeren?", ""),)}, id="after another"),
    ],
)
def test_the_same_words_in_other_circumstances_are_understood_anew(other: dict) -> None:
    turn = Turn("en de kosten?", "nl")
    recent, found = Recent(), understand(turn.question, turn, fresh())
    recent.keep(turn, Headings(), found)
    anew = understand(turn.question, turn, fresh())

    assert recent.of(replace(turn, **other), Headings(), lambda: anew) is anew


def test_other_pages_are_other_circumstances() -> None:
    turn, pages = Turn("Waar kan ik parkeren?", "nl"), Headings()
    recent, found = Recent(), understand("Waar kan ik parkeren?", turn, fresh())
    recent.keep(turn, pages, found)
    anew = replace(found)

    assert recent.of(turn, pages, lambda: anew) is found
    assert recent.of(turn, Headings(), lambda: anew) is anew


def test_the_latest_are_held_and_no_more() -> None:
    recent, pages = Recent(), Headings()
    found = understand("Waar kan ik parkeren?", Turn("Waar kan ik parkeren?"), fresh())
    asked = [Turn(f"Waar is lokaal {number}?") for number in range(MOST + 1)]
    for turn in asked:
        recent.keep(turn, pages, found)
    anew = replace(found)

    assert recent.of(asked[0], pages, lambda: anew) is anew
    assert recent.of(asked[1], pages, lambda: anew) is found
