"""Liveness and readiness of this process, for load balancers and monitors.

Live: the process answers. Ready: visitors can be served. A hospital without a published version and
missing workers are reported, but do not take the web server out of service.

A thread runs the checks every few seconds, and probes return its last results. So a probe never
waits for a database, a broker or a worker that does not answer.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any

import redis
from django.conf import settings
from django.contrib.staticfiles.storage import ManifestFilesMixin, staticfiles_storage
from django.db import Error, connection, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError

from retrieval.embedding import get_embedder
from retrieval.index import ensure_index_matches
from taxonomy.models import LivePointer
from taxonomy.publishing.live import faults
from zol import __version__
from zol.access.visitors import is_internal
from zol.backoffice import site
from zol.celery import app
from zol.errors import ExpectedError
from zol.llm import refusals
from zol.models import Hospital
from zol.postgres.pool import own_connection
from zol.tenancy import serving

logger = logging.getLogger(__name__)
#: Time-out of the broker and the workers, in seconds.
PATIENCE = 0.7
#: Seconds between two runs of the checks, and after which results are outdated.
PAUSE, STALE = 2.0, 20.0


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """Result of a check."""

    name: str
    ok: bool
    detail: str = ""
    #: Whether visitors cannot be served when it fails.
    is_must: bool = True
    #: Whether visitors can be served when it fails, but staff should fix it.
    is_fault: bool = False


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Return 200 while the process answers."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Return 200 if visitors can be served, else 503; internal networks see each check."""
    checks = watcher.seen()
    is_ready = all(check.ok for check in checks if check.is_must)
    body: dict[str, Any] = {"ready": is_ready, "degraded": bool(watcher.faults())}
    if is_internal(request):
        body["version"] = __version__
        body["checks"] = {check.name: {"ok": check.ok, "detail": check.detail} for check in checks}
    return JsonResponse(body, status=200 if is_ready else 503)


class Watcher:
    """Runs the checks, and keeps their last results."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._is_running = False
        self._checks: tuple[HealthCheck, ...] = ()
        self._checked_at = float("-inf")

    def start(self) -> None:
        """Run the checks in a thread from now on; call once per process."""
        self._is_running = True
        Thread(target=self._run, name="readiness", daemon=True).start()

    def seen(self) -> tuple[HealthCheck, ...]:
        """Return the last results.

        Without the thread (in a test, or another web server) one caller at a time runs the checks.
        """
        if not self._is_running and self._lock.acquire(blocking=False):
            try:
                self._check()
            finally:
                self._lock.release()
        age = monotonic() - self._checked_at
        if age < STALE:
            return self._checks
        since = f"no results for {age:.0f} s" if self._checks else "not checked yet"
        return (*self._checks, HealthCheck("watcher", ok=False, detail=since))

    def faults(self, slug: str = "") -> list[HealthCheck]:
        """Return the failed checks that staff should fix, of all hospitals or of one."""
        found = [check for check in self._checks if check.is_fault and not check.ok]
        return [each for each in found if not slug or each.name.partition(":")[2] in ("", slug)]

    def _run(self) -> None:
        own_connection()
        while True:
            try:
                self._check()
            except Exception:  # The next run may succeed; probes report outdated results.
                logger.exception("The readiness checks failed")
            connection.close_if_unusable_or_obsolete()
            sleep(PAUSE)

    def _check(self) -> None:
        """Run all checks; workers only if the broker answers."""
        checks = [static_files(), database(), broker()]
        checks.append(workers() if checks[2].ok else NO_WORKERS)
        if checks[1].ok:
            checks += [writing(), models(), *hospitals()]
        self._checks, self._checked_at = tuple(checks), monotonic()


watcher = Watcher()
site.faults.append(lambda slug: watcher.faults(slug))  # noqa: PLW0108 (tests replace it)


def static_files() -> HealthCheck:
    """Check that `collectstatic` was run before this process began: pages need it."""
    storage: object = staticfiles_storage
    named = settings.DEBUG or not isinstance(storage, ManifestFilesMixin) or storage.hashed_files
    detail = "" if named else "run collectstatic, then restart"
    return HealthCheck("static files", not detail, detail)


def database() -> HealthCheck:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
    except Error:
        return HealthCheck("database", ok=False, detail="does not answer")
    return HealthCheck("database", ok=True)


#: Query that exceeds its memory, so that PostgreSQL writes a temporary file beside the tables.
SPILLED = "SELECT current_setting('transaction_read_only'), count(*) FROM generate_series(1, 20000)"


def writing() -> HealthCheck:
    """Check whether rows can be stored; questions are answered without that too."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL work_mem = '64kB'")
            cursor.execute(SPILLED)
            detail = "read-only" if cursor.fetchone()[0] == "on" else ""
    except Error as error:
        detail = " ".join(str(error).split())
    return HealthCheck("writing", not detail, detail, is_must=False, is_fault=True)


def models() -> HealthCheck:
    """Report models whose endpoint last refused a schema."""
    detail = "; ".join(refusals.values())
    return HealthCheck("models", not detail, detail, is_must=False, is_fault=True)


def broker() -> HealthCheck:
    client = redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE
    )
    try:
        client.ping()
    except redis.RedisError:
        return HealthCheck("redis", ok=False, detail="does not answer")
    finally:
        client.close()
    return HealthCheck("redis", ok=True)


NO_WORKERS = HealthCheck("workers", ok=False, detail="none answers", is_must=False)


def workers() -> HealthCheck:
    """Ping the workers; questions are answered without them too."""
    try:
        replies = app.control.inspect(timeout=PATIENCE).ping() or {}
    except (OperationalError, redis.RedisError, OSError):
        replies = {}
    names = ", ".join(sorted(name.partition("@")[0] for name in replies))
    return HealthCheck("workers", ok=True, detail=names, is_must=False) if replies else NO_WORKERS


def hospitals() -> Iterator[HealthCheck]:
    """Check every hospital of this database; at least one must be able to answer."""
    rows = list(Hospital.objects.order_by("slug"))
    able = 0
    for hospital in rows:
        with serving(hospital):
            checks = publication_of(hospital), index_of(hospital)
        able += all(check.ok for check in checks)
        yield from checks
    yield HealthCheck("published", ok=able > 0, detail=f"{able} of {len(rows)} hospitals")


def publication_of(hospital: Hospital) -> HealthCheck:
    """Report the live version, and whether this process could load it."""
    name = f"published:{hospital.slug}"
    pointer = LivePointer.objects.select_related("version").first()
    if pointer is None:
        return HealthCheck(name, ok=False, detail="not published yet", is_must=False)
    number = pointer.version.number
    fault = faults.get((hospital.pk, number), "")
    return HealthCheck(name, not fault, fault or f"version {number}", is_must=False, is_fault=True)


def index_of(hospital: Hospital) -> HealthCheck:
    """Check that the index was built with the configured embedding."""
    name = f"index:{hospital.slug}"
    try:
        ensure_index_matches(get_embedder())
    except ExpectedError as error:
        return HealthCheck(name, ok=False, detail=str(error), is_must=False, is_fault=True)
    return HealthCheck(name, ok=True)
