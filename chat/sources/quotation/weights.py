"""What each trait of a statement is worth, fitted on questions whose answers are known.

`answers` says which statement answers: a softmax over the statements of a question. `surety` says
whether the best one answers at all: a logistic regression on questions with the pages that answer
them, and on the same questions with those pages taken away. `reads` says what the best statement of
a passage speaks for it beside others, when passages are put in order: a softmax over passages that
people judged. All stand in a file. That of `page_weight` is set: the logarithm of a passage's
weight, and so of its affinity, counts so that 1.30 against 0.55 is worth two logits.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np

from chat.question.word_matching import Grid
from chat.sources.quotation.features import TRAITS
from chat.sources.quotation.segments import Column
from zol.errors import BadInput

DEFAULTS = Path(__file__).parents[2] / "defaults"
FILE = DEFAULTS / "statement_weights.csv"
#: Where nothing compares sentences: another embedding, or vectors that could not be had.
FILE_BY_WORDS = DEFAULTS / "statement_weights_by_words.csv"
COLUMNS = ("part", "trait", "value")
ANSWERS, SURETY, READS = "answers", "surety", "reads"
#: In `surety` beside the traits: the share of all odds that a statement has, and a constant.
SHARE, NOTHING = "share", "nothing"


@dataclass(frozen=True, slots=True)
class Weights:
    """What traits are worth; a trait that is not named counts nothing."""

    answers: Mapping[str, float]
    surety: Mapping[str, float]
    share: float = 0.0
    nothing: float = 0.0
    #: None where it was not fitted apart: a passage then counts by what answers.
    reads: Mapping[str, float] | None = None

    def scores(self, figures: Grid) -> Column:
        """Return how well each statement answers, as odds against the others to the base e."""
        return _weighed(figures, self.answers)

    def readings(self, figures: Grid) -> Column:
        """Return how well each statement speaks for its passage, as odds like those of `scores`."""
        return _weighed(figures, self.answers if self.reads is None else self.reads)

    def sureties(self, figures: Grid, odds: Column) -> Column:
        """Return how likely each statement is to answer at all, from 0 to 1."""
        return self.surety_of(figures, shares(odds))

    def surety_of(self, figures: Grid, share: Column) -> Column:
        """The same, by the share of the odds that each has."""
        logits = _weighed(figures, self.surety) + self.share * share + self.nothing
        sure: Column = 1 / (1 + np.exp(-logits))
        return sure


def shares(odds: Column) -> Column:
    """Return which share of the odds of all statements each has."""
    powers = np.exp(odds - odds.max())
    share: Column = powers / powers.sum()
    return share


def _weighed(figures: Grid, worth: Mapping[str, float]) -> Column:
    weighed: Column = figures @ np.array([worth.get(name, 0.0) for name in TRAITS])
    return weighed


def read(path: Path) -> Weights:
    """Return the weights of a file, or refuse it with its first mistake."""
    known = {ANSWERS: {*TRAITS}, SURETY: {*TRAITS, SHARE, NOTHING}, READS: {*TRAITS}}
    found: dict[str, dict[str, float]] = {part: {} for part in known}
    for line, row in _rows(path):
        part, trait = row["part"], row["trait"]
        if trait not in known.get(part, ()):
            raise BadInput(f"{path.name}, line {line}: there is no “{trait}” in “{part}”.")
        if trait in found[part]:
            raise BadInput(f"{path.name}, line {line}: “{trait}” stands twice in “{part}”.")
        found[part][trait] = _number(row["value"], f"{path.name}, line {line}")
    if not found[ANSWERS] or not {SHARE, NOTHING} <= found[SURETY].keys():
        raise BadInput(f"{path.name}: it needs traits of “{ANSWERS}”, and “{SHARE}”, “{NOTHING}”.")
    surety = found[SURETY]
    share, nothing = surety.pop(SHARE), surety.pop(NOTHING)
    return Weights(found[ANSWERS], surety, share, nothing, found[READS] or None)


def _rows(path: Path) -> Iterator[tuple[int, Mapping[str, str]]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path.name}: {error}") from error
    rows = csv.DictReader(text.splitlines())
    if tuple(rows.fieldnames or ()) != COLUMNS:
        raise BadInput(f"{path.name}: the columns are {', '.join(COLUMNS)}.")
    for row in rows:
        if None in row or None in row.values():
            raise BadInput(f"{path.name}, line {rows.line_num}: {len(COLUMNS)} values are needed.")
        yield rows.line_num, row


def _number(text: str, place: str) -> float:
    try:
        value = float(text)
    except ValueError as error:
        raise BadInput(f"{place}: “{text}” is not a number.") from error
    if not isfinite(value):
        raise BadInput(f"{place}: “{text}” is not a number to count with.")
    return value


WEIGHTS, WEIGHTS_BY_WORDS = read(FILE), read(FILE_BY_WORDS)
