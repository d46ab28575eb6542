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

#: A host name or key that is longer exists nowhere; neither does one that is not plain text.
LONGEST = 253
#: How long an answer is remembered, in seconds: a new host works within that time.
REMEMBERED = 2.0
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.\-]+(:\d+)?")
#: When a name or key was looked up, and its row, which stays while the database is away.
_remembered: dict[tuple[str, str], tuple[float, HospitalHost | WidgetKey | None]] = {}
_own: dict[int, tuple[float, tuple[str, ...]]] = {}


def bare_host(host: str) -> str:
    """Return a host header without its port, in lower case."""
    host = host.strip().lower().rstrip(".")
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def is_origin(text: str) -> bool:
    """Whether a text is an origin as browsers send it and policies may name it."""
    return bool(_ORIGIN.fullmatch(text))


def hospital_at(host: str) -> Hospital | None:
    """Return the hospital of a host name, or None: the caller answers 404."""
    name = bare_host(host)
    row = _recall(("host", name), lambda: HospitalHost.objects.filter(host=name))
    return getattr(row, "hospital", None)


def hospital_of_widget(key: str) -> Hospital | None:
    """Return the hospital of a public widget key in use."""
    return getattr(widget_at(key), "hospital", None)


def widget_at(key: str) -> WidgetKey | None:
    """Return a public widget key in use."""
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
    """Whether an address is of a network that the served hospital lists as its own."""
    hospital_id, now = current_hospital_id(), monotonic()
    at, known = _own.get(hospital_id, (0.0, ()))
    if hospital_id and not (at and now - at < REMEMBERED):
        _own[hospital_id] = (now, known)  # One looks; the others wait for no database.
        known = tuple(OwnNetwork.objects.values_list("network", flat=True))
        _own[hospital_id] = (now, known)
    return is_trusted(address, networks(known))


def forget_hosts() -> None:
    """Forget what was remembered; for tests and for changes that must be seen at once."""
    _remembered.clear()
    _own.clear()


class HospitalSockets:
    """Accept sockets of a known host from its own pages, or from a widget's allowed origins."""

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
    """Return the hospital that a socket may talk to, if its origin is allowed."""
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
    """Return a value of the query by which a socket was opened; empty where there is none."""
    query = scope.get("query_string", b"").decode("latin1")
    return parse_qs(query).get(name, [""])[0]


def host_of(origin: str) -> str:
    """Return the host of a page's origin; empty, which is nobody's, when it is no address."""
    try:
        return bare_host(urlsplit(origin).netloc)
    except ValueError:
        return ""


def origin_of_widget(key: str, origin: str, headers: dict[str, str]) -> bool:
    """Whether a widget may speak: its frame is ours, or its origin is on the key's list."""
    if host_of(origin) == bare_host(headers.get("host", "")):
        return True
    row = widget_at(key)
    return bool(row and origin in row.origins)
