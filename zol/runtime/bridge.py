"""Run turns in threads for asynchronous callers, and pass on what they emit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import partial
from threading import BoundedSemaphore
from typing import Any, TypeAlias, TypeVar

from django.db import connections

from zol.postgres.pool import own_connection
from zol.runtime.processor import computing

logger = logging.getLogger(__name__)

#: The turns that one process may have begun: those that wait for a model hold nothing, and of the
#: others no more compute at a moment than there are permits (`zol.runtime.processor`).
MOST_TURNS = 50
#: The turns that may wait until they can begin, a few seconds' work: who comes then is sent away.
MOST_WAITING = 120
#: Threads for the little that is done besides.
MOST_HELPERS = 4
#: Threads that look at questions, and that answer what sounds like an emergency: one of two looks
#: while the other stores, or waits for a database that is away.
MOST_IN_LANE = MOST_IN_FRONT = 2
turns = ThreadPoolExecutor(max_workers=MOST_TURNS, thread_name_prefix="turn")
lane, front = (
    ThreadPoolExecutor(max_workers=count, thread_name_prefix=name, initializer=own_connection)
    for name, count in (("lane", MOST_IN_LANE), ("front", MOST_IN_FRONT))
)
#: Threads of turns that wait for somebody else, beside the thread that goes on meanwhile.
waiting = ThreadPoolExecutor(MOST_TURNS + MOST_WAITING, thread_name_prefix="waiting")
helpers = ThreadPoolExecutor(max_workers=MOST_HELPERS, thread_name_prefix="helper")
room = BoundedSemaphore(MOST_TURNS + MOST_WAITING)

FINISHED = object()
T = TypeVar("T")
#: Has work done in a thread.
Begin: TypeAlias = Callable[[Callable[[], Any]], Future[Any]]
#: What is being emitted to somebody at the moment.
told: set[object] = set()


class ListenerGone(Exception):
    """Raised in work that emits after its listener is gone."""


class Full(Exception):
    """The process has as many turns as it can take; ask the visitor to retry."""


class Inbox:
    """Queue from a working thread to the event loop."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.events: asyncio.Queue[Any] = asyncio.Queue()
        self.is_open = True

    def emit(self, event: Any) -> None:
        if not self.is_open:
            raise ListenerGone
        self.loop.call_soon_threadsafe(self.events.put_nowait, event)

    async def waiting(self) -> list[Any]:
        """Return what came since it was looked at, at least one event."""
        found = [await self.events.get()]
        while not self.events.empty():
            found.append(self.events.get_nowait())
        return found

    def conclude(self, job: asyncio.Future[None]) -> None:
        job.exception()  # Looked at, or asyncio complains when nobody awaits the job.
        self.events.put_nowait(FINISHED)


async def emitted_by(
    work: Callable[[Callable[[Any], None]], object],
    join: Callable[[list[Any]], Iterable[Any]] = list,
    begin: Begin | None = None,
) -> AsyncGenerator[Any]:
    """Run ``work(emit)`` in a thread, and yield what it emits as it emits it.

    What came while the reader was busy is given to `join` together: it may make less of it. The
    work is begun in its turn, or as `begin` says.

    :raises Full: when it is no use to wait.
    """
    inbox = Inbox()
    job = asyncio.wrap_future((begin or in_turn)(partial(perform, work, inbox.emit)))
    told.add(inbox)
    job.add_done_callback(inbox.conclude)
    try:
        is_over = False
        while not is_over:
            waiting = await inbox.waiting()
            if is_over := waiting[-1] is FINISHED:
                waiting.pop()
            for event in join(waiting):
                yield event
        await job
    finally:
        inbox.is_open = False
        told.discard(inbox)


def in_turn(work: Callable[[], None]) -> Future[None]:
    """Run work in a thread, in order of arrival.

    :raises Full: when too many wait already.
    """
    take_room()
    begun = turns.submit(copy_context().run, with_permit, work)
    begun.add_done_callback(lambda _: room.release())
    return begun


def in_lane(work: Callable[[], T]) -> Future[T]:
    """Run work that must not wait for a turn."""
    return lane.submit(copy_context().run, tidily, work)


def in_front(work: Callable[[], T]) -> Future[T]:
    """Run work that must not wait for anything, not even for other checks of questions."""
    return front.submit(copy_context().run, tidily, work)


@contextmanager
def turn_here() -> Iterator[None]:
    """Do the work of a turn in this thread, as one of those that the process has in hand.

    :raises Full: when too many wait already.
    """
    take_room()
    try:
        with computing.held():
            yield
    finally:
        room.release()


def take_room() -> None:
    if not room.acquire(blocking=False):
        raise Full("Too many questions wait already")


def refuse_when_full() -> None:
    """Raise `Full` where a turn that comes now would be sent away."""
    take_room()
    room.release()


def with_permit(work: Callable[[], T]) -> T:
    with computing.held():
        return work()


def is_telling() -> bool:
    """Whether a turn is being streamed; call on the event loop."""
    return bool(told)


async def done_by(work: Callable[[], T]) -> T:
    """Do a little synchronous work in a thread, and return what it gives."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(helpers, copy_context().run, tidily, work)


def beside(work: Callable[[], T]) -> Callable[[], T]:
    """Begin work of a turn that waits for somebody else, and return what waits for its result.

    It knows the same hospital as the turn; meanwhile the turn goes on, and computes.
    """
    done = waiting.submit(copy_context().run, tidily, work)

    def result() -> T:
        with computing.lent():
            return done.result()

    return result


def soon(work: Callable[[], object]) -> None:
    """Run work in the background, in a thread of its own."""
    helpers.submit(copy_context().run, quietly, work)


def quietly(work: Callable[[], object]) -> None:
    """Run background work; log its failure."""
    try:
        tidily(work)
    except Exception:
        logger.exception("What was left to do afterwards failed")


def perform(work: Callable[[Callable[[Any], None]], object], emit: Callable[[Any], None]) -> None:
    tidily(lambda: work(emit))


def tidily(work: Callable[[], T]) -> T:
    """Do the work, then give the thread's database connections back."""
    try:
        return work()
    finally:
        for connection in connections.all(initialized_only=True):
            connection.close_if_unusable_or_obsolete()
