"""An answer that passes is only plain when it is complete, early, brief and certain as well."""

import pytest

from chat.behaviours import Behaviour
from evaluation.golden import Case
from evaluation.metrics import METRICS, Outcome, failings, is_plain, measure
from evaluation.metrics.answers import words_of

WORDS = " woord" * 50


def case(**fields):
    values = {"key": "k", "category": "practical_info", "language": "nl", "question": "?"} | fields
    return Case(**values)


def holds(metric, wanted, outcome):
    score = METRICS[metric](wanted, outcome)
    return None if score is None else score.is_full


def test_half_of_what_is_wanted_passes_and_only_all_of_it_is_complete_and_plain():
    wanted = case(entities=("ma 9:00", "089 00 51 03"))
    scores = measure(wanted, Outcome(answer="Bel 089 00 51 03."))

    assert not list(failings("practical_info", scores))
    assert not scores["complete"].is_full
    assert not is_plain("practical_info", scores)
    assert is_plain("practical_info", measure(wanted, Outcome(answer="ma 9:00, 089 00 51 03 [1]")))


def test_what_is_wanted_stands_within_forty_words():
    wanted = case(entities=("gratis",))

    assert holds("early", wanted, Outcome(answer="Parkeren is gratis." + WORDS))
    assert not holds("early", wanted, Outcome(answer=WORDS + " Parkeren is gratis."))
    assert holds("early", case(), Outcome(answer=WORDS)) is None


def test_marks_and_signs_are_no_words():
    assert words_of("> - **Avond** · Uren: 18:30-20:00 [1]") == ("Avond", "Uren:", "18:30-20:00")


def test_what_is_long_is_not_brief_unless_a_list_was_asked_for():
    long = Outcome(answer=WORDS * 3)

    assert holds("brief", case(), Outcome(answer=WORDS * 2))
    assert not holds("brief", case(), long)
    assert holds("brief", case(category="doctor_list"), long) is None
    assert holds("brief", case(expect=Behaviour.EMERGENCY), long) is None
    assert holds("brief", case(entities=tuple("abcde")), long) is None


@pytest.mark.parametrize(
    ("certainty", "category", "expected"),
    [
        ("fact", "practical_info", True),
        ("sure", "practical_info", True),
        ("near", "practical_info", False),
        ("nothing", "practical_info", False),
        ("nothing", "no_answer", True),
        ("near", "no_answer", False),
    ],
)
def test_a_doubt_is_not_certain_and_silence_only_where_there_is_nothing(
    certainty, category, expected
):
    assert holds("certain", case(category=category), Outcome(certainty=certainty)) is expected


def test_silence_is_no_answer_though_it_is_the_right_behaviour():
    assert holds("answered", case(), Outcome(certainty="near"))
    assert not holds("answered", case(), Outcome(certainty="nothing"))
    assert not holds("answered", case(), Outcome(behaviour=Behaviour.CLARIFY))
    assert holds("answered", case(category="no_answer"), Outcome(certainty="nothing")) is None
    assert holds("answered", case(expect=Behaviour.EMERGENCY), Outcome()) is None


@pytest.mark.parametrize("category", ["no_answer", "unit_mismatch"])
def test_a_category_demands_its_sentence_as_long_as_the_hospital_has_it(category):
    kind = {"no_answer": "not_on_pages", "unit_mismatch": "unit_note"}[category]
    wanted = case(category=category)

    silent = measure(wanted, Outcome(texts={kind: False}))
    assert list(failings(category, silent)) == [f"sentence: does not say {kind}"]
    assert not list(failings(category, measure(wanted, Outcome(texts={kind: True}))))
    assert not list(failings(category, measure(wanted, Outcome())))


TABLE = ("de dag voordien · wit brood", "eerste liter · 18 uur", "tweede liter · 6 uur")


def cut(*quoted, **fields):
    values = {"quoted": quoted, "lists": (TABLE,), "answer": "antwoord"} | fields
    return holds("whole", case(), Outcome(**values))


def test_a_table_that_lacks_rows_is_not_whole_unless_that_is_said_or_one_row_was_asked_for():
    assert cut(*TABLE)
    assert not cut(*TABLE[1:])
    assert cut("iets anders")
    assert holds("whole", case(), Outcome(answer="geen citaat", lists=(TABLE,))) is None
    assert cut(*TABLE[1:], answer="2 van 3 rijen")
    assert cut(TABLE[1], asked_about=("eerste liter",))
    assert not cut(*TABLE[1:], asked_about=("eerste liter",))
    assert not cut(TABLE[1], asked_about=("liter",))
    # A row that stands in another table too is from the one that is whole.
    assert cut(*TABLE, lists=((TABLE[0], "nog een rij"), TABLE))


def test_a_passage_in_another_language_is_counted_by_itself():
    answer = (
        "Here is what the hospital says about this:\n\n> De bezoekers melden zich eerst aan bij "
        "de verpleging en wachten dan in de gang tot zij gehaald worden. [1]"
    )
    wanted, outcome = case(language="en"), Outcome(answer=answer, language="en")

    assert holds("language", wanted, outcome)
    assert not holds("passage_language", wanted, outcome)
