"""What a page gives reason for."""

from __future__ import annotations

import pytest

from taxonomy.kinds import Kind, Predicate
from taxonomy.population.page import (
    AliasCandidate,
    EntityCandidate,
    ProposalRefusal,
    RelationCandidate,
)
from taxonomy.population.rules import candidates_in
from tests.taxonomy.population.reading import doctor, known, page, thing

UROLOGY = thing(Kind.DEPARTMENT, "Urologie", "uroloog")
ONCOLOGY = thing(Kind.DEPARTMENT, "Oncologie", "kankerafdeling")
STONES = thing(Kind.CONDITION, "Nierstenen", "niersteen")
SCAN = thing(Kind.EXAMINATION, "Cystoscopie")
SURGERY = thing(Kind.TREATMENT, "Vergruizing")
LIST = "Dr. Nele Maris | maandag 9:00-12:00\nProf. dr. Wout Van der Elst | dinsdag"


def relations(found):
    return [
        (each.subject.name, str(each.predicate), each.object.name)
        for each in found.candidates
        if isinstance(each, RelationCandidate)
    ]


def entities(found):
    return [each.name for each in found.candidates if isinstance(each, EntityCandidate)]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("nl", "Met nierstenen kunt u bij ons terecht: wij behandelen Nierstenen elke dag."),
        ("en", "Our team treats Nierstenen."),
        ("fr", "Le service prend en charge les Nierstenen."),
        ("de", "Die Abteilung behandelt Nierstenen."),
        ("tr", "Bölümümüz Nierstenen tedavi eder."),
        ("it", "Il reparto cura Nierstenen."),
        ("ro", "Secția tratează Nierstenen."),
        ("el", "Το τμήμα αντιμετωπίζει Nierstenen."),
    ],
)
def test_a_department_says_what_it_treats_in_any_language(language, sentence):
    found = candidates_in(
        page("Department", "Urologie", sentence, language=language), known(UROLOGY, STONES)
    )

    assert relations(found) == [("Urologie", "HANDLES", "Nierstenen")]


def test_what_it_offers_and_performs():
    said = "Onze artsen voeren een cystoscopie uit."
    text = "Behandelingen die wij aanbieden::\nVergruizing\n## Onderzoeken die wij uitvoeren\nCystoscopie"

    found = candidates_in(page("Department", "Urologie", said, text), known(UROLOGY, SCAN, SURGERY))

    assert set(relations(found)) == {
        ("Urologie", "OFFERS", "Vergruizing"),
        ("Urologie", "PERFORMS", "Cystoscopie"),
    }


def test_the_page_of_a_condition_says_which_department_it_belongs_to():
    text = "Nierstenen worden behandeld door Urologie."

    found = candidates_in(page("Condition", "Nierstenen", text), known(UROLOGY, STONES))

    assert relations(found) == [("Urologie", "HANDLES", "Nierstenen")]


def test_what_is_there_already_is_not_proposed():
    facts = ((UROLOGY, Predicate.HANDLES, STONES),)
    text = "Wij behandelen nierstenen."

    found = candidates_in(page("Department", "Urologie", text), known(UROLOGY, STONES, facts=facts))

    assert not found.candidates


@pytest.mark.parametrize(
    "category", ["News", "Brochure", "Practical", "Condition", "Miscellaneous"]
)
def test_a_doctor_is_made_of_no_page_but_a_list_of_doctors(category):
    found = candidates_in(page(category, "Nieuwe gezichten", LIST), known(UROLOGY))

    assert not any(
        isinstance(each, EntityCandidate) and each.kind is Kind.DOCTOR for each in found.candidates
    )


def test_a_list_on_the_page_of_a_department_says_where_they_work():
    found = candidates_in(page("Department", "Urologie", LIST), known(UROLOGY))

    first, second = found.candidates
    assert (first.name, second.name) == ("Dr. Nele Maris", "Prof. dr. Wout Van der Elst")
    assert dict(second.fields) == {
        "title": "Prof. dr.", "first_name": "Wout", "last_name": "Van der Elst",
    }  # fmt: skip
    assert [(tie.predicate, tie.target) for tie in first.ties] == [(Predicate.WORKS_IN, UROLOGY)]


