"""Curated answers and translations are validated before they are published."""

from dataclasses import replace
from datetime import date

import pytest

from chat.sources.records import (
    CuratedAnswer,
    CuratedContext,
    Translation,
    Translations,
    answer_flaws,
    digest_of,
    sections,
    translation_flaws,
)
from retrieval.statements import lines
from tests.builders import passage

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
    return [name for name, _ in answer_flaws(replace(WHOLE, **changes), HOUSE)]


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


PAGE = """De parking is open. Betalen kan met de kaart.
## Tarieven
| Duur | Prijs | Kaart
1 uur | € 2 | ja
2 uur | € 3 | ja
Wie langer blijft, betaalt € 9."""
RATES = PAGE.partition("## Tarieven\n")[2]
ENGLISH = """| Time | Price | Card
1 hour | € 2 | yes
2 hours | € 3 | yes
If you stay longer, you pay € 9."""


def told(*known, language="en"):
    found = Translations(known).lines(passage(PAGE), language)
    return {there.text: here.text for there, here in found.items()}


def test_sections_stand_under_their_headings():
    assert [each.heading for each in sections(PAGE)] == ["", "## Tarieven"]


def test_statements_of_a_translated_section_are_told_in_the_language():
    rates = Translation(RATES, "en", ENGLISH, "Rates")

    found = Translations([rates]).lines(passage(PAGE), "en")

    assert [here.text for here in found.values()] == [
        "1 hour · Price: € 2 · Card: yes",
        "2 hours · Price: € 3 · Card: yes",
        "If you stay longer, you pay € 9.",
    ]
    assert {here.heading for here in found.values()} == {"Rates"}
    assert list(found) == [each for each in lines(PAGE) if each.heading == "Tarieven"]
    first = next(iter(found.values()))
    assert first.cells == (("Time", "1 hour"), ("Price", "€ 2"), ("Card", "yes"))


def test_the_section_above_the_first_heading_may_be_translated_alone():
    first = Translation(
        "De parking is open.\nBetalen kan met de kaart.", "en", "Parking is open. Pay by card."
    )

    assert told(first) == {
        "De parking is open.": "Parking is open.",
        "Betalen kan met de kaart.": "Pay by card.",
    }
    assert told(first, language="fr") == {}


def test_a_translation_that_does_not_line_up_is_not_told():
    """Rows are checked when they are made; pages may be cut in another way since."""
    assert told(Translation(RATES, "en", ENGLISH.replace("longer,", "longer. Then"))) == {}


def test_a_section_that_was_changed_is_no_longer_translated():
    assert told(Translation(RATES.replace("€ 9", "€ 8"), "en", ENGLISH)) == {}


@pytest.mark.parametrize(
    ("field", "changed", "sentence"),
    [
        ("source", RATES[:40], "The page has no section with this text"),
        ("language", "nl", "is the language of the page"),
        ("language", "xx", "is the language of the page"),
        ("text", ENGLISH.replace("longer,", "longer. Then"), "3 ≠ 4"),
        ("text", ENGLISH.replace("€ 9", "€ 19"), "These figures differ from the section: 19, 9."),
    ],
)
def test_what_is_wrong_with_a_translation_is_said_at_its_field(field, changed, sentence):
    said = {"source": RATES, "language": "en", "text": ENGLISH} | {field: changed}

    found = dict(translation_flaws(Translation(**said), "nl", {digest_of(RATES)}))

    assert sentence in str(found[field])


def test_a_whole_translation_has_no_flaw():
    assert not list(translation_flaws(Translation(RATES, "en", ENGLISH), "nl", {digest_of(RATES)}))
