"""Why a page may not make a department responsible for something. Each guard is a reason.

That a page names a condition is never enough, and a department's own page cannot take a condition
away from another department: only the condition's own page can add one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from taxonomy.kinds import Kind, Predicate
from taxonomy.population.cues import Sort
from taxonomy.population.known import Known
from taxonomy.population.page import Refusal
from taxonomy.vocabulary import Thing
from zol.text import words

WARD = "ward"


@dataclass(frozen=True, slots=True)
class Claim:
    """That a department is there for something, as one sentence of a page says."""

    department: Thing
    predicate: Predicate
    thing: Thing
    sentence: str
    language: str
    #: The other departments that the sentence names.
    others: tuple[Thing, ...] = ()
    #: Whether the page is the department's own.
    is_own_page: bool = True


def another_department(claim: Claim, known: Known) -> Refusal | None:
    """A sentence that names two departments does not say which of them it means."""
    parts = known.vocabulary.objects(claim.department, Predicate.PART_OF)
    others = [each for each in claim.others if each != claim.department and each not in parts]
    return Refusal.OTHER_DEPARTMENT if others else None


def taken_back(claim: Claim, known: Known) -> Refusal | None:
    said = known.cues.find(words(claim.sentence), Sort.NOT, claim.language)
    return Refusal.DENIED if said or claim.sentence.rstrip().endswith(("?", ";?")) else None


def responsible_elsewhere(claim: Claim, known: Known) -> Refusal | None:
    holders = known.vocabulary.subjects(claim.thing, claim.predicate)
    held = any(h.kind is Kind.DEPARTMENT and h.get("sort") != WARD for h in holders)
    return Refusal.ELSEWHERE if held and claim.is_own_page else None


def other_specialty(claim: Claim, known: Known) -> Refusal | None:
    """What the hospital's rows lead to another specialty does not belong to this department."""
    if claim.thing.kind is not Kind.CONDITION:
        return None
    wanted, has = known.specialties_for(claim.thing), known.specialties_of(claim.department)
    return Refusal.OTHER_SPECIALTY if wanted and has and wanted.isdisjoint(has) else None


def only_a_ward(claim: Claim, known: Known) -> Refusal | None:
    return Refusal.WARD if claim.department.get("sort") == WARD else None


GUARDS: tuple[Callable[[Claim, Known], Refusal | None], ...] = (
    only_a_ward,
    another_department,
    taken_back,
    responsible_elsewhere,
    other_specialty,
)


def refused(claim: Claim, known: Known) -> Refusal | None:
    """Return the first reason against a claim; None when there is none."""
    return next(filter(None, (guard(claim, known) for guard in GUARDS)), None)
