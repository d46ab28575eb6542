"""Rows asked of the product's reader, and how well it does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from evaluation.intervals import auc
from evaluation.lab.reading.lessons import TrainingRow, page_of
from retrieval.reader import Question, Reader, ReaderVerdict, Statement, features
from retrieval.reader.pieces import pieces

WAYS = ("words", "vectors", "words+vectors", "reader")
ACROSS = "across"


def asked(row: TrainingRow) -> tuple[Question, list[Statement]]:
    """Return a row as the product's reader takes it."""
    pool, question = row.pool, row.question
    near = pool.vectors.astype(np.float32) @ row.asker.asked[row.number].astype(np.float32)
    statements = [
        Statement(text, f"{about} {head}".strip(), pool.pool.language, float(like),
                  pieces(row.shelf.rows, span))
        for (about, head, text), like, span in zip(
            pool.pool.statements, near, pool.spans, strict=True
        )
    ]  # fmt: skip
    return Question(question.text, question.language, row.asked()), statements


def emptied(row: TrainingRow, statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements without those that answer; all of its own page where it is a twin's."""
    if row.right:
        gone = row.right | row.question.helps
        return [each for at, each in enumerate(statements) if at not in gone]
    pages = page_of(row.pool)
    return [each for page, each in zip(pages, statements, strict=True) if page == row.question.page]


@dataclass(slots=True)
class AskingFigures:
    """Questions of one kind: how often what is right comes first, and how sure nothing is."""

    hits: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))
    #: The chance that nothing answers, where something does and where nothing does.
    answered: list[float] = field(default_factory=list)
    empty: list[float] = field(default_factory=list)

    def first(self, way: str) -> float:
        return float(np.mean(self.hits[way])) if self.hits[way] else float("nan")

    def auc(self) -> float:
        """Return how surely one without an answer is told from one with."""
        known = [*((chance, True) for chance in self.empty), *((c, False) for c in self.answered)]
        return float("nan") if (area := auc(known)) is None else area


def kind_of(row: TrainingRow) -> str:
    if row.question.page:
        return f"sites {row.question.language}"
    return ACROSS if row.is_crossing else row.shelf.name


def measured(
    rows: Iterable[TrainingRow], reader: Reader
) -> Iterator[tuple[TrainingRow, AskingFigures]]:
    """Ask each row; give it with the figures of its kind, which grow."""
    found: dict[str, AskingFigures] = defaultdict(AskingFigures)
    for row in rows:
        figures = found[kind_of(row)]
        question, statements = asked(row)
        without = emptied(row, statements)
        if without:
            figures.empty.append(reader.read(question, without).nothing)
        if row.right:
            verdict = reader.read(question, statements)
            figures.answered.append(verdict.nothing)
            for way, at in _firsts(question, statements, verdict).items():
                figures.hits[way].append(at in row.right)
        yield row, figures


def _firsts(
    question: Question, statements: list[Statement], verdict: ReaderVerdict
) -> dict[str, int]:
    known = features(question, statements)
    words, vectors = known[:, 0], known[:, 2]
    odds = (words, vectors, words + vectors, np.array(verdict.scores))
    return {way: int(np.argmax(each)) for way, each in zip(WAYS, odds, strict=True)}
