"""Forms, imports, packs and proposals refuse the same values with the same messages."""

from datetime import date
from decimal import Decimal

import pytest

from zol.records.values import (
    WrongCheckDigit,
    WrongValue,
    cell_of,
    check_concept,
    check_country,
    check_phone,
    check_spoken,
    nearest,
    read_date,
    read_number,
)


@pytest.mark.parametrize("text", ["089 00 50 50", "+31 43 387 65 43", "089 00 50 50 of 51", "112"])
def test_a_number_that_can_be_dialled_is_taken(text):
    check_phone(text, "be")


@pytest.mark.parametrize(
    "text",
    ["89005050", "4,77123E+08", "089 00 50 5", "via het onthaal", "089 00 50 50 12345678", "#N/A"],
)
def test_a_number_that_nobody_could_dial_is_refused_whole(text):
    with pytest.raises(WrongValue) as refused:
        check_phone(text, "be")

    assert refused.value.part == text


@pytest.mark.parametrize("code", ["80313002", "49436004", "84114007", "22298006", "73211009"])
def test_a_concept_of_snomed_is_taken(code):
    check_concept(code)


@pytest.mark.parametrize(
    "code",
    ["8,0313E+07", "4.94E+07", "80313002.0", "80 313 002", "080313002", "12345", "80313002x",
     "٨٠٣١٣٠٠٢", "1" * 19, "680946014"],
)  # fmt: skip
def test_what_has_not_the_form_of_a_concept_is_refused(code):
    with pytest.raises(WrongValue, match="SNOMED CT") as refused:
        check_concept(code)

    assert not isinstance(refused.value, WrongCheckDigit)


@pytest.mark.parametrize("code", ["80313003", "80313020", "49400000", "999999990000000"])
def test_a_mistyped_concept_is_known_by_its_check_digit(code):
    with pytest.raises(WrongCheckDigit):
        check_concept(code)


@pytest.mark.parametrize("text", ["2026-05-31", "31/05/2026", "31-5-2026", "31.05.2026"])
def test_a_date_is_read_as_it_is_written_here(text):
    assert read_date(text) == date(2026, 5, 31)


@pytest.mark.parametrize("text", ["31/02/2026", "mei", "46173", "05/31/2026", "31/05/26"])
def test_no_date_is_guessed(text):
    with pytest.raises(WrongValue):
        read_date(text)


def test_a_comma_may_stand_before_decimals_and_languages_and_countries_are_codes():
    assert str(read_number("50,9828")) == "50.9828"
    check_spoken(["nl", "nds", "pt-BR"])
    check_country("be")
    for check, wrong in (
        *((read_number, text) for text in ("noord", "nan", "1.000,5")),
        (check_spoken, ["nl", "Frans"]), (check_country, "belgië"),
    ):  # fmt: skip
        with pytest.raises(WrongValue):
            check(wrong)


def test_what_is_meant_is_offered_and_nothing_far_fetched():
    known = [("telephone", "phone"), ("telefoon", "phone"), ("uren", "hours"), ("key", "key")]

    assert nearest("Telefoonnr", known) == "phone"
    assert nearest("Úren", known) == "hours"
    assert nearest("kleur", known) == ""


@pytest.mark.parametrize(
    ("value", "cell"),
    [(Decimal("51.100000"), "51.1"), (Decimal(100), "100"), (["nl", "fr"], "nl|fr"), (None, "")],
)
def test_a_value_stands_in_a_cell_as_somebody_would_write_it(value, cell):
    assert cell_of(value) == cell
