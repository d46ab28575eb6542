"""Look-ups of departments and campuses."""

from dataclasses import replace

import pytest

from taxonomy.language.lexicon import Lexicon
from taxonomy.lookup.finding import Finding, FindingKind
from taxonomy.lookup.handlers import (
    find_booking,
    find_care,
    find_departments,
    find_doctors,
    find_places,
)
from taxonomy.lookup.question import LookupQuestion
from taxonomy.resolvers.entries import FROM_CONDITION
from taxonomy.vocabulary import Kind, Predicate
from tests.builders import match, thing, vocabulary

NORTH = thing(Kind.CAMPUS, "Campus Noord", street="Laan 1", city="Heide", phone="089 00 00 01")
SOUTH = thing(Kind.CAMPUS, "Campus Zuid")
HEART = thing(
    Kind.DEPARTMENT, "Cardiologie", phone="089 00 11 22", hours="raadpleging ma-vr 9:00-17:00"
)
WARD = thing(Kind.DEPARTMENT, "C3-afdeling", phone="089 00 11 33", hours="bezoek 14:00-20:00")
EYES = thing(Kind.DEPARTMENT, "Oogkliniek", phone="089 00 11 44")
PALPITATIONS = thing(Kind.CONDITION, "Palpitaties")
SCAN = thing(Kind.EXAMINATION, "MRI")
WORDS = vocabulary(
    (HEART, Predicate.LOCATED_AT, NORTH),
    (HEART, Predicate.LOCATED_AT, SOUTH),
    (EYES, Predicate.LOCATED_AT, SOUTH),
    (HEART, Predicate.HANDLES, PALPITATIONS),
    (WARD, Predicate.HANDLES, PALPITATIONS),
    (WARD, Predicate.PART_OF, HEART),
    (HEART, Predicate.PERFORMS, SCAN),
    (SOUTH, Predicate.HAS_FACILITY, SCAN),
)
LEXICON = Lexicon(
    [
        {"concept": "visit", "kind": "practical", "nl": "bezoek"},
        {"concept": "consultation", "kind": "practical", "nl": "raadpleging"},
    ]
)
OPENING = Finding(FindingKind.HOURS, HEART, value="raadpleging ma-vr 9:00-17:00")
VISITING = Finding(FindingKind.VISITING_HOURS, WARD, value="bezoek 14:00-20:00")


def asked(*things, **fields):
    named = tuple(map(match, things))
    question = LookupQuestion(WORDS, named, is_ward_code=lambda t: t == WARD, lexicon=LEXICON)
    return replace(question, **fields)


def test_a_condition_has_a_department_and_never_a_ward_code():
    found = tuple(find_care(asked(PALPITATIONS)))

    assert found == (
        Finding(FindingKind.DEALT_WITH, PALPITATIONS, things=(HEART,)),
        Finding(FindingKind.PLACE, HEART, things=(NORTH, SOUTH)),
        Finding(FindingKind.PHONE, HEART, value="089 00 11 22"),
    )
    assert asked(PALPITATIONS).routed == (HEART,)
    assert next(find_departments(asked(WARD))) == Finding(
        FindingKind.PART_OF, WARD, things=(HEART,)
    )
    # An examination is at the campus that has it, and nothing named finds nothing.
    assert Finding(FindingKind.PLACE, HEART, things=(SOUTH,)) in find_care(asked(SCAN))
    assert not tuple(find_care(asked()))


def test_a_department_derived_from_complaints_is_no_complete_answer():
    led = asked(matches=(replace(match(HEART), by=FROM_CONDITION),), wants="place")

    assert next(find_care(led)) == Finding(FindingKind.SUITED, HEART)
    assert not led.is_answered_by(tuple(find_care(led)))
    assert next(find_care(asked(HEART))) == Finding(FindingKind.REACHED, HEART)


@pytest.mark.parametrize(
    ("topic", "first"), [("appointment", FindingKind.BOOKED_AT), ("contact", FindingKind.REACHED)]
)
def test_a_department_is_called_for_an_appointment_or_for_anything_else(topic, first):
    found = tuple(find_booking(asked(HEART, topic=topic)))

    assert found[0] == Finding(first, HEART)
    assert Finding(FindingKind.PHONE, HEART, value="089 00 11 22") in found


def test_opening_hours_come_first_if_asked_for_and_visiting_hours_are_separate():
    opening = tuple(find_places(asked(HEART, topic="hours")))
    visiting = tuple(find_places(asked(HEART, topic="visiting")))

    assert opening[:2] == (OPENING, VISITING)
    assert visiting[0] == VISITING
    assert OPENING not in visiting
    assert tuple(find_places(asked(HEART)))[-1] == OPENING


@pytest.mark.parametrize(
    ("written", "opening", "visiting"),
    [
        pytest.param("ma-vr 9:00-17:00", "ma-vr 9:00-17:00", "", id="no word at all"),
        pytest.param(
            "raadpleging ma 9:00-12:00; bezoek 14:00-20:00; partner dag en nacht",
            "raadpleging ma 9:00-12:00", "bezoek 14:00-20:00; partner dag en nacht",
            id="both, and one that goes on",
        ),
    ],
)  # fmt: skip
def test_visiting_hours_are_distinguished_from_others(written, opening, visiting):
    place = thing(Kind.DEPARTMENT, "Oogkliniek", hours=written)

    assert asked().hours(place) == opening
    assert asked().hours(place, of_visits=True) == visiting


def test_hours_do_not_come_first_for_a_department_at_several_campuses():
    assert next(find_places(asked(HEART, NORTH, topic="hours"))) == Finding(
        FindingKind.REACHED, HEART
    )


def test_a_campus_alone_has_its_departments_if_asked_for():
    found = tuple(find_departments(asked(NORTH)))

    assert found[0] == Finding(FindingKind.ADDRESS, NORTH, value="Laan 1, Heide")
    assert Finding(FindingKind.AT_CAMPUS, NORTH, things=(HEART,)) in found
    assert FindingKind.AT_CAMPUS not in {each.kind for each in find_places(asked(NORTH))}


NOT_THERE = Finding(FindingKind.ELSEWHERE, EYES, things=(SOUTH,), others=(NORTH,))


@pytest.mark.parametrize("handler", [find_places, find_departments, find_doctors])
def test_a_department_at_another_campus_is_reported_as_such(handler):
    assert NOT_THERE in handler(asked(EYES, NORTH))
    assert NOT_THERE not in handler(asked(EYES, SOUTH))
    assert NOT_THERE not in handler(asked(EYES))


@pytest.mark.parametrize(
    ("wants", "things", "is_whole"),
    [
        pytest.param("place", (PALPITATIONS,), True, id="where it is dealt with"),
        pytest.param("time", (PALPITATIONS,), False, id="when it is open was not found"),
        pytest.param("price", (PALPITATIONS,), False, id="no price is in the taxonomy"),
        pytest.param("place", (PALPITATIONS, EYES), False, id="something else is named too"),
        pytest.param("other", (PALPITATIONS,), False, id="what it is was asked"),
    ],
)
def test_findings_are_a_complete_answer_only_if_they_give_what_was_asked(wants, things, is_whole):
    question = asked(*things, wants=wants)

    assert question.is_answered_by(tuple(find_care(question))) is is_whole


def test_routes_are_only_on_pages():
    question = asked(NORTH, wants="place", topic="route")

    assert not question.is_answered_by(tuple(find_places(question)))
    assert replace(question, topic="").is_answered_by(tuple(find_places(question)))
