"""Routes from complaints to the departments of different hospitals."""

import csv
from functools import cache
from pathlib import Path

import pytest

from taxonomy.language.lexicon import Lexicon
from taxonomy.resolvers import Match, resolve, with_likely_department
from taxonomy.resolvers.complaints import NOWHERE
from taxonomy.resolvers.index import ResolverIndex, Wording
from taxonomy.vocabulary import AliasKind, Kind, Spelling, Thing, Vocabulary

DEFAULTS = Path(__file__).parents[3] / "taxonomy" / "defaults"
#: The routes of a hospital: the product has none of its own.
ROUTES = tuple(
    {"complaint": complaint, "specialty": specialty, "weight": 2.0}
    for complaint, specialty in (
        ("earache", "ent"), ("ear", "ent"), ("nose", "ent"), ("itch", "dermatology"),
        ("arthritis", "rheumatology"), ("blood_in_urine", "urology"),
    )
)  # fmt: skip


def rows(name: str) -> list[dict[str, str]]:
    with (DEFAULTS / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def index(*departments: str) -> ResolverIndex:
    """A hospital with these departments and routes, and nothing else."""
    things = [Thing(Kind.DEPARTMENT, f"d{at}", name) for at, name in enumerate(departments)]
    wording = Wording(complaints=ROUTES)
    return ResolverIndex(Vocabulary(things), Lexicon(rows("lexicon.csv")), "nl", wording)


ALL = ("Neus-keel-oorziekten", "Reumatologie", "Urologie", "Oftalmologie", "Dermatologie")


def found(question: str, language: str, *departments: str) -> list[Match]:
    return list(resolve(question, index(*(departments or ALL)), language))


@pytest.mark.parametrize(
    ("question", "language", "department"),
    [
        ("ik heb al een week oorpijn", "nl", "Neus-keel-oorziekten"),
        ("my ears hurt all day", "en", "Neus-keel-oorziekten"),
        ("j'ai une otalgie et mal aux oreilles", "fr", "Neus-keel-oorziekten"),
        ("mein Ohr ist zu", "de", "Neus-keel-oorziekten"),
        ("idrarımda kan var", "tr", "Urologie"),
        ("ho prurito dappertutto", "it", "Dermatologie"),
        ("am artrită la genunchi", "ro", "Reumatologie"),
        ("έχω αίμα στα ούρα", "el", "Urologie"),
    ],
)
def test_a_complaint_has_its_department(question, language, department):
    match, *_ = found(question, language)

    assert (match.thing.name, match.by) == (department, "department_from_condition")


def test_a_hospital_without_the_specialty_is_not_given_another():
    assert found("ik heb al een week oorpijn", "nl", "Urologie") == []


def test_a_ward_is_found_only_without_a_department():
    called = (Spelling("reumatologie", "nl", AliasKind.SYNONYM),)
    ward = Thing(Kind.DEPARTMENT, "w", "Zes Oost", aliases=called, data={"sort": "ward"})
    department = Thing(Kind.DEPARTMENT, "d", "Bot & Gewricht", aliases=called)

    assert _looked_after(ward) == "Zes Oost"
    assert _looked_after(ward, department) == "Bot & Gewricht"


def _looked_after(*things: Thing) -> str:
    """Return where somebody with arthritis goes in a hospital of these departments."""
    wording = Wording(complaints=ROUTES)
    built = ResolverIndex(Vocabulary(things), Lexicon(rows("lexicon.csv")), "nl", wording)
    return resolve("ik heb artritis", built, "nl")[0].thing.name


EARS = "ik versta mijn kleinkinderen niet meer goed"


def led(text: str, given: ResolverIndex, **specialties: float) -> list[str]:
    """Return what is found, where a message as a whole leads to specialties."""
    shares = {NOWHERE: max(0.0, 1 - sum(specialties.values()))} | specialties
    return [m.thing.name for m in with_likely_department(resolve(text, given, "nl"), shares, given)]


SPREAD = dict.fromkeys(("ent", "urology", "dermatology", "rheumatology", "ophthalmology"), 0.1)
SCAN = "op de scan bij radiologie zagen ze iets op mijn blaas, bij wie moet ik zijn"
BOTH = ("Radiologie", "Urologie")


@pytest.mark.parametrize(
    ("text", "departments", "shares", "found"),
    [
        pytest.param(EARS, ALL, {"ent": 0.8}, ["Neus-keel-oorziekten"], id="as a whole"),
        pytest.param(EARS, ALL, {"ent": 0.3}, [], id="hardly anywhere"),
        pytest.param(EARS, ALL, SPREAD, [], id="a little everywhere"),
        pytest.param(EARS, ("Urologie",), {"ent": 0.8, "urology": 0.1}, [], id="not to what is not here"),
        pytest.param(SCAN, BOTH, {"urology": 0.7}, ["Urologie", "Radiologie"], id="before what is named in passing"),
        pytest.param(SCAN, BOTH, {"urology": 0.3, "radiology": 0.3}, ["Radiologie"], id="what is named"),
    ],
)  # fmt: skip
def test_a_message_has_its_likely_department(text, departments, shares, found):
    assert led(text, index(*departments), **shares) == found


@pytest.mark.parametrize(("weight", "department"), [(1.0, "Oftalmologie"), (4.0, "Urologie")])
def test_a_route_with_a_high_weight_overrides_the_classifier(weight, department):
    things = [Thing(Kind.DEPARTMENT, name, name) for name in ("Urologie", "Oftalmologie")]
    route = {"complaint": "itch", "specialty": "urology", "weight": weight}
    built = ResolverIndex(
        Vocabulary(things), Lexicon(rows("lexicon.csv")), "nl", Wording(complaints=[route])
    )

    assert led("ik heb overal jeuk", built, ophthalmology=0.9) == [department]
