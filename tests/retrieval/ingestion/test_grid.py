"""A table is read as it stands on its page: each row with all that holds for it."""

from __future__ import annotations

import pytest

from retrieval.reading.blocks import in_one_line
from retrieval.reading.grid import GridCell, continued, grid_of
from zol.errors import UnreadableDocument


def head(text: str, rows: int = 1, columns: int = 1) -> GridCell:
    return GridCell(text, rows, columns, is_header=True)


def row(*texts: str) -> list[GridCell]:
    return [GridCell(text) for text in texts]


def names(*texts: str) -> list[GridCell]:
    return [head(text) for text in texts]


def shown(*rows: list[GridCell]) -> list[str]:
    """Return the lines of a table, its names wherever they change."""
    found, header = [], ""
    for block in grid_of(rows).blocks():
        if block.header != header:
            found.append(block.header)
            header = block.header
        found.append(f"{block.mark}{block.text}")
    return found


def test_what_spans_rows_stands_in_each_of_them():
    assert shown(
        names("Campus", "Dag", "Uur"),
        [GridCell("Noord", row_span=2), *row("maandag", "9-12")],
        row("woensdag", "13-16"),
        row("Zuid", "vrijdag", "14-17"),
    ) == [
        "| Campus | Dag | Uur",
        "Noord | maandag | 9-12",
        "Noord | woensdag | 13-16",
        "Zuid | vrijdag | 14-17",
    ]


def test_a_span_in_the_middle_and_one_at_the_end_leave_the_others_in_their_columns():
    assert shown(
        names("Dag", "Arts", "Uur", "Waar"),
        [GridCell("ma"), GridCell("dr. Wit", 3), GridCell("9-12"), GridCell("B2", 0)],
        row("di", "13-16"),
        row("wo", "10-11"),
    )[1:] == ["ma | dr. Wit | 9-12 | B2", "di | dr. Wit | 13-16 | B2", "wo | dr. Wit | 10-11 | B2"]


def test_what_spans_columns_holds_for_each_of_them():
    assert shown(
        names("Dag", "Voormiddag", "Namiddag"),
        row("ma", "9-12", "14-17"),
        [GridCell("di"), GridCell("gesloten", column_span=2)],
    )[1:] == ["ma | 9-12 | 14-17", "di | gesloten | gesloten"]


@pytest.mark.parametrize("span", [100, 2])
def test_a_span_that_is_wider_than_its_table_adds_no_columns(span):
    assert shown(
        names("Dag", "Uur"),
        row("ma", "9-12"),
        [GridCell("di"), GridCell("gesloten", column_span=span)],
    ) == ["| Dag | Uur", "ma | 9-12", "di | gesloten"]


def test_rows_of_names_are_joined_for_each_column():
    assert shown(
        [head("Kamer", rows=2), head("Per dag", columns=2)],
        names("Lid", "Geen lid"),
        row("Eenpersoons", "€ 40", "€ 55"),
    ) == ["| Kamer | Per dag – Lid | Per dag – Geen lid", "Eenpersoons | € 40 | € 55"]


def test_a_corner_without_text_is_still_the_name_of_its_column():
    assert shown([GridCell(""), *names("Lid", "Geen lid")], row("Suite", "€ 90", "€ 120"))[0] == (
        "|  | Lid | Geen lid"
    )


def test_a_row_without_a_first_cell_is_no_row_of_names():
    lines = shown(names("Campus", "Dag", "Uur"), row("Noord", "ma", "9-12"), row("", "di", "13-16"))

    assert lines[1:] == ["Noord | ma | 9-12", "\u2013 | di | 13-16"]


def test_a_title_over_the_table_is_said_before_it():
    assert shown(
        [head("Tarieven", columns=2)],
        names("Duur", "Prijs"),
        row("een uur", "€ 2"),
        row("dag", "€ 8"),
    ) == ["Tarieven", "| Duur | Prijs", "een uur | € 2", "dag | € 8"]


def test_what_stands_over_some_rows_stands_in_each_of_them():
    assert shown(
        names("Dag", "Uur"),
        [GridCell("Campus Noord", column_span=2)],
        row("ma", "9-12"),
        row("di", "13-16"),
        [GridCell("Campus Zuid", column_span=2)],
        row("ma", "14-17"),
        [GridCell("Op feestdagen gesloten.", column_span=2)],
    ) == [
        "|  | Dag | Uur",
        "Campus Noord | ma | 9-12",
        "Campus Noord | di | 13-16",
        "Campus Zuid | ma | 14-17",
        "",
        "Op feestdagen gesloten.",
    ]


