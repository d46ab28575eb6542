"""People ask for care in their own words, and are heard: in every language, in any hospital.

The questions of `words_of_care.csv` were made up for this project, from what people ask hospitals;
none is a golden question. Those written *before* the words of the lexicon were extended have been
looked at while that was done: they show what must not be lost. Of the 80 written *after*, by the
same hand, 67 had been heard by the old words and 76 were by the new ones; the other four have words
since, so that these too only show what must not be lost. A department is one of the hospital that
nobody tuned for, known by its name and aliases alone.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

from chat.question.networks import read_message
from lab.paths import LAB, ROOT
from taxonomy.language.lexicon import Lexicon
from taxonomy.language.tokens import folded
from taxonomy.resolvers import ResolverIndex, resolve, with_likely_department
from taxonomy.vocabulary import Kind, Vocabulary
from tests.taxonomy.vocabularies import thing
from zol.languages import LANGUAGES

DEFAULTS = ROOT / "taxonomy" / "defaults"
PACK = ROOT / "tests" / "elsewhere" / "pack" / "taxonomy"
Row = dict[str, str]
#: Shares that must be heard, and of the departments that must be found.
HEARD, FOUND = 0.95, 0.86


def rows(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


ASKED = rows(LAB / "needs" / "words_of_care.csv")


@cache
def lexicon() -> Lexicon:
    return Lexicon(rows(DEFAULTS / "lexicon.csv"))


@cache
def elsewhere() -> ResolverIndex:
    """The departments of the hospital elsewhere, and nothing else of it."""
    things = [
        thing(Kind.DEPARTMENT, row["name"], *row["aliases"].split("|"), sort=row["kind"])
        for row in rows(PACK / "departments.csv")
    ]
    return ResolverIndex(Vocabulary(things), lexicon(), "nl")


def is_heard(row: Row) -> bool:
    uses = lexicon().read(folded(row["question"]), row["language"])
    heard = {concept.name for use in uses for concept in use.concepts}
    return not heard.isdisjoint(row["heard"].split("|"))


def missed(questions: list[Row]) -> list[str]:
    return [row["question"] for row in questions if not is_heard(row)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_ordinary_words_for_care_are_heard_in_every_language(language):
    asked = [row for row in ASKED if row["heard"] and row["language"] == language]

    assert len(asked) >= 30
    assert len(missed(asked)) <= (1 - HEARD) * len(asked), missed(asked)


def test_every_word_for_a_specialty_leads_to_the_department_whatever_it_is_called():
    names = {row["key"]: row["name"] for row in rows(PACK / "departments.csv")}
    asked = [row for row in ASKED if row["department"]]
    lost = [r["question"] for r in asked if names[r["department"]] not in _led_to(r)]

    assert {row["department"] for row in asked} == names.keys()
    assert len(lost) <= (1 - FOUND) * len(asked), lost


def _led_to(row: Row) -> set[str]:
    """Return the departments that a question names, or leads to."""
    named = resolve(row["question"], elsewhere(), row["language"])
    matches = with_likely_department(named, read_message(row["question"]).specialties, elsewhere())
    return {one.name for match in matches for one in (match.thing, *match.alternatives)}
