"""The taxonomy is asked by intent, along its relations, and every finding names its source."""

from __future__ import annotations

import pytest

from chat.lookup.finding import Finding, Says, states
from chat.lookup.handlers import findings_of
from chat.lookup.lookup_question import LookupQuestion
from chat.stages.graph_enrichment import graph_enrichment
from retrieval.intents import Intent
from taxonomy.kinds import Kind, Predicate
from taxonomy.lexicon import Lexicon
from tests.builders import context, meant, thing, tools, vocabulary

NORTH, SOUTH = thing(Kind.CAMPUS, "Campus Noord"), thing(Kind.CAMPUS, "Campus Zuid")
CARDIOLOGY = thing(
    Kind.DEPARTMENT, "Cardiologie", phone="089 00 11 22", hours="raadpleging ma-vr 9:00-17:00"
)
WARD = thing(Kind.DEPARTMENT, "C3-afdeling", phone="089 00 11 33", hours="bezoek 14:00-20:00")
PALPITATIONS = thing(Kind.CONDITION, "Palpitaties")
ANN = thing(Kind.DOCTOR, "Ann Peeters", title="Dr.")
WORDS = vocabulary(
    (CARDIOLOGY, Predicate.LOCATED_AT, NORTH),
    (CARDIOLOGY, Predicate.HANDLES, PALPITATIONS),
    (WARD, Predicate.HANDLES, PALPITATIONS),
    (WARD, Predicate.PART_OF, CARDIOLOGY),
    (ANN, Predicate.WORKS_IN, CARDIOLOGY),
    (ANN, Predicate.LOCATED_AT, SOUTH),
)
LEXICON = Lexicon(
    [
        {"concept": "visit", "kind": "practical", "nl": "bezoek"},
        {"concept": "consultation", "kind": "practical", "nl": "raadpleging"},
        {"concept": "father", "kind": "person", "nl": "vader"},
    ]
)


def found(*things, **understood):
    asked = LookupQuestion(meant(*things, **understood), WORDS, lambda each: each == WARD, LEXICON)
    return findings_of(asked)


def test_a_condition_leads_to_its_department_and_that_to_its_campus():
    findings = found(PALPITATIONS, intent=Intent.CONDITION_INFORMATION)

    assert findings[0] == Finding(Says.DEALT_WITH, PALPITATIONS, things=(CARDIOLOGY,))
    assert Finding(Says.PLACE, CARDIOLOGY, things=(NORTH,)) in findings
    assert Finding(Says.PHONE, CARDIOLOGY, value="089 00 11 22") in findings


def test_an_examination_is_done_at_the_campus_that_has_it():
    scan = thing(Kind.EXAMINATION, "IRM")
    words = vocabulary(
        (CARDIOLOGY, Predicate.PERFORMS, scan),
        (CARDIOLOGY, Predicate.LOCATED_AT, NORTH),
        (CARDIOLOGY, Predicate.LOCATED_AT, SOUTH),
        (SOUTH, Predicate.HAS_FACILITY, scan),
    )

    findings = findings_of(
        LookupQuestion(
            meant(scan, intent=Intent.TREATMENT_OR_EXAM_INFORMATION), words, lexicon=LEXICON
        )
    )

    assert Finding(Says.PLACE, CARDIOLOGY, things=(SOUTH,)) in findings


def test_who_treats_a_condition_leads_on_to_the_doctors():
    findings = found(PALPITATIONS, intent=Intent.DOCTOR_LOOKUP)

    assert Finding(Says.ROSTER, CARDIOLOGY, things=(ANN,)) in findings
    assert Finding(Says.MEMBER, ANN) in findings


