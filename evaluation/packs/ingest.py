"""Ingesting the pages of a loaded pack, and waiting for it with a progress bar."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from celery import current_app
from django.conf import settings
from tqdm import tqdm

from retrieval import services
from retrieval.ingestion.claims import State
from retrieval.models import Document, IngestionRun
from zol.models import Hospital
from zol.tenancy import serving

QUEUE = "ingest"
#: Seconds between two looks at the run, between two lines in a pipe, and between two recoveries.
TICK, LINE, RECOVERY = 0.25, 5.0, 10.0
#: Seconds that a worker has for its last document.
PATIENCE = 30.0
DONE = (State.PROCESSED, State.UNCHANGED, State.EMPTY, State.DEAD)


def ingest_and_wait(hospital: Hospital, output: Any) -> bool:
    """Ingest every page of a hospital; say whether each could be."""
    with serving(hospital):
        documents = list(Document.objects.exclude(status=Document.Status.WITHDRAWN))
        with _worker(output) as own:
            run = services.start_run(hospital, documents, by=None, reason="hospital pack")
            _watch(run, own, output)
        found = services.counts(run)
        summary = ", ".join(f"{found[state]} {state}" for state in DONE if found[state])
        output.write(f"Pages: {summary or 'none'}.")
        for item in run.items.filter(state=State.DEAD).select_related("document"):
            output.write(f"  {item.document.path}: {item.reason}")
        for item in run.items.filter(state=State.EMPTY).select_related("document"):
            output.write(f"  {item.document.path}: {item.reason} (not searchable)")
    return run.state == IngestionRun.State.FINISHED and not found[State.DEAD]


@contextmanager
def _worker(output: Any) -> Iterator[subprocess.Popen[bytes] | None]:
    """Have a worker for ingestion: the one that runs, or one of our own until the block ends."""
    if _is_served():
        yield None
        return
    output.write("No worker for ingestion answers: starting one.")
    command = [
        sys.executable, "-m", "celery", "-A", "zol", "worker", "-Q", QUEUE, "--concurrency=2",
        "-n", f"ingest-{os.getpid()}@%h", "--loglevel=WARNING", "--without-gossip",
    ]  # fmt: skip
    settings_module = os.environ.get("DJANGO_SETTINGS_MODULE", "zol.settings")
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": settings_module}
    log = settings.STATE_DIR / "log" / "ingestion.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as file:
        process = subprocess.Popen(  # noqa: S603 (our own program)
            command,
            cwd=settings.BASE_DIR,
            env=environment | {"STATE_DIR": str(settings.STATE_DIR)},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let a worker finish its document, then end it and its children."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _is_served() -> bool:
    """Say whether a worker answers that takes documents."""
    answers = current_app.control.inspect(timeout=1.0).active_queues() or {}
    return any(queue["name"] == QUEUE for queues in answers.values() for queue in queues)


def _watch(run: IngestionRun, own: subprocess.Popen[bytes] | None, output: Any) -> None:
    progress = _Progress(output, run)
    recovered = time.monotonic()
    while True:
        found = services.counts(run)
        progress.show(found)
        run.refresh_from_db(fields=["state"])
        if run.state != IngestionRun.State.RUNNING:
            break
        if own is not None and own.poll() is not None:
            output.write(
                f"The worker ended with status {own.returncode}; what it said is in "
                f"{settings.STATE_DIR / 'log' / 'ingestion.log'}. The run can be resumed."
            )
            break
        if time.monotonic() - recovered > RECOVERY:
            services.recover(run.hospital_id)
            recovered = time.monotonic()
        time.sleep(TICK)
    progress.close()


class _Progress:
    """A bar on a terminal, a line now and then in a pipe."""

    def __init__(self, output: Any, run: IngestionRun) -> None:
        self.output = output
        self.total = run.items.count()
        self.said = time.monotonic()
        is_terminal = getattr(output, "isatty", lambda: False)()
        self.bar = tqdm(total=self.total, unit="page", desc="Ingesting") if is_terminal else None

    def show(self, found: dict[str, int]) -> None:
        done = sum(found[state] for state in DONE)
        if self.bar is not None:
            self.bar.update(done - self.bar.n)
        elif time.monotonic() - self.said > LINE:
            self.output.write(f"Ingesting: {done} of {self.total} pages")
            self.output.flush()
            self.said = time.monotonic()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
