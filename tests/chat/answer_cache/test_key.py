"""Two questions share an answer only when they agree on everything that it depends on."""

from __future__ import annotations

import pytest

from chat.answer_cache.key import gist_of, overlap, sorted_out
from chat.turn import Context, Turn
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from taxonomy.lexicon import Lexicon
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
    ],
)
def test_short_words_and_figures_must_be_equal(one, other):
    assert read(one)[0] != read(other)[0]


def test_an_unknown_word_may_be_a_name_and_must_be_in_both():
    shared = "kost parkeren onderzoek"

    assert likeness(f"{shared} Peeters", f"{shared} Janssens") == 0.0
    assert likeness(f"{shared} Peeters", f"{shared} peeters") == 1.0


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
