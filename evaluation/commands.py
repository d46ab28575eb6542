"""Helpers of commands: run work on Celery workers while waiting, measure, report."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from evaluation import runs
from evaluation.golden import Case, as_json
from evaluation.models import Run
from evaluation.tasks import ask_case
from zol.commands import ensure_writable, write_json
from zol.errors import ExpectedError

#: Seconds between two lines in a pipe, and for our worker to finish its last task.
LINE, PATIENCE = 5.0, 30.0


@dataclass(frozen=True, slots=True)
class Workers:
    """The workers of a queue; with the process if we started it."""

    own: subprocess.Popen[bytes] | None = None

    def have_ended(self) -> bool:
        return self.own is not None and self.own.poll() is not None


@contextmanager
def workers(queue: str, output: Any) -> Iterator[Workers]:
    """Run the block with workers for a queue: existing ones, or one that we start."""
    if is_served(queue):
        yield Workers()
        return
    output.write(f"No worker for {queue} answers: starting one.\n")
    process = _start(queue)
    try:
        yield Workers(process)
    finally:
        _end(process)


def log_of(queue: str) -> Path:
    """Return the log file of a worker that we start."""
    return Path(settings.STATE_DIR) / "log" / f"{queue}.log"


def _start(queue: str) -> subprocess.Popen[bytes]:
    command = [
        sys.executable, "-m", "celery", "-A", "zol", "worker", "-Q", queue, "--concurrency=2",
        "-n", f"{queue}-{os.getpid()}@%h", "--loglevel=WARNING", "--without-gossip",
    ]  # fmt: skip
    settings_module = os.environ.get("DJANGO_SETTINGS_MODULE", "zol.settings")
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": settings_module}
    log_of(queue).parent.mkdir(parents=True, exist_ok=True)
    with log_of(queue).open("ab") as file:
        return subprocess.Popen(  # noqa: S603 (our own program)
            command,
            cwd=settings.BASE_DIR,
            env=environment | {"STATE_DIR": str(settings.STATE_DIR)},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )


def is_served(queue: str) -> bool:
    """Return whether a worker of a queue answers."""
    answers = current_app.control.inspect(timeout=1.0).active_queues() or {}
    return any(each["name"] == queue for queues in answers.values() for each in queues)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let a worker finish its task, then end it and its children."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


class ProgressBar:
    """A progress bar on a terminal, occasional lines in a pipe."""

    def __init__(
        self,
        output: Any,
        total: int,
        *,
        done: int = 0,
        name: str = "Asking",
        unit: str = "question",
    ) -> None:
        self.output, self.total, self.done, self.name, self.unit = output, total, done, name, unit
        self.said = time.monotonic()
        self.is_terminal = getattr(output, "isatty", lambda: False)()
        self.bar: Any = None

    def __enter__(self) -> ProgressBar:
        if self.is_terminal:
            self.bar = tqdm(total=self.total, initial=self.done, unit=self.unit, desc=self.name)
        return self

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.close()

    def advance(self, count: int = 1) -> None:
        self.done += count
        if self.bar is not None:
            self.bar.update(count)
        elif (count and self.done == self.total) or time.monotonic() - self.said > LINE:
            self.output.write(f"{self.name}: {self.done} of {self.total} {self.unit}s\n")
            self.output.flush()
            self.said = time.monotonic()


QUEUE = "evaluation"
#: Seconds between two polls of the run, and without a result until questions are sent again: a
#: killed worker loses its question.
TICK, LOST = 0.25, 60.0
#: Times that questions are sent without a result before giving up.
MOST_ROUNDS = 5


class WorkersGone(ExpectedError):
    """Raised when the workers ended before the run did, or do not answer."""


def ask_here(run: Run, cases: Sequence[Case], output: Any) -> None:
    """Ask the remaining questions of a run, one after the other."""
    left = runs.pending(run, cases)
    runs.warm_up(run, left)
    with ProgressBar(output, len(cases), done=len(cases) - len(left)) as progress:
        for case in left:
            runs.ask(run, case)
            progress.advance()


def ask_by_workers(run: Run, cases: Sequence[Case], output: Any) -> None:
    """Let Celery ask the questions of a run, and wait for the results."""
    with workers(QUEUE, output) as asking:
        _hand_out(run, runs.pending(run, cases))
        with ProgressBar(output, len(cases)) as progress:
            _wait(run, cases, asking, progress)


def _hand_out(run: Run, cases: Sequence[Case]) -> None:
    for case in cases:
        ask_case.delay(run.hospital_id, run.pk, as_json(case))


def _wait(run: Run, cases: Sequence[Case], asking: Workers, progress: ProgressBar) -> None:
    moved, rounds = time.monotonic(), 1
    while left := runs.pending(run, cases):
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


class Measuring(BaseCommand):
    """Base of commands that measure something and print a report."""

    #: Measure by the options; return the report, or None if all is printed already.
    measure: Callable[..., Mapping[str, Any] | None]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", type=Path, metavar="FILE", help="write everything here")

    def handle(self, *_: Any, **options: Any) -> None:
        ensure_writable(options["json"])
        try:
            report = self.measure(**options)
        except ExpectedError as error:
            raise CommandError(str(error)) from error
        if report is not None:
            self.tell(report, options["json"])

    def tell(self, report: Mapping[str, Any], file: Path | None) -> None:
        """Print a report, and write it to a file if one is named."""
        for line in self.lines(report):
            self.stdout.write(line)
        if file:
            write_json(file, report)

    def lines(self, report: Mapping[str, Any]) -> Iterable[str]:
        raise NotImplementedError