def test_who_calls_an_appointment_off_is_not_told_how_one_is_made():
    lexicon = Lexicon([{"concept": "cancel", "kind": "practical", "nl": "annuleren"}])
    understood = meant(
        PALPITATIONS,
        intent=Intent.BOOKING_OR_CONTACT,
        topic="appointment",
        terms=("annuleren", "afspraak"),
    )

    findings = findings_of(LookupQuestion(understood, WORDS, lexicon=lexicon))

    assert Finding(Says.REACHED, CARDIOLOGY) in findings
    assert Finding(Says.BOOKED_AT, CARDIOLOGY) not in findings


def test_a_booking_leads_to_the_department_to_call():
    findings = found(PALPITATIONS, intent=Intent.BOOKING_OR_CONTACT, topic="appointment")

    assert Finding(Says.BOOKED_AT, CARDIOLOGY) in findings


def test_the_code_of_a_ward_is_told_as_a_part_of_its_department():
    findings = found(WARD, intent=Intent.DEPARTMENT_OR_SERVICE_LOOKUP)

    assert findings[0] == Finding(Says.PART_OF, WARD, things=(CARDIOLOGY,))


def test_the_doctors_of_a_ward_are_not_all_those_of_its_department():
    eva = thing(Kind.DOCTOR, "Eva Maes")
    words = vocabulary(
        (WARD, Predicate.PART_OF, CARDIOLOGY),
        (ANN, Predicate.WORKS_IN, CARDIOLOGY),
        (eva, Predicate.WORKS_IN, CARDIOLOGY),
        (eva, Predicate.WORKS_IN, WARD),
    )
    asked = LookupQuestion(
        meant(WARD, intent=Intent.DOCTOR_LOOKUP), words, lambda each: each == WARD, LEXICON
    )

    findings = findings_of(asked)

    assert findings[0] == Finding(Says.ROSTER, WARD, things=(eva,))
    assert Finding(Says.PART_OF, WARD, things=(CARDIOLOGY,)) in findings
    assert ANN not in [finding.about for finding in findings]


def test_who_comes_by_for_an_appointment_is_no_visitor():
    hours = {"topic": "hours", "intent": Intent.NAVIGATION_OR_PRACTICAL_INFO}

    visit = found(CARDIOLOGY, terms=("bezoek", "cardiologie"), **hours)
    consultation = found(CARDIOLOGY, terms=("bezoek", "raadpleging"), **hours)

    assert Says.VISITING_HOURS in [finding.says for finding in visit]
    assert Says.VISITING_HOURS not in [finding.says for finding in consultation]
    assert consultation[0].says is Says.HOURS


def test_who_comes_by_for_a_relative_is_a_visitor_though_no_hour_is_asked():
    heard = {"intent": Intent.NAVIGATION_OR_PRACTICAL_INFO}

    of_father = found(CARDIOLOGY, terms=("bezoek", "vader"), **heard)
    nobody = found(CARDIOLOGY, terms=("bezoek",), **heard)

    assert of_father[0].says is Says.VISITING_HOURS
    assert Says.VISITING_HOURS not in [finding.says for finding in nobody]


def test_visiting_hours_of_a_department_are_those_of_its_wards():
    findings = found(CARDIOLOGY, topic="visiting")

    assert findings[0] == Finding(Says.VISITING_HOURS, WARD, value="bezoek 14:00-20:00")
    assert not any(finding.says is Says.HOURS for finding in findings)


def test_opening_hours_come_first_when_they_are_asked_for():
    findings = found(CARDIOLOGY, topic="hours")

    assert findings[0] == Finding(Says.HOURS, CARDIOLOGY, value="raadpleging ma-vr 9:00-17:00")


def test_hours_of_a_department_at_several_campuses_are_those_of_none_in_particular():
    words = vocabulary(
        (CARDIOLOGY, Predicate.LOCATED_AT, NORTH), (CARDIOLOGY, Predicate.LOCATED_AT, SOUTH)
    )

    named = findings_of(
        LookupQuestion(meant(CARDIOLOGY, NORTH, topic="hours"), words, lexicon=LEXICON)
    )
    other = findings_of(LookupQuestion(meant(CARDIOLOGY, topic="hours"), words, lexicon=LEXICON))

    assert named[0].says is not Says.HOURS
    assert other[0].says is Says.HOURS


