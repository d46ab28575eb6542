"""Liveness and readiness of this process, for load balancers and monitors.

Live: the process answers. Ready: what a visitor needs is there; a hospital that has not published
yet, or workers that are away, are told but do not take the web server out of service.

A thread looks every few seconds; probes are answered from what it last saw, however many come. So a
probe never waits for a database, a broker or a worker that does not answer.
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
#: Seconds that the broker and the workers are given to answer.
PATIENCE = 0.7
#: Seconds between two looks, and after which the last one says nothing any more.
PAUSE, STALE = 2.0, 20.0


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str = ""
    #: Whether visitors cannot be served without it.
    is_must: bool = True
    #: Whether visitors are served without it, but staff have something to mend.
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
    told: dict[str, Any] = {"ready": is_ready, "degraded": bool(watcher.faults())}
    if is_internal(request):
        told["version"] = __version__
        told["checks"] = {check.name: {"ok": check.ok, "detail": check.detail} for check in checks}
    return JsonResponse(told, status=200 if is_ready else 503)


class Watcher:
    """Looks at what this process needs, and remembers what it saw."""

    def __init__(self) -> None:
        self._looking = Lock()
        self._is_running = False
        self._checks: tuple[HealthCheck, ...] = ()
        self._looked = float("-inf")

    def start(self) -> None:
        """Look from now on, in a thread; asked once per process."""
        self._is_running = True
        Thread(target=self._run, name="readiness", daemon=True).start()

    def seen(self) -> tuple[HealthCheck, ...]:
        """Return what was last seen.

        Without the thread (another web server than ours, a test) one caller at a time looks now.
        """
        if not self._is_running and self._looking.acquire(blocking=False):
            try:
                self._look()
            finally:
                self._looking.release()
        age = monotonic() - self._looked
        if age < STALE:
            return self._checks
        since = f"nothing seen for {age:.0f} s" if self._checks else "not looked yet"
        return (*self._checks, HealthCheck("watcher", ok=False, detail=since))

    def faults(self, slug: str = "") -> list[HealthCheck]:
        """Return what staff have to mend, as last seen; of one hospital, where one is named."""
        found = [check for check in self._checks if check.is_fault and not check.ok]
        return [each for each in found if not slug or each.name.partition(":")[2] in ("", slug)]

    def _run(self) -> None:
        own_connection()
        while True:
            try:
                self._look()
            except Exception:  # The next look tells whether it lasts; probes say how old this is.
                logger.exception("Readiness could not be looked at")
            connection.close_if_unusable_or_obsolete()
            sleep(PAUSE)

    def _look(self) -> None:
        """Look at everything; a broker that is away is not asked for its workers."""
        checks = [static_files(), database(), broker()]
        checks.append(workers() if checks[2].ok else NO_WORKERS)
        if checks[1].ok:
            checks += [writing(), models(), *hospitals()]
        self._checks, self._looked = tuple(checks), monotonic()


watcher = Watcher()
site.faults.append(lambda slug: watcher.faults(slug))  # noqa: PLW0108 (tests replace it)


def static_files() -> HealthCheck:
    """Look whether `collectstatic` was run before this process began: no page is shown without."""
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


#: Makes more rows than its memory holds, so that PostgreSQL writes a file where the tables are.
SPILLED = "SELECT current_setting('transaction_read_only'), count(*) FROM generate_series(1, 20000)"


def writing() -> HealthCheck:
    """Look whether rows can be stored; answers are given without, so it is no must."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL work_mem = '64kB'")
            cursor.execute(SPILLED)
            detail = "read-only" if cursor.fetchone()[0] == "on" else ""
    except Error as error:
        detail = " ".join(str(error).split())
    return HealthCheck("writing", not detail, detail, is_must=False, is_fault=True)


def models() -> HealthCheck:
    """Tell which models could not be held to a schema when they were last asked."""
    told = "; ".join(refusals.values())
    return HealthCheck("models", not told, told, is_must=False, is_fault=True)


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
    """Ask the workers; answers are given without them, so they are no must."""
    try:
        replies = app.control.inspect(timeout=PATIENCE).ping() or {}
    except (OperationalError, redis.RedisError, OSError):
        replies = {}
    names = ", ".join(sorted(name.partition("@")[0] for name in replies))
    return HealthCheck("workers", ok=True, detail=names, is_must=False) if replies else NO_WORKERS


def hospitals() -> Iterator[HealthCheck]:
    """Look at every hospital of this database; at least one must be able to answer."""
    rows = list(Hospital.objects.order_by("slug"))
    able = 0
    for hospital in rows:
        with serving(hospital):
            checks = publication_of(hospital), index_of(hospital)
        able += all(check.ok for check in checks)
        yield from checks
    yield HealthCheck("published", ok=able > 0, detail=f"{able} of {len(rows)} hospitals")


def publication_of(hospital: Hospital) -> HealthCheck:
    """Look what is live, and whether this process could read it."""
    name = f"published:{hospital.slug}"
    pointer = LivePointer.objects.select_related("version").first()
    if pointer is None:
        return HealthCheck(name, ok=False, detail="not published yet", is_must=False)
    number = pointer.version.number
    fault = faults.get((hospital.pk, number), "")
    return HealthCheck(name, not fault, fault or f"version {number}", is_must=False, is_fault=True)


def index_of(hospital: Hospital) -> HealthCheck:
    """Compare the index with the configured embedding: another one's answers would be nonsense."""
    name = f"index:{hospital.slug}"
    try:
        ensure_index_matches(get_embedder())
    except ExpectedError as error:
        return HealthCheck(name, ok=False, detail=str(error), is_must=False, is_fault=True)
    return HealthCheck(name, ok=True)
