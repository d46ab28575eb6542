"""The statements of the pages found, and what each word of the question says there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from chat.question.answer_types import Sort, Sorts
from chat.question.word_matching import Meanings, Term
from retrieval.passage import Passage
from retrieval.statements import Form, Line


class Statement(NamedTuple):
    """A sentence, item or row, with where it stands. Hundreds are made for each answer."""

    line: Line
    passage: Passage
    place: int

    @property
    def text(self) -> str:
        return self.line.text

    @property
    def is_row(self) -> bool:
        return self.line.form is not Form.SENTENCE


@dataclass(frozen=True, slots=True)
class Quote:
    """Statements of one passage that are quoted together, in reading order."""

    passage: Passage
    statements: tuple[Statement, ...]
    #: How likely it is to answer, from 0 to 1.
    surety: float
    #: Of a table or list: all of it that may be shown,
    whole: tuple[Statement, ...] = ()
    #: … and how many rows or items it has. More than are quoted is said beside it.
    of: int = 0
    #: Its statements in the asker's language, where somebody has translated them.
    translated: tuple[Statement, ...] = ()

    @property
    def shown(self) -> int:
        """How many of the rows or items of its table or list are quoted."""
        own = {each.line for each in self.whole}
        return counted(each for each in self.statements if each.line in own)

    @property
    def is_part(self) -> bool:
        """Whether rows or items of its table or list are left out."""
        return self.shown < self.of

    @property
    def text(self) -> str:
        return " ".join(part for said in self.said for part in said)

    @property
    def told(self) -> Quote:
        """The quotation as the answer says it: translated, where it can be."""
        return replace(self, statements=self.translated) if self.translated else self

    @property
    def said(self) -> Iterator[tuple[str, ...]]:
        """Yield each statement as it is said: the first of a list after the lines that open it."""
        known: set[str] = set()
        for statement in self.statements:
            line = statement.line
            yield *(lead for lead in line.leads if lead not in known), line.told
            known |= {*line.leads, line.text}

    @property
    def over(self) -> str:
        """The headings and the caption that all of it stands under."""
        return self.statements[0].line.over


def counted(statements: Iterable[Statement]) -> int:
    """Return how many rows or items statements are: a further sentence of an item is none."""
    return sum(each.line.form is Form.ROW or bool(each.line.mark) for each in statements)


@dataclass(frozen=True, slots=True)
class Measure:
    """How much is quoted at most, and how far behind the best something of another page may be."""

    quotes: int
    pages: int
    letters: int
    other_page: float


#: What is read at a glance, and what somebody gets who asks to look further.
GLANCE = Measure(quotes=3, pages=2, letters=900, other_page=0.5)
AT_LENGTH = Measure(quotes=6, pages=4, letters=2_200, other_page=2.4)


def place_of(statement: Statement) -> tuple[int, int]:
    return statement.passage.chunk_id, statement.place


def anywhere(text: str) -> bool | None:
    return None


def anything(text: str) -> bool:
    return True


def nothing(text: str) -> bool:
    return False


def is_no_dose(statement: Statement) -> bool:
    return False


def lasting(text: str, language: str) -> bool:
    return False


def suits_all(statement: Statement) -> bool:
    return True


def alone(passages: Sequence[Passage]) -> Mapping[int, Sequence[Passage]]:
    return {}


@dataclass(frozen=True, slots=True)
class QuoteRequest:
    """What a quotation should contain."""

    terms: tuple[Term, ...]
    sorts: frozenset[Sort] = frozenset()
    #: The language that the question is written in.
    language: str = ""
    #: Tells whether what a text in a language says of a period is over.
    is_over: Callable[[str, str], bool] = lasting
    #: Pages that seem outdated, beside those that took their place.
    replaced: frozenset[int] = frozenset()
    measure: Measure = GLANCE
    #: How likely the best must be to answer, for fewer pages to be quoted than may come near.
    sure_from: float = 0.0
    #: The pages of the answer before.
    cited_before: frozenset[str] = frozenset()
    #: Tells whether a text is about the campus asked about, or about another; None: about none.
    is_there: Callable[[str], bool | None] = anywhere
    #: Tells whether a statement may be said to who asks.
    may_be_told: Callable[[str], bool] = anything
    #: Tells whether a statement is about the very thing and person that are asked about,
    suits: Callable[[Statement], bool] = suits_all
    #: … whether it is a dose of something else, which is not even said beside other things,
    is_dose: Callable[[Statement], bool] = is_no_dose
    #: … whether a page is about an examination or treatment that nobody asked about,
    is_of_another: Callable[[str], bool] = nothing
    #: … or about such a medicine,
    is_of_another_medicine: Callable[[str], bool] = nothing
    #: … and whether a text names what is asked about.
    names_asked: Callable[[str], bool] = nothing
    #: Tells whether a text names a department, doctor or campus, as each row of some tables does.
    names_one: Callable[[str], bool] = nothing
    #: Returns the passages right before and after some, by their chunk.
    beside: Callable[[Sequence[Passage]], Mapping[int, Sequence[Passage]]] = alone


@dataclass(frozen=True, slots=True)
class Reading:
    """The statements of the passages found, and what each word of the question says there."""

    meaning: Meanings
    weights: Sequence[float]
    wanted: QuoteRequest
    sorts: Sorts | None = None
    #: Statements that are never quoted, by their chunk and place.
    kept_out: frozenset[tuple[int, int]] = frozenset()


def statements_of(passage: Passage, lines: Sequence[Line]) -> Iterator[Statement]:
    """Yield the statements of a passage, from its quotable lines."""
    for place, line in enumerate(lines):
        yield Statement(line, passage, place)


def there(statement: Statement, wanted: QuoteRequest) -> bool | None:
    """Whether a statement is about the campus asked about: by its own words, else those above."""
    place = statement.line.place
    for text in (statement.text, place.caption, *place.path[::-1], statement.passage.source.title):
        at = wanted.is_there(text)
        if at is not None:
            return at
    return None


def main_subject(reading: Reading) -> int | None:
    """Return which term says most of what the question is about, among those that pages have."""
    known = [
        place
        for place, (term, means) in enumerate(
            zip(reading.wanted.terms, reading.meaning, strict=True)
        )
        if term.is_subject and means and not term.is_unknown
    ]
    terms = reading.wanted.terms
    return max(known, key=lambda place: reading.weights[place] * terms[place].parts, default=None)


def up_to_sure(quotes: Sequence[Quote], least: float) -> tuple[Quote, ...]:
    """Return quotations up to the last that is sure enough: what answers better stays before it."""
    sure = [place for place, quote in enumerate(quotes, start=1) if quote.surety >= least]
    return tuple(quotes[: max(sure, default=0)])
