"""The references' own examples, on the pack of the demonstration hospital."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import pytest

from taxonomy.resolvers import ResolverIndex, build_index, resolve
from taxonomy.vocabulary import Kind, Predicate, Thing, Triple, Vocabulary
from tests.taxonomy.vocabularies import doctor, lexicon, thing
from zol.languages import LANGUAGES

PACK = Path(__file__).parents[3] / "zol" / "demo" / "pack" / "taxonomy"
FILES = {
    "campuses": Kind.CAMPUS, "departments": Kind.DEPARTMENT, "conditions": Kind.CONDITION,
    "treatments": Kind.TREATMENT, "examinations": Kind.EXAMINATION, "specialties": Kind.SPECIALTY,
}  # fmt: skip
HELPS = {
    Kind.CONDITION: Predicate.HANDLES, Kind.TREATMENT: Predicate.OFFERS,
    Kind.EXAMINATION: Predicate.PERFORMS,
}  # fmt: skip


def rows(name: str) -> list[dict[str, str]]:
    with (PACK / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def demo() -> ResolverIndex:
    things = {
        (kind, row["key"]): thing(kind, row["name"], *_aliases(row["aliases"]))
        for name, kind in FILES.items()
        for row in rows(name)
    }
    facts = [
        Triple(things[Kind.DEPARTMENT, department], predicate, things[kind, row["key"]])
        for name, kind in FILES.items()
        if (predicate := HELPS.get(kind))
        for row in rows(name)
        for department in filter(None, row["departments"].split("|"))
    ]
    people = [doctor(row["title"], row["first_name"], row["last_name"]) for row in rows("doctors")]
    return build_index(Vocabulary([*things.values(), *people], facts), lexicon(), "nl")


def _aliases(cell: str) -> list[str]:
    return [a if a[:2] in LANGUAGES and a[2:3] == ":" else f"nl:{a}" for a in cell.split("|") if a]


@pytest.mark.parametrize(
    ("question", "name", "resolver"),
    [
        ("Sint-Jan", "Campus Sint-Jan", "campus_exact"),
        ("Genk", "Campus Sint-Jan", "campus_exact"),
        ("intensive zorgen", "Intensieve Zorgen", "department_skip_gram"),
        ("cardio", "Cardiologie", "department_single_alias"),
        ("Orthopedie", "Orthopedie", "department_exact_name"),
        ("suikerziekte", "Diabetes mellitus", "condition"),
        ("suikerziekte", "Endocrinologie", "department_from_condition"),
        ("hartkloppingen", "Palpitaties", "condition"),
        ("Waar kan ik terecht met hartkloppingen?", "Cardiologie", "department_from_condition"),
        ("hartfilmpje", "ECG", "examination"),
        ("bloedonderzoek", "Bloedonderzoek", "examination"),
        ("cardilogie", "Cardiologie", "fuzzy"),
        ("borst onderzoek", "Mammografie", "examination"),
        ("Quel service pour la syphilis ?", "Dermatologie", "department_from_condition"),
    ],
)
def test_the_examples_of_the_references(question: str, name: str, resolver: str) -> None:
    matches = {match.thing.name: match.by for match in resolve(question, demo())}

    assert matches.get(name) == resolver


def test_every_department_is_found_by_its_own_name() -> None:
    missed = [
        row["name"] for row in rows("departments") if not _finds(row["name"], Kind.DEPARTMENT)
    ]

    assert missed == []


def test_every_doctor_is_found_by_first_and_last_name() -> None:
    names = [f"{row['first_name']} {row['last_name']}" for row in rows("doctors")]
    missed = [name for name in names if not _finds(name.lower(), Kind.DOCTOR, name)]

    assert missed == []


def _finds(question: str, kind: Kind, name: str = "") -> bool:
    found: list[Thing] = [m.thing for m in resolve(question, demo()) if m.thing.kind is kind]
    return any(thing.name.endswith(name or question) for thing in found)
