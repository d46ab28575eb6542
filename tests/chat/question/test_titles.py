"""What a hospital writes over its pages is never taken for everyday life, nor for saying nothing.

Headings that say too little wherever they stand ("Waarom?", "En daarna?") are left out.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html

from chat.question.by_code import understand
from chat.question.reader import Reader
from chat.question.words import read
from chat.turn import Turn
from retrieval.intents import Intent
from retrieval.passage import Headings
from tests.chat.question.readers import ROOT, reader

PACKS = {"demo": ROOT / "zol" / "demo" / "pack", "mini": ROOT / "tests" / "packs" / "mini"}
#: Every so many headings of a large hospital are read; all titles are.
STEP = {"demo": 4, "mini": 1}
REFUSED = {Intent.OFF_TOPIC, Intent.VAGUE_INPUT}


def titles(pack: Path) -> list[tuple[str, str]]:
    with (pack / "pages" / "index.csv").open(encoding="utf-8", newline="") as file:
        return [(row["title"], row["language"]) for row in csv.DictReader(file)]


def headings(pack: Path) -> Iterator[tuple[str, str]]:
    with (pack / "pages" / "index.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["path"].endswith(".html")]
    for row in rows:
        tree = html.fromstring((pack / "pages" / row["path"]).read_bytes())
        for found in tree.xpath("//h2 | //h3"):
            yield " ".join(found.text_content().split()), row["language"]


def says_something(text: str, language: str, to: Reader) -> bool:
    """Tell whether a heading says what it is about, as "Artsen" and "Vragen?" do not."""
    worded = to.sketcher.of_example(text, language).worded
    is_general = to.examples.says_the_same(worded, Intent.VAGUE_INPUT) and len(worded.words) == 1
    telling = (word for word in read(text, language, to).content if len(word) >= 4)
    return any(not word.isdigit() for word in telling) and not is_general


@pytest.mark.parametrize("pack", PACKS)
def test_a_title_or_heading_is_answered(pack: str) -> None:
    texts = [*titles(PACKS[pack]), *list(dict.fromkeys(headings(PACKS[pack])))[:: STEP[pack]]]
    own = replace(reader(), headings=Headings(text for text, _ in texts))

    understood = [
        (text, understand(text, Turn(text, language), own).intent)
        for text, language in texts
        if says_something(text, language, own)
    ]

    assert len(understood) > 10
    assert [(text, intent) for text, intent in understood if intent in REFUSED] == []
