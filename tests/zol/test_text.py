"""Text functions, and rows of a table as lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zol.text import (
    cells_of,
    csv_lines,
    fold,
    inert,
    is_row,
    names_columns,
    storable,
    web_address,
    without_quote,
    written_names,
    written_row,
)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        pytest.param("  Waar is de ingang? ", "Waar is de ingang?", id="spaces around"),
        pytest.param("x\x00y", "x y", id="a zero byte"),
        pytest.param("\x00", "", id="nothing but one"),
        pytest.param("\ud83d parkeren", "parkeren", id="half a character"),
        pytest.param("bezoek\u202e\u2066uren", "bezoekuren", id="another direction of writing"),
        pytest.param("bezoek\u2028uren", "bezoek uren", id="a line's end of no keyboard"),
        pytest.param("één\nκαρδιά\tığne 🙂", "één\nκαρδιά\tığne 🙂", id="all that people write"),
    ],
)
def test_only_what_can_be_kept_is_kept(sent, kept):
    assert storable(sent) == kept
    assert storable(kept) == kept


@pytest.mark.parametrize(
    "code", [0xAD, 0x200B, 0x200D, 0xFEFF, 0x34F, 0x202E, 0x3164, 0xFE0F, 0xE0041]
)
def test_signs_without_width_part_no_word(code):
    sign = chr(code)
    assert fold(f"Bezoek{sign}uren") == "bezoekuren"
    assert storable(f"bezoek{sign}uren {sign}morgen") == "bezoekuren morgen"


@pytest.mark.parametrize(
    "text", ["👩\u200d⚕️ 👨\u200d👩\u200d👧", "❤️\u200d🔥", "می\u200cخواهم", "क्\u200dष"]
)
def test_joiners_that_say_something_stay(text):
    assert storable(text) == text


CELLS = st.lists(st.sampled_from(["", "ma", "9-12", "€ 40", "|", "a|b"]), min_size=2, max_size=5)


@given(CELLS)
def test_what_is_written_is_read_again_even_when_its_ends_are_trimmed(cells):
    read = tuple(cell.replace("|", "/") for cell in cells)

    for line in (written_row(cells), written_row(cells).strip()):
        assert is_row(line)
        assert not names_columns(line)
        assert cells_of(line) == read
    for line in (written_names(cells), written_names(cells).strip()):
        assert is_row(line)
        assert names_columns(line)
        assert cells_of(line) == read


def test_a_row_of_before_with_an_empty_first_cell_is_a_row_and_a_bar_in_a_word_makes_none():
    assert not names_columns(" | di | 13-16")
    assert cells_of(" | di | 13-16") == ("", "di", "13-16")
    assert not is_row("Zie a|b voor meer.")


@pytest.mark.parametrize(
    "cell", ["=1+1", "+32 89 00 51 04", "-1+cmd|'/C calc'!A0", "@SUM(1)", "\t=1", "\r=1", "- thuis"]
)
def test_no_spreadsheet_works_out_a_cell(cell):
    assert inert(cell) == f"'{cell}"
    assert without_quote(inert(cell)) == cell


@pytest.mark.parametrize("cell", ["-5", "-3,25", "12", "", "'s avonds", "a=b"])
def test_numbers_and_words_stay_as_they_are(cell):
    assert inert(cell) == cell
    assert without_quote(cell) == cell


def test_a_list_for_spreadsheets_keeps_its_numbers():
    assert list(csv_lines(["a"], [["+1", -1, None]])) == ["a\r\n", "'+1,-1,\r\n"]


@pytest.mark.parametrize(
    ("address", "is_link"),
    [
        ("https://a.be/b?c=d:e", True), ("http://a.be", True), ("/bron/1", True),
        ("pagina.html", True), ("", True), ("javascript:alert(1)", False),
        (" JavaScript:alert(1)", False), ("java\tscript:alert(1)", False),
        ("data:text/html,x", False), ("vbscript:x", False), ("https://[a", False),
    ],
)  # fmt: skip
def test_an_address_of_the_web_or_of_this_site_is_a_link_and_a_script_is_none(address, is_link):
    assert web_address(address) == (address if is_link else "")
