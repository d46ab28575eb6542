"""Limits of what a request may bring: refused by its announced length, and while it comes.

Strangers may send as much as a question or a form needs, staff who are signed in also files.
`LimitedBodies` holds for every ASGI server. Daphne keeps a whole body in memory before it calls
the application, so there `LimitedRequest` refuses it first.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import MutableMapping
from importlib import import_module
from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core.exceptions import RequestAborted
from django.db import InterfaceError, OperationalError
from django.utils import translation
from django.utils.translation import gettext as _

from zol.runtime.bridge import done_by

logger = logging.getLogger(__name__)
Event = MutableMapping[str, Any]

#: Bytes of a body, and of one with files from staff.
MOST, MOST_FROM_STAFF = settings.DATA_UPLOAD_MAX_MEMORY_SIZE, 200 * 1024**2
#: Where staff send files.
UPLOADS = "/admin/"
#: Bytes that are taken and thrown away, and seconds, so that whoever still sends reads the refusal.
MOST_IGNORED, PATIENCE = 8 * 1024**2, 3.0


async def is_signed_in(session: str) -> bool:
    """Return whether a session is signed in."""
    store = import_module(settings.SESSION_ENGINE).SessionStore(session)
    try:
        return await done_by(lambda: SESSION_KEY in store)
    except (OperationalError, InterfaceError):
        logger.exception("Nobody can be known while the database is away")
        return False


def most_at(path: str) -> int:
    return MOST_FROM_STAFF if path.startswith(UPLOADS) else MOST


def refusal(path: str, languages: str) -> tuple[list[tuple[bytes, bytes]], bytes]:
    """Return headers and body of a 413, in the first language of `Accept-Language`."""
    code = languages[:2].lower()
    is_known = code in dict(settings.LANGUAGES)
    with translation.override(code if is_known else settings.LANGUAGE_CODE):
        text = _(
            "This is larger than the %d MB that can be sent here, and nothing was "
            "stored: send less."
        )
        text %= most_at(path) // 1024**2
    kind, body = b"text/plain; charset=utf-8", text
    if path.startswith("/api/"):
        kind, body = b"application/json", json.dumps({"code": "too_large", "message": text})
    data = body.encode()
    headers = {b"content-type": kind, b"content-length": b"%d" % len(data), b"connection": b"close"}
    return list(headers.items()), data


class LimitedBodies:
    """An ASGI application that is given no body larger than may be sent."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Event, receive: Any, send: Any) -> None:
        said = {name.lower(): value.decode("latin1") for name, value in scope["headers"]}
        length, limit = said.get(b"content-length", ""), most_at(scope["path"])
        came = 0

        async def limited() -> Event:
            nonlocal came
            event: Event = await receive()
            came += len(event.get("body", b""))
            if came > limit:
                raise RequestAborted  # Django ends at that, and says nothing.
            return event

        if not (length.isdecimal() and int(length) > limit):
            await self.application(scope, limited, send)
            if came <= limit:
                return
        headers, body = refusal(scope["path"], said.get(b"accept-language", ""))
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": body})


class LimitedRequest(WebRequest):  # type: ignore[misc]
    """A request at Daphne, of which no more is kept than may be sent."""

    came, limit = 0, MOST
    is_refused = is_whole = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802 (Twisted's name)
        super().gotLength(length)
        if (length or 0) > (most_at(self._where()) if self._session() else MOST):
            self.refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        self.came += len(data)
        if self.is_refused:
            if self.came > MOST_IGNORED:
                self.channel.transport.abortConnection()
            return
        if self.came > self.limit:
            if not self._session() or self.limit == most_at(self._where()):
                self.refuse()
                return
            self.limit = MOST_FROM_STAFF
            self.channel._networkProducer.pauseProducing()
            self._asked = asyncio.ensure_future(self._ask())
        super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802
        self.is_whole = True
        # Twisted's own look at forms takes their memory twice, and nobody asks for it.
        self._parsePOSTFormSubmission = False
        if not self.is_refused:
            super().requestReceived(command, path, version)

    def process(self) -> Any:
        # Sockets are at one path; at any other they find no page.
        if self.path != b"/ws/chat/":
            self.requestHeaders.removeHeader(b"upgrade")
        return super().process()

    def refuse(self) -> None:
        self.is_refused, self.came = True, 0
        self.content.truncate(0)
        headers, body = refusal(self._where(), self.getHeader("accept-language") or "")
        lines = [b"HTTP/1.1 413 Content Too Large", *map(b": ".join, headers), b"", body]
        transport = self.channel.transport
        transport.write(b"\r\n".join(lines))
        transport.loseWriteConnection()
        asyncio.get_running_loop().call_later(PATIENCE, transport.abortConnection)

    async def _ask(self) -> None:
        is_welcome = await is_signed_in(self._session())
        # Whoever sent all of it meanwhile is being answered, and whoever left is gone.
        if self.channel and not self.is_whole:
            if not is_welcome:
                self.refuse()
            self.channel._networkProducer.resumeProducing()

    def _where(self) -> str:
        # Its own path is set only once all of it is there.
        return str(self.channel._path.decode("latin1"))

    def _session(self) -> str:
        name = settings.SESSION_COOKIE_NAME.encode()
        return str(self.received_cookies.get(name, b"").decode("latin1"))


class LimitedFactory(HTTPFactory):  # type: ignore[misc]
    """Daphne's, with requests that know limits."""

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = LimitedRequest
        return protocol
