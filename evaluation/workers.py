"""A worker for the queue of evaluation: the one that runs, or one of our own for a while."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from celery import current_app
from django.conf import settings

QUEUE = "evaluation"
#: Seconds that a worker of ours has for its last question.
PATIENCE = 30.0


@dataclass(frozen=True, slots=True)
class Workers:
    """Who asks; a process when it is ours."""

    own: subprocess.Popen[bytes] | None = None

    def have_ended(self) -> bool:
        return self.own is not None and self.own.poll() is not None


@contextmanager
def workers(output: Any) -> Iterator[Workers]:
    """Have somebody take questions until the block ends."""
    if is_served():
        yield Workers()
        return
    output.write("No worker for evaluation answers: starting one.\n")
    process = _start()
    try:
        yield Workers(process)
    finally:
        _end(process)


def _start() -> subprocess.Popen[bytes]:
    command = [
        sys.executable, "-m", "celery", "-A", "zol", "worker", "-Q", QUEUE, "--concurrency=2",
        "-n", f"evaluation-{os.getpid()}@%h", "--loglevel=WARNING", "--without-gossip",
    ]  # fmt: skip
    settings_module = os.environ.get("DJANGO_SETTINGS_MODULE", "zol.settings")
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": settings_module}
    log = settings.STATE_DIR / "log" / "evaluation.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as file:
        return subprocess.Popen(  # noqa: S603 (our own program)
            command,
            cwd=settings.BASE_DIR,
            env=environment | {"STATE_DIR": str(settings.STATE_DIR)},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )


def is_served() -> bool:
    """Say whether a worker answers that takes questions."""
    answers = current_app.control.inspect(timeout=1.0).active_queues() or {}
    return any(queue["name"] == QUEUE for queues in answers.values() for queue in queues)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let a worker finish its question, then end it and its children."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
