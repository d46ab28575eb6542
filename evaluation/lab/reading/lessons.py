"""What a reader is trained on: lists of a question with statements, of which one or none is right.

A list has the right statement and wrong ones: the nearest by words and likeness of the same pool,
others of it, and some of other pools. In some lists the right one is missing, and a twin is a
question to which nothing is: then "nothing here answers" is right.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluation.lab.reading import states
from evaluation.lab.reading.data import PARALLEL, Question
from evaluation.lab.reading.states import PoolStates
from retrieval.reader.pieces import QUESTION, STATEMENT, shares
from retrieval.reader.pieces import pieces as pieces_of
from retrieval.vectors import Matrix

#: Statements of a list, of which so many are hard and so many of other pools.
SIZE, HARD, ELSEWHERE = 8, 4, 1
HARDEST = 10
#: Lists from which what is right is taken out.
EMPTIED = 0.12
#: How often a row of a collection is taken in an epoch.
SHARES = {
    "sites": 4.0,
    "tr-ottoman": 0.3,
    "en-covidqa": 0.4,
    "it": 0.5,
    "fr-piaf": 0.6,
    "en-selqa": 0.6,
}
#: Weights of words, words with what is above, likeness and pieces, before anything is learned.
PRIOR = np.array([3.0, 1.0, 4.0, 6.0], dtype=np.float32)


@dataclass(slots=True)
class PoolShelf:
    """The pools of a collection with their narrowed states, each row of length 1."""

    name: str
    kept: list[PoolStates]
    rows: NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class TrainingRow:
    """A question over a pool, which may be of another language."""

    shelf: PoolShelf
    pool: PoolStates
    asked_of: PoolShelf
    asker: PoolStates
    number: int
    right: frozenset[int]

    @property
    def question(self) -> Question:
        return self.asker.pool.questions[self.number]

    @property
    def is_crossing(self) -> bool:
        return self.asker.pool.language != self.pool.pool.language or (
            self.question.language != self.pool.pool.language
        )

    def asked(self) -> Matrix:
        """Return the states of the question."""
        start, end = self.asker.asked_spans[self.number]
        return self.asked_of.rows[start : min(end, start + QUESTION)].astype(np.float32)


@dataclass(slots=True)
class TrainingList:
    """A list as a network takes it."""

    asked: Matrix
    #: Of each statement its states, and of which sort each piece is: about, heading, itself.
    said: list[Matrix]
    sorts: list[NDArray[np.int64]]
    prior: Matrix
    #: The place of what is right, the number of statements where nothing is.
    right: int


def narrowing(folders: Sequence[Path], width: int = 128) -> tuple[Matrix, Matrix]:
    """Return the mean of states, and the directions in which they differ most."""
    chance = np.random.default_rng(7)
    some = []
    for folder in folders:
        _, rows = states.load(folder)
        places = np.sort(chance.choice(len(rows), min(len(rows), 8_000), replace=False))
        some.append(rows[places].astype(np.float32))
    sample = np.concatenate(some)
    mean = sample.mean(axis=0)
    _, directions = np.linalg.eigh(np.cov((sample - mean).T))
    return mean, np.ascontiguousarray(directions[:, ::-1][:, :width]).astype(np.float32)


def keep_narrowing(work: Path) -> None:
    """Write it once: what was kept with it cannot be read with another."""
    if not (work / "narrowing.npz").is_file():
        folders = sorted(path.parent for path in work.glob("*/pools.pickle"))
        mean, directions = narrowing(folders)
        np.savez(work / "narrowing.npz", mean=mean, directions=directions)


def shelf(folder: Path, mean: Matrix, directions: Matrix) -> PoolShelf:
    kept, rows = states.load(folder)
    narrow = np.empty((len(rows), directions.shape[1]), dtype=np.float16)
    for at in range(0, len(rows), 20_000):
        some = (rows[at : at + 20_000].astype(np.float32) - mean) @ directions
        narrow[at : at + 20_000] = some / np.linalg.norm(some, axis=1, keepdims=True).clip(1e-6)
    return PoolShelf(folder.name, kept, narrow)


def rows_of(
    shelves: Sequence[PoolShelf], *, held: bool, crossing: bool = True
) -> Iterator[TrainingRow]:
    """Give every question over its own pool, and over the same article in other languages."""
    parallel = {each.name: {one.pool.name: one for one in each.kept} for each in shelves}
    for own in shelves:
        for asker in own.kept:
            if asker.pool.is_held != held:
                continue
            others = [each for each in shelves if each.name in PARALLEL and each is not own]
            for number, question in enumerate(asker.pool.questions):
                yield TrainingRow(own, asker, own, asker, number, question.right)
                if own.name in PARALLEL and crossing:
                    for other in others:
                        pool = parallel[other.name][asker.pool.name]
                        if right := _same(pool, question.id):
                            yield TrainingRow(other, pool, own, asker, number, right)


def _same(pool: PoolStates, identifier: str) -> frozenset[int]:
    wanted = identifier.partition("-")[2]
    for one in pool.pool.questions:
        if one.id.partition("-")[2] == wanted:
            return one.right
    return frozenset()


def prior(row: TrainingRow, extra: Sequence[tuple[PoolStates, int]] = ()) -> Matrix:
    """Return words, words with what is above, likeness and pieces of each statement of a pool."""
    question, pool = row.question, row.pool
    told = pool.pool.statements + [one.pool.statements[n] for one, n in extra]
    spoken = [pool.pool.language] * len(pool.pool.statements) + [
        one.pool.language for one, _ in extra
    ]
    vectors = np.concatenate([pool.vectors, *(one.vectors[n : n + 1] for one, n in extra)])
    spans = np.concatenate([pool.spans, *(one.spans[n : n + 1] for one, n in extra)])
    own = shares(question.text, question.language, [text for *_, text in told], spoken)
    whole = shares(question.text, question.language, [" ".join(each) for each in told], spoken)
    near = vectors.astype(np.float32) @ row.asker.asked[row.number].astype(np.float32)
    return np.stack([own, whole, near, pieces(row.asked(), row.shelf.rows, spans)], axis=1)


def pieces(asked: Matrix, rows: NDArray[np.float16], spans: NDArray[np.int64]) -> Matrix:
    """Return the mean, over the pieces of a question, of the best cosine in each statement."""
    # The first three pieces say that it is a question, the last ends it.
    words = asked[3:-1] if len(asked) > 4 else asked
    found = np.zeros(len(spans), dtype=np.float32)
    for place, (start, end) in enumerate(spans[:, 2]):
        if end > start:
            some = rows[start : min(end, start + STATEMENT)].astype(np.float32)
            found[place] = (words @ some.T).max(axis=1).mean()
    return found


def statement(shelf_: PoolShelf, span: NDArray[np.int64]) -> tuple[Matrix, NDArray[np.int64]]:
    """Return what is read of a statement, as it will be kept."""
    made = pieces_of(shelf_.rows, span)
    return made.rows, made.sorts


class TrainingLists:
    """Rows in an order of chance, made lists one by one."""

    def __init__(
        self, shelves: Sequence[PoolShelf], crossing: float, part: float, seed: int
    ) -> None:
        self._rows: dict[str, list[TrainingRow]] = defaultdict(list)
        for row in rows_of(shelves, held=False):
            if random.Random(f"{seed} {row.asker.pool.name} {row.number}").random() >= part:  # noqa: S311
                continue
            across = row.asker.pool.language != row.pool.pool.language
            self._rows["across" if across else row.shelf.name].append(row)
        self._weights = {
            name: len(rows) * SHARES.get(name, 1.0) for name, rows in self._rows.items()
        }
        if "across" in self._rows:
            rest = sum(size for name, size in self._weights.items() if name != "across")
            self._weights["across"] = min(
                rest * crossing / (1 - crossing), len(self._rows["across"])
            )
        self.size = round(sum(self._weights.values()))

    def describe(self) -> dict[str, int]:
        return {name: round(size) for name, size in self._weights.items()}

    def take(self, chance: random.Random) -> TrainingList:
        """Return a list of chance."""
        (name,) = chance.choices(list(self._weights), list(self._weights.values()))
        return self.read(chance.choice(self._rows[name]), chance)

    def read(self, row: TrainingRow, chance: random.Random) -> TrainingList:
        pool = row.pool
        others = chance.choices(row.shelf.kept, k=ELSEWHERE)
        extra = [(one, chance.randrange(len(one.vectors))) for one in others if one is not pool]
        features = prior(row, extra)
        size = len(pool.vectors)
        barred = row.right | row.question.helps if row.right else frozenset()
        near = np.argsort(-(features[:size] @ PRIOR), kind="stable")
        wrong = [int(at) for at in near if at not in barred]
        if row.question.page:
            wrong = _own_page_first(row, wrong)
        hard = wrong[:HARDEST]
        chosen = chance.sample(hard, min(HARD, len(hard)))
        rest = [at for at in wrong if at not in chosen]
        is_empty = not row.right or chance.random() < EMPTIED
        more = SIZE - (not is_empty) - len(chosen) - len(extra)
        chosen += chance.sample(rest, min(max(0, more), len(rest)))
        chosen += range(size, size + len(extra))
        right = len(chosen)
        if not is_empty:
            chosen.insert(0, chance.choice(sorted(row.right)))
            right = 0
        spans = np.concatenate([pool.spans, *(one.spans[n : n + 1] for one, n in extra)])
        said = [statement(row.shelf, spans[at]) for at in chosen]
        return TrainingList(
            row.asked(), [each for each, _ in said], [sorts for _, sorts in said],
            features[chosen], right,
        )  # fmt: skip


def _own_page_first(row: TrainingRow, wrong: list[int]) -> list[int]:
    """Return wrong statements, those of the question's own page before others: what other pages
    say may answer too, and nobody looked."""
    pages = page_of(row.pool)
    own = [at for at in wrong if pages[at] == row.question.page]
    return own if not row.right else own + [at for at in wrong if pages[at] != row.question.page]


def page_of(kept: PoolStates) -> list[str]:
    pool = kept.pool
    return [
        page for page, each in zip(pool.pages, pool.passages, strict=True) for _ in each.statements
    ]
