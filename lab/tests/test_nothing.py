"""The set of `lab nothing` is right: quotations stand on their pages, absent words on none."""

from __future__ import annotations

import re
from functools import cache

import pytest

from lab.commands.nothing import QUESTIONS
from lab.floors.hospitals import PACKS
from lab.floors.sets import rows_of
from retrieval.reading import read

FORMS = {".html": "text/html", ".md": "text/markdown"}
ROWS = rows_of(QUESTIONS)


@cache
def lines_of(hospital: str) -> dict[str, list[str]]:
    """Return the lines of each page of a hospital."""
    pages = PACKS[hospital] / "pages"
    return {
        str(path.relative_to(pages)): [
            line
            for block in read(path.read_bytes(), FORMS[path.suffix])
            for line in block.text.splitlines()
        ]
        for path in pages.rglob("*")
        if path.suffix in FORMS
    }


@pytest.mark.parametrize("row", [row for row in ROWS if "quote" in row], ids=lambda row: row["id"])
def test_a_neighbour_is_answered_by_its_page(row):
    said = " ".join(lines_of(row["hospital"])[row["url"]])

    assert row["quote"] in re.sub(r"\s+", " ", said)


@pytest.mark.parametrize("row", [row for row in ROWS if "absent" in row], ids=lambda row: row["id"])
def test_what_no_page_answers_stands_on_none(row):
    absent = re.compile(row["absent"], re.IGNORECASE)

    assert not [
        line for each in lines_of(row["hospital"]).values() for line in each if absent.search(line)
    ]
