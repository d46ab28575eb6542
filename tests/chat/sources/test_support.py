"""What was found is read: the passage with the statement that answers comes first, sooner where it
bears out what the taxonomy answers."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.pipeline import run
from chat.question.answer_types import Sort
from chat.services import take_turn
from chat.sources.support import held, read
from chat.turn import Turn
from retrieval.grading import FACT_POWERS, PassageSupport
from taxonomy.kinds import Kind
from taxonomy.lookup.finding import Finding, Says
from tests.builders import PREPARING, context, meant, passage, source, thing, tools

QUESTION = "Hoeveel kost een maaltijd voor een begeleider?"
CAFETERIA = passage(
    "In de cafetaria is er elke dag soep. Er is ook een terras met zicht op het park.",
    0.9,
    chunk_id=1,
    source=source("Cafetaria", document_id=1, url="https://zt.example/cafetaria"),
)
MEALS = passage(
    "Een begeleider eet mee op de kamer. Een maaltijd voor een begeleider kost 9 euro.",
    0.6,
    chunk_id=2,
    source=source("Mee-eten", document_id=2, url="https://zt.example/mee-eten"),
)
BARE = passage("Plan", 0.8, chunk_id=3, source=source("Plan", document_id=3))


HEART = thing(Kind.DEPARTMENT, "Cardiologie")
PEETERS, YILMAZ = thing(Kind.DOCTOR, "Ann Peeters"), thing(Kind.DOCTOR, "Mehmet Yılmaz")
DOCTORS = (Finding(Says.ROSTER, HEART), Finding(Says.MEMBER, PEETERS), Finding(Says.MEMBER, YILMAZ))
PHONE = Finding(Says.PHONE, HEART, value="089 00 51 03")


def skimmed(*passages):
    asked = context(QUESTION, understanding=meant(language="nl"), passages=passages)
    return read(asked, tools()).context.passages


def test_what_answers_comes_before_what_was_found_sooner():
    assert [each.chunk_id for each in skimmed(CAFETERIA, MEALS)] == [2, 1]


def test_what_the_best_statement_counts_is_recorded_and_the_rest_stays():
    first, second = skimmed(CAFETERIA, MEALS)

    assert (first.answering, second.base) == (1.0, CAFETERIA.base)
    assert 0 < second.answering < 1
    assert second.weight == pytest.approx(second.found * second.answering)


def test_a_passage_that_says_nothing_is_kept_behind_the_others():
    assert [each.chunk_id for each in skimmed(BARE, CAFETERIA, MEALS)][-1] == 3


def test_reading_twice_is_reading_once():
    once = skimmed(CAFETERIA, MEALS, BARE)

    assert skimmed(*once) == once


ANN, KOEN = (thing(Kind.DOCTOR, name) for name in ("Ann Peeters", "Koen Maes"))
ROSTER = (Finding(Says.MEMBER, ANN), Finding(Says.MEMBER, KOEN))
TEAM = passage(
    "Onze artsen werken in een team. Welke artsen u ziet, hangt af van de dag.",
    0.9,
    chunk_id=5,
    source=source("Team", document_id=5),
)
NAMES = passage(
    "Raadplegingen: Dr. Ann Peeters op maandag. Dr. Koen Maes op dinsdag.",
    0.6,
    chunk_id=6,
    source=source("Raadpleging", document_id=6),
)


def test_the_passage_that_names_all_doctors_of_the_taxonomy_comes_first():
    asked = context(
        "Welke artsen werken hier?",
        understanding=meant(language="nl"),
        passages=(TEAM, NAMES),
        findings=ROSTER,
    )

    assert [each.chunk_id for each in read(asked, tools()).context.passages] == [6, 5]


def test_of_passages_on_a_department_the_one_that_names_all_its_doctors_comes_first(mini):
    turn = Turn("Welke artsen werken er allemaal op oogziekten?", "nl")

    ranked = take_turn(turn, flags={"cache": False}, stages=PREPARING).context

    first, *_ = ranked.passages
    assert ranked.roster
    assert all(doctor.name in first.text for doctor in ranked.roster)
    assert dict(first.reading)["people"] == pytest.approx(exp(FACT_POWERS["people"]))


def test_what_a_reranker_has_read_is_not_read_again():
    judged = replace(CAFETERIA, relevance=0.9), replace(MEALS, relevance=0.1)

    assert skimmed(*judged) == judged


def test_what_is_quoted_is_what_was_ranked_first(mini):
    answered = take_turn(Turn("Wat kost parkeren?", "nl"), flags={"cache": False})

    assert answered.context.passages[0].answering == 1.0
    assert answered.context.passages[0].source.url in {c.url for c in answered.context.citations}


def test_a_question_taken_apart_is_ranked_as_one(mini):
    question = "Wat kost parkeren, en welke dokters werken er op oogziekten?"
    turn = Turn(question, "nl")

    ranked = take_turn(turn, flags={"cache": False}, stages=PREPARING).context

    assert len(ranked.parts) == 2
    assert ranked.passages
    found = {each.chunk_id for part in ranked.parts for each in part.passages}
    assert {each.chunk_id for each in ranked.passages} == found


WORDS = st.sampled_from(
    ["Parkeren kost twee euro per uur.", "Een maaltijd kost 9 euro.", "De ingang is links.", "Plan"]
)


@given(
    st.lists(
        st.tuples(WORDS, st.floats(0.001, 1.0), st.booleans(), st.sampled_from(["", "practical"])),
        min_size=1,
        max_size=30,
    )
)
def test_what_only_the_words_found_is_not_lost_by_any_later_stage(hits):
    found = [
        passage(
            text,
            base,
            chunk_id=number,
            source=source(f"Pagina {number}", document_id=number, language="nl"),
            keyword_rank=number,
            dense_rank=0 if by_words_only else number,
            category=category or "general",
        )
        for number, (text, base, by_words_only, category) in enumerate(hits, start=1)
    ]

    ctx, _ = run(Turn(QUESTION, "nl"), tools(finds=found), PREPARING)

    assert {each.chunk_id for each in ctx.passages} == {each.chunk_id for each in found}
    assert all(each.weight > 0 for each in ctx.passages)


def one(text, *findings, wanted=(), title="Een pagina", section=""):
    known = [passage(text, chunk_id=1, source=source(title), section=section)]
    (found,) = held(findings, wanted, known).values()
    return found


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("| Dr. Ann Peeters | ma |\n| Dr. Mehmet Yilmaz | di |", 1.0),
        ("Dr. PEETERS, Ann, raadpleegt op maandag.", 0.5),
        ("Dr. Peeters en dr. Yılmaz raadplegen op maandag.", 0.0),
        ("Dr. Ann Janssens en dr. Jan Peeters raadplegen op maandag.", 0.0),
        ("Ons team staat voor u klaar.", 0.0),
    ],
)
def test_doctors_are_counted_by_their_whole_names_however_they_are_written(text, share):
    assert one(text, *DOCTORS).people == share


@pytest.mark.parametrize("said", ["title", "section"])
def test_a_department_may_stand_over_the_passage(said):
    assert one("Bel ons.", *DOCTORS, **{said: "Dienst cardiologie"}).places == 1.0
    assert one("Bel ons.", *DOCTORS).places == 0.0


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Bel 089/00.51.03.", 1.0),
        ("Bel 089\xa000\xa051\xa003", 1.0),
        ("Bel 089 005103", 1.0),
        ("Bel 089 00 51 031.", 0.0),
        ("Bel 1089 00 51 03.", 0.0),
    ],
)
def test_a_number_is_known_however_it_is_grouped(text, share):
    assert one(text, PHONE, wanted={Sort.PHONE}).details == share


def test_a_thing_without_a_name_and_further_departments_are_in_no_passage():
    nameless = Finding(Says.MEMBER, thing(Kind.DOCTOR, "—"))
    further = Finding(Says.FURTHER, HEART, things=(thing(Kind.DEPARTMENT, "Neurologie"),))

    assert one("Dr. Ann Peeters", nameless, DOCTORS[1]).people == 1.0
    assert one("Cardiologie", DOCTORS[0], further).places == 1.0


def test_only_the_number_that_is_asked_for_counts():
    hours = Finding(Says.HOURS, HEART, value="ma-vr 8:30-17:00")
    asked = {"wanted": {Sort.PHONE}}

    assert one("Bel 089 00 51 03.", PHONE, hours, **asked) == PassageSupport(0.0, 0.0, 1.0)
    assert one("Bel 089 00 51 04, ma-vr 8:30-17:00.", PHONE, hours, **asked).details == 0.0
    assert one("Bel 089 00 51 03.", PHONE, hours).details == 0.0


@pytest.mark.parametrize("value", ["", "—"])
def test_a_number_that_staff_left_open_is_in_no_passage(value):
    assert (
        one("Bel ons.", replace(PHONE, value=value), *DOCTORS, wanted={Sort.PHONE}).details == 0.0
    )


def test_where_the_taxonomy_answers_nothing_no_passage_is_read():
    assert held((), {Sort.PHONE}, [passage("Dr. Ann Peeters")]) == {}
