"""Limits to the size of requests, checked by the announced length and while data arrives.

Anonymous visitors may send as much as a question or a form needs, signed-in staff also files.
Daphne keeps a whole body in memory before it calls the application, so the limit is set here.
"""

from __future__ import annotations

import asyncio
import json
import logging
from importlib import import_module
from typing import Any

from daphne.http_protocol import HTTPFactory, WebRequest
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import InterfaceError, OperationalError
from django.utils import translation
from django.utils.translation import gettext as _

from zol.runtime.bridge import done_by

logger = logging.getLogger(__name__)

#: Maximum size of a body in bytes, and of one from staff.
MOST, MOST_FROM_STAFF = settings.DATA_UPLOAD_MAX_MEMORY_SIZE, 200 * 1024**2
#: Path prefix at which staff upload files.
UPLOADS = "/admin/"
#: Bytes and seconds for which a refused client may go on sending, so that it reads the refusal.
MOST_IGNORED, PATIENCE = 8 * 1024**2, 3.0


async def is_signed_in(session: str) -> bool:
    """Return whether a session is signed in."""
    store = import_module(settings.SESSION_ENGINE).SessionStore(session)
    try:
        return await done_by(lambda: SESSION_KEY in store)
    except (OperationalError, InterfaceError):
        logger.exception("The session cannot be checked while the database is away")
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


class LimitedRequest(WebRequest):  # type: ignore[misc]
    """Daphne's request, with a limit to the size of its body."""

    came, limit = 0, MOST
    is_refused = is_whole = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802 (Twisted's name)
        super().gotLength(length)
        if (length or 0) > (most_at(self._path()) if self._session() else MOST):
            self.refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        self.came += len(data)
        if self.is_refused:
            if self.came > MOST_IGNORED:
                self.channel.transport.abortConnection()
            return
        if self.came > self.limit:
            if not self._session() or self.limit == most_at(self._path()):
                self.refuse()
                return
            self.limit = MOST_FROM_STAFF
            self.channel._networkProducer.pauseProducing()
            self._asked = asyncio.ensure_future(self._ask())
        super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802
        self.is_whole = True
        # Twisted would parse forms too, which doubles their memory and is not needed.
        self._parsePOSTFormSubmission = False
        if not self.is_refused:
            super().requestReceived(command, path, version)

    def process(self) -> Any:
        # Only one path accepts WebSockets; elsewhere the request is a plain one.
        if self.path != b"/ws/chat/":
            self.requestHeaders.removeHeader(b"upgrade")
        return super().process()

    def refuse(self) -> None:
        self.is_refused, self.came = True, 0
        self.content.truncate(0)
        headers, body = refusal(self._path(), self.getHeader("accept-language") or "")
        lines = [b"HTTP/1.1 413 Content Too Large", *map(b": ".join, headers), b"", body]
        transport = self.channel.transport
        transport.write(b"\r\n".join(lines))
        transport.loseWriteConnection()
        asyncio.get_running_loop().call_later(PATIENCE, transport.abortConnection)

    async def _ask(self) -> None:
        may_upload = await is_signed_in(self._session())
        # Meanwhile the request may be complete, or the client gone.
        if self.channel and not self.is_whole:
            if not may_upload:
                self.refuse()
            self.channel._networkProducer.resumeProducing()

    def _path(self) -> str:
        # `self.path` is set only when the request is complete.
        return str(self.channel._path.decode("latin1"))

    def _session(self) -> str:
        name = settings.SESSION_COOKIE_NAME.encode()
        return str(self.received_cookies.get(name, b"").decode("latin1"))


class LimitedFactory(HTTPFactory):  # type: ignore[misc]
    """Daphne's factory, with limited requests."""

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = LimitedRequest
        return protocol
