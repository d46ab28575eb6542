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


@contextmanager
def workers(queue: str, output: Any) -> Iterator[subprocess.Popen[bytes] | None]:
    """Run the block with workers for a queue: existing ones, or one that we start and yield."""
    if is_served(queue):
        yield None
        return
    output.write(f"No worker for {queue} answers: starting one.\n")
    process = _start(queue)
    try:
        yield process
    finally:
        _end(process)


def has_ended(process: subprocess.Popen[bytes] | None) -> bool:
    """Return whether a worker that we started has ended."""
    return process is not None and process.poll() is not None


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
        self, output: Any, total: int, *, done: int = 0, name: str = "Asking",
        unit: str = "question",
    ) -> None:  # fmt: skip
        self.output, self.total, self.done, self.name, self.unit = output, total, done, name, unit
        self.said = time.monotonic()
        hidden = not output.isatty()
        self.bar = tqdm(total=total, initial=done, unit=unit, desc=name, disable=hidden)

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.close()

    def advance(self, count: int = 1) -> None:
        self.done += count
        self.bar.update(count)
        is_due = (count and self.done == self.total) or time.monotonic() - self.said > LINE
        if self.bar.disable and is_due:
            self.output.write(f"{self.name}: {self.done} of {self.total} {self.unit}s\n")
            self.output.flush()
            self.said = time.monotonic()


QUEUE = "evaluation"
#: Seconds between two polls of the run, and without a result until the workers count as gone.
TICK, LOST = 0.25, 60.0


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
    with workers(QUEUE, output) as own, ProgressBar(output, len(cases)) as progress:
        left = runs.pending(run, cases)
        for case in left:
            ask_case.delay(run.hospital_id, run.pk, as_json(case))
        moved = time.monotonic()
        while left:
            if done := len(cases) - len(left) - progress.done:
                progress.advance(done)
                moved = time.monotonic()
            if has_ended(own) or time.monotonic() - moved > LOST:
                raise WorkersGone(
                    f"No worker answers; its log says why. Go on with: evaluate --resume {run.pk}"
                )
            time.sleep(TICK)
            left = runs.pending(run, cases)
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
