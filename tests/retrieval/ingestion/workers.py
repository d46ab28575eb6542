"""Real Celery workers for tests, each on a queue that no other test reads."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from celery import current_app
from django.conf import settings
from django.db import connection

from chat.question.examples import vector_store
from zol.runtime import processes

LONGEST = 60.0


class Workers:
    """Starts workers on a queue and ends them all, gently or not."""

    def __init__(self, queue: str, log: Path) -> None:
        self.queue, self.log = queue, log
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self) -> subprocess.Popen[bytes]:
        command = [
            sys.executable, "-m", "celery", "-A", "zol", "worker", "-Q", self.queue,
            "--concurrency=1", "-n", f"{self.queue}-{len(self.processes)}@%h", "--loglevel=INFO",
        ]  # fmt: skip
        with self.log.open("ab") as file:
            process = subprocess.Popen(
                command, cwd=settings.BASE_DIR, env=own_environment(self.queue), stdout=file,
                stderr=file, start_new_session=True,
            )  # fmt: skip
        self.processes.append(process)
        return process

    def kill(self, process: subprocess.Popen[bytes]) -> None:
        """Kill a worker and its children as a power cut would."""
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def end(self) -> None:
        for process in self.processes:
            self.kill(process)


def own_queue(queue: str, tasks: str = "retrieval.tasks.*") -> Callable[[], None]:
    """Send tasks, of ingestion if no others are named, to a queue; return what undoes it."""
    before = current_app.conf.task_routes
    _route({tasks: {"queue": queue}})
    return lambda: _route(before)


def _route(routes: object) -> None:
    current_app.conf.task_routes = routes
    current_app.amqp.flush_routes()
    current_app.amqp.__dict__.pop("router", None)


def own_environment(queue: str = "nobody") -> dict[str, str]:
    """Return the environment of a process of the product that serves the test's own database."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.own_settings",
        "STATE_DIR": str(settings.STATE_DIR),
        "OWN_DATABASE": connection.settings_dict["NAME"],
        "OWN_MEDIA": str(settings.MEDIA_ROOT),
        "OWN_LEARNED": str(vector_store.folder or ""),
        "OWN_QUEUE": queue,
    }


def wait_until(is_so: Callable[[], bool], *, seconds: float = LONGEST) -> bool:
    return processes.wait_until(is_so, seconds)
