from __future__ import annotations

import numpy as np
import pytest

from chat.question.learned.needs import CONCEPTS, FILE, concept_row, need_head
from retrieval.embedding import get_hearer
from retrieval.intents import Intent
from taxonomy import needs
from taxonomy.lexicon import Lexicon
from taxonomy.tokens import folded
from tests.chat.question.readers import default_rows

LEXICON = Lexicon(default_rows("taxonomy/defaults/lexicon.csv"))

#: Written for this test; none is an example or a labelled question.
ASKED = [
    ("nl", "staat er ergens een automaat waar ik geld kan afhalen?", "cash_shop"),
    ("nl", "onze pa rookt een pijp, kan dat ergens op het terrein", "smoking"),
    ("nl", "hoeveel betaal ik als mijn auto er drie uur staat", "parking_price"),
    ("en", "could a nun or priest pray with my uncle tonight", "faith"),
    ("en", "nobody in our family speaks the language, will someone translate", "interpreter"),
    ("fr", "j'ai laissé mon parapluie chez vous hier", "lost"),
    ("fr", "le bus 12 s'arrête-t-il devant chez vous", "public_transport"),
    ("de", "ich möchte mich über die Station beschweren", "complaint"),
    ("de", "wo stelle ich mein Auto ab", "parking_place"),
    ("tr", "hastanede internet bağlantısı var mı", "wifi_television"),
    ("tr", "kardeşimi saat kaçta ziyaret edebilirim", "visiting_hours"),
    ("it", "vorrei un'altra opinione prima di operarmi", "second_opinion"),
    ("ro", "aveți posturi libere de infirmieră?", "jobs"),
    ("el", "θέλω να δώσω αίμα, πού πάω;", "donation"),
]  # fmt: skip


def needs_of(text: str, language: str) -> list[str]:
    concepts = [use.concepts[0].name for use in LEXICON.read(folded(text), language)]
    found = need_head().likeliest(get_hearer().heard(text), concepts)
    return [need.key for need in found]


@pytest.mark.parametrize(("language", "text", "need"), ASKED)
def test_a_plain_question_is_read_for_what_it_wants(language: str, text: str, need: str) -> None:
    assert need in needs_of(text, language)


def test_most_plain_questions_have_their_need_first() -> None:
    first = [needs_of(text, language)[0] == need for language, text, need in ASKED]
    assert sum(first) >= 0.7 * len(first)


def test_what_was_learned_knows_every_need_of_the_list() -> None:
    assert need_head().keys == needs.keys()


def test_chances_of_all_needs_add_up_to_one() -> None:
    found = need_head().probabilities(get_hearer().heard("koffie?"), ["coffee"])
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-5)


def test_concepts_that_nothing_was_learned_of_count_for_nothing() -> None:
    vector, head = get_hearer().heard("parking"), need_head()
    assert head.likeliest(vector, ["no such concept"]) == head.likeliest(vector, [])


def test_many_concepts_are_no_louder_than_one() -> None:
    known = {"when": 0, "visit": 1, "cost": 2}
    for spoken in (["when"], ["when", "visit", "cost", "cost"]):
        assert np.linalg.norm(concept_row(spoken, known)) == pytest.approx(CONCEPTS)


def test_every_need_leads_to_an_intent_of_the_product() -> None:
    assert {Intent(intent) for intent in needs.intents().values()} <= set(Intent)


def test_what_was_learned_is_small() -> None:
    assert FILE.stat().st_size < 200_000