def test_hours_of_a_visit_are_those_for_visitors_in_whatever_words_they_are_asked():
    findings = found(CARDIOLOGY, topic="hours", terms=("bezoek", "operatie"))

    assert findings[0].says is Says.VISITING_HOURS
    assert not any(finding.says is Says.HOURS for finding in findings)


def test_who_speaks_of_a_relative_is_told_the_hours_for_visitors_first():
    findings = found(CARDIOLOGY, topic="hours", terms=("vader",))

    assert findings[0].says is Says.VISITING_HOURS
    assert findings[-1].says is Says.HOURS


def test_nothing_named_finds_nothing():
    assert found(intent=Intent.CONDITION_INFORMATION) == ()


def test_a_finding_names_its_source():
    finding = Finding(Says.PHONE, CARDIOLOGY, value="089 00 11 22")

    assert finding.as_data()["source"] == CARDIOLOGY.url


def test_how_things_relate_is_told_a_relation_a_line():
    asked = context(understanding=meant(PALPITATIONS, CARDIOLOGY))
    lines = graph_enrichment(asked, tools(words=WORDS)).context.ontology

    assert "Cardiologie (department) HANDLES Palpitaties (condition)" in lines
    assert "C3-afdeling (department) PART_OF Cardiologie (department)" in lines
    assert len(lines) == len(set(lines))


def test_what_a_passage_states_already_is_known_in_any_way_of_writing():
    finding = Finding(Says.PHONE, CARDIOLOGY, value="089 00 11 22")

    assert states(["Bel Cardiologie: 089/001122."], finding)
    assert not states(["Bel Cardiologie: 089/001133."], finding)
    assert not states(["Bel ons: 089 00 11 22."], finding)


SOUTHERN = thing(Kind.DEPARTMENT, "Oogkliniek", phone="089 00 11 44")
EYE = thing(Kind.DOCTOR, "Eva Maes", title="Dr.", schedule="ma 9:00-12:00@zuid")
APART = vocabulary(
    (SOUTHERN, Predicate.LOCATED_AT, SOUTH),
    (SOUTHERN, Predicate.HANDLES, PALPITATIONS),
    (EYE, Predicate.WORKS_IN, SOUTHERN),
)
NOT_THERE = Finding(Says.ELSEWHERE, SOUTHERN, things=(SOUTH,), others=(NORTH,))


@pytest.mark.parametrize(
    ("named", "intent"),
    [
        pytest.param(SOUTHERN, Intent.DEPARTMENT_OR_SERVICE_LOOKUP, id="a department"),
        pytest.param(SOUTHERN, Intent.DOCTOR_LOOKUP, id="its doctors"),
        pytest.param(PALPITATIONS, Intent.CONDITION_INFORMATION, id="what it treats"),
        pytest.param(SOUTHERN, Intent.NAVIGATION_OR_PRACTICAL_INFO, id="the way to it"),
    ],
)
def test_what_is_not_at_the_campus_that_is_asked_about_is_said_not_to_be(named, intent):
    assert NOT_THERE in findings_of(LookupQuestion(meant(named, NORTH, intent=intent), APART))
    assert NOT_THERE not in findings_of(LookupQuestion(meant(named, SOUTH, intent=intent), APART))
    assert NOT_THERE not in findings_of(LookupQuestion(meant(named, intent=intent), APART))


@pytest.mark.parametrize(("asks_when", "told"), [(True, "ma 9:00-12:00@zuid"), (False, "")])
def test_who_asks_when_they_are_there_is_told_with_the_list(*, asks_when, told):
    understood = meant(SOUTHERN, intent=Intent.DOCTOR_LOOKUP)

    findings = findings_of(LookupQuestion(understood, APART, asks_when=asks_when))

    assert Finding(Says.MEMBER, EYE, value=told) in findings
