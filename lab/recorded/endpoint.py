"""An endpoint in OpenAI's form over real HTTP, whose replies a player gives."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from lab.recorded.requests import Request

#: Letters of a piece of a stream, and those that pass for a token.
PIECE, TOKEN = 12, 4
#: Seconds that a silent endpoint holds a request, unless the caller hangs up.
SILENT = 30.0


@dataclass(frozen=True, slots=True)
class Reply:
    """What the endpoint sends."""

    text: str
    finish: str = "stop"
    #: The stream ends in the middle, without a reason.
    is_cut: bool = False
    #: Thinks, and says nothing.
    is_reasoning: bool = False
    #: Accepts the request, and says nothing.
    is_silent: bool = False
    #: Seconds before the first piece, and over which the others are spread.
    delay: float = 0.0
    lasts: float = 0.0


Player: TypeAlias = Callable[[Request], Reply]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    player: Player


@contextmanager
def endpoint(player: Player, port: int = 0) -> Iterator[str]:
    """Serve a player on this machine; yields the address to name as OPENAI_BASE_URL."""
    server = _Server(("127.0.0.1", port), _Handler)
    server.player = player
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


#: What of each plain type says least.
_LEAST: Mapping[str, Any] = {"string": "", "boolean": False, "array": [], "number": 0, "integer": 0}


def emptiest(schema: Mapping[str, Any], whole: Mapping[str, Any] | None = None) -> Any:
    """Return the smallest value that fits a schema: for a purpose that nobody recorded."""
    whole = whole or schema
    match schema:
        case {"$ref": str(name)}:
            return emptiest(whole["$defs"][name.rsplit("/", 1)[-1]], whole)
        case {"enum": [first, *_]} | {"const": first}:
            return first
        case {"anyOf": [first, *rest]}:
            is_optional = any(each.get("type") == "null" for each in (first, *rest))
            return None if is_optional else emptiest(first, whole)
        case {"type": "object"}:
            fields = schema.get("properties", {})
            return {name: emptiest(each, whole) for name, each in fields.items()}
    return _LEAST.get(str(schema.get("type")))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Keep quiet: the player counts what it was asked."""

    def do_GET(self) -> None:
        self._json({"object": "list", "data": [{"id": "recorded", "object": "model"}]})

    def do_POST(self) -> None:
        request = Request(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        reply = self.server.player(request)
        try:
            time.sleep(reply.delay)
            if reply.is_silent:
                self._wait()
            elif request.is_stream:
                self._stream(request, reply)
            elif reply.is_cut:
                self.close_connection = True
            else:
                self._whole(request, reply)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _wait(self) -> None:
        """Say nothing until the caller hangs up."""
        self.connection.settimeout(0.5)
        begun = time.monotonic()
        while time.monotonic() - begun < SILENT:
            try:
                if not self.connection.recv(1, socket.MSG_PEEK):
                    break
            except TimeoutError:
                continue
        self.close_connection = True

    def _whole(self, request: Request, reply: Reply) -> None:
        said = {"reasoning_content": reply.text, "content": None}
        message = {"role": "assistant", **(said if reply.is_reasoning else {"content": reply.text})}
        choice = {"index": 0, "finish_reason": reply.finish, "message": message}
        frame = self._frame(request, "chat.completion")
        self._json({**frame, "choices": [choice], "usage": usage(request, reply)})

    def _stream(self, request: Request, reply: Reply) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        frame = self._frame(request, "chat.completion.chunk")
        field = "reasoning_content" if reply.is_reasoning else "content"
        most = len(reply.text) * 2 // 3 if reply.is_cut else len(reply.text)
        # A long field comes in large pieces, as from an endpoint that is in a hurry.
        size = max(PIECE, len(reply.text) // 2_000)
        for start in range(0, most, size):
            time.sleep(reply.lasts * size / len(reply.text))
            delta = {field: reply.text[start : start + size]}
            self._event({**frame, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        if reply.is_cut:
            return
        end = [{"index": 0, "delta": {}, "finish_reason": reply.finish}]
        self._event({**frame, "choices": end})
        self._event({**frame, "choices": [], "usage": usage(request, reply)})
        self.wfile.write(b"data: [DONE]\n\n")

    def _frame(self, request: Request, kind: str) -> dict[str, Any]:
        return {
            "id": "recorded", "object": kind, "created": int(time.time()),
            "model": request.body.get("model", ""),
        }  # fmt: skip

    def _event(self, chunk: Mapping[str, Any]) -> None:
        self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.flush()

    def _json(self, value: Mapping[str, Any]) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def usage(request: Request, reply: Reply) -> dict[str, int]:
    asked = sum(len(str(each["content"])) for each in request.body["messages"]) // TOKEN
    told = len(reply.text) // TOKEN
    return {"prompt_tokens": asked, "completion_tokens": told, "total_tokens": asked + told}
