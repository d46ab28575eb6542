"""A question is looked up by every name of what it speaks of."""

from __future__ import annotations

import pytest

from chat.question.query_terms import terms_of
from chat.sources.searching import ADDED, weighted_words
from retrieval.analysis import stems
from retrieval.intents import Intent
from taxonomy.kinds import Kind
from tests.builders import context, meant, snapshot, thing, tools, vocabulary

LEXICON = (
    {"concept": "bill", "kind": "money", "nl": "factuur|rekening", "fr": "facture"},
    {"concept": "grandmother", "kind": "person", "nl": "oma|grootmoeder"},
    {"concept": "the", "kind": "function", "nl": "van|de|mijn", "fr": "ma|de"},
)
CATARACT = thing(Kind.CONDITION, "Cataract", "staar")


def weighed(question, *things, text="", **understood):
    kit = tools(
        snapshot=snapshot(vocabulary(*things), taxonomy__lexiconconcept=LEXICON),
        stem=lambda word: stems([word], "nl")[0],
    )
    asked = context(question, understanding=meant(*things, language="nl", **understood))
    return weighted_words(asked, kit, text or question)


def test_every_name_of_what_is_asked_is_looked_up():
    found = weighed("mijn rekening")

    assert {"rekening", "factuur"} <= found.keys()
    assert found["rekening"] == found["factuur"]
    assert "mijn" not in found


def test_who_asks_says_less_than_what_is_asked():
    found = weighed("rekening van oma")

    assert found["oma"] < found["rekening"]


def test_a_thing_of_the_hospital_is_looked_up_by_its_aliases():
    found = weighed("ik heb staar", CATARACT)

    assert {"cataract", "staar"} <= found.keys()


def things(question, *known, pages, lexicon=LEXICON):
    kit = tools(snapshot=snapshot(vocabulary(*known), taxonomy__lexiconconcept=lexicon))
    asked = context(question, understanding=meant(*known, language="nl"))
    return [term for term in terms_of(asked, kit, pages) if term.is_thing]


def test_a_name_of_several_words_is_looked_for_by_all_of_them():
    """French says in three words what Dutch says in one; a page may use either."""
    hip = thing(Kind.TREATMENT, "Heupprothese", "fr:prothèse de hanche", "en:hip replacement")

    found = [term.names for term in things("heupprothese", hip, pages=("nl", "fr"))]

    assert [names & {"prothese", "hanche"} for names in found] == [{"prothese"}, {"hanche"}]
    assert all("heupprothese" in names for names in found)
    assert not any("replacement" in names for names in found)


def test_an_abbreviation_does_not_stand_for_the_name():
    hip = thing(Kind.TREATMENT, "Heupprothese", "fr:PTH", "fr:prothèse de hanche")

    assert len(things("heupprothese", hip, pages=("nl", "fr"))) == 2


def test_the_parts_of_a_name_count_as_one_word():
    hip = thing(Kind.TREATMENT, "Heupprothese", "fr:prothèse de hanche")

    found = things("heupprothese", hip, pages=("nl", "fr"))

    assert sum(term.worth for term in found) == 1.0
    assert {term.parts for term in found} == {2}


def test_a_name_is_not_looked_for_by_what_every_page_speaks_of():
    pharmacy = thing(Kind.DEPARTMENT, "Ziekenhuisapotheek", "en:hospital pharmacy")
    lexicon = (*LEXICON, {"concept": "hospital", "kind": "place", "en": "hospital"})

    (term,) = things("apotheek", pharmacy, pages=("nl", "en"), lexicon=lexicon)

    assert "pharmacy" in term.names
    assert "hospital" not in term.names


def test_what_was_only_added_counts_half():
    assert weighed("mijn rekening", text="rekening (Oogheelkunde)")["oogheelkunde"] == ADDED


@pytest.mark.parametrize("word", ["factuur", "rekening"])
def test_names_of_one_thing_do_not_outweigh_another_thing(word):
    found = weighed("rekening zwembad")

    assert found[word] < found["zwembad"]


PRESCRIPTION = {"concept": "repeat", "kind": "money", "nl": "herhaalvoorschrift|voorschrift"}


def terms(question, *known, **understood):
    kit = tools(snapshot=snapshot(vocabulary(*known), taxonomy__lexiconconcept=(PRESCRIPTION,)))
    asked = context(question, understanding=meant(*known, language="nl", **understood))
    return terms_of(asked, kit, ("nl",))


def test_a_department_says_little_about_what_all_of_them_settle_alike():
    ward = thing(Kind.DEPARTMENT, "Cardiologie")

    (asked_for,) = terms("voorschrift", intent=Intent.BOOKING_OR_CONTACT, terms=("voorschrift",))
    *_, matter = found = terms(
        "Cardiologie voorschrift",
        ward,
        intent=Intent.BOOKING_OR_CONTACT,
        terms=("cardiologie", "voorschrift"),
    )

    assert asked_for == matter
    assert not found[0].is_subject
    assert found[0].worth < matter.worth


def by_name(question, language="nl", lexicon=LEXICON):
    kit = tools(snapshot=snapshot(vocabulary(), taxonomy__lexiconconcept=lexicon))
    asked = context(question, understanding=meant(language=language))
    return {name: term for term in terms_of(asked, kit, (language,)) for name in term.names}


def test_a_word_used_every_day_and_a_figure_are_no_subject():
    found = by_name("kan ik oude krukken 480 inleveren")

    assert found["krukken"].is_subject
    assert not found["oude"].is_subject
    assert found["480"].worth < found["krukken"].worth


def test_a_concept_is_looked_for_by_its_names_of_several_words():
    lexicon = (
        *LEXICON,
        {"concept": "waiting", "kind": "practical", "nl": "wachttijd", "fr": "temps de attente"},
    )
    kit = tools(snapshot=snapshot(vocabulary(), taxonomy__lexiconconcept=lexicon))
    asked = context("de wachttijd", understanding=meant(language="nl"))

    (waiting,) = terms_of(asked, kit, ("fr",))

    assert waiting.phrases == {frozenset({"temps", "attente"})}
    assert waiting.loose == waiting.names == {"attente"}


def test_a_brochure_that_is_asked_for_is_no_subject():
    lexicon = (
        {"concept": "brochure", "kind": "practical", "nl": "folder"},
        {"concept": "wound", "kind": "practical", "nl": "wonde"},
    )
    kit = tools(snapshot=snapshot(taxonomy__lexiconconcept=lexicon))
    asked = context("wat zegt de folder over mijn wonde", understanding=meant(language="nl"))

    subjects = [term.names for term in terms_of(asked, kit, ("nl",)) if term.is_subject]

    assert {"wonde"} in subjects
    assert {"folder"} not in subjects


def test_what_is_spoken_of_is_found_once_in_a_turn_and_anew_once_more_is_understood():
    kit = tools(snapshot=snapshot(vocabulary(CATARACT), taxonomy__lexiconconcept=LEXICON))
    asked = context("mijn rekening", understanding=meant(language="nl"))

    first = terms_of(asked, kit, ["nl"])
    again = terms_of(asked, kit, ["nl"])
    with_staar = terms_of(asked.learn(understanding=meant(CATARACT, language="nl")), kit, ["nl"])

    assert again is first
    assert {name for term in with_staar for name in term.names} >= {"cataract", "staar"}
    assert "staar" not in {name for term in first for name in term.names}
