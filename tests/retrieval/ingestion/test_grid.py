"""A table is read as it stands on its page: each row with all that holds for it."""

from dataclasses import replace

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


GRIDS = {
    "what spans rows stands in each of them": (
        [names("Campus", "Dag", "Uur"), [GridCell("Noord", row_span=2), *row("ma", "9-12")],
         row("wo", "13-16"), row("Zuid", "vr", "14-17")],
        ["| Campus | Dag | Uur", "Noord | ma | 9-12", "Noord | wo | 13-16", "Zuid | vr | 14-17"],
    ),
    "a span in the middle and one at the end leave the others in their columns": (
        [names("Dag", "Arts", "Uur", "Waar"),
         [GridCell("ma"), GridCell("dr. Wit", 3), GridCell("9-12"), GridCell("B2", 0)],
         row("di", "13-16"), row("wo", "10-11")],
        ["| Dag | Arts | Uur | Waar", "ma | dr. Wit | 9-12 | B2", "di | dr. Wit | 13-16 | B2",
         "wo | dr. Wit | 10-11 | B2"],
    ),
    "what spans columns holds for each of them": (
        [names("Dag", "Voormiddag", "Namiddag"), row("ma", "9-12", "14-17"),
         [GridCell("di"), GridCell("gesloten", column_span=2)]],
        ["| Dag | Voormiddag | Namiddag", "ma | 9-12 | 14-17", "di | gesloten | gesloten"],
    ),
    "a span that is wider than its table adds no columns": (
        [names("Dag", "Uur"), row("ma", "9-12"), [GridCell("di"), GridCell("gesloten", column_span=100)]],
        ["| Dag | Uur", "ma | 9-12", "di | gesloten"],
    ),
    "rows of names are joined for each column": (
        [[head("Kamer", rows=2), head("Per dag", columns=2)], names("Lid", "Geen lid"),
         row("Eenpersoons", "€ 40", "€ 55")],
        ["| Kamer | Per dag – Lid | Per dag – Geen lid", "Eenpersoons | € 40 | € 55"],
    ),
    "a corner without text is still the name of its column": (
        [[GridCell(""), *names("Lid", "Geen lid")], row("Suite", "€ 90", "€ 120")],
        ["|  | Lid | Geen lid", "Suite | € 90 | € 120"],
    ),
    "a row without a first cell is no row of names": (
        [names("Campus", "Dag", "Uur"), row("Noord", "ma", "9-12"), row("", "di", "13-16")],
        ["| Campus | Dag | Uur", "Noord | ma | 9-12", "\u2013 | di | 13-16"],
    ),
    "a title over the table is said before it": (
        [[head("Tarieven", columns=2)], names("Duur", "Prijs"), row("een uur", "€ 2"), row("dag", "€ 8")],
        ["Tarieven", "| Duur | Prijs", "een uur | € 2", "dag | € 8"],
    ),
    "what stands over some rows stands in each of them": (
        [names("Dag", "Uur"), [GridCell("Campus Noord", column_span=2)], row("ma", "9-12"),
         row("di", "13-16"), [GridCell("Campus Zuid", column_span=2)], row("ma", "14-17"),
         [GridCell("Op feestdagen gesloten.", column_span=2)]],
        ["|  | Dag | Uur", "Campus Noord | ma | 9-12", "Campus Noord | di | 13-16",
         "Campus Zuid | ma | 14-17", "", "Op feestdagen gesloten."],
    ),
    "names further down hold for the rows below them": (
        [names("Dag", "Uur"), row("ma", "9"), names("Kamer", "Prijs"), row("Suite", "€ 90")],
        ["| Dag | Uur", "ma | 9", "| Kamer | Prijs", "Suite | € 90"],
    ),
    "rows of headers only are rows under the first": (
        [names("Dag", "Uur"), names("ma", "9-12")], ["| Dag | Uur", "ma | 9-12"],
    ),
    "a row of headers alone is a row": ([names("ma", "9-12")], ["ma | 9-12"]),
    "empty rows and columns are left out": (
        [names("Dag", "", "Uur"), row("", "", ""), row("ma", "", "9-12")], ["| Dag | Uur", "ma | 9-12"],
    ),
    "a single column under a name is a list": (
        [names("Meebrengen"), row("kaart"), row("pyjama")], ["Meebrengen", "- kaart", "- pyjama"],
    ),
    "a single column is paragraphs": (
        [row("U komt nuchter."), row("Bel ons.")], ["U komt nuchter.", "Bel ons."],
    ),
    "a bar within a cell does not part it": ([row("ma", "9-12 | 14-17")], ["ma | 9-12 / 14-17"]),
}  # fmt: skip


@pytest.mark.parametrize(("rows", "lines"), GRIDS.values(), ids=GRIDS)
def test_a_table_is_read(rows, lines):
    assert shown(*rows) == lines


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
    plain = [[replace(cell, is_header=False) for cell in line] for line in top]
    first = grid_of([*top, row("Eén", "€ 40", "€ 55")])

    found = continued(first, grid_of([*plain, row("Suite", "€ 90", "€ 99")]))

    assert found
    assert found.rows == (("Suite", "€ 90", "€ 99"),)


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

    assert inner.as_text() == "kamer: € 40; parking: € 8"
    assert named.as_text() == "Suite: Lid € 90, Geen lid € 99"


@pytest.mark.parametrize(
    "rows",
    [
        [[GridCell("x", row_span=65_534, column_span=1_000)]] * 2_000,
        [row(*["x"] * 2_000), *[row("x")] * 2_000],
    ],
)
def test_a_table_of_endless_places_is_refused(rows):
    with pytest.raises(UnreadableDocument, match="too many cells"):
        grid_of(rows)
