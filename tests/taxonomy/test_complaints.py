"""From a complaint to the department of a specialty, in whatever hospital it is said."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

from taxonomy.kinds import Kind
from taxonomy.lexicon import Lexicon
from taxonomy.resolvers import Match, build_index, resolve
from taxonomy.resolvers.index import ResolverIndex, Wording
from taxonomy.vocabulary import Thing, Vocabulary

DEFAULTS = Path(__file__).parents[2] / "taxonomy" / "defaults"


def rows(name: str) -> list[dict[str, str]]:
    with (DEFAULTS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def index(*departments: str) -> ResolverIndex:
    """A hospital with these departments and nothing else."""
    things = [Thing(Kind.DEPARTMENT, f"d{at}", name) for at, name in enumerate(departments)]
    wording = Wording(complaints=rows("complaint_routes.csv"))
    return build_index(Vocabulary(things), Lexicon(rows("lexicon.csv")), "nl", wording)


ALL = ("Neus-keel-oorziekten", "Reumatologie", "Urologie", "Oftalmologie", "Dermatologie")


def found(question: str, language: str, *departments: str) -> list[Match]:
    return list(resolve(question, index(*(departments or ALL)), language))


@pytest.mark.parametrize(
    ("question", "language", "department"),
    [
        ("ik heb al een week oorpijn", "nl", "Neus-keel-oorziekten"),
        ("my ears are ringing all day", "en", "Neus-keel-oorziekten"),
        ("j'ai une otalgie et mal aux oreilles", "fr", "Neus-keel-oorziekten"),
        ("meine Gelenke sind morgens steif", "de", "Reumatologie"),
        ("idrarımda kan var", "tr", "Urologie"),
        ("ho prurito dappertutto", "it", "Dermatologie"),
        ("văd încețoșat de ieri", "ro", "Oftalmologie"),
        ("έχω αίμα στα ούρα", "el", "Urologie"),
    ],
)
def test_a_complaint_leads_to_the_department_for_it(question, language, department):
    match, *_ = found(question, language)

    assert (match.thing.name, match.by) == (department, "department_from_condition")


def test_a_hospital_without_the_specialty_is_not_given_another():
    assert found("ik heb al een week oorpijn", "nl", "Urologie") == []


def test_another_name_for_the_department_is_found_as_well():
    match, *_ = found("jeuk op mijn armen", "nl", "Huidziekten", "Orthopedie")

    assert match.thing.name == "Huidziekten"


def test_a_fall_leads_nowhere_by_itself():
    assert found("ik ben gevallen", "nl") == []


def test_every_route_is_between_concepts_of_the_lexicon():
    known = {row["concept"]: row["kind"] for row in rows("lexicon.csv")}
    routes = rows("complaint_routes.csv")

    assert [
        r for r in routes if known.get(r["complaint"]) not in ("symptom", "body", "condition")
    ] == []
    assert [r for r in routes if known.get(r["specialty"]) != "specialty"] == []
