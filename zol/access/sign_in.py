"""Sign-in of staff: sessions that each request prolongs, and limits to attempts.

django-axes blocks a user name for an address after failed attempts. Redis counts the attempts of an
address with any names; successful ones are not counted, as the staff of a hospital share an
address.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cache
from time import time
from typing import Any
from uuid import uuid4

import redis
from axes.handlers.database import AxesDatabaseHandler
from django.conf import settings
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.utils import timezone

#: A session is prolonged at most once in this time, so that most requests write nothing.
LATELY = timedelta(minutes=1)


class SessionStore(db.SessionStore):
    _end: datetime | None = None

    def _get_session_from_db(self) -> Session | None:
        row: Session | None = super()._get_session_from_db()  # type: ignore[misc]
        self._end = row.expire_date if row else None
        return row

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 (Django's)
        wanted = timezone.now() + timedelta(seconds=self.get_session_cookie_age())
        is_changed = must_create or self.modified
        if not is_changed and self._end and wanted - self._end < LATELY:
            return
        # With a read-only database the session stays usable until its old expiry.
        with suppress(UpdateError):
            super().save(must_create)


logger = logging.getLogger(__name__)

#: Maximum attempts of an address within `AXES_COOLOFF_TIME`; time-out of Redis, in seconds.
MOST_TRIES, PATIENCE = 30, 0.5


class SignInGuard(AxesDatabaseHandler):  # type: ignore[misc]
    """Blocks a user name for an address after failures, and an address after many attempts."""

    def is_allowed(self, request: Any, credentials: dict[str, Any] | None = None) -> bool:
        if not super().is_allowed(request, credentials):
            return False
        # Counted first, so that concurrent attempts count too.
        request.counted_try = f"zol:sign-in:{request.axes_ip_address}", uuid4().hex
        try:
            tries = counted(*request.counted_try)
            if tries > MOST_TRIES:
                counter_at(settings.REDIS_URL).zrem(*request.counted_try)
        except redis.RedisError:
            logger.exception("Tries to sign in are not counted: Redis is away")
            return True
        return tries <= MOST_TRIES

    def user_logged_in(self, sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
        super().user_logged_in(sender, request, user, **kwargs)
        with suppress(redis.RedisError, AttributeError):  # Some sign-ins are not counted attempts.
            counter_at(settings.REDIS_URL).zrem(*request.counted_try)


def counted(key: str, mark: str) -> int:
    """Count an attempt; return the number of recent ones."""
    with counter_at(settings.REDIS_URL).pipeline() as steps:
        now, span = time(), settings.AXES_COOLOFF_TIME
        steps.zremrangebyscore(key, 0, now - span.total_seconds())
        steps.zadd(key, {mark: now})
        steps.zcard(key)
        steps.expire(key, span)
        return int(steps.execute()[2])


@cache
def counter_at(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
