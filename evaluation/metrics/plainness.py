"""Whether an answer that passes is also good: complete, early, brief and certain.

A question passes when half of what is wanted stands somewhere. These say what a reader would: all
of it, at the start, in few words, and without a doubt.
"""

from __future__ import annotations

import re

from chat.behaviours import Behaviour
from evaluation.cases import Case
from evaluation.metrics.base import WHOLE, Outcome, Score, yes
from evaluation.metrics.conduct import says, words_of

#: Words of an answer within which the first wanted thing stands, and of an answer at most.
EARLY, BRIEF = 40, 120
#: So many wanted things are a table or list that was asked for, which is as long as it is.
TABLE = 5
#: What an answer may call itself (spec 08) and be taken at its word.
CERTAIN = frozenset({"fact", "curated", "sure"})
#: Categories whose right answer is that there is none.
NOTHING = frozenset({"no_answer"})
#: The fixed texts of which a category demands one, where the hospital has it.
DEMANDED = {
    "no_answer": ("not_on_pages", "missing_on_pages", "no_answer_part"),
    "unit_mismatch": ("unit_note",),
}


def sentence(case: Case, outcome: Outcome) -> Score | None:
    """Whether the answer says the fixed sentence that its category is about."""
    known = [kind for kind in DEMANDED.get(case.category, ()) if kind in outcome.texts]
    if not known:
        return None
    return yes(any(outcome.texts[kind] for kind in known), f"does not say {' or '.join(known)}")


def complete(case: Case, outcome: Outcome) -> Score | None:
    """Whether all that is wanted is said."""
    if not case.entities:
        return None
    said = all(says(outcome.answer, one, outcome.home) for one in case.entities)
    return yes(said, "not all that is wanted")


def early(case: Case, outcome: Outcome) -> Score | None:
    """Whether the first wanted thing stands near the start."""
    if not case.entities:
        return None
    start = " ".join(words_of(outcome.answer)[:EARLY])
    return yes(
        any(says(start, wanted, outcome.home) for wanted in case.entities),
        f"nothing that is wanted in the first {EARLY} words",
    )


def brief(case: Case, outcome: Outcome) -> Score | None:
    """Whether it is read at a glance; what was asked for as a list may be as long as it is."""
    is_list = case.category in WHOLE or len(case.entities) >= TABLE
    if is_list or case.expect is Behaviour.EMERGENCY:
        return None
    number = len(words_of(outcome.answer))
    return yes(number <= BRIEF, f"{number} words")


def certain(case: Case, outcome: Outcome) -> Score:
    """Whether the answer is given without a doubt."""
    is_certain = outcome.certainty in CERTAIN
    is_rightly_empty = outcome.certainty == "nothing" and case.category in NOTHING
    return yes(is_certain or is_rightly_empty, outcome.certainty or "no answer")


def answered(case: Case, outcome: Outcome) -> Score | None:
    """Whether a question in scope got an answer at all, right or wrong."""
    if case.expect is not Behaviour.ANSWER or case.category in NOTHING:
        return None
    is_answer = outcome.behaviour is Behaviour.ANSWER and outcome.certainty not in ("", "nothing")
    return yes(is_answer and not outcome.failure, str(outcome.behaviour))


def whole(case: Case, outcome: Outcome) -> Score | None:
    """Whether no quoted table or list was cut without saying so.

    Cut is one of which some rows are quoted and others are not, unless those quoted are all that
    name something that was asked about, or the answer says how many there are of how many.
    """
    if not outcome.quoted:
        return None
    said = [(rows, _shown(rows, outcome.quoted)) for rows in outcome.lists]
    # A row may stand in several tables; where one of them is whole, that is where it is from.
    covered = {row for rows, shown in said if rows == shown for row in rows}
    for rows, shown in said:
        left = set(shown) - covered
        if left and not _is_told(outcome, shown, rows):
            return Score(0.0, f"{len(shown)} of {len(rows)} rows: {min(left)}")
    return yes(not _BROKEN_OFF.search(outcome.answer), "a quotation breaks off")


#: Letters from which a row is known inside a line.
SHORT = 12
#: A quoted line that ends in dots.
_BROKEN_OFF = re.compile(r"^[ \t]*>.*(?:…|\.\.\.)[ \t]*(?:\[\d+\])?[ \t]*$", re.MULTILINE)


def _shown(rows: tuple[str, ...], quoted: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rows that are quoted; a short one only counts as a line of its own."""
    return tuple(
        row
        for row in rows
        if any(row == line or (len(row) >= SHORT and row in line) for line in quoted)
    )


def _is_told(outcome: Outcome, shown: tuple[str, ...], rows: tuple[str, ...]) -> bool:
    for one in outcome.asked_about:
        if shown == tuple(row for row in rows if says(row, one, outcome.home)):
            return True
    few, many = len(shown), len(rows)
    both = rf"\b{few}\b\D{{1,40}}\b{many}\b|\b{many}\b\D{{1,40}}\b{few}\b"
    return re.search(both, outcome.answer) is not None
