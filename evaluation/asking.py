"""Asking the questions of a run, here or by workers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from evaluation import services
from evaluation.cases import Case, as_json
from evaluation.models import Run
from evaluation.tasks import ask_case
from evaluation.workers import Progress, Workers, workers
from zol.errors import ExpectedError

QUEUE = "evaluation"
#: Seconds between two looks at the run, and without any result after which questions are handed
#: out again: a worker that was killed took its question with it.
TICK, LOST = 0.25, 60.0
#: Times that questions are handed out without any result before we believe that none will come.
MOST_ROUNDS = 5


class WorkersGone(ExpectedError):
    """The workers ended before the run did, or answer nothing."""


def ask_here(run: Run, cases: Sequence[Case], output: Any) -> None:
    """Ask the questions of a run that have no result yet, one after the other."""
    left = services.pending(run, cases)
    services.warm_up(run, left)
    with Progress(output, len(cases), done=len(cases) - len(left)) as progress:
        for case in left:
            services.ask(run, case)
            progress.advance()


def ask_by_workers(run: Run, cases: Sequence[Case], output: Any) -> None:
    """Have the questions of a run asked by Celery, and wait until all are."""
    with workers(QUEUE, output) as asking:
        _hand_out(run, services.pending(run, cases))
        with Progress(output, len(cases)) as progress:
            _wait(run, cases, asking, progress)


def _hand_out(run: Run, cases: Sequence[Case]) -> None:
    for case in cases:
        ask_case.delay(run.hospital_id, run.pk, as_json(case))


def _wait(run: Run, cases: Sequence[Case], asking: Workers, progress: Progress) -> None:
    moved, rounds = time.monotonic(), 1
    while left := services.pending(run, cases):
        done = len(cases) - len(left)
        if done > progress.done:
            progress.advance(done - progress.done)
            moved, rounds = time.monotonic(), 1
        if asking.have_ended() or rounds > MOST_ROUNDS:
            raise WorkersGone(
                f"No worker answers; its log says why. Go on with: evaluate --resume {run.pk}"
            )
        if time.monotonic() - moved > LOST:
            _hand_out(run, left)
            moved, rounds = time.monotonic(), rounds + 1
        time.sleep(TICK)
    progress.advance(len(cases) - progress.done)
