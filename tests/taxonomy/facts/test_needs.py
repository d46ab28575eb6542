"""Names of needs in every language, and the facts of the packs."""

import csv
from collections import Counter
from pathlib import Path

import lxml.html
import pytest

from taxonomy.facts import needs
from taxonomy.facts.records import KINDS, FactContext, read_record
from zol.languages import LANGUAGES
from zol.text import spaced

ROOT = Path(__file__).parents[3]
PACKS = {"zol/demo/pack": 60, "tests/elsewhere/pack": 10}


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_need_has_a_kind_of_value_and_a_unique_name_in_every_language():
    assert set(needs.kinds().values()) <= set(KINDS)
    assert all(row[code] for row in rows(needs.NEEDS) for code in LANGUAGES)
    for code in LANGUAGES:
        assert len({needs.name(key, code) for key in needs.kinds()}) == len(needs.kinds())


def test_a_language_without_a_name_gets_the_english_one():
    assert needs.name("lost", "xx") == needs.name("lost", "en")
    assert needs.name("no such need", "nl") == "no such need"


@pytest.mark.parametrize(("pack", "least"), PACKS.items())
def test_every_fact_is_valid_and_its_page_contains_its_sentence(pack, least):
    tables = ROOT / pack / "taxonomy"
    campuses = frozenset(row["key"] for row in rows(tables / "campuses.csv"))
    facts = rows(tables / "facts.csv")
    for row in facts:
        read_record(row, FactContext("be", "nl", campuses))
        page = (ROOT / pack / "pages" / row["source"]).read_bytes()
        text = spaced(" ".join(lxml.html.fromstring(page).itertext()))
        assert row["sentence"], row
        assert spaced(row["sentence"]) in text, row

    assert len(facts) >= least
    assert max(Counter((r["need"], r["subject"], r["conditions"]) for r in facts).values()) == 1
