"""`manage.py demo`: start the services, load the demonstration hospital and serve it."""

from __future__ import annotations

import hashlib
import io
import signal
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from retrieval.embedding import get_embedder
from zol.devservices import locations, services
from zol.errors import EmbeddedError
from zol.models import Hospital
from zol.tenancy import serving
from zol.web.programs import (
    Port,
    Program,
    Supervisor,
    end_group,
    end_like_ctrl_c,
    ignore_endings,
    start_in_group,
    taken,
    write_line,
)

PACK = settings.BASE_DIR / "zol" / "demo" / "pack"
SLUG = "zol-demo"
#: Seconds that an interrupted load is given to clean up.
PATIENCE = 15.0


class Command(BaseCommand):
    help = "Load the demonstration hospital and serve it until Ctrl-C."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")

    def handle(self, *args: Any, **options: Any) -> None:
        get_embedder()  # Report wrong settings before anything is loaded.
        end_like_ctrl_c()
        with (
            services.demonstration(settings.STATE_DIR),
            closing(taken(options["host"], settings.PORT)) as port,
        ):
            self._demonstrate(port)

    def _demonstrate(self, port: Port) -> None:
        embedded = locations.embedded_services(
            settings.STATE_DIR, settings.OWNER_URL, settings.REDIS_URL
        )
        names = {"postgres": "PostgreSQL", "redis": "Redis"}
        try:
            with self._step(" and ".join(names[name] for name in embedded) or "Own services"):
                services.start(settings.STATE_DIR, embedded)
            logins = self._prepare()
            self._serve(embedded, port, logins)
        except KeyboardInterrupt:
            ignore_endings()
        stay = "; `make stop` stops its services, too" if embedded else ""
        self._write(f"The demonstration has stopped{stay}. The data stays.")

    def _prepare(self) -> str:
        """Prepare tables, hospital, users and static files; return the logins of the users."""
        with self._step("Tables"):
            call_command("migrate", interactive=False, verbosity=0)
        self._load()
        logins = io.StringIO()
        with self._step("Demonstration users"):
            call_command("create_demo_users", hospital=SLUG, demo=True, stdout=logins)
        self._collect_static()
        connections.close_all()
        return logins.getvalue().strip()

    def _load(self) -> None:
        """Load, publish and ingest the pack, unless exactly this is in the database already."""
        mark, digest = settings.STATE_DIR / "demo.loaded", _digest([PACK])
        # The mark may be of a deleted database.
        if _is_done(mark, digest) and Hospital.objects.filter(slug=SLUG).exists():
            self._write("Demonstration hospital: loaded before, unchanged.")
            # A newer version may have another encoder.
            call_command("reindex", hospital=SLUG, outdated=True, stdout=self.stdout)
            return
        self._write("Demonstration hospital: loading, publishing and ingesting …")
        started = time.monotonic()
        status = self._run("load_hospital", str(PACK), *_first_version(), "--ingest")
        if status:
            raise CommandError(f"The demonstration hospital could not be loaded (status {status}).")
        mark.write_text(digest, encoding="ascii")
        self._write(f"Demonstration hospital: {time.monotonic() - started:.1f} s")

    def _collect_static(self) -> None:
        sources = [Path(folder) for folder in settings.STATICFILES_DIRS]
        versions = (settings.BASE_DIR / "requirements.txt").read_text(encoding="utf-8")
        mark, digest = settings.STATIC_ROOT / ".collected", _digest(sources, versions)
        if _is_done(mark, digest):
            return
        with self._step("Static files"):
            call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        mark.write_text(digest, encoding="ascii")

    def _run(self, *arguments: str) -> int:
        """Run a command whose children end with it, also when it is interrupted."""
        command = [sys.executable, "manage.py", *arguments]
        process = start_in_group(command, folder=settings.BASE_DIR)
        try:
            return process.wait()
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            end_group(process, patience=PATIENCE)

    def _serve(self, embedded: Sequence[str], port: Port, logins: str) -> None:
        programs = Supervisor(
            programs=_programs(port),
            folder=settings.BASE_DIR,
            log_folder=settings.STATE_DIR / "log",
            report=self._write,
        )
        programs.run(
            port, lambda seconds: self._announce(seconds, logins), lambda: self._restore(embedded)
        )

    def _restore(self, embedded: Sequence[str]) -> None:
        """Restart services that died; if that fails, the next check tries again."""
        try:
            for name in services.restore(settings.STATE_DIR, embedded):
                self._write(f"The embedded {name} had stopped; it runs again.")
        except EmbeddedError as error:
            self._write(str(error))

    def _announce(self, seconds: float, logins: str) -> None:
        address = f"http://localhost:{settings.PORT}"
        self._write(f"Web server and workers: {seconds:.1f} s\n")
        self._write(f"  Chat   {address}/\n  Admin  {address}/admin/\n  Engine {_engine()}\n")
        self._write(f"{logins}\n\nCtrl-C stops the demonstration.")

    @contextmanager
    def _step(self, title: str) -> Iterator[None]:
        """Print a step and its duration."""
        self.stdout.write(f"{title} … ", ending="")
        self.stdout.flush()
        started = time.monotonic()
        yield
        self._write(f"{time.monotonic() - started:.1f} s")

    def _write(self, text: str) -> None:
        write_line(self.stdout, text)


def _engine() -> str:
    """Describe the engine that answers, with its model or how to connect one."""
    if not settings.LLM["endpoints"]:
        return "embedded, without a language model (README.md: connect one)"
    endpoint, tier = settings.LLM["endpoints"][0], settings.LLM["tiers"]["primary"]
    model = tier["at"].get(endpoint["name"], tier)["model"]
    return f"{model} at {endpoint['base_url'] or 'OpenAI'}"


def _programs(port: Port) -> tuple[Program, ...]:
    """Return the programs in the order in which they are ended: first those that take new work."""
    celery = (sys.executable, "-m", "celery", "-A", "zol")
    worker = (*celery, "worker", "--loglevel=INFO")
    schedule = str(settings.STATE_DIR / "beat")
    live = ("-Q", "live,evaluation", "-n", "live@%h", "--concurrency=2")
    ingest = ("-Q", "ingest", "-n", "ingest@%h", "--concurrency=1")
    return (
        *port.programs(),
        Program("scheduler", (*celery, "beat", "-s", schedule, "--pidfile=")),
        Program("worker for live answers", (*worker, *live)),
        Program("worker for ingestion", (*worker, *ingest)),
    )


def _first_version() -> list[str]:
    """Return the option that publishes the first version, unless there is one."""
    from taxonomy.models import Version  # noqa: PLC0415  (the tables exist only by now)

    hospital = Hospital.objects.filter(slug=SLUG).first()
    if hospital is None:
        return ["--publish"]
    with serving(hospital):
        return [] if Version.objects.exists() else ["--publish"]


def _is_done(mark: Path, digest: str) -> bool:
    """Return whether a file contains this digest."""
    return mark.exists() and mark.read_text(encoding="ascii") == digest


def _digest(folders: Iterable[Path], *others: str) -> str:
    """Return one digest of every file of some folders and of some texts."""
    total = hashlib.sha256("\0".join(others).encode())
    for folder in folders:
        for path in sorted(each for each in folder.rglob("*") if each.is_file()):
            total.update(str(path.relative_to(folder)).encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
