"""Recognition of doctors by name, and by the words next to it."""

import csv
from functools import cache
from pathlib import Path

import pytest

from taxonomy.language.lexicon import Lexicon
from taxonomy.resolvers import Match, ResolverIndex, resolve
from taxonomy.resolvers.index import Wording
from taxonomy.vocabulary import Kind, Predicate, Triple, Vocabulary
from tests.taxonomy.vocabularies import CONCEPTS, doctor, index, thing


def named(question: str, given: ResolverIndex, language: str = "nl") -> list[Match]:
    found = resolve(question, given, language)
    return [match for match in found if match.thing.kind is Kind.DOCTOR]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        pytest.param("dokter van den Berg", "Dr. Jan Van den Berg", id="particles, lower case"),
        pytest.param("Van Den Bergh", "Dr. Jan Van den Berg", id="as it sounds"),
        pytest.param("dr vandenberg", "Dr. Jan Van den Berg", id="written together"),
        pytest.param("prof jansens", "Prof. dr. Katrien Janssens", id="misspelt after a title"),
        pytest.param("Janssens Katrien", "Prof. dr. Katrien Janssens", id="inverted"),
        pytest.param("K. Janssens", "Prof. dr. Katrien Janssens", id="an initial"),
        pytest.param("is veerle d'haeseleer er", "Dr. Veerle D'Haeseleer", id="an apostrophe"),
        pytest.param("francois lemaitre", "Dr. François Lemaître", id="accents dropped"),
        pytest.param("Dr Yilmaz", "Dr. Mehmet Yılmaz", id="a dotless i with its dot"),
        pytest.param("γιατρός Παπαδόπουλος", "Dr. Nikos Papadopoulos", id="Greek letters"),
        pytest.param("dr De Wit", "Dr. Piet De Wit", id="an ordinary word after a title"),
        pytest.param("Ann Peeters", "Dr. Ann Peeters", id="a first name decides"),
        pytest.param("dr. K. Peeters", "Dr. Koen Peeters", id="an initial decides"),
        pytest.param("dr Peeters van cardiologie", "Dr. Ann Peeters", id="a department decides"),
        pytest.param("rugpijn, bij dokter Peeters", "Dr. Koen Peeters", id="a condition decides"),
    ],
)
def test_finds_a_doctor(question: str, name: str) -> None:
    (match,) = named(question, index())

    assert match.thing.name == name
    assert not match.is_ambiguous


def test_two_doctors_of_one_name_are_both_returned() -> None:
    (match,) = named("Wie is dr. Peeters?", index())

    assert {match.thing.name, *(d.name for d in match.alternatives)} == {
        "Dr. Ann Peeters", "Dr. Koen Peeters",
    }  # fmt: skip


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("ik draag de wit te lange jas", id="ordinary words"),
        pytest.param("ik heb maes gezegd", id="a short surname"),
        pytest.param("mijn man martin ligt bij jullie", id="a first name"),
        pytest.param("een berg van klachten", id="part of a surname"),
        pytest.param("dokter gezocht", id="a title and no name"),
    ],
)
def test_ordinary_words_are_no_doctor(question: str) -> None:
    assert named(question, index()) == []


def test_an_unknown_first_name_lowers_the_confidence() -> None:
    (match,) = named("Piet Janssens", index())

    assert match.confidence < 0.8


MORE = (
    ("professor", "person", {"nl": "professor|prof", "it": "prof"}),
    ("doctor", "person", {"nl": "arts|dokter|dr", "it": "dott.ssa|dottor"}),
    ("skin", "specialty", {"nl": "dermatologie|huidarts|dermatoloog", "en": "dermatologist",
                           "fr": "dermatologue"}),
)  # fmt: skip


