"""How many questions one visitor may ask in a while, counted in Redis for all processes together.

Staff who are signed in are not counted. When Redis is away, questions are answered uncounted: a
patient who may not ask is worse than one who asks too much.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from math import ceil
from time import time

import redis
from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest
from limits import RateLimitItem, parse_many
from limits.storage import storage_from_string
from limits.strategies import MovingWindowRateLimiter

logger = logging.getLogger(__name__)

#: Seconds that Redis may take; then the question is answered uncounted.
PATIENCE = 0.5


class TooMany(Exception):
    """A visitor asked more than is allowed; after so many seconds there is room again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"Room again in {seconds} s")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever asks: where from, and the cookies by which we might know them as staff."""

    address: str
    cookies: Mapping[str, str]

    @property
    def name(self) -> str:
        """Return what the counts are kept under; the address cannot be read from it."""
        key = settings.SECRET_KEY.encode()[:64]
        return blake2b(self.address.encode(), key=key, digest_size=12).hexdigest()


def count_question(visitor: Visitor) -> None:
    """Count a question of a visitor, or raise `TooMany`."""
    try:
        seconds = _wait(visitor.name)
    except redis.RedisError:
        logger.exception("Questions are not counted: Redis is away")
        return
    if seconds and not is_staff(visitor):
        raise TooMany(seconds)


def _wait(name: str) -> int:
    """Return after how many seconds a visitor may ask again; 0 when the question is counted."""
    counter = counter_at(settings.REDIS_URL)
    for limit in limits_of(settings.RATE_LIMITS):
        if not counter.hit(limit, name):
            ends = counter.get_window_stats(limit, name).reset_time
            return max(1, ceil(ends - time()))
    return 0


@cache
def limits_of(written: str) -> tuple[RateLimitItem, ...]:
    """Return limits as the settings write them, shortest first; none when nothing is written."""
    return tuple(sorted(parse_many(written))) if written.strip() else ()


@cache
def counter_at(url: str) -> MovingWindowRateLimiter:
    address = url.replace("unix://", "redis+unix://", 1) if url.startswith("unix://") else url
    patience = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
    return MovingWindowRateLimiter(storage_from_string(address, **patience))


def is_staff(visitor: Visitor) -> bool:
    """Whether a visitor is signed in as somebody of the staff."""
    if not (session := visitor.cookies.get(settings.SESSION_COOKIE_NAME)):
        return False
    from django.contrib.sessions.backends.db import SessionStore  # noqa: PLC0415

    request = HttpRequest()
    request.session = SessionStore(session)
    user = get_user(request)
    return user.is_active and bool(getattr(user, "is_staff", False))
