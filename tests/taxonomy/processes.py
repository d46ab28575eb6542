"""Starts processes that take part in a test, and ends them, gently or not."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings

from tests.retrieval.ingestion.workers import own_environment
from zol.runtime.processes import wait_until as await_

#: Seconds; several processes that learn at once take their time on a machine that is busy.
LONGEST = 240.0


class Process:
    """A process and all that it has said so far."""

    def __init__(self, *arguments: Any) -> None:
        self.child = subprocess.Popen(
            [sys.executable, "-m", "tests.taxonomy.process", *map(str, arguments)],
            cwd=settings.BASE_DIR, env=own_environment(), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.said: list[dict[str, Any]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self.said.append(json.loads(line))

    def heard(self, key: str) -> list[dict[str, Any]]:
        return [each for each in list(self.said) if key in each]

    def wait_for(self, key: str, number: int = 1) -> None:
        assert wait_until(lambda: len(self.heard(key)) >= number), self.said

    def go(self) -> None:
        assert self.child.stdin is not None
        self.child.stdin.write("go\n")
        self.child.stdin.flush()

    def wait(self) -> None:
        self.child.wait(LONGEST)
        self._close()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.child.kill()
        self.child.wait()
        self._close()

    def _close(self) -> None:
        self._reader.join(5)
        for pipe in (self.child.stdin, self.child.stdout):
            if pipe is not None:
                pipe.close()


@contextmanager
def processes(*each: tuple[Any, ...]) -> Iterator[list[Process]]:
    """Run processes with these arguments until the block ends."""
    started = [Process(*arguments) for arguments in each]
    try:
        yield started
    finally:
        for process in started:
            process.kill()


def wait_until(is_so: Callable[[], bool], *, seconds: float = LONGEST) -> bool:
    return await_(is_so, seconds)
