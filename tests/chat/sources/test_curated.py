"""Curated answers are matched by the question's subject, not by other words in it."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from chat.question.networks import need_chances
from chat.sources.curated import CuratedIndex, CuratedQuestion
from chat.sources.question_vectors import vectors_of
from chat.sources.records import CuratedAnswer
from taxonomy.language.lexicon import Lexicon
from taxonomy.resolvers.entries import Match
from taxonomy.vocabulary import Kind, Thing, Vocabulary
from tests.chat.question.readers import default_rows

PACK = Path(__file__).parents[3] / "zol/demo/pack/taxonomy/curated.jsonl"
KEYS = ("visiting-hours", "visiting-hours-intensive-care", "parking-price-sint-jan", "wifi",
        "smoking", "pets-visit", "interpreter-request", "blood-donation")  # fmt: skip
TODAY = date(2026, 11, 26)
ICU = Thing(Kind.DEPARTMENT, "intensieve-zorgen", "Intensieve Zorgen")
PSYCHIATRY = Thing(Kind.DEPARTMENT, "psychiatrie", "Psychiatrie")
JAN, BARBARA = (Thing(Kind.CAMPUS, key, key) for key in ("sint-jan", "sint-barbara"))


def read(line):
    row = json.loads(line)
    kind, _, key = row["subject"].partition(":")
    examples = {code: tuple(said) for code, said in row["examples"].items()}
    return CuratedAnswer(
        row["key"], row["need"], (kind, key), row["conditions"], examples, row["answer"],
        tuple(row["sources"]), row["next_step"],
    )  # fmt: skip


@pytest.fixture(scope="module")
def answers():
    rows = map(read, PACK.read_text(encoding="utf-8").splitlines())
    return [row for row in rows if row.key in KEYS]


@pytest.fixture(scope="module")
def index(answers):
    return indexed(answers)


def indexed(answers):
    vectors = {t: vectors_of(t) for a in answers for said in a.examples.values() for t in said}
    lexicon = Lexicon(default_rows("taxonomy/defaults/lexicon.csv"))
    return CuratedIndex(answers, vectors, lexicon, Vocabulary([ICU, PSYCHIATRY, JAN, BARBARA]))


def asked(index, text, language="nl", *named):
    vectors = vectors_of(text)
    matches = tuple(Match(thing, word, "exact") for thing, word in named)
    needs = need_chances(vectors.whole, index.subjects_in(text, language))
    return CuratedQuestion(text, language, language, vectors, matches, needs)


def found(index, text, language="nl", *named, today=TODAY):
    hit = index.look_up(asked(index, text, language, *named), today).hit
    return hit.key if hit else ""


@pytest.mark.parametrize(
    ("text", "language", "key"),
    [
        ("gibt es WLAN", "de", "wifi"),
        ("where can I smoke", "en", "smoking"),
        ("mon chien peut-il me rendre visite", "fr", "pets-visit"),
        ("pot dona sânge la voi", "ro", "blood-donation"),
    ],
)
def test_other_words_for_the_same_question_find_it_in_every_language(index, text, language, key):
    assert found(index, text, language) == key


@pytest.mark.parametrize(
    "text",
    [
        "hoe maak ik een afspraak voor een MRI",
        "wat kost een fietsenstalling",
        "wat betekent mijn bloeduitslag",
        "helpen jullie mij stoppen met roken",
    ],
)
def test_a_question_near_it_is_left_to_the_pages(index, text):
    assert found(index, text) == ""


def test_what_is_about_something_else_is_not_given(index):
    text = "wanneer mag ik mijn broer bezoeken op intensieve zorgen"
    other = "wanneer mag ik mijn broer bezoeken op psychiatrie"

    assert found(index, text, "nl", (ICU, "intensieve zorgen")) == "visiting-hours-intensive-care"
    assert found(index, other, "nl", (PSYCHIATRY, "psychiatrie")) == ""


def test_another_campus_contradicts(index):
    price = ("wat kost parkeren aan {}", "nl")

    near = index.nearest(
        asked(index, price[0].format("Sint-Barbara"), "nl", (BARBARA, "Sint-Barbara")), TODAY
    )

    assert {each.answer.key: each.rejected for each in near}["parking-price-sint-jan"] == "campus"


def test_it_is_given_in_the_askers_language_or_not_at_all_and_within_its_days(answers):
    wifi = next(answer for answer in answers if answer.key == "wifi")
    dutch = replace(wifi, answer={"nl": wifi.answer["nl"]}, valid_to=TODAY)
    index = indexed([dutch, *(a for a in answers if a.key != "wifi")])

    assert found(index, "hebben jullie wifi") == "wifi"
    assert found(index, "gibt es WLAN", "de") == ""
    assert found(index, "hebben jullie wifi", today=date(2026, 11, 27)) == ""


def test_without_any_nothing_is_found():
    index = indexed([])

    assert index.look_up(asked(index, "hebben jullie wifi"), TODAY).as_data() == {}