@cache
def people() -> ResolverIndex:
    """Return a hospital whose pack gives its doctors no titles."""
    skin = thing(Kind.DEPARTMENT, "Dermatologie", "huidziekten")
    brain = thing(Kind.DEPARTMENT, "Neurologie", "neuroloog")
    hoste = doctor("", "Sigrid", "Hoste", "dermatoloog")
    jan, mohamed = doctor("", "Jan", "Van den Bossche"), doctor("", "Mohamed", "El Khattabi")
    ann, sofie = doctor("", "Ann", "Maes"), doctor("", "Sofie", "Maes")
    loubna, luc = doctor("", "Loubna", "Wit"), doctor("", "Jean-Luc", "Hendrickx")
    things = (skin, brain, hoste, jan, mohamed, ann, sofie, loubna, luc)
    facts = (
        Triple(ann, Predicate.WORKS_IN, skin), Triple(sofie, Predicate.WORKS_IN, brain),
        Triple(mohamed, Predicate.WORKS_IN, brain), Triple(luc, Predicate.WORKS_IN, brain),
    )  # fmt: skip
    concepts = [*CONCEPTS, *MORE]
    lexicon = Lexicon({"concept": name, "kind": kind} | words for name, kind, words in concepts)
    return ResolverIndex(Vocabulary(things, facts), lexicon, "nl")


@pytest.mark.parametrize(
    ("question", "name"),
    [
        pytest.param("dr. Hoste", "Sigrid Hoste", id="a title that no doctor here writes"),
        pytest.param("dr. v.d. Bossche", "Jan Van den Bossche", id="particles cut short"),
        pytest.param("prof Khattabi", "Mohamed El Khattabi", id="without its particle"),
        pytest.param("khattabi neuroloog", "Mohamed El Khattabi", id="no particle, but the work"),
        pytest.param("dokter Loubna", "Loubna Wit", id="a first name only"),
        pytest.param("dokter Hendriks", "Jean-Luc Hendrickx", id="an x that is heard as ks"),
        pytest.param("is hoste de huidarts", "Sigrid Hoste", id="a short name and a profession"),
        pytest.param("maes neurologie", "Sofie Maes", id="the one of two who works there"),
        pytest.param("hendrikx neurologie", "Jean-Luc Hendrickx", id="misspelt, beside the work"),
    ],
)
def test_finds_a_doctor_without_a_title_in_the_pack(question: str, name: str) -> None:
    (match,) = named(question, people())

    assert (match.thing.name, match.alternatives) == (name, ())


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("dokter Jan Pietersen", id="a first name with a stranger's surname"),
        pytest.param("mijn zus Loubna heeft rugpijn", id="a first name without a title"),
        pytest.param("wit neurologie", id="an ordinary word beside a department"),
        pytest.param("dr. v. d. Velde", id="nobody's surname"),
    ],
)
def test_finds_no_doctor_by_chance(question: str) -> None:
    assert named(question, people()) == []


def test_a_shared_first_name_is_ambiguous() -> None:
    hospital = Vocabulary([doctor("", "Ann", "Maes"), doctor("", "Ann", "Peeters")])
    lexicon = Lexicon({"concept": name, "kind": kind} | words for name, kind, words in CONCEPTS)

    (match,) = resolve("dokter Ann", ResolverIndex(hospital, lexicon, "nl"), "nl")

    assert match.is_ambiguous
    assert match.confidence < 0.8


def rows(path: str) -> list[dict[str, str]]:
    with (Path(__file__).parents[3] / path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def announcing() -> ResolverIndex:
    """Two doctors, one of whom is called a fox, with the default rows that announce a name."""
    wording = Wording(
        announcing=[r["text"] for r in rows("chat/defaults/cues.csv") if r["kind"] == "naming"]
    )
    people = [doctor("Dr.", "Els", "Vos"), doctor("Dr.", "Jan", "Maes")]
    lexicon = Lexicon(rows("taxonomy/defaults/lexicon.csv"))
    return ResolverIndex(Vocabulary(people), lexicon, "nl", wording)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "is er een arts die Vos heet"), ("en", "is there a doctor called Vos"),
        ("fr", "y a-t-il un médecin qui s'appelle Vos"), ("de", "gibt es einen Arzt namens Vos"),
        ("tr", "Vos adında bir doktor var mı"), ("it", "c'è un medico che si chiama Vos"),
        ("ro", "există un medic pe nume Vos"), ("el", "υπάρχει γιατρός που λέγεται Vos"),
    ],
)  # fmt: skip
def test_a_short_surname_is_found_next_to_a_phrase_that_introduces_it(
    language: str, question: str
) -> None:
    found = resolve(question, announcing(), language)

    assert [match.thing.get("last_name") for match in found] == ["Vos"]
