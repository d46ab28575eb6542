"""Work that any of several processes may take: whoever is free does what has waited longest.

A socket belongs to one web process, and chance decides to which: without this, visitors of one
process would wait in a row while its neighbour has nothing to do.

The queue is a pair of sockets that all processes inherit. What travels through it is one end of
another pair, made for one piece of work: the kernel gives it to exactly one taker, and each side
sees at once when the other is gone. There is no address that anybody else could connect to.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any

from zol.permits import Permits

#: Bytes of what is asked: a question, its visitor's cookies.
LONGEST = 1_000_000
#: Five seconds, as the kernel wants them: so long may whoever left the work keep its taker waiting.
PATIENCE = struct.pack("ll", 5, 0)
STOP = b"stop"
#: Seconds between two looks whether work is to be stopped: each is a chance for other threads to
#: take the processor for a while.
BETWEEN_LOOKS = 0.1


#: Of this process; None where there are no others.
queue: Queue | None = None


class AskerGone(Exception):
    """The process that left the work ended, or nobody there waits for it any more."""


class TakerGone(Exception):
    """The process that took the work ended before it was done."""


class Queue:
    """Work that waits for a process with time. Everything here returns at once."""

    def __init__(self, giving: socket.socket, taking: socket.socket) -> None:
        self._giving, self._taking = giving, taking
        for end in (giving, taking):
            end.settimeout(0)

    @classmethod
    def inherited(cls, giving: int, taking: int) -> Queue:
        return cls(socket.socket(fileno=giving), socket.socket(fileno=taking))

    def fileno(self) -> int:
        """Return what can be waited at until there is work."""
        return self._taking.fileno()

    def offer(self, work: Mapping[str, Any]) -> socket.socket | None:
        """Leave work to whoever is free first; return the line to them, or None if all is full."""
        try:
            ours, theirs = socket.socketpair()
        except OSError:
            return None
        with theirs:
            try:
                ours.settimeout(0)
                ours.sendall(json.dumps(work).encode() + b"\n")
                socket.send_fds(self._giving, [b"."], [theirs.fileno()])
            except OSError:
                ours.close()
                return None
        return ours

    def take(self) -> socket.socket | None:
        """Take what has waited longest; None if there is nothing, or others were quicker."""
        try:
            _, found, _, _ = socket.recv_fds(self._taking, 1, 1)
        except BlockingIOError:
            return None
        return socket.socket(fileno=found[0]) if found else None


class Taken:
    """A line to the process that left some work, for the thread that does it."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        # The kernel's own time-out: Python's would make a look at the line wait, too.
        line.settimeout(None)
        for way in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):
            line.setsockopt(socket.SOL_SOCKET, way, PATIENCE)
        self._said = b""
        self._next_look = 0.0

    def work(self) -> Any:
        """Return what is to be done; None when nobody waits for it any more."""
        while b"\n" not in self._said and len(self._said) < LONGEST:
            if not (piece := self._line.recv(65_536)):
                return None
            self._said += piece
        work, _, self._said = self._said.partition(b"\n")
        return json.loads(work)

    def emit(self, event: Mapping[str, Any]) -> None:
        """Tell something; raises `AskerGone` once nobody listens any more."""
        said = json.dumps(event, ensure_ascii=False).encode(errors="surrogatepass")
        try:
            self._line.sendall(said + b"\n")
        except OSError as error:
            raise AskerGone from error

    def is_stopped(self) -> bool:
        """Whether the other side wants the work to end, as of a moment ago."""
        if (now := monotonic()) >= self._next_look:
            self._next_look = now + BETWEEN_LOOKS
            with suppress(OSError):
                self._said += self._line.recv(1_024, socket.MSG_DONTWAIT)
        return STOP in self._said

    def close(self) -> None:
        self._line.close()


class Counter:
    """Where a process takes work while it has permits to spare. Lives on the event loop."""

    def __init__(
        self,
        queue: Queue,
        permits: Permits,
        begin: Callable[[socket.socket], object],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        """`begin` is given a line, and a permit that it has to give back."""
        self._queue, self._permits, self._begin, self._loop = queue, permits, begin, loop
        self._is_open = False
        permits.on_left_over = self._left_over
        self._open()

    def _open(self) -> None:
        self._is_open = True
        self._loop.add_reader(self._queue.fileno(), self._take)

    def _left_over(self) -> None:
        """In the thread that gave its permit back: begin what waits already."""
        # Once the loop has ended nothing is begun any more: what waits is for the other processes.
        if self._is_open or not self._loop.is_running() or not self._permits.take():
            return
        if line := self._queue.take():
            self._begin(line)
            return
        self._is_open = True
        with suppress(RuntimeError):  # The loop has ended.
            self._loop.call_soon_threadsafe(self._open)
        self._permits.give_back()

    def _take(self) -> None:
        if not self._permits.take():
            self._is_open = False
            self._loop.remove_reader(self._queue.fileno())
            # One may have been given back just before it could be seen that we are closed.
            if not self._permits.take():
                return
            self._open()
        line = self._queue.take()
        if line is None:
            self._permits.give_back()
        else:
            self._begin(line)


class Left:
    """A line to the process that takes our work. Lives on the event loop."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._loop = asyncio.get_running_loop()

    def stop(self) -> None:
        """Ask for the work to end."""
        with suppress(OSError):
            self._line.send(STOP)

    async def told(self) -> AsyncGenerator[list[Any], None]:
        """Yield what is told, all that waits together, until the taker closes the line."""
        said = b""
        try:
            while piece := await self._loop.sock_recv(self._line, 262_144):
                *whole, said = (said + piece).split(b"\n")
                if whole:
                    yield [json.loads(each) for each in whole]
        except ConnectionError:
            return
        finally:
            self._line.close()