def test_a_doctor_who_is_there_is_only_related():
    nele = doctor("Nele", "Maris")

    found = candidates_in(page("Department", "Urologie", LIST), known(UROLOGY, nele))

    assert relations(found) == [("Dr. Nele Maris", "WORKS_IN", "Urologie")]
    assert entities(found) == ["Prof. dr. Wout Van der Elst"]


def test_a_name_in_a_running_text_is_no_list():
    text = "Dr. Nele Maris opent het nieuwe gebouw."

    assert not candidates_in(page("Department", "Urologie", text), known(UROLOGY)).candidates


@pytest.mark.parametrize(
    "title",
    [
        "Dr. Borstkas Onderzoek", "Dr. Hoofdverpleegkundige Urologie", "Onze artsen", "Dr. Maris",
        "Dr. Oncologie Genk", "Dr. 3e verdieping",
    ],
)  # fmt: skip
def test_what_is_no_name_makes_no_doctor(title):
    assert not entities(candidates_in(page("Doctor", title), known(UROLOGY, ONCOLOGY)))


@pytest.mark.parametrize(
    "title", ["Dr. Koen De Winter", "Dr. Ayşe Yıldız", "Δρ. Νίκος Παππάς", "Dr. Bart D'Hondt"]
)
def test_names_of_all_sorts_make_doctors(title):
    assert entities(candidates_in(page("Doctor", title), known(UROLOGY))) == [title]


def test_a_namesake_with_the_same_initial_is_pointed_out():
    found = candidates_in(page("Doctor", "Dr. N. Maris"), known(doctor("Nele", "Maris")))

    assert [each.similar.name for each in found.candidates] == ["Dr. Nele Maris"]


def test_the_own_page_of_a_doctor_says_where_the_doctor_works():
    text = "Specialisme\nuroloog\nDienst\nUrologie"

    found = candidates_in(
        page("Doctor", "Dr. Nele Maris", text), known(UROLOGY, doctor("Nele", "Maris"))
    )

    assert relations(found) == [("Dr. Nele Maris", "WORKS_IN", "Urologie")]


def test_a_department_is_made_of_its_own_page_only():
    assert entities(candidates_in(page("Department", "Pijnkliniek", "Welkom."), known())) == [
        "Pijnkliniek"
    ]
    assert not entities(candidates_in(page("News", "Pijnkliniek", "Welkom."), known()))


@pytest.mark.parametrize("title", ["Onze afdelingen", "N2-afdeling", "Afdelingen en diensten"])
def test_a_name_that_says_nothing_makes_no_department(title):
    found = candidates_in(page("Department", title, "Welkom."), known())

    assert not found.candidates
    assert found.refused == {ProposalRefusal.NO_SUBJECT: 1}


def test_a_page_whose_title_adds_another_word_is_about_what_is_there():
    found = candidates_in(page("Condition", "Stenen (nierstenen)", "Pijnlijk."), known(STONES))

    assert not found.candidates


def test_what_staff_have_hidden_is_not_proposed_again():
    hidden = [("department", "Pijnkliniek")]

    found = candidates_in(page("Department", "Pijnkliniek", "Welkom."), known(hidden=hidden))

    assert not found.candidates
    assert found.refused == {ProposalRefusal.HIDDEN: 1}


def test_a_page_in_another_language_makes_no_entity():
    assert not candidates_in(
        page("Department", "Pain clinic", "Hi.", language="en"), known()
    ).candidates


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("Bij nierstenen, in de volksmond steentjes, helpt drinken.", "steentjes"),
        ("Nierstenen (ook wel steenziekte genoemd) doen pijn.", "steenziekte"),
        ("Dat zijn nierstenen, beter bekend als de “zandziekte”.", "zandziekte"),
    ],
)
def test_another_word_that_a_page_gives(sentence, word):
    found = candidates_in(page("News", "Water drinken", sentence), known(STONES))

    assert [each.text for each in found.candidates if isinstance(each, AliasCandidate)] == [word]


def test_a_word_that_means_something_else_is_not_given_a_second_meaning():
    sand = thing(Kind.CONDITION, "Zandziekte")
    text = "Nierstenen, in de volksmond zandziekte, doen pijn."

    found = candidates_in(page("News", "Water drinken", text), known(STONES, sand))

    assert not found.candidates
    assert found.refused == {ProposalRefusal.TAKEN: 1}
