"""A question is looked up by every name of what it speaks of."""

from __future__ import annotations

import pytest

from chat.terms import ADDED, weighted_words
from retrieval.analysis import stems
from taxonomy.kinds import Kind
from tests.builders import context, meant, snapshot, thing, tools, vocabulary

LEXICON = (
    {"concept": "bill", "kind": "money", "nl": "factuur|rekening", "fr": "facture"},
    {"concept": "grandmother", "kind": "person", "nl": "oma|grootmoeder"},
    {"concept": "the", "kind": "function", "nl": "van|de|mijn", "fr": "ma"},
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


def test_what_was_only_added_counts_half():
    assert weighed("mijn rekening", text="rekening (Oogheelkunde)")["oogheelkunde"] == ADDED


@pytest.mark.parametrize("word", ["factuur", "rekening"])
def test_names_of_one_thing_do_not_outweigh_another_thing(word):
    found = weighed("rekening zwembad")

    assert found[word] < found["zwembad"]
