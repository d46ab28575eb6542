"""Find the hospital of a host name, a widget key or a socket."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, urlsplit

from channels.security.websocket import WebsocketDenier

from zol.access.visitors import is_trusted, networks, visitor_of
from zol.models import Hospital, HospitalHost, OwnNetwork, WidgetKey
from zol.postgres.pool import AWAY
from zol.runtime.bridge import done_by
from zol.tenancy import current_hospital_id

#: Maximum length of a host name or key.
LONGEST = 253
#: Seconds for which a result is cached: a new host works after that time.
REMEMBERED = 2.0
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.\-]+(:\d+)?")
#: By name or key: when it was looked up, and its row, which is kept while the database is away.
_remembered: dict[tuple[str, str], tuple[float, HospitalHost | WidgetKey | None]] = {}
_own: dict[int, tuple[float, tuple[str, ...]]] = {}


def bare_host(host: str) -> str:
    """Return a host header without its port, in lower case."""
    host = host.strip().lower().rstrip(".")
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def is_origin(text: str) -> bool:
    """Return whether a text is an origin, such as https://example.org."""
    return bool(_ORIGIN.fullmatch(text))


def hospital_at(host: str) -> Hospital | None:
    """Return the hospital of a host name, or None: the caller answers 404."""
    name = bare_host(host)
    row = _recall(("host", name), lambda: HospitalHost.objects.filter(host=name))
    return getattr(row, "hospital", None)


def hospital_of_widget(key: str) -> Hospital | None:
    """Return the hospital of an active widget key."""
    return getattr(widget_at(key), "hospital", None)


def widget_at(key: str) -> WidgetKey | None:
    """Return an active widget key."""
    return _recall(("key", key), lambda: WidgetKey.objects.filter(key=key, is_active=True))


def _recall(key: tuple[str, str], rows) -> Any:  # type: ignore[no-untyped-def]
    if len(key[1]) > LONGEST or not key[1].isascii() or not key[1].isprintable():
        return None
    now = monotonic()
    at, row = _remembered.get(key, (0.0, None))
    if at and now - at < REMEMBERED:
        return row
    try:
        row = rows().select_related("hospital").first()
    except AWAY:
        if row is None:
            raise
    if len(_remembered) > 10_000:
        _remembered.clear()
    _remembered[key] = (now, row)
    return row


def is_own(address: str) -> bool:
    """Return whether an address is in one of the served hospital's own networks."""
    hospital_id, now = current_hospital_id(), monotonic()
    at, known = _own.get(hospital_id, (0.0, ()))
    if hospital_id and not (at and now - at < REMEMBERED):
        _own[hospital_id] = (now, known)  # Other threads use the old value meanwhile.
        known = tuple(OwnNetwork.objects.values_list("network", flat=True))
        _own[hospital_id] = (now, known)
    return is_trusted(address, networks(known))


def forget_hosts() -> None:
    """Clear the caches; for tests, and changes that must be seen at once."""
    _remembered.clear()
    _own.clear()


class HospitalSockets:
    """Accept WebSockets from pages of a known host, or from the allowed origins of a widget."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        hospital = None
        with suppress(*AWAY):
            hospital = await done_by(partial(admitted, scope))
        if hospital is None:
            return await WebsocketDenier()(scope, receive, send)
        channel = "widget" if widget_key(scope) else "web"
        known = {**scope, "hospital": hospital, "channel": channel, "visitor": visitor_of(scope)}
        known["token"] = asked_with(scope, "visitor")
        return await self.application(known, receive, send)


def admitted(scope: dict[str, Any]) -> Hospital | None:
    """Return the hospital of a socket if its origin is allowed."""
    headers = {name.decode(): value.decode("latin1") for name, value in scope["headers"]}
    origin = headers.get("origin", "")
    key = widget_key(scope)
    if key:
        hospital = hospital_of_widget(key)
        return hospital if hospital and origin_of_widget(key, origin, headers) else None
    host = headers.get("host", "")
    hospital = hospital_at(host)
    same = not origin or host_of(origin) == bare_host(host)
    return hospital if same else None


def widget_key(scope: dict[str, Any]) -> str:
    return asked_with(scope, "widget")


def asked_with(scope: dict[str, Any], name: str) -> str:
    """Return a value from the query string of a socket; empty where there is none."""
    query = scope.get("query_string", b"").decode("latin1")
    return parse_qs(query).get(name, [""])[0]


def host_of(origin: str) -> str:
    """Return the host of an origin; empty when it is malformed."""
    try:
        return bare_host(urlsplit(origin).netloc)
    except ValueError:
        return ""


def origin_of_widget(key: str, origin: str, headers: dict[str, str]) -> bool:
    """Return whether a widget is allowed: from our own frame, or from an origin of its key."""
    if host_of(origin) == bare_host(headers.get("host", "")):
        return True
    row = widget_at(key)
    return bool(row and origin in row.origins)
