"""Two questions share an answer only if they agree on everything that it depends on."""

import pytest

from chat.answer_cache.reuse import gist_of, has_wording, overlap, split_words
from chat.turn import Context, Turn
from retrieval.intents import Intent
from taxonomy.language.lexicon import Lexicon
from taxonomy.vocabulary import Kind
from tests.builders import meant, snapshot, thing

#: Concepts and their Dutch words, by kind.
WORDS = {
    "money": "cost=kosten|kost",
    "practical": "parking=parking|parkeren department=afdeling eat=eten bicycle=fiets",
    "body": "breast=borst|borsten",
    "examination": "examination=onderzoek",
    "specialty": "orthopaedics=orthopedie|orthopedisten cardiology=cardiologie|cardiologen",
    "treatment": "surgery=operatie",
    "person": "doctor=artsen|dokters mother=moeder father=vader",
    "time": "saturday=zaterdag sunday=zondag",
    "function": "work_verb=werken how_much=hoeveel until=tot from=vanaf not=niet where=waar "
    "when=wanneer what=wat which=welke who=wie be=zijn there=er article_definite=de|het at=bij "
    "on=op may=mag i=ik for=voor before=voor after=na",
}
ROWS = [
    {"concept": concept, "kind": kind, "nl": words}
    for kind, pairs in WORDS.items()
    for concept, words in (pair.split("=") for pair in pairs.split())
]
LEXICON = Lexicon(ROWS)


def read(question):
    return split_words(question.lower().strip("?").split(), "nl", LEXICON, {"zol"})


def likeness(one, other):
    return overlap(read(one)[1], read(other)[1])


@pytest.mark.parametrize(
    ("asked", "remembered", "expected"),
    [
        ("Welke orthopedisten bij ZOL?", "Welke cardiologen bij ZOL?", 0.0),
        ("Hoeveel kost parkeren?", "Wat kost het parkeren bij ZOL?", 1.0),
        ("borst onderzoek ZOL", "borstonderzoek bij ZOL", 1.0),
        (
            "Welke artsen werken op orthopedie?",
            "Welke dokters zijn er op de afdeling orthopedie?",
            1.0,
        ),
        ("Welke cardiologen werken bij ZOL?", "Wie zijn de orthopedisten bij ZOL?", 0.0),
    ],
    ids=["other doctors", "other words", "a compound written apart", "generic words", "one build"],
)
def test_pairs_of_the_references_overlap_as_expected(asked, remembered, expected):
    assert likeness(asked, remembered) == expected
    assert likeness(remembered, asked) == expected
    assert read(asked)[0] == read(remembered)[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mag ik eten voor de operatie", "Mag ik eten na de operatie"),
        ("hoeveel parkeren", "wat parkeren"),
        ("mri onderzoek", "ct onderzoek"),
        ("onderzoek b3", "onderzoek b4"),
        ("kosten 2025", "kosten 2026"),
        ("parkeren zondag", "parkeren zaterdag"),
        ("kost parkeren onderzoek Peeters", "kost parkeren onderzoek Janssens"),
        ("mag ik eten", "mag ik niet eten"),
        ("wanneer parkeren", "waar parkeren"),
    ],
    ids=["before", "how many", "short", "wards", "years", "days", "a name", "negation", "when"],
)
def test_what_changes_the_answer_must_be_equal(one, other):
    assert read(one)[0] != read(other)[0]


def test_other_function_words_may_differ():
    assert read("wat zijn er artsen bij orthopedie") == read("wie werken op orthopedie")
    assert read("parkeren Peeters") == read("parkeren peeters")


def test_entities_must_be_equal():
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
def test_beside_a_model_near_questions_are_different(one, other):
    hospital = snapshot(taxonomy__lexiconconcept=ROWS)
    first, second = (asked_with_a_model(each) for each in (one, other))

    assert gist_of(first, hospital).sense != gist_of(second, hospital).sense
    assert not has_wording(first, [("nl", other)], hospital)


def test_a_translated_question_has_the_same_wording():
    rows = [*ROWS[2:], ROWS[0] | {"en": "cost"}, ROWS[1] | {"en": "parking"}]
    hospital = snapshot(taxonomy__lexiconconcept=rows)
    asked = asked_with_a_model("Kosten parkeren?")

    assert has_wording(asked, [("en", "parking cost")], hospital)
