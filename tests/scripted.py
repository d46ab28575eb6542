"""An endpoint in OpenAI's form that says what it is told to: for tests and benchmarks.

It is asked over real HTTP, so that what is tested is what will run: client, time-outs, streaming.
"""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Line:
    """What the endpoint does with one request."""

    text: str = ""
    status: int = 200
    #: Seconds before the first byte, and between two pieces of a stream.
    delay: float = 0.0
    pause: float = 0.0
    #: Pieces after which the connection is cut; -1 for never.
    cut_after: int = -1
    #: Why the model ends; "content_filter" for a refusal.
    finish: str = "stop"
    #: Whether the line is then reset, which the other side learns while it reads.
    reset: bool = False
    #: Sent instead of a well-formed answer.
    raw: str = ""
    #: The same in pieces, of a reply that never says how long it is, with `pause` between them.
    parts: tuple[bytes, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    #: Options that the endpoint does not know: refused with 400.
    unknown: frozenset[str] = frozenset()


Script: TypeAlias = Callable[[dict[str, Any]], Line] | Iterable[str | Line]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    #: Callers who may connect at the same moment; the default of 5 makes the others try again.
    request_queue_size = 256

    def shutdown_request(self, request: Any) -> None:
        """Close at once: a line that is to be reset is, and is not ended first."""
        self.close_request(request)


class ScriptedEndpoint:
    """Plays its lines in order, or asks a function; remembers every request put to it."""

    def __init__(self, script: Script = ()) -> None:
        self.requests: list[dict[str, Any]] = []
        #: Models that have a script of their own, and what they are asked.
        self.beside: dict[str, Callable[[dict[str, Any]], Line]] = {}
        self.asked_beside: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        self._script = script if callable(script) else _in_order(script)
        self.server = _Server(("127.0.0.1", 0), type("Bound", (_Handler,), {"at": self}))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def play(self, script: Script) -> None:
        """Go on with another script."""
        self._script = script if callable(script) else _in_order(script)

    def next_line(self, request: dict[str, Any]) -> Line:
        with self._lock:
            if own := self.beside.get(request["model"]):
                self.asked_beside.append(request)
                return own(request)
            self.requests.append(request)
            return self._script(request)


def _in_order(lines: Iterable[str | Line]) -> Callable[[dict[str, Any]], Line]:
    waiting = list(lines)

    def line(request: dict[str, Any]) -> Line:
        if not waiting:
            return Line(status=500, raw="the script has no more lines")
        first = waiting.pop(0)
        return Line(first) if isinstance(first, str) else first

    return line


@contextmanager
def scripted_endpoint(script: Script = ()) -> Iterator[ScriptedEndpoint]:
    """Serve a script on a port of this machine while the block runs."""
    endpoint = ScriptedEndpoint(script)
    thread = threading.Thread(target=endpoint.server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.server.shutdown()
        endpoint.server.server_close()
        thread.join()


def llm_at(
    endpoint: ScriptedEndpoint, *tiers: str, name: str = "primary", **more: Any
) -> dict[str, Any]:
    """Return settings of a hospital whose models, one for each tier, are at an endpoint."""
    here = {"name": name, "api_key": "", "base_url": endpoint.url}
    named = tiers or ("fast", "standard", "primary", "escalation")
    models = {tier: {"model": f"tiny-{tier}", "temperature": 0.2} for tier in named}
    return {"endpoints": [here], "tiers": models | more}


class _Handler(BaseHTTPRequestHandler):
    at: ScriptedEndpoint
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep quiet: what was asked is in `requests`."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        line = self.at.next_line(request)
        time.sleep(line.delay)
        try:
            self._answer(request, line)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _answer(self, request: dict[str, Any], line: Line) -> None:
        if refused := line.unknown & request.keys():
            name = min(refused)
            complaint = {"message": f"Unsupported parameter: '{name}'", "param": name}
            self._send(400, json.dumps({"error": complaint}))
        elif line.status != 200:
            said = line.raw or '{"error": {"message": "scripted"}}'
            self._send(line.status, said, line.headers)
        elif line.parts:
            self._begin(request)
            for part in line.parts:
                self._say(part, line.pause)
        elif line.raw:
            self._send(200, line.raw)
        elif request.get("stream"):
            self._stream(request, line)
        else:
            self._send(200, json.dumps(whole(request, line)))

    def _begin(self, request: dict[str, Any]) -> None:
        kind = "text/event-stream" if request.get("stream") else "application/json"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def _say(self, data: bytes, pause: float) -> None:
        self.wfile.write(data)
        self.wfile.flush()
        time.sleep(pause)

    def _send(self, status: int, body: str, headers: Mapping[str, str] = {}) -> None:
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, request: dict[str, Any], line: Line) -> None:
        self._begin(request)
        for count, event in enumerate(events(request, line)):
            if count == line.cut_after:
                self._hang_up(line)
                return
            self._say(f"data: {json.dumps(event)}\n\n".encode(), line.pause)
        self.wfile.write(b"data: [DONE]\n\n")

    def _hang_up(self, line: Line) -> None:
        if line.reset:
            # Closed without a linger, TCP says that it was reset.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def whole(request: dict[str, Any], line: Line) -> dict[str, Any]:
    """Return an answer in one piece."""
    message = {"role": "assistant", "content": line.text}
    choice = {"index": 0, "message": message, "finish_reason": line.finish}
    return {
        **_frame(request, "chat.completion"),
        "choices": [choice],
        "usage": usage(request, line),
    }


def events(request: dict[str, Any], line: Line) -> Iterator[dict[str, Any]]:
    """Yield an answer word by word, then why it ends, then what it cost."""
    frame = _frame(request, "chat.completion.chunk")
    for word in line.text.splitlines(keepends=True):
        for piece in word.replace(" ", " \0").split("\0"):
            delta = {"role": "assistant", "content": piece}
            yield frame | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield frame | {"choices": [{"index": 0, "delta": {}, "finish_reason": line.finish}]}
    if (request.get("stream_options") or {}).get("include_usage"):
        yield frame | {"choices": [], "usage": usage(request, line)}


def usage(request: dict[str, Any], line: Line) -> dict[str, int]:
    """Count words, which is near enough to tokens for an account."""
    asked = sum(len(str(message["content"]).split()) for message in request["messages"])
    told = len(line.text.split())
    return {"prompt_tokens": asked, "completion_tokens": told, "total_tokens": asked + told}


def _frame(request: dict[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "scripted", "object": kind, "created": 0, "model": request["model"]}
