"""Is a hospital of any size served as well among others as alone?

Several hospitals, the largest a hundred times the smallest, fill one database. Then each is asked
its own questions in turns, under row-level security: filters over shared tables lose what a small
hospital has, and it pays for its neighbours' size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter
from typing import TypeAlias

from evaluation.lab.benchmarks import searches
from evaluation.lab.benchmarks.agreement import keyword_agreement
from evaluation.lab.benchmarks.corpus import Generator, throwaway_hospital
from evaluation.lab.benchmarks.searches import ROUNDS, Row
from retrieval.analysis import Analyzer
from retrieval.search import found_from, parameters, run
from zol.models import Hospital
from zol.tenancy import serving

Filled: TypeAlias = list[tuple[Hospital, Generator]]

SMALLEST = 100
#: Questions of each hospital.
QUESTIONS = 60
LANGUAGE = "nl"


@dataclass(frozen=True, slots=True)
class Neighbour:
    """What one of the hospitals was found to be served like."""

    chunks: int
    row: Row
    #: The share of the truly nearest chunks that its dense lane finds.
    recall: float
    #: The share of its keyword hits whose score is the one computed from its own texts alone.
    agreement: float


def sizes(hospitals: int, largest: int) -> tuple[int, ...]:
    """Return sizes from the smallest to the largest, each the same multiple of the one before."""
    if hospitals < 2:
        return (largest,)
    step = (largest / SMALLEST) ** (1 / (hospitals - 1))
    return tuple(round(SMALLEST * step**place) for place in range(hospitals))


def measure(hospitals: int, largest: int) -> Iterator[Neighbour | int]:
    """Fill a database with hospitals, yielding how many chunks more are in; then yield each."""
    with ExitStack() as opened:
        filled: Filled = []
        for place, chunks in enumerate(sizes(hospitals, largest)):
            # Texts and vectors of its own: what is found at a neighbour's would be seen as wrong.
            generator = Generator(chunks, seed=place)
            filled.append((opened.enter_context(throwaway_hospital(LANGUAGE)), generator))
            yield from searches.fill(generator)
        for (hospital, generator), seconds in zip(filled, _taken(filled), strict=True):
            with serving(hospital):
                yield _found(generator, seconds)


def _taken(filled: Filled) -> list[list[float]]:
    """Return the seconds of every question of each hospital; they are asked in turns."""
    taken: list[list[float]] = [[] for _ in filled]
    for turn in range(ROUNDS + 1):
        for seconds, (hospital, generator) in zip(taken, filled, strict=True):
            with serving(hospital):
                asked = list(_asked(generator))
            # The first round only warms up.
            seconds.extend(asked if turn else ())
    return taken


def _found(generator: Generator, seconds: Sequence[float]) -> Neighbour:
    return Neighbour(
        generator.chunks,
        Row.of(f"hybrid, {generator.chunks:,} chunks", seconds),
        searches.dense_recall(generator, asked=QUESTIONS),
        keyword_agreement(generator, Analyzer(LANGUAGE), asked=QUESTIONS),
    )


def _asked(generator: Generator) -> Iterator[float]:
    """Yield how long each question of the served hospital takes."""
    embedder = searches.embedder_of(generator)
    for query, written in searches.queries(generator, QUESTIONS):
        started = perf_counter()
        found_from(run(parameters(query, written.vector, embedder)), query)
        yield perf_counter() - started
