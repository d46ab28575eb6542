"""What every socket knows before a consumer sees it: its hospital, channel and allowed origin."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

from channels.security.websocket import WebsocketDenier

from zol.bridge import done_by
from zol.hosts import bare_host, hospital_at, hospital_of_widget
from zol.models import Hospital, WidgetKey
from zol.visitors import visitor_of


class HospitalSockets:
    """Accept sockets of a known host from its own pages, or from a widget's allowed origins."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        hospital = await done_by(partial(admitted, scope))
        if hospital is None:
            return await WebsocketDenier()(scope, receive, send)
        channel = "widget" if widget_key(scope) else "web"
        known = {**scope, "hospital": hospital, "channel": channel, "visitor": visitor_of(scope)}
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
    query = scope.get("query_string", b"").decode("latin1")
    return parse_qs(query).get("widget", [""])[0]


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
    row = WidgetKey.objects.filter(key=key, is_active=True).first()
    return bool(row and origin in row.origins)
