"""Two questions share an answer only when they agree on everything that it depends on."""

from __future__ import annotations

import pytest

from chat.answer_cache.key import gist_of, overlap, says_the_same, sorted_out
from chat.turn import Context, Turn
from retrieval.intents import Intent
from taxonomy.language.lexicon import Lexicon
from taxonomy.vocabulary import Kind
from tests.builders import meant, snapshot, thing

ROWS = (
    {"concept": "cost", "kind": "money", "nl": "kosten|kost"},
    {"concept": "parking", "kind": "practical", "nl": "parking|parkeren"},
    {"concept": "breast", "kind": "body", "nl": "borst|borsten"},
    {"concept": "examination", "kind": "examination", "nl": "onderzoek"},
    {"concept": "orthopaedics", "kind": "specialty", "nl": "orthopedie|orthopedisten"},
    {"concept": "cardiology", "kind": "specialty", "nl": "cardiologie|cardiologen"},
    {"concept": "doctor", "kind": "person", "nl": "artsen|dokters"},
    {"concept": "department", "kind": "practical", "nl": "afdeling"},
    {"concept": "eat", "kind": "practical", "nl": "eten"},
    {"concept": "surgery", "kind": "treatment", "nl": "operatie"},
    {"concept": "work_verb", "kind": "function", "nl": "werken"},
    {"concept": "how_much", "kind": "function", "nl": "hoeveel"},
    {"concept": "mother", "kind": "person", "nl": "moeder"},
    {"concept": "father", "kind": "person", "nl": "vader"},
    {"concept": "until", "kind": "function", "nl": "tot"},
    {"concept": "from", "kind": "function", "nl": "vanaf"},
    {"concept": "bicycle", "kind": "practical", "nl": "fiets"},
    {"concept": "saturday", "kind": "time", "nl": "zaterdag"},
    {"concept": "sunday", "kind": "time", "nl": "zondag"},
    {"concept": "not", "kind": "function", "nl": "niet"},
    {"concept": "where", "kind": "function", "nl": "waar"},
    {"concept": "when", "kind": "function", "nl": "wanneer"},
    {"concept": "what", "kind": "function", "nl": "wat"},
    {"concept": "which", "kind": "function", "nl": "welke"},
    {"concept": "who", "kind": "function", "nl": "wie"},
    {"concept": "be", "kind": "function", "nl": "zijn"},
    {"concept": "there", "kind": "function", "nl": "er"},
    {"concept": "article_definite", "kind": "function", "nl": "de|het"},
    {"concept": "at", "kind": "function", "nl": "bij"},
    {"concept": "on", "kind": "function", "nl": "op"},
    {"concept": "may", "kind": "function", "nl": "mag"},
    {"concept": "i", "kind": "function", "nl": "ik"},
    {"concept": "for", "kind": "function", "nl": "voor"},
    {"concept": "before", "kind": "function", "nl": "voor"},
    {"concept": "after", "kind": "function", "nl": "na"},
)
LEXICON = Lexicon(ROWS)


def read(question):
    return sorted_out(question.lower().strip("?").split(), "nl", LEXICON, {"zol"})


def likeness(one, other):
    return overlap(read(one)[1], read(other)[1])


@pytest.mark.parametrize(
    ("asked", "remembered", "expected"),
    [
        pytest.param(
            "Welke orthopedisten bij ZOL?", "Welke cardiologen bij ZOL?", 0.0, id="other doctors"
        ),
        pytest.param(
            "Hoeveel kost parkeren?", "Wat kost het parkeren bij ZOL?", 1.0, id="other words"
        ),
        pytest.param(
            "borst onderzoek ZOL", "borstonderzoek bij ZOL", 1.0, id="a compound written apart"
        ),
        pytest.param(
            "Welke artsen werken op orthopedie?",
            "Welke dokters zijn er op de afdeling orthopedie?",
            1.0,
            id="generic words",
        ),
        pytest.param(
            "Welke cardiologen werken bij ZOL?",
            "Wie zijn de orthopedisten bij ZOL?",
            0.0,
            id="one build, other subjects",
        ),
    ],
)
def test_the_worked_examples_of_the_references(asked, remembered, expected):
    assert likeness(asked, remembered) == expected
    assert likeness(remembered, asked) == expected
    assert read(asked)[0] == read(remembered)[0]


