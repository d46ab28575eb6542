"""Rate limits of questions per visitor, counted in Redis across processes.

A token that the page issues identifies a visitor, because a whole waiting room may share one
address. Without a token the address is the visitor. Each address also has a ceiling for all its
visitors together. Signed-in staff are not limited. Without Redis, questions are answered uncounted:
refusing a patient is worse than answering too many.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from hashlib import blake2b
from math import ceil
from time import time

import redis
from django.conf import settings
from django.contrib.auth import get_user
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest
from limits import RateLimitItem, parse_many
from limits.storage import storage_from_string
from limits.strategies import MovingWindowRateLimiter

from zol.access.hosts import is_own
from zol.runtime.breaker import Breaker, EndpointLeftAlone

logger = logging.getLogger(__name__)

#: Timeout of Redis, after which the question is answered uncounted.
PATIENCE = 0.5
#: Limit of an address in multiples of a visitor's limit; in the hospital's own networks.
CEILING, OWN_CEILING = 10, 20
#: Lifetime of a token; a page open for longer is identified by its address.
LIFETIME = timedelta(days=1)


class TooMany(Exception):
    """A visitor exceeded a limit; holds the seconds until the next free slot."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"Room again in {seconds} s")
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Visitor:
    """A visitor: the address, the cookies (of staff), and the token."""

    address: str
    cookies: Mapping[str, str]
    token: str = ""

    @property
    def key(self) -> str:
        """Return the key in the token; empty if it is invalid or expired."""
        try:
            return _signer().unsign(self.token, max_age=LIFETIME)
        except BadSignature:
            return ""

    @property
    def ceiling(self) -> int:
        return OWN_CEILING if is_own(self.address) else CEILING


def new_token() -> str:
    """Return a token for a new page; empty where nothing is limited."""
    return _signer().sign(secrets.token_urlsafe(9)) if limits_of(settings.RATE_LIMITS) else ""


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="chat.visitor")


def count_question(visitor: Visitor) -> None:
    """Count a question of a visitor, or raise `TooMany`."""
    allowed = [*allowed_to(visitor)]
    try:
        seconds = breaker_at(settings.REDIS_URL).call(lambda: _wait(allowed))
    except EndpointLeftAlone:
        return
    except redis.RedisError:
        logger.exception("Redis is unavailable; the question is not counted")
        return
    if seconds and not is_staff(visitor):
        raise TooMany(seconds)


def allowed_to(visitor: Visitor) -> Iterator[tuple[RateLimitItem, str]]:
    """Yield the limits of a visitor, with the key that each counts.

    Without a token, an address in the hospital's own network has only the ceiling.
    """
    limits, key, ceiling = limits_of(settings.RATE_LIMITS), visitor.key, visitor.ceiling
    if key or ceiling == CEILING:
        yield from ((limit, key or visitor.address) for limit in limits)
    for limit in limits:
        yield type(limit)(limit.amount * ceiling, limit.multiples), f"all of {visitor.address}"


def _wait(allowed: Iterable[tuple[RateLimitItem, str]]) -> int:
    """Count once in each limit; return the seconds to wait if one is exceeded."""
    counter, key = counter_at(settings.REDIS_URL), settings.SECRET_KEY.encode()[:64]
    # Keys are hashed, so that Redis holds no addresses.
    counts = [
        (limit, blake2b(whose.encode(), key=key, digest_size=12).hexdigest())
        for limit, whose in allowed
    ]
    # Test all limits before counting: a refused question must not use up a shared ceiling.
    for has_room in (counter.test, counter.hit):
        for limit, name in counts:
            if not has_room(limit, name):
                ends = counter.get_window_stats(limit, name).reset_time
                return max(1, ceil(ends - time()))
    return 0


@cache
def limits_of(written: str) -> tuple[RateLimitItem, ...]:
    """Return the limits of a setting, shortest first; none if it is empty."""
    return tuple(sorted(parse_many(written))) if written.strip() else ()


@cache
def counter_at(url: str) -> MovingWindowRateLimiter:
    address = url.replace("unix://", "redis+unix://", 1) if url.startswith("unix://") else url
    patience = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
    return MovingWindowRateLimiter(storage_from_string(address, **patience))


@cache
def breaker_at(url: str) -> Breaker:
    """Return the circuit breaker that spares questions from waiting for an unresponsive Redis."""
    return Breaker("Redis", redis.RedisError)


def is_staff(visitor: Visitor) -> bool:
    """Return whether a visitor is signed in as staff."""
    if not (session := visitor.cookies.get(settings.SESSION_COOKIE_NAME)):
        return False
    from django.contrib.sessions.backends.db import SessionStore  # noqa: PLC0415

    request = HttpRequest()
    request.session = SessionStore(session)
    user = get_user(request)
    return user.is_active and bool(getattr(user, "is_staff", False))