def test_names_further_down_hold_for_the_rows_below_them():
    assert shown(
        names("Dag", "Uur"), row("ma", "9"), names("Kamer", "Prijs"), row("Suite", "€ 90")
    ) == ["| Dag | Uur", "ma | 9", "| Kamer | Prijs", "Suite | € 90"]


def test_rows_of_headers_only_are_rows_under_the_first():
    assert shown(names("Dag", "Uur"), names("ma", "9-12")) == ["| Dag | Uur", "ma | 9-12"]
    assert shown(names("ma", "9-12")) == ["ma | 9-12"]


def test_empty_rows_and_columns_are_left_out():
    assert shown(names("Dag", "", "Uur"), row("", "", ""), row("ma", "", "9-12")) == [
        "| Dag | Uur",
        "ma | 9-12",
    ]


def test_a_single_column_is_a_list_or_paragraphs():
    assert shown(names("Meebrengen"), row("kaart"), row("pyjama")) == [
        "Meebrengen",
        "- kaart",
        "- pyjama",
    ]
    assert shown(row("U komt nuchter."), row("Bel ons.")) == ["U komt nuchter.", "Bel ons."]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("9-12\n\n14-17", "9-12, 14-17"),
        ("9-12\n14-17", "9-12, 14-17"),
        ("van 9 tot\n12 uur", "van 9 tot 12 uur"),
        ("De Wit\n\ndr. Groen", "De Wit, dr. Groen"),
        ("ma, di 9-12\n\nwo 14-17", "ma, di 9-12; wo 14-17"),
        ("Bel ons.\n\nOf mail.", "Bel ons. Of mail."),
    ],
)
def test_lines_of_a_cell_stay_apart(text, line):
    assert in_one_line(text) == line


def test_a_bar_within_a_cell_does_not_part_it():
    assert shown(row("ma", "9-12 | 14-17")) == ["ma | 9-12 / 14-17"]


def test_a_table_goes_on_over_pages_under_its_names():
    first = grid_of([names("Kamer", "Prijs"), row("Eén", "€ 40")])
    again = grid_of([row("Kamer", "Prijs"), row("Suite", "€ 90")])
    without = grid_of([row("Suite", "€ 90")])

    for second in (again, without):
        found = continued(first, second)
        assert found
        assert [(b.header, b.text) for b in found.blocks(page=2)] == [
            ("| Kamer | Prijs", "Suite | € 90")
        ]


def test_joined_names_that_are_repeated_on_the_next_page_are_no_rows():
    top = [[head("Kamer", rows=2), head("Per dag", columns=2)], names("Lid", "Geen lid")]
    plain = [[replace_header(cell) for cell in line] for line in top]
    first = grid_of([*top, row("Eén", "€ 40", "€ 55")])

    found = continued(first, grid_of([*plain, row("Suite", "€ 90", "€ 99")]))

    assert found
    assert found.rows == (("Suite", "€ 90", "€ 99"),)


def replace_header(cell: GridCell) -> GridCell:
    return GridCell(cell.text, cell.row_span, cell.column_span)


def test_what_a_table_was_about_holds_on_the_next_page():
    first = grid_of([names("Dag", "Uur"), [GridCell("Noord", column_span=2)], row("ma", "9-12")])

    found = continued(first, grid_of([row("di", "13-16")]))

    assert found
    assert found.rows == (("Noord", "di", "13-16"),)


@pytest.mark.parametrize(
    "other", [[row("a", "b", "c")], [names("Dag", "Uur"), row("ma", "9-12")], [row("alleen")]]
)
def test_another_table_on_the_next_page_is_its_own(other):
    first = grid_of([names("Kamer", "Prijs"), row("Eén", "€ 40")])

    assert continued(first, grid_of(other)) is None


def test_a_table_in_a_cell_is_said_in_its_words():
    inner = grid_of([row("kamer", "€ 40"), row("parking", "€ 8")])
    named = grid_of([names("Kamer", "Lid", "Geen lid"), row("Suite", "€ 90", "€ 99")])

    assert inner.said() == "kamer: € 40; parking: € 8"
    assert named.said() == "Suite: Lid € 90, Geen lid € 99"


@pytest.mark.parametrize(
    "rows",
    [
        [[GridCell("x", row_span=65_534, column_span=1_000)]] * 2_000,
        [row(*["x"] * 2_000), *[row("x")] * 2_000],
    ],
)
def test_a_table_of_endless_places_is_refused(rows):
    with pytest.raises(UnreadableDocument, match="more places"):
        grid_of(rows)