def test_before_and_after_are_told_apart():
    assert read("Mag ik eten voor de operatie")[0] != read("Mag ik eten na de operatie")[0]


def test_how_many_is_not_which_unless_money_is_asked_for():
    assert read("hoeveel parkeren")[0] != read("wat parkeren")[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("mri onderzoek", "ct onderzoek", id="short names"),
        pytest.param("onderzoek b3", "onderzoek b4", id="wards"),
        pytest.param("kosten 2025", "kosten 2026", id="years"),
        pytest.param("parkeren zondag", "parkeren zaterdag", id="days"),
    ],
)
def test_short_words_and_figures_must_be_equal(one, other):
    assert read(one)[0] != read(other)[0]


def test_an_unknown_word_may_be_a_name_and_must_be_in_both():
    shared = "kost parkeren onderzoek"

    assert read(f"{shared} Peeters")[0] != read(f"{shared} Janssens")[0]
    assert read(f"{shared} Peeters") == read(f"{shared} peeters")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("mag ik eten", "mag ik niet eten", id="negation"),
        pytest.param("wanneer parkeren", "waar parkeren", id="where and when"),
    ],
)
def test_a_function_word_that_changes_the_answer_must_be_equal(one, other):
    assert read(one)[0] != read(other)[0]


def test_a_function_word_that_changes_nothing_may_differ():
    assert read("wat zijn er artsen bij orthopedie") == read("wie werken op orthopedie")


def test_what_the_words_resolve_to_must_be_the_same():
    hospital = snapshot(taxonomy__lexiconconcept=ROWS)

    def gist(name):
        understood = meant(thing(Kind.CAMPUS, name), intent=Intent.NAVIGATION_OR_PRACTICAL_INFO)
        return gist_of(
            Context(Turn(""), question=f"parkeren {name}", understanding=understood), hospital
        )

    assert gist("Noord").content == gist("Zuid").content
    assert gist("Noord").sense != gist("Zuid").sense
    assert gist("Noord").sense == gist("Noord").sense


def asked_with_a_model(question, **fields):
    return Context(Turn(""), question=question, understanding=meant(by_model=True, **fields))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mag mijn moeder parkeren?", "Mag mijn vader parkeren?"),
        ("Hoeveel kost parkeren?", "Hoeveel kost parkeren met de fiets?"),
        ("Parkeren op zaterdag om 10 uur?", "Parkeren op zondag om 10 uur?"),
        ("Vanaf wanneer mag ik eten?", "Wanneer mag ik eten?"),
        ("Hoeveel kost een onderzoek?", "Hoeveel kost een operatie?"),
    ],
    ids=["another relative", "the special case", "another day", "from when", "another thing"],
)
def test_where_a_model_can_answer_a_near_question_is_another_one(one, other):
    hospital = snapshot(taxonomy__lexiconconcept=ROWS)
    first, second = (asked_with_a_model(each) for each in (one, other))

    assert gist_of(first, hospital).sense != gist_of(second, hospital).sense
    assert not says_the_same(first, [("nl", other)], hospital)


def test_the_same_question_in_the_words_of_another_language_or_build_stays_the_same():
    rows = [*ROWS[2:], ROWS[0] | {"en": "cost"}, ROWS[1] | {"en": "parking"}]
    hospital = snapshot(taxonomy__lexiconconcept=rows)
    asked = asked_with_a_model("Kosten parkeren?")

    assert says_the_same(asked, [("en", "parking cost")], hospital)
