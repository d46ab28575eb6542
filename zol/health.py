"""Whether this process lives, and whether it can serve. For load balancers and monitors.

Live: the process answers. Ready: what a visitor needs is there; a hospital that has not published
yet, or workers that are away, are told but do not take the web server out of service.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import redis
from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError

from retrieval.embedding import get_embedder
from retrieval.index.state import ensure_index_matches
from taxonomy.models import LivePointer
from zol import __version__
from zol.celery import app
from zol.errors import ExpectedError
from zol.models import Hospital
from zol.tenancy import serving
from zol.visitors import is_internal

#: Seconds that the broker and the workers are given to answer.
PATIENCE = 0.7


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str = ""
    #: Whether visitors cannot be served without it.
    is_must: bool = True


@require_safe
@never_cache
def live(request: HttpRequest) -> HttpResponse:
    """Say that the process answers."""
    return HttpResponse("ok", content_type="text/plain")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Say whether visitors can be served, 503 when not; to our own networks check by check."""
    checks = [look() for look in (database, broker, workers)]
    if checks[0].ok:
        checks += hospitals()
    is_ready = all(check.ok for check in checks if check.is_must)
    told: dict[str, Any] = {"ready": is_ready}
    if is_internal(request):
        told["version"] = __version__
        told["checks"] = {check.name: {"ok": check.ok, "detail": check.detail} for check in checks}
    return JsonResponse(told, status=200 if is_ready else 503)


def database() -> HealthCheck:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
    except Error:
        return HealthCheck("database", ok=False, detail="does not answer")
    return HealthCheck("database", ok=True)


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


def workers() -> HealthCheck:
    """Ask the workers; answers are given without them, so they are no must."""
    try:
        replies = app.control.inspect(timeout=PATIENCE).ping() or {}
    except (OperationalError, redis.RedisError, OSError):
        replies = {}
    names = ", ".join(sorted(name.partition("@")[0] for name in replies))
    return HealthCheck("workers", ok=bool(replies), detail=names or "none answers", is_must=False)


def hospitals() -> Iterator[HealthCheck]:
    """Look at every hospital of this database; at least one must be published."""
    rows = list(Hospital.objects.order_by("slug"))
    published = 0
    for hospital in rows:
        with serving(hospital):
            pointer = LivePointer.objects.select_related("version").first()
            published += pointer is not None
            detail = f"version {pointer.version.number}" if pointer else "not published yet"
            yield HealthCheck(
                f"published:{hospital.slug}", pointer is not None, detail, is_must=False
            )
            yield index_of(hospital)
    yield HealthCheck("published", ok=published > 0, detail=f"{published} of {len(rows)} hospitals")


def index_of(hospital: Hospital) -> HealthCheck:
    """Compare the index with the configured embedding: another one's answers would be nonsense."""
    try:
        ensure_index_matches(get_embedder())
    except ExpectedError as error:
        return HealthCheck(f"index:{hospital.slug}", ok=False, detail=str(error))
    return HealthCheck(f"index:{hospital.slug}", ok=True)
