"""What a curated answer must be, before anybody is answered with it."""

from dataclasses import replace
from datetime import date

import pytest

from chat.sources.records import CuratedAnswer, CuratedContext, flaws

HOUSE = CuratedContext(
    {("department", "radiologie"), ("campus", "oever")}, {"https://a.example/bezoek"}
)
WHOLE = CuratedAnswer(
    key="visiting-hours",
    need="visiting_hours",
    examples={"nl": ("bezoekuren", "hoe laat is het bezoek", "mag ik nu langskomen")},
    answer={"nl": "Dagelijks 14.00–20.00 uur."},
    sources=("https://a.example/bezoek",),
)


def wrong(**changes):
    return [name for name, _ in flaws(replace(WHOLE, **changes), HOUSE)]


def test_a_whole_answer_is_accepted():
    assert wrong(next_step="department:radiologie", conditions={"campus": "oever"}) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("need", "visitng_hours"),
        ("subject", ("department", "nergens")),
        ("conditions", {"weather": "rain"}),
        ("conditions", {"campus": "nergens"}),
        ("sources", ()),
        ("sources", ("https://elsewhere.example/",)),
        ("next_step", "department:nergens"),
        ("next_step", "the porter"),
    ],
)
def test_what_is_not_there_is_refused_under_its_field(field, value):
    assert wrong(**{field: value}) == [field]


def test_a_language_is_empty_or_whole():
    examples = dict(WHOLE.examples)

    assert wrong(examples=examples | {"fr": ("heures de visite",)}) == ["answer_fr"]
    assert wrong(answer={"nl": "Ja.", "fr": "Oui."}) == ["examples_fr"]
    assert wrong(answer={}, examples={}) == ["answer_nl"]


def test_a_long_answer_is_left_to_pages():
    assert wrong(answer={"nl": "woord " * 81}) == ["answer_nl"]


def test_an_answer_holds_between_its_days():
    dated = replace(WHOLE, valid_from=date(2026, 7, 1), valid_to=date(2026, 8, 31))

    assert [dated.holds(date(2026, month, 15)) for month in (6, 7, 9)] == [False, True, False]
    assert wrong(valid_from=date(2026, 9, 1), valid_to=date(2026, 8, 1)) == ["valid_to"]
