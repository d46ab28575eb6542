"""A row of a table is never taken for the names of its columns, however it is stored."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zol.table_lines import cells_of, is_row, names_columns, written_names, written_row

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


def test_a_row_of_before_with_an_empty_first_cell_is_a_row():
    assert not names_columns(" | di | 13-16")
    assert cells_of(" | di | 13-16") == ("", "di", "13-16")


def test_a_sentence_with_a_bar_in_a_word_is_no_row():
    assert not is_row("Zie a|b voor meer.")
