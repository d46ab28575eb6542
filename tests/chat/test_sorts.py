"""What sort of answer a question asks for."""

from __future__ import annotations

import pytest

from chat.engines.embedded.kinds import Sort, Sorts
from taxonomy.lexicon import Lexicon

LEXICON = Lexicon(
    (
        {"concept": "pay", "kind": "money", "fr": "payer", "nl": "betalen"},
        {"concept": "payment_plan", "kind": "money", "fr": "en plusieurs fois"},
        {"concept": "bank_card", "kind": "money", "nl": "bankkaart"},
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
