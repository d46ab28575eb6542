"""From a complaint to the department of a specialty, in whatever hospital it is said."""

from __future__ import annotations

import csv
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from taxonomy.kinds import AliasKind, Kind
from taxonomy.lexicon import Lexicon
from taxonomy.resolvers import Match, build_index, leads, resolve, telling, with_led
from taxonomy.resolvers.complaints import NOWHERE
from taxonomy.resolvers.index import ResolverIndex, Wording
from taxonomy.vocabulary import Spelling, Thing, Vocabulary

#: Kinds of concepts that lead somewhere, and that they lead to: a ward is a place.
LEADING = (
    "symptom", "body", "condition", "treatment", "examination", "specialty", "person", "place",
    "practical", "everyday",
)  # fmt: skip
LED_TO = ("specialty", "place", "practical")
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


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("faturayı ödemişim", "tr"),
        ("unde este parcare", "ro"),
        ("je suis végétarien", "fr"),
        ("wo darf mein Blindenhund hin", "de"),
        ("dov'è il braccialetto", "it"),
    ],
)
def test_a_word_for_another_matter_is_no_complaint_whatever_it_begins_with(question, language):
    assert found(question, language, *ALL, "Cardiologie", "Orthopedie") == []


def test_a_compound_that_nobody_knows_leads_where_its_beginning_does():
    assert found("ayak ödemi", "tr", "Cardiologie")
    assert found("mijn hartproblemen", "nl", "Cardiologie")


def test_dentures_are_the_dentist_s_in_every_language():
    for question, language in [("mijn tandprothese is stuk", "nl"), ("meine Zahnprothese", "de")]:
        assert found(question, language, "Tandheelkunde"), question


def test_a_fall_leads_nowhere_by_itself():
    assert found("ik ben gevallen", "nl") == []


def test_every_route_is_between_concepts_of_the_lexicon():
    known = {row["concept"]: row["kind"] for row in rows("lexicon.csv")}
    routes = rows("complaint_routes.csv")

    assert [r for r in routes if known.get(r["complaint"]) not in LEADING] == []
    assert [r for r in routes if known.get(r["specialty"]) not in LED_TO] == []


@pytest.mark.parametrize(
    ("question", "language", "department"),
    [
        ("wie plaatst buisjes in de oren bij kinderen", "nl", "Neus-keel-oorziekten"),
        ("camera in the bladder, who does that", "en", "Urologie"),
        ("mon père va être opéré de la cataracte", "fr", "Oftalmologie"),
        ("Muttermale kontrollieren lassen", "de", "Dermatologie"),
        ("böbrek taşı kırdırma nerede yapılıyor", "tr", "Urologie"),
        ("chi fa l'esame del fondo oculare", "it", "Oftalmologie"),
        ("doctor pentru artrită", "ro", "Reumatologie"),
        ("πού γίνεται ακοόγραμμα", "el", "Neus-keel-oorziekten"),
    ],
)
def test_what_is_done_leads_to_the_department_that_does_it(question, language, department):
    assert found(question, language)[0].thing.name == department


def test_a_part_of_a_specialty_leads_to_the_whole_where_the_hospital_has_no_more():
    question = "waar is de geheugenkliniek"

    assert found(question, "nl", "Neurologie")[0].thing.name == "Neurologie"
    assert found(question, "nl", "Neurologie", "Geheugenkliniek")[0].thing.name == "Geheugenkliniek"


def test_a_ward_is_led_to_only_where_no_department_is():
    called = (Spelling("reumatologie", "nl", AliasKind.SYNONYM),)
    ward = Thing(Kind.DEPARTMENT, "w", "Zes Oost", aliases=called, data={"sort": "ward"})
    department = Thing(Kind.DEPARTMENT, "d", "Bot & Gewricht", aliases=called)

    assert _looked_after(ward) == "Zes Oost"
    assert _looked_after(ward, department) == "Bot & Gewricht"


def _looked_after(*things: Thing) -> str:
    """Return where somebody with arthritis goes in a hospital of these departments."""
    wording = Wording(complaints=rows("complaint_routes.csv"))
    built = build_index(Vocabulary(things), Lexicon(rows("lexicon.csv")), "nl", wording)
    return resolve("ik heb artritis", built, "nl")[0].thing.name


EARS = "ik versta mijn kleinkinderen niet meer goed"


def led(text: str, given: ResolverIndex, **specialties: float) -> list[str]:
    """Return what is found, where a message as a whole leads to specialties."""
    shares = {NOWHERE: max(0.0, 1 - sum(specialties.values()))} | specialties
    return [m.thing.name for m in with_led(resolve(text, given, "nl"), shares, given)]


def test_a_message_that_names_nothing_leads_as_a_whole():
    assert led(EARS, index(*ALL), ent=0.8) == ["Neus-keel-oorziekten"]


def test_no_word_of_a_message_that_leads_as_a_whole_is_taken_for_a_name():
    shares = {NOWHERE: 0.2, "ent": 0.8}

    (match,) = with_led(resolve(EARS, index(*ALL), "nl"), shares, index(*ALL))

    assert (match.text, match.start, match.end) == ("", 0, 0)


def test_what_leads_nowhere_or_hardly_anywhere_is_not_led():
    assert led(EARS, index(*ALL), ent=0.4) == []
    assert led(EARS, index(*ALL), ent=0.2, urology=0.2, dermatology=0.2) == []


def test_a_part_of_the_body_tells_nothing_of_a_message_that_surely_leads_nowhere():
    found = resolve("ik krijg een factuur voor mijn neus", index(*ALL), "nl")

    assert [match.by for match in telling(found, {NOWHERE: 0.4})] == ["department_from_condition"]
    assert telling(found, {NOWHERE: 0.9}) == ()


def test_what_surely_leads_nowhere_speaks_against_a_complaint_unless_staff_decide_that_it_is_one():
    given = index(*ALL)
    learned = resolve("ik krijg een factuur voor mijn neus", given, "nl")
    decided = tuple(replace(match, confidence=0.9) for match in learned)

    assert leads(learned, learned, {NOWHERE: 0.9}) == -0.9
    assert leads(learned, learned, {NOWHERE: 0.4}) == 0.0
    assert leads(decided, decided, {NOWHERE: 0.9}) == 0.0


def test_a_specialty_that_the_hospital_does_not_have_leads_nowhere():
    assert led(EARS, index("Urologie"), ent=0.8, urology=0.1) == []


def test_a_department_that_is_named_in_passing_comes_after_where_the_whole_leads():
    text = "op de scan bij radiologie zagen ze iets op mijn blaas, bij wie moet ik zijn"
    both = ("Radiologie", "Urologie")

    assert led(text, index(*both), urology=0.7) == ["Urologie", "Radiologie"]
    assert led(text, index(*both), urology=0.3, radiology=0.3) == ["Radiologie"]


@pytest.mark.parametrize(("weight", "department"), [(1.0, "Oftalmologie"), (4.0, "Urologie")])
def test_a_route_of_great_weight_decides_whatever_was_learned(weight, department):
    things = [Thing(Kind.DEPARTMENT, name, name) for name in ("Urologie", "Oftalmologie")]
    route = {"complaint": "itch", "specialty": "urology", "weight": weight}
    built = build_index(
        Vocabulary(things), Lexicon(rows("lexicon.csv")), "nl", Wording(complaints=[route])
    )

    assert led("ik heb overal jeuk", built, ophthalmology=0.9) == [department]
