"""Look-ups of doctors by name, department and treatment, with filters."""

from dataclasses import replace
from datetime import date

import pytest

from taxonomy.lookup.finding import Filters, Finding, FindingKind
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


def doctors(question, kind=FindingKind.MEMBER):
    return [found.about for found in find_doctors(question) if found.kind is kind]


def test_all_doctors_of_a_department_treat_its_conditions():
    found = tuple(find_doctors(asked(CATARACT)))

    assert found[0] == Finding(FindingKind.DEALT_WITH, CATARACT, things=(EYES,))
    assert Finding(FindingKind.ROSTER, EYES, things=(ANN, ELENI, BO)) in found
    assert doctors(asked(CATARACT)) == [ANN, ELENI, BO]
    assert tuple(roster(asked(), WARD)) == (Finding(FindingKind.ROSTER, WARD),)


def test_doctors_known_to_treat_something_replace_the_whole_department():
    known = asked(CATARACT, words=TREATING)
    fits = replace(known, filters=Filters(FRIDAY))
    nobody = replace(known, filters=Filters(languages=frozenset({"tr"})))

    assert (doctors(known, FindingKind.OPTION), doctors(known)) == ([ANN, ELENI], [])
    assert doctors(fits) == [ANN]
    assert doctors(nobody, FindingKind.FILTERED_NONE) == [CATARACT]
    assert doctors(nobody, FindingKind.OPTION) == [ANN, ELENI]


def test_the_doctors_of_a_ward_are_not_all_those_of_its_department():
    words = vocabulary(*STAFFED, (ANN, Predicate.WORKS_IN, WARD))

    found = tuple(find_doctors(asked(WARD, words=words)))

    assert found[0] == Finding(FindingKind.ROSTER, WARD, things=(ANN,))
    assert Finding(FindingKind.PART_OF, WARD, things=(EYES,)) in found
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
def test_a_list_is_filtered_and_has_its_filters(filters, fitting):
    found = tuple(find_doctors(asked(EYES, filters=filters)))

    assert found[0] == Finding(FindingKind.FILTERED, EYES, things=tuple(fitting), filters=filters)
    # A later question about the list keeps what it says nothing of.
    earlier = Filters(languages=frozenset({"tr"}), genders=frozenset("m"))
    assert filters.after(earlier).languages == (filters.languages or earlier.languages)
    assert [each.about for each in found if each.kind is FindingKind.MEMBER] == fitting


def test_a_day_at_another_campus_does_not_count():
    filters = Filters(FRIDAY, campuses=(NORTH,))

    assert next(find_doctors(asked(EYES, filters=filters))).kind is FindingKind.FILTERED_NONE
    assert doctors(asked(EYES, filters=filters)) == [ANN, ELENI, BO]


@pytest.mark.parametrize(
    "fields", [{"wants": "time"}, {"topic": "hours"}, {"filters": Filters(FRIDAY)}]
)
def test_a_list_has_schedules_if_the_question_is_about_times(fields):
    ann = Finding(FindingKind.MEMBER, ANN, value=ANN.get("schedule"))

    question = asked(EYES, **fields)

    assert ann in find_doctors(question)
    assert ann not in find_doctors(asked(EYES))
    assert "wants" not in fields or question.is_answered_by(tuple(find_doctors(question)))


def test_doctors_who_speak_a_language_are_listed_or_counted():
    many = [thing(Kind.DOCTOR, f"Dokter {n}", languages=["el"]) for n in range(15)]
    words = vocabulary(*((doctor, Predicate.WORKS_IN, EYES) for doctor in many))
    question = asked(words=words, filters=Filters(languages=frozenset({"el"})))

    (further,) = [each for each in find_doctors(question) if each.kind is FindingKind.FURTHER]

    assert (further.value, further.things) == ("3", (EYES,))
    assert len(doctors(question)) == 12
    assert not tuple(find_doctors(replace(question, filters=Filters(FRIDAY))))


def test_namesakes_are_both_listed():
    question = asked(matches=(match(ANN, BO),))

    found = tuple(find_named(question))

    assert found[0] == Finding(FindingKind.AMBIGUOUS, ANN, things=(ANN, BO))
    assert not question.is_answered_by(found)


def test_an_absent_doctor_has_the_date_of_return_and_no_schedule():
    away = replace(ANN, data={**ANN.data, "absent_until": "2026-12-01"})
    words = vocabulary((away, Predicate.WORKS_IN, EYES))
    found = tuple(find_named(asked(away, words=words)))

    before, after = (
        {each.kind for each in with_absences(found, day)}
        for day in (date(2026, 11, 28), date(2026, 12, 1))
    )

    assert FindingKind.ABSENT in before
    assert FindingKind.SCHEDULE not in before
    assert FindingKind.SCHEDULE in after
    assert FindingKind.ABSENT not in after


@pytest.mark.parametrize(
    ("campus", "hours"),
    [(SOUTH, "vr 9:00-12:00@zuid"), (thing(Kind.CAMPUS, "Oost", key="oost"), ANN.get("schedule"))],
)
def test_a_schedule_is_limited_to_the_campus_if_it_has_one(campus, hours):
    found = find_named(asked(ANN, filters=Filters(campuses=(campus,))))

    assert [each.value for each in found if each.kind is FindingKind.SCHEDULE] == [hours]
