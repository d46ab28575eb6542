"""A passage is cut once into statements; where its words stand is kept for every question."""

from __future__ import annotations

from chat.question.answer_types import Sort, Sorts
from chat.question.word_matching import together
from chat.sources.quotation.segments import cuttings_of, given_in
from taxonomy.lexicon import Lexicon
from tests.builders import passage, source

PAGE = passage(
    "Parkeren kost 2 euro per uur.\n\n## Met de bus\nDe bus stopt aan de hoofdingang.",
    source=source("Naar het ziekenhuis"),
    section="Vervoer",
)


def test_a_word_stands_in_the_statements_that_have_it():
    (cut,) = cuttings_of([PAGE], str)

    assert [line.text for line in cut.lines] == [
        "Parkeren kost 2 euro per uur.",
        "De bus stopt aan de hoofdingang.",
    ]
    assert (cut.own["parkeren"], cut.own["bus"]) == (0b01, 0b10)


def test_the_title_stands_above_all_statements_a_heading_above_its_own():
    (cut,) = cuttings_of([PAGE], str)

    assert (cut.above["vervoer"], cut.above["ziekenhuis"]) == (0b01, 0b11)
    assert cut.above["met"] == 0b10


def test_words_that_stand_in_different_statements_are_not_together():
    (cut,) = cuttings_of([PAGE], str)

    assert together({"bus", "hoofdingang"}, cut.own) == 0b10
    assert together({"parkeren", "bus"}, cut.own) == 0


def test_each_statement_gives_its_own_sorts_of_answer():
    (cut,) = cuttings_of([PAGE], str)
    sorts = Sorts(Lexicon(), dict.fromkeys(Sort, frozenset()))

    price, bus = given_in(cut, sorts)

    assert Sort.AMOUNT in price
    assert Sort.AMOUNT not in bus


def test_the_same_passage_is_not_cut_again():
    first, again = (cuttings_of([PAGE], str) for _ in range(2))

    assert first[0] is again[0]
