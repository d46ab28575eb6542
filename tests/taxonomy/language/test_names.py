"""What stands beside a name tells whose it is: titles, half surnames, first names, work."""

from __future__ import annotations

from functools import cache

import pytest

from taxonomy.language.lexicon import Lexicon
from taxonomy.resolvers import ResolverIndex, build_index, resolve
from taxonomy.vocabulary import Kind, Predicate, Triple, Vocabulary
from tests.taxonomy.vocabularies import CONCEPTS, doctor, thing

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
    return build_index(Vocabulary(things, facts), lexicon, "nl")


def named(question: str) -> set[str]:
    found = [m for m in resolve(question, people(), "nl") if m.thing.kind is Kind.DOCTOR]
    return {thing.name for match in found for thing in (match.thing, *match.alternatives)}


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
def test_knows_who_is_meant(question: str, name: str) -> None:
    assert named(question) == {name}


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("dokter Jan Pietersen", id="a first name with a stranger's surname"),
        pytest.param("mijn zus Loubna heeft rugpijn", id="a first name without a title"),
        pytest.param("ik heb maes gezegd", id="a short surname beside nothing"),
        pytest.param("wit neurologie", id="an ordinary word beside a department"),
        pytest.param("dr. v. d. Velde", id="nobody's surname"),
    ],
)
def test_names_nobody_by_chance(question: str) -> None:
    assert named(question) == set()


def test_a_first_name_of_several_is_never_picked_silently() -> None:
    hospital = Vocabulary([doctor("", "Ann", "Maes"), doctor("", "Ann", "Peeters")])
    lexicon = Lexicon({"concept": name, "kind": kind} | words for name, kind, words in CONCEPTS)

    (match,) = resolve("dokter Ann", build_index(hospital, lexicon, "nl"), "nl")

    assert match.is_ambiguous
    assert match.confidence < 0.8
