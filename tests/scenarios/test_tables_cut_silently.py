"""Of the schedule before an examination "the day before" was left out, and shown as a quotation.

Whatever is asked of whichever page: what is shown of a table or a list is all of it, or it is known
how much of it that is, and the source holds the rest.
"""

from __future__ import annotations

import csv
import mimetypes
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import pytest

from chat.phrases import Phrases
from chat.question.word_matching import Term
from chat.sources.quotation.choice import choose
from chat.sources.quotation.scores import AT_LENGTH, GLANCE, Quote, QuoteRequest, Statement
from retrieval.ingestion.read import Block, read
from retrieval.ingestion.read.blocks import Sort
from retrieval.ingestion.split import split
from retrieval.passage import Passage, Source
from zol.markdown import Markdown
from zol.text import cells_of, squash, words

ROOT = Path(__file__).parents[2]
PACKS = {
    "demo": ROOT / "zol/demo/pack/pages",
    "elsewhere": ROOT / "tests/elsewhere/pack/pages",
    "mini": ROOT / "tests/packs/mini/pages",
}


def pages_of(folder: Path) -> Iterator[tuple[str, tuple[Block, ...]]]:
    with (folder / "index.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            path = folder / row["path"]
            kind = mimetypes.guess_type(path.name)[0] or "text/plain"
            yield row["title"], read(path.read_bytes(), kind)


def passages_of(number: int, title: str, blocks: tuple[Block, ...]) -> list[Passage]:
    page = Source(number, title, f"https://a.test/{number}")
    return [
        Passage(
            number * 1_000 + place, piece.text, page, base=0.5, section=piece.section, ordinal=place
        )
        for place, piece in enumerate(split(blocks, title=title))
    ]


def units_of(blocks: tuple[Block, ...]) -> list[list[Block]]:
    """Return each table and list, as the document itself has it.

    The items of some PDF files, whose bullets are lost, cannot be told from lines of text.
    """
    kin = groupby(
        (each for each in blocks if each.mark or each.sort is not Sort.ITEM),
        key=lambda block: (block.sort, block.header, block.mark == "- "),
    )
    return [list(group) for (sort, *_), group in kin if sort in {Sort.ROW, Sort.ITEM}]


def shown_of(unit: list[Block], statements: Iterable[Statement]) -> int:
    """Return how many rows or items of a table or list stand in statements, in all their cells."""
    rows = [squash(f"{each.text} {each.line.above}") for each in statements if each.is_row]
    whole = squash(" ".join(each.text for each in statements))
    return sum(
        block.text in whole
        if block.sort is Sort.ITEM
        else any(all(cell in text for cell in cells_of(block.text)) for text in rows)
        for block in unit
    )


@pytest.mark.parametrize("pack", PACKS)
def test_what_is_shown_of_a_table_or_list_is_whole_or_says_how_much_it_is(pack):
    asked, cut = 0, []
    for number, (title, blocks) in enumerate(pages_of(PACKS[pack]), start=1):
        passages = passages_of(number, title, blocks)
        near = {
            each.chunk_id: [p for p in passages if abs(p.ordinal - each.ordinal) == 1]
            for each in passages
        }
        units = units_of(blocks)
        for place, unit in enumerate(units):
            block = unit[place % len(unit)]
            terms = tuple(
                Term(frozenset({word}), is_subject=True) for word in words(block.text)[:4]
            )
            wanted = QuoteRequest(
                terms,
                measure=(GLANCE, AT_LENGTH)[place % 2],
                names_one=lambda text: True,
                beside=lambda _, near=near: near,
            )
            for quote in choose(passages, wanted, str):
                shown = max(units, key=lambda unit: shown_of(unit, quote.statements))
                asked += shown_of(shown, quote.statements) > 0
                cut += [(title, quote.text)] if is_cut(quote, shown) else []
    assert asked
    assert not cut


def is_cut(quote: Quote, unit: list[Block]) -> bool:
    """Whether a quotation shows a part of a table or list as if it were all of it."""
    if shown_of(unit, quote.statements) in {0, len(unit)}:
        return False
    return not quote.is_part or shown_of(unit, quote.whole) < len(unit)


def test_how_much_is_shown_is_said_in_every_language():
    with (ROOT / "chat/defaults/texts.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == "table_part"]
    texts = {(row["kind"], row["language"]): row["text"] for row in rows}

    assert {row["language"] for row in rows} == {"nl", "en", "fr", "de", "tr", "it", "ro", "el"}
    for row in rows:
        said = Phrases(texts).say(
            "table_part", row["language"], shown=6, of=18, mark=Markdown("[2]")
        )
        assert "6" in said
        assert "18" in said
        assert said.endswith("[2]")
