"""A passage holds a share of the names and details that the taxonomy answers with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.engines.embedded.held import held
from chat.engines.embedded.kinds import Sort
from chat.lookup.finding import Finding, Says
from retrieval.grading import Held
from taxonomy.kinds import Kind
from tests.builders import passage, source, thing

HEART = thing(Kind.DEPARTMENT, "Cardiologie")
ANN, MEHMET = thing(Kind.DOCTOR, "Ann Peeters"), thing(Kind.DOCTOR, "Mehmet Yılmaz")
ROSTER = (Finding(Says.ROSTER, HEART), Finding(Says.MEMBER, ANN), Finding(Says.MEMBER, MEHMET))
PHONE = Finding(Says.PHONE, HEART, value="089 00 51 03")


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
    assert one(text, *ROSTER).people == share


@pytest.mark.parametrize("said", ["title", "section"])
def test_a_department_may_stand_over_the_passage(said):
    assert one("Bel ons.", *ROSTER, **{said: "Dienst cardiologie"}).places == 1.0
    assert one("Bel ons.", *ROSTER).places == 0.0


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

    assert one("Dr. Ann Peeters", nameless, ROSTER[1]).people == 1.0
    assert one("Cardiologie", ROSTER[0], further).places == 1.0


def test_only_the_number_that_is_asked_for_counts():
    hours = Finding(Says.HOURS, HEART, value="ma-vr 8:30-17:00")
    asked = {"wanted": {Sort.PHONE}}

    assert one("Bel 089 00 51 03.", PHONE, hours, **asked) == Held(0.0, 0.0, 1.0)
    assert one("Bel 089 00 51 04, ma-vr 8:30-17:00.", PHONE, hours, **asked).details == 0.0
    assert one("Bel 089 00 51 03.", PHONE, hours).details == 0.0


@pytest.mark.parametrize("value", ["", "—"])
def test_a_number_that_staff_left_open_is_in_no_passage(value):
    assert one("Bel ons.", replace(PHONE, value=value), *ROSTER, wanted={Sort.PHONE}).details == 0.0


def test_where_the_taxonomy_answers_nothing_no_passage_is_read():
    assert held((), {Sort.PHONE}, [passage("Dr. Ann Peeters")]) == {}
