"""From what hurts to the department that looks at it, by the specialties that this hospital has."""

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
#: What is learned of messages that lead to no specialty.
NOWHERE = ""
#: The weight from which a route decides, whatever was learned: the product's own have 3 at most.
DECIDES = 4.0
#: What departments are worth to each complaint or part of the body, by the concept's name.
Routes = Mapping[str, Mapping[Thing, float]]


@dataclass(frozen=True, slots=True)
class Route:
    """Where a complaint is spoken of, and the departments that help with it equally well."""

    start: int
    end: int
    departments: tuple[Thing, ...]
    #: The weight of what leads most.
    weight: float


def routes_of(
    rows: Iterable[Mapping[str, Any]], lexicon: Lexicon, exact: Entries, vocabulary: Vocabulary
) -> Routes:
    """Return where complaints lead in this hospital; a specialty it does not have leads nowhere."""
    routes: dict[str, dict[Thing, float]] = defaultdict(dict)
    for row in rows:
        if department := _department_of(str(row["specialty"]), lexicon, exact, vocabulary):
            leads = routes[str(row["complaint"])]
            leads[department] = max(leads.get(department, 0.0), float(row["weight"]))
    return routes


def route(uses: Iterable[Use], routes: Routes) -> Route | None:
    """Return where the complaints of a question lead together, and which one leads most."""
    votes: Counter[Thing] = Counter()
    spoken: list[tuple[float, Use]] = []
    for use in uses:
        leads = routes.get(use.concepts[0].name, {})
        votes.update(leads)  # type: ignore[arg-type]
        if leads:
            spoken.append((max(leads.values()), use))
    if not votes:
        return None
    most = max(votes.values())
    departments = tuple(thing for thing, votes_for in votes.items() if votes_for == most)
    weight, use = max(spoken, key=lambda item: item[0])
    return Route(use.start, use.end, departments, weight)


def departments_of(lexicon: Lexicon, exact: Entries, vocabulary: Vocabulary) -> Mapping[str, Thing]:
    """Return the department for each specialty that this hospital has."""
    found = {
        name: _department_of(name, lexicon, exact, vocabulary)
        for name, concept in lexicon.concepts.items()
        if concept.kind == SPECIALTY
    }
    return {name: department for name, department in found.items() if department}


def led(
    specialties: Mapping[str, float], departments: Mapping[str, Thing]
) -> tuple[tuple[Thing, float], ...]:
    """Return the departments that a message leads to, the likeliest first, by how likely it leads
    to each specialty; a specialty that the hospital does not have leads nowhere."""
    chances: Counter[Thing] = Counter()
    for name, chance in specialties.items():
        if department := departments.get(name):
            chances[department] += chance  # type: ignore[assignment]
    return tuple(chances.most_common())


def _department_of(
    specialty: str, lexicon: Lexicon, exact: Entries, vocabulary: Vocabulary
) -> Thing | None:
    """Return the department that is called after a specialty, or that has it; a ward of it only
    where no department is: babies are born on one."""
    concept = lexicon.concepts.get(specialty)
    texts = [text for spoken in (concept.words.values() if concept else ()) for text in spoken]
    named = [entry.thing for text in texts for entry in exact.get(join(folded(text)), ())]
    own = [thing for thing in named if thing.kind is Kind.DEPARTMENT]
    specialties = (thing for thing in named if thing.kind in (Kind.DEPARTMENT, Kind.SPECIALTY))
    had = [each for thing in specialties for each in vocabulary.departments_of(thing)]
    return min((*own, *had), key=lambda thing: thing.get("sort") == "ward", default=None)
