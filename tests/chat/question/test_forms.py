from __future__ import annotations

import pytest

from chat.question.forms import Form, form_of


@pytest.mark.parametrize(
    ("concepts", "kind", "form"),
    [
        (["where", "parking"], "money", Form.PLACE),
        (["visit", "what_time"], "hours", Form.TIME),
        (["how_much", "cost", "room"], "money", Form.PRICE),
        (["how_much", "drink"], "text", Form.VALUE),
        (["can", "dog", "visit"], "text", Form.YES_NO),
        (["i", "smoke", "may"], "text", Form.YES_NO),
        (["who", "cardiology"], "text", Form.WHO),
        (["parking"], "money", Form.PRICE),
        (["telephone"], "contact", Form.WHO),
        ([], "items", Form.LIST),
        ([], "text", Form.WHAT),
        ([], "a kind of tomorrow", Form.WHAT),
    ],
)
def test_the_word_that_asks_comes_before_what_usually_answers(
    concepts: list[str], kind: str, form: Form
) -> None:
    assert form_of(concepts, kind, wants_list=False) is form


def test_who_asks_for_all_of_them_wants_a_list() -> None:
    assert form_of(["which", "doctor"], "text", wants_list=True) is Form.LIST
