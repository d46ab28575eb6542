"""A Turkish word is found whatever endings it has, and no word is taken for a shorter one."""

from __future__ import annotations

import pytest

from taxonomy.lexicon import Lexicon
from taxonomy.turkish import bases, key
from zol.text import fold

ROWS = [
    {"concept": "child", "kind": "person", "nl": "kind", "tr": "çocuk"},
    {"concept": "pay", "kind": "money", "nl": "betalen", "tr": "ödemek"},
    {"concept": "abdomen", "kind": "body", "nl": "buik", "tr": "karın"},
    {"concept": "stomach", "kind": "body", "nl": "maag", "tr": "mide"},
    {"concept": "eat", "kind": "practical", "nl": "eten", "tr": "yemek"},
    {"concept": "invoice", "kind": "money", "nl": "factuur", "tr": "fatura"},
]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        pytest.param("çocuğumun", "child", id="a last letter softened by two endings"),
        pytest.param("cocugumun", "child", id="typed without Turkish letters"),
        pytest.param("faturayı", "invoice", id="the object of a sentence"),
        pytest.param("karnım", "abdomen", id="a vowel that falls out"),
        pytest.param("ödeyebilir", "pay", id="being able to"),
        pytest.param("ödemeliyim", "pay", id="having to"),
        pytest.param("midemde", "stomach", id="an owner and a place"),
    ],
)
def test_an_ending_hides_no_word(written: str, meant: str) -> None:
    (concept,) = Lexicon(ROWS).find(fold(written), "tr")

    assert concept.name == meant


@pytest.mark.parametrize("written", ["miyim", "yeni", "midilli"])
def test_an_ordinary_word_is_not_taken_for_a_shorter_one(written: str) -> None:
    assert Lexicon(ROWS).find(written, "tr") == ()


def test_the_longest_word_that_it_may_be_comes_first() -> None:
    found = bases("hastanenizde")

    assert found.index("hastane") < found.index("hasta-")


def test_a_verb_is_looked_up_by_its_stem_and_is_no_noun() -> None:
    assert key("odemek") == "ode-"
    assert key("fatura") == "fatura"
