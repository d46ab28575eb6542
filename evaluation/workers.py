"""Work that workers do while somebody waits: a worker for a queue, and progress to look at."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings
from tqdm import tqdm

#: Seconds between two lines in a pipe, and that a worker of ours has for what it works on last.
LINE, PATIENCE = 5.0, 30.0


@dataclass(frozen=True, slots=True)
class Workers:
    """Who works; a process when it is ours."""

    own: subprocess.Popen[bytes] | None = None

    def have_ended(self) -> bool:
        return self.own is not None and self.own.poll() is not None


@contextmanager
def workers(queue: str, output: Any) -> Iterator[Workers]:
    """Have somebody work on a queue until the block ends: who does already, or one of our own."""
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
    """Return where a worker of our own writes what it says."""
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
    """Say whether a worker answers that takes from a queue."""
    answers = current_app.control.inspect(timeout=1.0).active_queues() or {}
    return any(each["name"] == queue for queues in answers.values() for each in queues)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let a worker finish what it works on, then end it and its children."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


class Progress:
    """A bar on a terminal, a line now and then in a pipe."""

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

    def __enter__(self) -> Progress:
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
