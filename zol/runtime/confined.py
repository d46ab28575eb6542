"""Sandbox process for untrusted input: one input at a time, with limits of time and memory.

A hostile or broken file can exhaust a parser's memory or time, or crash it. Then only this process
ends, a new one is started, and only that input fails. The process imports nothing of Django, and
parsers only when they are needed: they take a second and much memory to import.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import IO, Any, cast

from zol.errors import OnlyImages, TooCostly, UnreadableDocument

#: Maximum seconds of a step of the work, or between two reports of progress.
LONGEST = 120.0
#: Bytes of memory for one input, with all the parsers.
MEMORY = 1536 * 1024**2
#: Inputs after which the process is replaced, as parsers leak some memory.
MOST_INPUTS = 50
#: Maximum size of an answer in bytes.
MOST_ANSWERED = 64 * 1024**2
#: Beginnings of the lines that come before the answer.
_MEANWHILE = b'{"told"', b'{"step"'
#: Errors that the process may report, by name.
_REASONS = {each.__name__: each for each in (UnreadableDocument, OnlyImages, TooCostly)}
ROOT = Path(__file__).resolve().parents[2]

Say = Callable[[Mapping[str, Any]], None]


def nobody(_said: str) -> None:
    """Ignore progress."""


class Confined:
    """A sandbox process, started on first use and again after it ended.

    It may use `memory` bytes, and is replaced after `most` inputs.
    """

    def __init__(self, memory: int = MEMORY, most: int = MOST_INPUTS) -> None:
        self._memory, self._most = memory, most
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = self._count = 0

    def ask(
        self,
        work: str,
        data: bytes,
        asked: Any,
        *,
        longest: float = LONGEST,
        tell: Callable[[str], None] = nobody,
    ) -> Any:
        """Call the function `work` ("module:name") in the process and return its result.

        It is called as `name(data, asked, say)`; `asked` and the result are JSON values. It may
        call `say({"told": text})` to report progress to `tell`, and `say({"step": name})` to begin
        a step with `longest` seconds of its own.

        :raises UnreadableDocument: with the reason.
        """
        head = {"work": work, "size": len(data), "asked": asked, "longest": longest}
        with self._lock:
            try:
                answer = self._answer(head, data, tell)
                if self._count >= self._most:
                    self.close()
            except BaseException:
                self.close()  # Its output could be taken for the next answer.
                raise
        if "reason" in answer:
            raise _REASONS[answer["error"]](answer["reason"])
        return answer["done"]

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()
            self._process.communicate()
        self._process = None

    def _answer(
        self, head: Mapping[str, Any], data: bytes, tell: Callable[[str], None]
    ) -> dict[str, Any]:
        process, step = self._running(), "Reading"
        questions, answers = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
        try:
            questions.write(json.dumps(head).encode() + b"\n" + data)
            questions.flush()
            line = answers.readline(MOST_ANSWERED)
            while line.startswith(_MEANWHILE):
                message = json.loads(line)
                step = message.get("step", step)
                if "told" in message:
                    tell(message["told"])
                line = answers.readline(MOST_ANSWERED)
        except BrokenPipeError:
            line = b""
        if line.endswith(b"\n"):
            answer: dict[str, Any] = json.loads(line)
            return answer
        process.poll() if line else process.wait()
        self.close()
        if process.returncode == -signal.SIGALRM:
            return _failed(TooCostly(f"{step} it took more than {head['longest']:g} seconds"))
        return _failed(TooCostly(f"The file ended its reader ({process.returncode})"))

    def _running(self) -> subprocess.Popen[bytes]:
        """Return the process, started if needed; never one inherited through a fork."""
        if self._owner != os.getpid():
            self.close()
        if self._process is None or self._process.poll() is not None:
            command = [sys.executable, "-c", f"import {__name__} as own; own.main()"]
            command.append(str(self._memory))
            self._process = subprocess.Popen(  # noqa: S603 (our own module)
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
            )
            self._owner, self._count = os.getpid(), 0
        self._count += 1
        return self._process


def _line(head: Mapping[str, Any], data: bytes, say: Say) -> bytes:
    module, _, name = head["work"].partition(":")
    try:
        done = getattr(import_module(module), name)(data, head["asked"], say)
        return json.dumps({"done": done}).encode()
    except UnreadableDocument as error:
        answer = _failed(error)
    except MemoryError:
        answer = _failed(
            TooCostly("Reading it needs more memory than one document may use: split it")
        )
    return json.dumps(answer).encode()


def _failed(error: UnreadableDocument) -> dict[str, Any]:
    return {"error": type(error).__name__, "reason": str(error)[:300]}


def main() -> None:
    """Process the inputs from standard input until it ends; answer each with a line of JSON."""
    limit = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # Output of a parser must not be taken for an answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while written := sys.stdin.buffer.readline():
        head = json.loads(written)

        def say(what: Mapping[str, Any], seconds: float = head["longest"]) -> None:
            answers.write(json.dumps(what).encode() + b"\n")
            answers.flush()
            # The kernel kills the process when the time of the step is over.
            signal.setitimer(signal.ITIMER_REAL, seconds)

        say({"step": "Reading"})
        line = _line(head, sys.stdin.buffer.read(head["size"]), say)
        signal.setitimer(signal.ITIMER_REAL, 0)
        answers.write(line + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
