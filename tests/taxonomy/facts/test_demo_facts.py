"""The facts of the demonstration stand on its pages, word for word, and in their normal form."""

import csv
from collections import Counter
from pathlib import Path

import lxml.html
import pytest

from taxonomy.facts.records import FactContext, read_record
from zol.text import spaced

ROOT = Path(__file__).parents[3]
PACKS = {"zol/demo/pack": 60, "tests/elsewhere/pack": 10}


def rows(pack, name):
    with (ROOT / pack / "taxonomy" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(("pack", "least"), PACKS.items())
def test_every_fact_is_read_and_its_sentence_stands_on_its_page(pack, least):
    campuses = frozenset(row["key"] for row in rows(pack, "campuses"))
    facts = rows(pack, "facts")
    for row in facts:
        read_record(row, FactContext("be", "nl", campuses))
        page = (ROOT / pack / "pages" / row["source"]).read_bytes()
        text = spaced(" ".join(lxml.html.fromstring(page).itertext()))
        assert row["sentence"], row
        assert spaced(row["sentence"]) in text, row

    assert len(facts) >= least
    named = Counter((r["need"], r["subject"], r["conditions"]) for r in facts)
    assert max(named.values()) == 1
