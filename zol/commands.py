"""Helpers of management commands: arguments, temporary workers, progress and reports."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from zol.clock import moment_of
from zol.errors import BadInput, ExpectedError
from zol.models import Hospital

#: Seconds between two lines of progress in a pipe, and for a worker to finish its last task.
LINE, PATIENCE = 5.0, 30.0


def chosen_hospital(slug: str) -> Hospital:
    """Return the hospital named on the command line, or the only one."""
    known = list(Hospital.objects.order_by("slug"))
    if slug:
        for hospital in known:
            if hospital.slug == slug:
                return hospital
        raise CommandError(f"There is no hospital “{slug}”. {_listed(known)}")
    if len(known) != 1:
        raise CommandError(f"Choose a hospital with --hospital SLUG. {_listed(known)}")
    return known[0]


def named_user(username: str) -> Any:
    """Return the account named on the command line."""
    user = get_user_model()._default_manager.filter(username=username).first()
    if user is None:
        raise CommandError(f"There is no account “{username}”.")
    return user


def chosen_moment(text: str) -> datetime | None:
    """Return the moment given with --at, or None."""
    try:
        return moment_of(text) if text else None
    except BadInput as error:
        raise CommandError(f"--at: {error}") from error


def ensure_writable(file: Path | str | None) -> None:
    """Refuse an output file that cannot be written, before long work begins."""
    place = Path(file or os.devnull)
    if place.is_dir():
        raise CommandError(f"{place} is a folder: give the name of a file.")
    if not place.parent.is_dir():
        raise CommandError(f"{place}: there is no folder {place.parent}.")
    if not os.access(place if place.exists() else place.parent, os.W_OK):
        raise CommandError(f"{place} cannot be written.")


def write_json(file: Path | str, report: Mapping[str, Any]) -> None:
    """Write a report as indented JSON."""
    text = json.dumps(report, ensure_ascii=False, indent=1)
    Path(file).write_text(text + "\n", encoding="utf-8")


def _listed(known: list[Hospital]) -> str:
    if not known:
        return "None is loaded yet: manage.py load_hospital DIR --publish --ingest"
    return f"Loaded: {', '.join(hospital.slug for hospital in known)}."


@contextmanager
def workers(queue: str, output: Any) -> Iterator[subprocess.Popen[bytes] | None]:
    """Run the block with workers for a queue; if none runs, start and yield one."""
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
        self.written = time.monotonic()
        hidden = not output.isatty()
        self.bar = tqdm(total=total, initial=done, unit=unit, desc=name, disable=hidden)

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *error: object) -> None:
        self.bar.close()

    def advance(self, count: int = 1) -> None:
        self.done += count
        self.bar.update(count)
        is_due = (count and self.done == self.total) or time.monotonic() - self.written > LINE
        if self.bar.disable and is_due:
            self.output.write(f"{self.name}: {self.done} of {self.total} {self.unit}s\n")
            self.output.flush()
            self.written = time.monotonic()


class Measuring(BaseCommand):
    """Base of commands that measure something and print a report."""

    #: Measures, and returns the report, or None if it is printed already.
    measure: Callable[..., Mapping[str, Any] | None]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--json", type=Path, metavar="FILE", help="write all results to this file"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        ensure_writable(options["json"])
        try:
            report = self.measure(**options)
        except ExpectedError as error:
            raise CommandError(str(error)) from error
        if report is not None:
            self.print_report(report, options["json"])

    def print_report(self, report: Mapping[str, Any], file: Path | None) -> None:
        """Print a report, and write it to a file if one is named."""
        for line in self.lines(report):
            self.stdout.write(line)
        if file:
            write_json(file, report)

    def lines(self, report: Mapping[str, Any]) -> Iterable[str]:
        raise NotImplementedError
