"""The running application, asked in this process: over its socket and over HTTP."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from channels.testing import HttpCommunicator, WebsocketCommunicator

from tests.answering import HOST, PATIENCE
from zol.models import Hospital
from zol.runtime.bridge import done_by
from zol.tenancy import serving

HEADERS = [(b"host", HOST.encode()), (b"origin", f"http://{HOST}".encode())]


async def connected(headers: Any = HEADERS, path: str = "/ws/chat/") -> Any:
    """Return a socket; None where it is refused."""
    from zol.asgi import application

    socket = WebsocketCommunicator(application, path, headers=headers)
    is_open, _ = await socket.connect(timeout=PATIENCE)
    return socket if is_open else None


async def frames(socket: Any, *kinds: str) -> list[dict[str, Any]]:
    """Return what comes until a frame of one of these kinds, or an error."""
    found: list[dict[str, Any]] = []
    while not found or found[-1]["type"] not in (*kinds, "error"):
        found.append(await socket.receive_json_from(timeout=PATIENCE))
    return found


async def told(socket: Any, *kinds: str, **sent: Any) -> dict[str, Any]:
    """Send a frame; return the first of these kinds, or the error."""
    await socket.send_json_to(sent)
    return (await frames(socket, *kinds))[-1]


async def asked(socket: Any, question: str, **more: Any) -> list[dict[str, Any]]:
    """Ask a question; return all frames until it is answered or refused."""
    await socket.send_json_to({"type": "ask", "question": question, "language": "nl"} | more)
    return await frames(socket, "answer")


async def called(
    method: str, path: str, body: bytes = b"", headers: Iterable[tuple[bytes, bytes]] = ()
) -> dict[str, Any]:
    """Return the whole reply to an HTTP request."""
    from zol.asgi import application

    length = (b"content-length", str(len(body)).encode())
    sent = HttpCommunicator(application, method, path, body, [HEADERS[0], length, *headers])
    await sent.send_input({"type": "http.request", "body": body})
    reply = {**await sent.receive_output(PATIENCE), "body": b""}
    while (part := await sent.receive_output(PATIENCE)).get("more_body"):
        reply["body"] += part.get("body", b"")
    reply["body"] += part.get("body", b"")
    await sent.wait()
    return reply


async def of_rows(work: Callable[[], Any]) -> Any:
    """Return what some work on the rows of the small hospital returns."""

    def served() -> Any:
        with serving(Hospital.objects.get(slug="azm-mini")):
            return work()

    return await done_by(partial(served))
