"""A document is read in order, without what its pieces repeat of each other."""

import pytest

from chat.channels.document_viewer import Piece, blocks_of, overlap, parts_of

SHARED = "Neem uw identiteitskaart mee."


def texts(parts):
    return [" ".join(block.text for block in part.blocks) for part in parts]


@pytest.mark.parametrize(
    ("cited", "shown"),
    [
        (1, [f"Kom op tijd. {SHARED}", "Bel bij ziekte."]),
        (2, ["Kom op tijd.", f"{SHARED} Bel bij ziekte."]),
    ],
)
def test_what_two_pieces_share_is_shown_once_and_the_cited_piece_stays_whole(cited, shown):
    pieces = [
        Piece(1, f"Kom op tijd. {SHARED}", "Opname"),
        Piece(2, f"{SHARED} Bel bij ziekte.", "Opname"),
    ]

    parts = parts_of(pieces, cited=[cited])

    assert texts(parts) == shown
    assert [part.is_cited for part in parts] == [cited == 1, cited == 2]


def test_sections_that_happen_to_end_alike_are_left_alone():
    pieces = [Piece(1, SHARED, "Opname"), Piece(2, f"{SHARED} En nog iets.", "Ontslag")]

    assert texts(parts_of(pieces, cited=[1])) == [SHARED, f"{SHARED} En nog iets."]


def test_a_heading_and_a_page_number_are_said_once():
    pieces = [Piece(1, "A.", "Zorg › Opname", 2), Piece(2, "B.", "Zorg › Opname", 2)]

    first, second = parts_of(pieces, cited=[1])

    assert (first.heading, first.page) == ("Opname", 2)
    assert (second.heading, second.page) == ("", 0)


def test_rows_become_a_table_with_an_empty_cell_where_nothing_stands():
    (paragraph, table) = blocks_of("Zie hieronder.\n| Dienst | Uren | Opmerking\nHart | 14-20 |")

    assert paragraph.text == "Zie hieronder."
    assert table.names == ("Dienst", "Uren", "Opmerking")
    assert table.rows == (("Hart", "14-20", ""),)


def test_a_row_without_a_first_cell_is_shown_as_one():
    (table,) = blocks_of("| Campus | Dag | Uren\nNoord | ma | 9-12\n– | di | 13-16\n | wo | 8-9")

    assert table.rows == (("Noord", "ma", "9-12"), ("", "di", "13-16"), ("", "wo", "8-9"))


def test_headings_within_a_piece_stand_out_and_names_of_columns_begin_a_table():
    first, heading, *tables = blocks_of(
        "A | B\n## Uren\n| Dienst | Uren\nHart | 14\n| Campus\nOost"
    )

    assert first.rows == (("A", "B"),)
    assert heading.heading == "Uren"
    assert [(table.names, table.rows) for table in tables[:2]] == [
        (("Dienst", "Uren"), (("Hart", "14"),)),
        (("Campus",), ()),
    ]


@pytest.mark.parametrize(
    ("first", "second", "shared"),
    [
        pytest.param("niets gemeen", "iets anders", 0, id="nothing in common"),
        pytest.param("de", "de dienst", 0, id="too little to be a repetition"),
        pytest.param(f"x {SHARED}", f"{SHARED} y", len(SHARED), id="a sentence"),
    ],
)
def test_overlap(first, second, shared):
    assert overlap(first, second) == shared


def test_a_list_is_read_as_a_list():
    text = "Breng mee:\n- uw kaart\n- uw pillen\n3. Meld u aan.\n4. Neem plaats.\nTot dan."

    lead, loose, numbered, end = blocks_of(text)

    assert (lead.text, end.text) == ("Breng mee:", "Tot dan.")
    assert (loose.items, loose.start) == (("uw kaart", "uw pillen"), 0)
    assert (numbered.items, numbered.start) == (("Meld u aan.", "Neem plaats."), 3)
