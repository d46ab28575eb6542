"""A name that would be an ordinary word is one where the question says that a name follows."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

from taxonomy.language.lexicon import Lexicon
from taxonomy.resolvers import build_index, resolve
from taxonomy.resolvers.index import ResolverIndex, Wording
from taxonomy.vocabulary import Vocabulary
from tests.taxonomy.vocabularies import doctor

ROOT = Path(__file__).parents[3]


def rows(path: str) -> list[dict[str, str]]:
    with (ROOT / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def index() -> ResolverIndex:
    announcing = [r["text"] for r in rows("chat/defaults/cues.csv") if r["kind"] == "naming"]
    people = [doctor("Dr.", "Els", "Vos"), doctor("Dr.", "Jan", "Maes")]
    lexicon = Lexicon(rows("taxonomy/defaults/lexicon.csv"))
    return build_index(Vocabulary(people), lexicon, "nl", Wording(announcing=announcing))


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "is er een arts die Vos heet"),
        ("en", "is there a doctor called Vos"),
        ("fr", "y a-t-il un médecin qui s'appelle Vos"),
        ("de", "gibt es einen Arzt namens Vos"),
        ("tr", "Vos adında bir doktor var mı"),
        ("it", "c'è un medico che si chiama Vos"),
        ("ro", "există un medic pe nume Vos"),
        ("el", "υπάρχει γιατρός που λέγεται Vos"),
    ],
)
def test_a_short_surname_is_a_name_where_it_is_announced(language, question):
    assert [m.thing.get("last_name") for m in resolve(question, index(), language)] == ["Vos"]
