"""Routes from complaints and specialties to the departments of a hospital."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from taxonomy.language.lexicon import Lexicon, Use
from taxonomy.language.tokens import folded, join
from taxonomy.resolvers.entries import Entries
from taxonomy.vocabulary import Kind, Thing, Vocabulary

ROWS = "taxonomy.complaintroute"
SPECIALTY = "specialty"
#: The label of messages that belong to no specialty, in what the classifier learned.
NOWHERE = ""
#: Minimum weight of a route that overrides the classifier; the product's own routes have 3 at most.
DECIDES = 4.0
#: Weights of departments by the concept of a complaint or part of the body.
Routes = Mapping[str, Mapping[Thing, float]]


@dataclass(frozen=True, slots=True)
class Route:
    """The position of a complaint in a question, and the departments that fit it equally well."""

    start: int
    end: int
    departments: tuple[Thing, ...]
    #: The highest weight of a complaint.
    weight: float


def routes_of(
    rows: Iterable[Mapping[str, Any]], lexicon: Lexicon, exact: Entries, vocabulary: Vocabulary
) -> Routes:
    """Return the routes of this hospital; rows for a specialty that it lacks are dropped."""
    routes: dict[str, dict[Thing, float]] = defaultdict(dict)
    for row in rows:
        if department := _department_of(str(row["specialty"]), lexicon, exact, vocabulary):
            weights = routes[str(row["complaint"])]
            weights[department] = max(weights.get(department, 0.0), float(row["weight"]))
    return routes


def route(uses: Iterable[Use], routes: Routes) -> Route | None:
    """Return the departments with most votes of a question's complaints."""
    votes: Counter[Thing] = Counter()
    routed: list[tuple[float, Use]] = []
    for use in uses:
        weights = routes.get(use.concepts[0].name, {})
        votes.update(weights)  # type: ignore[arg-type]
        if weights:
            routed.append((max(weights.values()), use))
    if not votes:
        return None
    most = max(votes.values())
    departments = tuple(thing for thing, votes_for in votes.items() if votes_for == most)
    weight, use = max(routed, key=lambda item: item[0])
    return Route(use.start, use.end, departments, weight)


def departments_of(lexicon: Lexicon, exact: Entries, vocabulary: Vocabulary) -> Mapping[str, Thing]:
    """Return the department of each specialty that this hospital has."""
    found = {
        name: _department_of(name, lexicon, exact, vocabulary)
        for name, concept in lexicon.concepts.items()
        if concept.kind == SPECIALTY
    }
    return {name: department for name, department in found.items() if department}


def likely_departments(
    specialties: Mapping[str, float], departments: Mapping[str, Thing]
) -> tuple[tuple[Thing, float], ...]:
    """Return departments with their likelihood, likeliest first, from those of specialties.

    A specialty that the hospital lacks is dropped.
    """
    chances: Counter[Thing] = Counter()
    for name, chance in specialties.items():
        if department := departments.get(name):
            chances[department] += chance  # type: ignore[assignment]
    return tuple(chances.most_common())


def _department_of(
    specialty: str, lexicon: Lexicon, exact: Entries, vocabulary: Vocabulary
) -> Thing | None:
    """Return the department with the name of a specialty, or one that has it.

    A ward is returned only if there is no department: some hospitals have maternity as a ward.
    """
    concept = lexicon.concepts.get(specialty)
    texts = [text for words in (concept.words.values() if concept else ()) for text in words]
    named = [entry.thing for text in texts for entry in exact.get(join(folded(text)), ())]
    own = [thing for thing in named if thing.kind is Kind.DEPARTMENT]
    specialties = (thing for thing in named if thing.kind in (Kind.DEPARTMENT, Kind.SPECIALTY))
    had = [each for thing in specialties for each in vocabulary.departments_of(thing)]
    return min((*own, *had), key=lambda thing: thing.get("sort") == "ward", default=None)
