"""What holds for another medicine, age or examination is no answer, however much it resembles one."""

from __future__ import annotations

import pytest

from chat.checking.knowledge import CUES
from chat.question.word_matching import Term
from chat.sources.quotation.choice import choose
from chat.sources.quotation.scores import QuoteRequest
from chat.sources.quotation.subjects import Subjects, is_about_child, names_of, subjects_of
from chat.turn import Context, Exchange, Turn
from taxonomy.kinds import Kind
from taxonomy.lexicon import ROWS as LEXICON
from taxonomy.snapshot import Snapshot
from tests.builders import PROFILE, meant, passage, source, texts, thing, vocabulary
from tests.chat.question.readers import default_rows

MRI = thing(Kind.EXAMINATION, "MRI", "MRI-scan")
CT = thing(Kind.EXAMINATION, "CT-scan", "CT")
PET = thing(Kind.EXAMINATION, "PET-scan", "PET-CT")
FASTING = "| Wat | Tot hoelang?\nvast voedsel | 6 uur niet eten\nwater | 2 uur niet drinken"
DOSES = "| Leeftijd | Dosis\n1-2 jaar | 150 mg per keer\n3-4 jaar | 190 mg per keer"


@pytest.fixture(scope="module")
def hospital():
    named = {
        LEXICON: default_rows("taxonomy/defaults/lexicon.csv"),
        CUES: default_rows("chat/defaults/cues.csv"),
    }
    return Snapshot(1, 1, PROFILE, vocabulary(MRI, CT, PET), named)


def quoted(hospital, question, *pages, matches=(), history=()):
    turn = Turn(question, history=tuple(Exchange(each, "") for each in history))
    understood = meant(*matches, language="nl", detected="nl")
    subjects = subjects_of(Context(turn, question=question, understanding=understood), hospital)
    terms = tuple(Term(frozenset({w})) for w in ("nuchter", "eten", "dosis", "drinken", "uur"))
    wanted = QuoteRequest(
        terms,
        suits=subjects.suit,
        is_dose=subjects.is_other_dose,
        is_of_another=subjects.is_of_another,
        is_of_another_medicine=subjects.is_of_another_medicine,
        names_asked=subjects.names_asked,
    )
    return texts(choose(pages, wanted, str))


def page(title, text, section="Nuchter"):
    return passage(text, 0.8, source=source(title), section=section)


def test_an_examination_gets_no_rules_of_another_one(hospital):
    other, own = page("PET-CT-scan", FASTING), page("CT-scan", "U mag eten en drinken.")

    assert quoted(hospital, "moet ik nuchter zijn", other, matches=[CT]) == []
    assert quoted(hospital, "moet ik nuchter zijn", other, own, matches=[CT]) == [own.text]
    assert quoted(hospital, "moet ik nuchter zijn", other, matches=[PET]) != []


def test_an_examination_gets_no_rules_of_an_operation(hospital):
    narcosis = page("Verdoving bij volwassenen", FASTING)

    assert quoted(hospital, "moet ik nuchter zijn voor een mri", narcosis, matches=[MRI]) == []


@pytest.mark.parametrize(
    ("question", "history", "is_quoted"),
    [
        ("hoelang moet ik nuchter zijn", (), True),
        ("hoelang moet mijn dochter nuchter zijn", (), False),
        ("mag hij nog drinken", ("mijn zoontje van 5 wordt geopereerd",), False),
        ("mag mijn vader van 70 jaar nog drinken", ("mijn zoontje is geopereerd",), True),
    ],
)
def test_a_table_for_adults_is_not_for_a_child(hospital, question, history, is_quoted):
    adults = page("Verdoving bij volwassenen", FASTING)

    assert bool(quoted(hospital, question, adults, history=history)) is is_quoted


def test_a_table_for_children_needs_a_child_in_the_question(hospital):
    children = page("Nuchter bij kinderen", FASTING)

    assert quoted(hospital, "hoelang moet ik nuchter zijn", children) == []
    assert quoted(hospital, "hoelang moet een kind nuchter zijn", children) != []


@pytest.mark.parametrize(
    ("question", "is_quoted"),
    [
        ("wat is de dosis pregabalin voor een kind", False),
        ("welke dosis staat er voor kinderen", False),
        ("welke dosis paracetamol staat er voor kinderen", True),
        ("welke dosis dafalgan staat er voor kinderen", True),
        ("tot welke leeftijd loopt de paracetamoltabel", True),
    ],
)
def test_a_dose_is_quoted_only_of_the_medicine_that_is_asked_about(hospital, question, is_quoted):
    table = page("Koorts bij kinderen: paracetamol", DOSES, section="Hoeveel?")

    assert bool(quoted(hospital, question, table)) is is_quoted


@pytest.mark.parametrize(
    ("language", "question", "is_child"),
    [
        ("nl", "mijn kind van 5 moet onder narcose", True),
        ("en", "my daughter has an operation", True),
        ("fr", "mon fils doit être opéré", True),
        ("nl", "mijn zoon van 24 jaar wordt geopereerd", False),
        ("nl", "ik word geopereerd over 2 maanden", False),
        ("nl", "vanaf welke leeftijd mag dat", None),
    ],
)
def test_who_is_asked_about_is_known_by_words_and_age(hospital, language, question, is_child):
    assert is_about_child(question, language, hospital) is is_child


def test_a_name_within_a_longer_one_names_nothing(hospital):
    named = names_of(hospital)

    assert named("PET-CT-scan").care == {PET}
    assert named("CT-scan of MRI-scan").care == {CT, MRI}
    assert isinstance(Subjects(named("MRI"), False, named).names_asked("MRI"), bool)
