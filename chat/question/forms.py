"""The form of what is asked for: by the word that asks, else by what answers its need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from chat.understanding.parts import OPENING


class Form(StrEnum):
    """What an answer begins with."""

    VALUE = "value"
    PLACE = "place"
    TIME = "time"
    PRICE = "price"
    WHO = "who"
    LIST = "list"
    YES_NO = "yes_no"
    HOW = "how"
    WHAT = "what"


#: What concepts of the lexicon ask for. The first of them in a question counts.
ASKED: Mapping[str, Form] = {
    "where": Form.PLACE,
    "when": Form.TIME,
    "what_time": Form.TIME,
    "how_long": Form.VALUE,
    "how_much": Form.VALUE,
    "who": Form.WHO,
    "whose": Form.WHO,
    "how": Form.HOW,
    "why": Form.HOW,
}
#: Of which a question that has none of those asks for yes or no, wherever it stands.
PERMITTED = frozenset({"can", "may", "must"})
#: What each kind of value in the list of needs begins an answer with.
OF_KIND: Mapping[str, Form] = {
    "hours": Form.TIME,
    "money": Form.PRICE,
    "duration": Form.VALUE,
    "place": Form.PLACE,
    "contact": Form.WHO,
    "items": Form.LIST,
    "yesno": Form.YES_NO,
    "text": Form.WHAT,
}


def form_of(concepts: Sequence[str], kind: str, *, wants_list: bool) -> Form:
    """Return the form of a question, by its concepts in order and the kind of value it needs."""
    if wants_list:
        return Form.LIST
    usual = OF_KIND.get(kind, Form.WHAT)
    asked = next((ASKED[name] for name in concepts if name in ASKED), None)
    if asked is Form.VALUE and usual is Form.PRICE:
        return usual
    if asked is not None:
        return asked
    opens = bool(concepts) and concepts[0] in OPENING
    return Form.YES_NO if opens or not PERMITTED.isdisjoint(concepts) else usual
