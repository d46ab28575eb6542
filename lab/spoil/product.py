"""The product in a process of its own, and a visitor who asks it over HTTP."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.paths import ROOT

#: Seconds that the product may take to be ready, and that a visitor waits for an answer.
READY, PATIENCE = 400.0, 120.0


@dataclass(frozen=True, slots=True)
class Seen:
    """What a visitor got of one turn."""

    answer: Mapping[str, Any] = field(default_factory=dict)
    #: Names of the frames, in order.
    frames: Sequence[str] = ()
    error: str = ""
    seconds: float = 0.0

    @property
    def text(self) -> str:
        return str(self.answer.get("text", ""))

    @property
    def is_whole(self) -> bool:
        return bool(self.text.strip()) and not self.error and "retract" not in self.frames


def ask(base: str, slug: str, question: str, known: Mapping[str, Any] | None = None) -> Seen:
    """Ask a question as the page does; `known` is the answer before it in the conversation."""
    body = {"question": question}
    if known and known.get("conversation"):
        body |= {"conversation": known["conversation"], "secret": known["secret"]}
    headers = {
        "Content-Type": "application/json", "Accept": "text/event-stream",
        "Host": f"{slug}.localhost", "Accept-Language": "nl",
    }  # fmt: skip
    request = urllib.request.Request(  # noqa: S310 (our own address)
        f"{base}/api/v1/chat", json.dumps(body).encode(), headers
    )
    begun, error = time.monotonic(), ""
    frames: list[Mapping[str, Any]] = []
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:  # noqa: S310
            frames.extend(json.loads(line[5:]) for line in response if line.startswith(b"data:"))
    except urllib.error.HTTPError as failure:
        code = re.search(r'"code": *"(\w+)"', failure.read().decode(errors="replace"))
        error = f"{failure.code} {code[1] if code else ''}".strip()
    except OSError as failure:
        error = repr(failure)
    return seen_in(frames, error, time.monotonic() - begun)


def seen_in(frames: Sequence[Mapping[str, Any]], error: str, seconds: float) -> Seen:
    """Return what came of a turn, by the frames that told of it."""
    names = tuple(str(frame.get("type", "")) for frame in frames)
    answer: dict[str, Any] = {}
    for frame in frames:
        if frame.get("type") in {"accepted", "answer"}:
            answer |= frame
    codes = [str(frame.get("code", "error")) for frame in frames if frame.get("type") == "error"]
    error = error or next(iter(codes), "" if "answer" in names else "no answer")
    return Seen(answer, names, error, seconds)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def product(state: Path, url: str, environment: Mapping[str, str]) -> Iterator[str]:
    """Serve the product with its model at an address; yields the product's own address.

    Without an address of a model it is the embedded engine.
    """
    port = free_port()
    own = {
        "STATE_DIR": str(state.resolve()), "PORT": str(port), "WEB_PROCESSES": "1", "DEBUG": "on",
        "RATE_LIMITS": "", "LOG_LEVEL": "WARNING",
        **({"OPENAI_API_KEY": "recorded", "OPENAI_BASE_URL": url} if url else {}),
        **environment,
    }  # fmt: skip
    log = state / "log" / "spoil.log"
    log.parent.mkdir(exist_ok=True)
    with log.open("ab") as file:
        process = subprocess.Popen(  # noqa: S603 (our own program)
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env={**os.environ, **own},
            stdout=file,
            stderr=file,
        )
    base = f"http://127.0.0.1:{port}"
    try:
        _wait(base, process, log)
        yield base
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait(base: str, process: subprocess.Popen[bytes], log: Path) -> None:
    begun = time.monotonic()
    while time.monotonic() - begun < READY:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{base}/health/ready", timeout=5):  # noqa: S310
                return
        except (OSError, urllib.error.URLError):
            time.sleep(0.3)
    raise RuntimeError(f"The product did not become ready; see {log}")
