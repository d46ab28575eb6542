"""Starts processes that take part in a test, and ends them, gently or not."""

import multiprocessing
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db import connection

from chat.question.examples import vector_store
from tests.taxonomy.process import work
from zol.runtime.processes import wait_until as await_

#: Seconds; several processes that learn at once take their time on a machine that is busy.
LONGEST = 240.0
#: They are forked from a process that has loaded the product, which takes seconds, and nothing else.
loaded = multiprocessing.get_context("forkserver")
loaded.set_forkserver_preload(["tests.taxonomy.process"])


class Process:
    """A process and all that it has said so far."""

    def __init__(self, *arguments: Any) -> None:
        self._line, theirs = loaded.Pipe()
        where = connection.settings_dict["NAME"], vector_store.folder
        self.child = loaded.Process(target=work, args=(theirs, *where, *arguments))
        self.child.start()
        theirs.close()
        self.said: list[dict[str, Any]] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        with suppress(EOFError, OSError):
            while True:
                self.said.append(self._line.recv())

    def heard(self, key: str) -> list[dict[str, Any]]:
        return [each for each in list(self.said) if key in each]

    def wait_for(self, key: str, number: int = 1) -> None:
        assert wait_until(lambda: len(self.heard(key)) >= number), self.said

    def go(self) -> None:
        self._line.send("go")

    def kill(self) -> None:
        """End it as a power cut would."""
        self.child.kill()
        self.child.join()
        self._reader.join(5)
        self._line.close()


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
