"""The one reading of a question, with the form of what is asked for, and the question as everything
downstream knows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from chat.question.learned.needs import Need, NeedHead
from chat.question.parts import OPENING
from chat.turn import Exchange, Turn, Understanding
from retrieval.intents import Intent
from retrieval.tuning import Steering
from retrieval.vectors import Matrix
from taxonomy.needs import kinds
from taxonomy.resolvers.entries import Match


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


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is asked."""

    text: str
    #: What it is about, most important first, with how it was found and how sure that is.
    subjects: tuple[Match, ...]
    #: The likeliest needs, the best first.
    needs: tuple[Need, ...]
    form: Form
    intent: Intent
    #: The row of the affinity matrix; empty is neutral.
    row: str

    @property
    def need(self) -> Need:
        """Return the likeliest need."""
        return self.needs[0]


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its parts; one that asks one thing has one."""

    text: str
    #: The language to answer in.
    language: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class QuestionReader:
    """All that questions to one hospital are read with."""

    understand: Callable[[Turn], Understanding]
    #: The encoder's vector of a question, which the search asks for again.
    embed: Callable[[str], Matrix]
    needs: NeedHead
    steering: Steering


def read(text: str, turn: Turn, house: QuestionReader) -> Question:
    """Return a question of a turn as everything downstream knows it."""
    meant = house.understand(replace(turn, question=text))
    heard = _parts(meant, turn, house) if meant.parts else [(text, meant)]
    return Question(text, meant.language, tuple(_part(*each, house) for each in heard))


def _parts(
    meant: Understanding, turn: Turn, house: QuestionReader
) -> Iterator[tuple[str, Understanding]]:
    """Yield the parts of a question, each of which may lean on the one before: "en waar?"."""
    before = turn.history
    for text in meant.parts:
        one = replace(turn, question=text, language=meant.language, history=before)
        yield text, replace(house.understand(one), language=meant.language)
        before = (Exchange(text, ""),)


def _part(text: str, meant: Understanding, house: QuestionReader) -> Part:
    needs = house.needs.likeliest(house.embed(text), meant.concepts)
    return Part(
        text=text,
        subjects=meant.matches,
        needs=needs,
        form=form_of(meant.concepts, kinds()[needs[0].key], wants_list=meant.wants_list),
        intent=meant.intent,
        row=house.steering.row_for(meant.intent, meant.topic),
    )
