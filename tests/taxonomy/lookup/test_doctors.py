"""Doctors are found by name, by department and by what they treat, and follow what is asked."""

from dataclasses import replace
from datetime import date

import pytest

from taxonomy.lookup.finding import Filters, Finding, Says
from taxonomy.lookup.handlers import find_doctors, find_named, roster, with_absences
from taxonomy.lookup.question import LookupQuestion
from taxonomy.vocabulary import Kind, Predicate
from tests.builders import match, thing, vocabulary

NORTH, SOUTH = (thing(Kind.CAMPUS, name, key=name.lower()) for name in ("Noord", "Zuid"))
EYES, WARD = thing(Kind.DEPARTMENT, "Oogziekten"), thing(Kind.DEPARTMENT, "O2-afdeling")
CATARACT = thing(Kind.CONDITION, "Grijze staar")
ANN = thing(
    Kind.DOCTOR, "Ann Peeters", gender="f", schedule="wo 9:00-12:00@noord|vr 9:00-12:00@zuid",
    languages=["nl"],
)  # fmt: skip
ELENI = thing(Kind.DOCTOR, "Eleni Georgiou", schedule="ma-wo 9:00-12:00", languages=["fr", "el"])
BO = thing(Kind.DOCTOR, "Bo Claes", gender="m")
STAFFED = (
    *((doctor, Predicate.WORKS_IN, EYES) for doctor in (ANN, ELENI, BO)),
    *((ANN, Predicate.LOCATED_AT, campus) for campus in (NORTH, SOUTH)),
    (WARD, Predicate.PART_OF, EYES),
    (EYES, Predicate.HANDLES, CATARACT),
)
WORDS = vocabulary(*STAFFED)
TREATING = vocabulary(
    *STAFFED, (CATARACT, Predicate.TREATED_BY, ANN), (CATARACT, Predicate.TREATED_BY, ELENI)
)
FRIDAY = frozenset({5})


def asked(*things, words=WORDS, **fields):
    named = tuple(map(match, things))
    return replace(LookupQuestion(words, named, is_ward_code=lambda t: t == WARD), **fields)


def told(question, says=Says.MEMBER):
    return [found.about for found in find_doctors(question) if found.says is says]


def test_who_treats_something_is_everybody_of_its_department():
    found = tuple(find_doctors(asked(CATARACT)))

    assert found[0] == Finding(Says.DEALT_WITH, CATARACT, things=(EYES,))
    assert Finding(Says.ROSTER, EYES, things=(ANN, ELENI, BO)) in found
    assert told(asked(CATARACT)) == [ANN, ELENI, BO]
    assert tuple(roster(asked(), WARD)) == (Finding(Says.ROSTER, WARD),)


def test_who_is_known_to_treat_something_is_told_in_place_of_everybody_and_who_fits_first():
    known = asked(CATARACT, words=TREATING)
    fits = replace(known, filters=Filters(FRIDAY))
    nobody = replace(known, filters=Filters(languages=frozenset({"tr"})))

    assert (told(known, Says.OPTION), told(known)) == ([ANN, ELENI], [])
    assert told(fits) == [ANN]
    assert told(nobody, Says.FILTERED_NONE) == [CATARACT]
    assert told(nobody, Says.OPTION) == [ANN, ELENI]


def test_the_doctors_of_a_ward_are_not_all_those_of_its_department():
    words = vocabulary(*STAFFED, (ANN, Predicate.WORKS_IN, WARD))

    found = tuple(find_doctors(asked(WARD, words=words)))

    assert found[0] == Finding(Says.ROSTER, WARD, things=(ANN,))
    assert Finding(Says.PART_OF, WARD, things=(EYES,)) in found
    assert BO not in [each.about for each in found]


@pytest.mark.parametrize(
    ("filters", "fitting"),
    [
        pytest.param(Filters(FRIDAY), [ANN], id="a day"),
        pytest.param(Filters(languages=frozenset({"el"})), [ELENI], id="a language"),
        pytest.param(Filters(genders=frozenset("f")), [ANN], id="women"),
        pytest.param(Filters(campuses=(SOUTH,)), [ANN], id="a campus"),
        pytest.param(Filters(FRIDAY, campuses=(SOUTH,)), [ANN], id="a day at its campus"),
    ],
)
def test_a_list_follows_what_is_asked_of_a_doctor_and_says_so(filters, fitting):
    found = tuple(find_doctors(asked(EYES, filters=filters)))

    assert found[0] == Finding(Says.FILTERED, EYES, things=tuple(fitting), filters=filters)
    # A later question about the list keeps what it says nothing of.
    earlier = Filters(languages=frozenset({"tr"}), genders=frozenset("m"))
    assert filters.after(earlier).languages == (filters.languages or earlier.languages)
    assert [each.about for each in found if each.says is Says.MEMBER] == fitting


def test_a_day_at_another_campus_does_not_count():
    filters = Filters(FRIDAY, campuses=(NORTH,))

    assert next(find_doctors(asked(EYES, filters=filters))).says is Says.FILTERED_NONE
    assert told(asked(EYES, filters=filters)) == [ANN, ELENI, BO]


@pytest.mark.parametrize(
    "fields", [{"wants": "time"}, {"topic": "hours"}, {"filters": Filters(FRIDAY)}]
)
def test_who_asks_when_is_told_it_with_the_list(fields):
    ann = Finding(Says.MEMBER, ANN, value=ANN.get("schedule"))

    question = asked(EYES, **fields)

    assert ann in find_doctors(question)
    assert ann not in find_doctors(asked(EYES))
    assert "wants" not in fields or question.is_answered_by(tuple(find_doctors(question)))


def test_who_speaks_a_language_is_told_of_the_whole_hospital_and_many_are_counted():
    many = [thing(Kind.DOCTOR, f"Dokter {n}", languages=["el"]) for n in range(15)]
    words = vocabulary(*((doctor, Predicate.WORKS_IN, EYES) for doctor in many))
    question = asked(words=words, filters=Filters(languages=frozenset({"el"})))

    (further,) = [each for each in find_doctors(question) if each.says is Says.FURTHER]

    assert (further.value, further.things) == ("3", (EYES,))
    assert len(told(question)) == 12
    assert not tuple(find_doctors(replace(question, filters=Filters(FRIDAY))))


def test_of_two_people_with_one_name_neither_is_chosen():
    question = asked(matches=(match(ANN, BO),))

    found = tuple(find_named(question))

    assert found[0] == Finding(Says.AMBIGUOUS, ANN, things=(ANN, BO))
    assert not question.is_answered_by(found)


def test_a_doctor_who_is_away_is_told_with_the_day_of_return_and_without_hours():
    away = replace(ANN, data={**ANN.data, "absent_until": "2026-12-01"})
    words = vocabulary((away, Predicate.WORKS_IN, EYES))
    found = tuple(find_named(asked(away, words=words)))

    before, after = (
        {each.says for each in with_absences(found, day)}
        for day in (date(2026, 11, 28), date(2026, 12, 1))
    )

    assert Says.ABSENT in before
    assert Says.SCHEDULE not in before
    assert Says.SCHEDULE in after
    assert Says.ABSENT not in after


@pytest.mark.parametrize(
    ("campus", "hours"),
    [(SOUTH, "vr 9:00-12:00@zuid"), (thing(Kind.CAMPUS, "Oost", key="oost"), ANN.get("schedule"))],
)
def test_of_a_campus_only_its_hours_are_told_and_all_where_it_has_none(campus, hours):
    found = find_named(asked(ANN, filters=Filters(campuses=(campus,))))

    assert [each.value for each in found if each.says is Says.SCHEDULE] == [hours]
