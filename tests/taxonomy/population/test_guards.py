"""That a page names something does not make a department responsible for it."""

from __future__ import annotations

import pytest

from taxonomy.kinds import Kind, Predicate
from taxonomy.population.page import ProposalRefusal
from taxonomy.population.rules import candidates_in
from tests.taxonomy.population.reading import known, page, thing

CARDIOLOGY = thing(Kind.DEPARTMENT, "Cardiologie", "hartdienst")
ONCOLOGY = thing(Kind.DEPARTMENT, "Oncologie")
WARD = thing(Kind.DEPARTMENT, "B3-afdeling", sort="ward")
CANCER = thing(Kind.CONDITION, "Borstkanker")
EAR_ACHE = thing(Kind.CONDITION, "Oorpijn")
EVERYTHING = (CARDIOLOGY, ONCOLOGY, WARD, CANCER, EAR_ACHE)
HELD = ((ONCOLOGY, Predicate.HANDLES, CANCER),)


def read(text, *, title="Cardiologie", category="Department", facts=()):
    return candidates_in(page(category, title, text), known(*EVERYTHING, facts=facts))


def test_naming_a_condition_states_nothing():
    found = read("Chemotherapie bij borstkanker kan het hart belasten.")

    assert not found.candidates


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Wij behandelen borstkanker met Oncologie.", ProposalRefusal.OTHER_DEPARTMENT),
        ("Wij behandelen borstkanker niet.", ProposalRefusal.DENIED),
        ("Behandelen wij borstkanker?", ProposalRefusal.DENIED),
        ("Wij behandelen oorpijn.", ProposalRefusal.OTHER_SPECIALTY),
    ],
)
def test_a_sentence_that_does_not_say_so_is_left_out(text, reason):
    found = read(text)

    assert not found.candidates
    assert found.refused == {reason: 1}


def test_a_department_cannot_take_a_condition_from_another():
    found = read("Wij behandelen borstkanker.", facts=HELD)

    assert not found.candidates
    assert found.refused == {ProposalRefusal.ELSEWHERE: 1}


def test_the_own_page_of_a_condition_can_add_a_department():
    text = "Hartklachten door borstkanker worden behandeld door Cardiologie."

    found = read(text, title="Borstkanker", category="Condition", facts=HELD)

    assert [each.subject.name for each in found.candidates] == ["Cardiologie"]


def test_a_ward_handles_nothing():
    found = read("Wij behandelen borstkanker.", title="B3-afdeling")

    assert not found.candidates
    assert found.refused == {ProposalRefusal.WARD: 1}
