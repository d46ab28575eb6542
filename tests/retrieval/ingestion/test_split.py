"""Pieces have a size that can be quoted, know their section, and cut neither sentence nor row."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.analysis import count_tokens
from retrieval.ingestion.split import CEILING, OVERLAP, split
from retrieval.reading.blocks import Block, Sort, item
from retrieval.reading.grid import GridCell, grid_of
from zol.text import sentences


def heading(text, level=2):
    return Block(Sort.HEADING, text, level)


def paragraph(number, count=12, page=1):
    said = (f"Zin {number}.{n} gaat over de raadpleging op de campus." for n in range(count))
    return Block(Sort.TEXT, " ".join(said), page=page)


def test_every_piece_knows_its_page_and_its_headings_without_the_title_of_the_document():
    blocks = [
        heading("Bezoek", 1), paragraph(1), heading("Uren"), paragraph(2),
        heading("In het weekend", 3), paragraph(3), heading("Parking"), paragraph(4, page=2),
    ]  # fmt: skip

    assert [(piece.section, piece.page) for piece in split(blocks, title="Bezoek")] == [
        ("", 1), ("Uren", 1), ("Uren \u203a In het weekend", 1), ("Parking", 2),
    ]  # fmt: skip


def test_small_sections_share_a_piece_with_both_headings_and_items_keep_their_marks():
    blocks = [heading("Eten"), Block(Sort.TEXT, "Om twaalf uur."), heading("Slapen"), paragraph(1)]

    (piece,) = split(blocks)
    marked = [Block(Sort.TEXT, "Breng mee:"), item("uw kaart"), item("Meld u aan. Neem plaats.", 3)]

    assert split(marked)[0].content == "Breng mee:\n- uw kaart\n3. Meld u aan. Neem plaats."
    assert piece.section == "Eten"
    assert piece.content.startswith("Om twaalf uur.\n## Slapen\nZin 1.0")


def test_a_long_section_is_cut_between_sentences_and_repeats_a_little():
    blocks = [heading("Lang"), *(paragraph(n) for n in range(6))]

    pieces = split(blocks)

    assert len(pieces) > 2
    for before, after in pairwise(pieces):
        repeated = [each for each in sentences(after.content) if each in before.content]
        assert 0 < count_tokens(" ".join(repeated)) <= OVERLAP
    assert all(piece.content.endswith("campus.") for piece in pieces)


def test_rows_are_never_cut_and_keep_the_names_of_their_columns():
    table = [["Afdeling", "Uren"], *([f"Afdeling nummer {n}", "14:00-20:00"] for n in range(80))]

    rows = [[GridCell(text, is_header=not n) for text in row] for n, row in enumerate(table)]

    pieces = split([heading("Uren"), *grid_of(rows).blocks()])

    assert len(pieces) > 1
    assert all(piece.content.startswith("| Afdeling | Uren\n") for piece in pieces)
    rows = [line for piece in pieces for line in piece.content.split("\n")[1:]]
    assert rows == [f"Afdeling nummer {n} | 14:00-20:00" for n in range(80)]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([Sort.TEXT, Sort.ITEM, Sort.HEADING, Sort.ROW]),
            st.text(alphabet="abc dé. ?!α1", min_size=1, max_size=3000),
        ),
        max_size=12,
    )
)
def test_no_piece_is_over_the_ceiling_and_no_word_is_lost(found):
    blocks = [
        Block(sort, " ".join(text.split()), level=2, header="Kop" if sort is Sort.ROW else "")
        for sort, text in found
        if text.split()
    ]

    pieces = split(blocks)

    assert all(count_tokens(piece.content) <= CEILING for piece in pieces)
    whole = "".join("".join(piece.content.split()) for piece in pieces)
    for block in blocks:
        if block.sort is not Sort.HEADING and len(block.text) < 300:
            assert all(part in whole for part in block.text.split() if len(part) < 100)
