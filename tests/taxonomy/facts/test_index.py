"""Selection of the fact that answers a need."""

from datetime import date

import pytest

from taxonomy.facts.index import candidates
from taxonomy.facts.parts import WrongPart
from taxonomy.facts.print import format_value
from taxonomy.facts.records import FactConditions
from taxonomy.vocabulary import Kind
from tests.builders import snapshot, thing, vocabulary

NORTH, SOUTH = (thing(Kind.CAMPUS, name, key=name.lower()) for name in ("Noord", "Zuid"))
LAB = thing(Kind.DEPARTMENT, "Labo", key="labo")
WARD = thing(Kind.DEPARTMENT, "Hartbewaking", key="hartbewaking")


def row(need, value, subject=None, **more):
    return {
        "need": need, "value": value, "subject__kind": str(subject.kind) if subject else None,
        "subject__key": subject.key if subject else None, "conditions": {}, "valid_from": None,
        "valid_to": None,
    } | more  # fmt: skip


def house(*rows):
    return snapshot(vocabulary(NORTH, SOUTH, LAB, WARD), taxonomy__fact=rows)


def find(*asked, **more):
    """The best of what does not contradict."""
    return next(iter(candidates(*asked, **more)), None)


def told(found, published, language="nl"):
    def name(key):
        campus = published.vocabulary.get(Kind.CAMPUS, key)
        return campus.name if campus else key

    own = published.profile.default_language
    return format_value(found.value, language, own=own, name=name) if found else None


PARKING = house(
    row("parking_price", "1,80 | per: uur", NORTH),
    row("parking_price", "gratis", conditions={"campus": "zuid"}),
)


@pytest.mark.parametrize(
    ("subject", "conditions", "words"),
    [
        (NORTH, {}, "€ 1,80 per uur"),
        (None, {"campus": "noord"}, "€ 1,80 per uur"),
        (SOUTH, {}, "gratis"),
    ],
)
def test_facts_of_a_campus_are_those_of_the_hospital_there(subject, conditions, words):
    found = find(PARKING, "parking_price", subject, FactConditions(**conditions))

    assert told(found, PARKING) == words


def test_general_facts_of_the_hospital_apply_to_wards():
    published = house(row("visiting_hours", "elke dag 14-20"), row("contact", "089 00 50 50"))

    assert told(find(published, "visiting_hours", WARD), published) == "elke dag 14:00-20:00"
    assert find(published, "contact", LAB) is None
    assert find(published, "contact") is not None
    assert len(candidates(PARKING, "parking_price")) == 2


@pytest.mark.parametrize(
    ("limits", "asked", "is_found"),
    [
        ({"age": "0-15"}, {"age": "7"}, True),
        ({"age": "0-15"}, {"age": "16-"}, False),
        ({"inpatient": "yes"}, {"inpatient": "no"}, False),
    ],
)
def test_a_contradicting_condition_rules_a_fact_out(limits, asked, is_found):
    published = house(row("preparation", "kom nuchter", LAB, conditions=limits))

    assert bool(find(published, "preparation", LAB, FactConditions(**asked))) is is_found


def test_the_fact_that_meets_most_conditions_is_best():
    published = house(row("price", "20", LAB), row("price", "10", LAB, conditions={"age": "0-17"}))

    assert find(published, "price", LAB).conditions == FactConditions()
    assert find(published, "price", LAB, FactConditions(age="9")).value.high == 10
    assert find(published, "price", LAB, FactConditions(age="40")).value.high == 20


def test_a_fact_holds_from_its_first_to_its_last_day():
    published = house(
        row("parking_price", "1", valid_to="2026-12-31"),
        row("parking_price", "2", valid_from="2027-01-01"),
    )

    assert find(published, "parking_price", on=date(2026, 12, 31)).value.high == 1
    assert find(published, "parking_price", on=date(2027, 1, 1)).value.high == 2


def test_unreadable_facts_and_those_of_unpublished_subjects_are_omitted():
    gone = thing(Kind.DEPARTMENT, "Weg")
    published = house(row("contact", "089 00 50 50", gone), row("price", "veel"), row("nosuch", ""))

    assert not candidates(published, "contact", gone)
    assert not candidates(published, "price")


def test_a_place_has_the_name_of_its_campus():
    published = house(row("inside", "noord | floor: 0 | route: 15", LAB))
    found = find(published, "inside", LAB)

    assert told(found, published, "en") == "Noord, ground floor, route 15"


@pytest.mark.parametrize("said", [{"moon": "full"}, {"age": "old"}, {"inpatient": "?"}])
def test_invalid_conditions_are_refused(said):
    with pytest.raises(WrongPart):
        FactConditions.parse(said)
