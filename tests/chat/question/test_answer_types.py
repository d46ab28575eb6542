"""What sort of answer a question asks for."""

from __future__ import annotations

import pytest

from chat.question.answer_types import Sort, Sorts
from taxonomy.lexicon import Lexicon

LEXICON = Lexicon(
    (
        {"concept": "pay", "kind": "money", "fr": "payer", "nl": "betalen"},
        {"concept": "payment_plan", "kind": "money", "fr": "en plusieurs fois"},
        {"concept": "bank_card", "kind": "money", "nl": "bankkaart"},
        {"concept": "must", "kind": "function", "fr": "dois", "nl": "moet"},
        {"concept": "what", "kind": "function", "fr": "que", "nl": "wat"},
        {"concept": "how_much", "kind": "function", "fr": "combien"},
        {"concept": "how_long", "kind": "function", "fr": "combien de nuits"},
    )
)
SORTS = Sorts(LEXICON, dict.fromkeys(Sort, frozenset()))


@pytest.mark.parametrize(
    ("question", "language", "asked"),
    [
        ("que dois-je payer", "fr", {Sort.AMOUNT}),
        ("puis-je payer en plusieurs fois", "fr", set()),
        ("kan ik met de bankkaart betalen", "nl", set()),
        ("combien de nuits", "fr", {Sort.DURATION}),
        ("combien", "fr", {Sort.COUNT}),
    ],
)
def test_a_way_to_pay_asks_for_no_amount(question, language, asked):
    assert SORTS.asked(question, language) == asked


@pytest.mark.parametrize(
    ("question", "language", "asked"),
    [
        ("wat moet ik meebrengen", "nl", set()),
        ("bonjour, que dois-je apporter", "fr", set()),
        ("moet ik nuchter zijn", "nl", {Sort.PERMISSION}),
        ("dois-je dire que je viens", "fr", {Sort.PERMISSION}),
    ],
)
def test_who_asks_what_they_must_do_does_not_ask_whether(question, language, asked):
    assert SORTS.asked(question, language) == asked


TOLD = Lexicon(
    (
        {"concept": "which", "kind": "function", "nl": "welke"},
        {"concept": "duration", "kind": "practical", "nl": "duurt"},
        {"concept": "hour", "kind": "practical", "nl": "uur"},
        {"concept": "may", "kind": "function", "nl": "mag"},
    )
)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Het duurt wel een uur. Naar welke dienst ga ik?", set()),
        ("Naar welke dienst ga ik? Het duurt wel een uur.", set()),
        ("Ik blijf een uur. Mag dat?", {Sort.PERMISSION}),
        ("Welke dienst is dat? En hoe lang duurt het", {Sort.DURATION}),
        ("Het duurt een uur. Dat weet u?", {Sort.DURATION, Sort.TIME}),
    ],
)
def test_what_is_told_beside_a_question_asks_for_nothing(question, asked):
    assert Sorts(TOLD, dict.fromkeys(Sort, frozenset())).asked(question, "nl") == asked


WHEN = Lexicon(
    (
        {"concept": "when", "kind": "function", "nl": "wanneer", "fr": "quand", "it": "quando"},
        {"concept": "hour", "kind": "practical", "nl": "uur"},
        {"concept": "i", "kind": "function", "nl": "ik", "fr": "je"},
        {"concept": "can", "kind": "function", "nl": "kan", "fr": "peux", "it": "posso"},
        {"concept": "be", "kind": "function", "nl": "is"},
        {"concept": "knee", "kind": "body", "nl": "knie", "fr": "genou", "it": "ginocchio"},
        {"concept": "walk", "kind": "verb", "nl": "stap", "fr": "marche", "it": "cammino"},
    )
)


@pytest.mark.parametrize(
    ("question", "language", "tells"),
    [
        ("mijn knie doet pijn wanneer ik stap", "nl", True),
        ("mon genou me fait mal quand je marche", "fr", True),
        ("mi fa male il ginocchio quando cammino", "it", True),
        ("mijn knie doet pijn, wanneer kan ik komen", "nl", False),
        ("mon genou me fait mal, quand je peux venir", "fr", False),
        ("mi fa male il ginocchio quando posso venire", "it", False),
        ("pijn aan mijn knie wanneer is de raadpleging", "nl", False),
        ("wanneer stap ik", "nl", False),
        ("mijn knie doet pijn wanneer ik stap, tot welk uur", "nl", False),
        ("mijn knie doet pijn", "nl", False),
    ],
)
def test_when_joins_what_is_told_or_asks(question, language, tells):
    assert Sorts(WHEN, dict.fromkeys(Sort, frozenset())).tells_when(question, language) is tells


MOMENT = Lexicon(
    (
        {"concept": "night", "kind": "time", "nl": "'s nachts", "fr": "la nuit", "tr": "gece"},
        {"concept": "sunday", "kind": "time", "nl": "zondag", "de": "sonntags"},
        {"concept": "which", "kind": "function", "nl": "welke"},
        {"concept": "open_adj", "kind": "practical", "nl": "open"},
        {"concept": "may", "kind": "function", "nl": "mag"},
    )
)


@pytest.mark.parametrize(
    ("question", "language", "asked"),
    [
        ("péridurale la nuit aussi", "fr", {Sort.MOMENT}),
        ("epidural gece de yapılıyor mu", "tr", {Sort.MOMENT}),
        ("machen Sie das auch sonntags", "de", {Sort.MOMENT}),
        ("welke dokter werkt 's nachts", "nl", set()),
        ("is het labo zondag open", "nl", {Sort.TIME}),
        ("mag hij zondag naar huis", "nl", {Sort.PERMISSION}),
    ],
)
def test_a_time_that_is_named_where_nothing_else_is_asked_is_asked_about(question, language, asked):
    assert Sorts(MOMENT, dict.fromkeys(Sort, frozenset())).asked(question, language) == asked
