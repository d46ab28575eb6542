"""The statements that might answer a golden question, and which of them do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chat import live
from chat.answering.quotation.candidates import seen_for
from chat.answering.quotation.features import grid
from chat.answering.quotation.scores import Statement
from chat.answering.quotation.segments import Column
from chat.answering.word_matching import Grid
from chat.behaviours import Behaviour
from chat.turn import Context
from evaluation.cases import UNANSWERED, Case
from evaluation.interview import Interview
from evaluation.metrics.conduct import page, plain, says
from zol.errors import ExpectedError, NotPublished, WrongIndex

#: How well a statement must answer to count as right.
RIGHT = 0.3
#: What a labelled statement counts that names nothing of what the answer must contain.
LABELLED = 0.4
#: What a statement of a right page counts that names all of it, but is not labelled.
NAMING = 0.5
#: The words that two passages have in common when they say the same: so many, and this share.
COMMON_WORDS, COMMON_SHARE = 4, 0.7


@dataclass(frozen=True, slots=True, eq=False)
class LabelledQuestion:
    """A golden question with the traits of its statements."""

    key: str
    traits: Grid
    #: How well each statement answers, from 0 to 1.
    answers: Column
    #: Whether each stands on a page that answers.
    on_right_page: NDArray[np.bool_]
    #: Whether any page answers; None where that is not known, or nothing should be answered.
    is_answered: bool | None

    @property
    def is_labelled(self) -> bool:
        """Whether a statement that answers is known."""
        return bool(self.answers.max() > 0)


def read(cases: Sequence[Case], interview: Interview) -> Iterator[LabelledQuestion | None]:
    """Ask each question; None where it is refused, taken apart, fails or finds nothing."""
    for case in cases:
        try:
            yield asked(case, interview.prepared(case), interview)
        except (NotPublished, WrongIndex):
            raise  # Nothing at all can be asked; not one question's failure.
        except ExpectedError:
            yield None


def asked(case: Case, context: Context, interview: Interview) -> LabelledQuestion | None:
    """Return a question with the statements that its answer would be chosen from."""
    if context.answer or context.parts:
        return None
    seen = seen_for(context, live.tools(flags={**interview.flags, "reader": True}))
    if seen is None:
        return None
    right = {page(url) for url in case.sources}
    on_right_page = np.array([_page(each) in right for each in seen.pool])
    answers = np.array([how_well(case, each) for each in seen.pool])
    known = _is_answered(case, on_right_page)
    return LabelledQuestion(case.key, grid(seen), answers, on_right_page, known)


def _is_answered(case: Case, on_right_page: NDArray[np.bool_]) -> bool | None:
    if case.expect is not Behaviour.ANSWER:
        return None
    if case.category == UNANSWERED:
        return False
    return True if on_right_page.any() else None


def how_well(case: Case, statement: Statement) -> float:
    """Return how well a statement answers: by the labelled passages, and by what must be named."""
    on_right_page = _page(statement) in {page(url) for url in case.sources}
    named = [says(statement.text, wanted) for wanted in case.entities] if on_right_page else []
    share = sum(named) / max(1, len(case.entities))
    if is_labelled(case, statement) or (not case.passages and any(named)):
        return LABELLED + (1 - LABELLED) * min(1.0, 2 * share) if case.entities else 1.0
    return NAMING * share


def is_labelled(case: Case, statement: Statement) -> bool:
    """Whether a statement says what a labelled passage of its page says."""
    said = plain(statement.text.replace(" · ", " "))
    return any(
        page(label.url) == _page(statement) and _is_same(said, plain(label.quote))
        for label in case.passages
    )


def _is_same(one: str, other: str) -> bool:
    if one in other or other in one:
        return True
    words, others = set(one.split()), set(other.split())
    common, fewer = len(words & others), min(len(words), len(others))
    return common >= COMMON_WORDS and common >= COMMON_SHARE * fewer


def _page(statement: Statement) -> str:
    return page(statement.passage.source.url)
