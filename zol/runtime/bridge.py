"""Run turns in threads for asynchronous callers, and pass on the events that they emit."""

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

#: Maximum number of running turns. Most wait for a model; permits limit those that compute
#: (`zol.runtime.processor`).
MOST_TURNS = 50
#: Maximum number of turns that wait to begin, a few seconds' work; further ones are refused.
MOST_WAITING = 120
#: Threads for short tasks besides turns.
MOST_HELPERS = 4
#: Threads that check incoming questions, and that answer emergencies. Two each: one can work while
#: the other stores, or waits for a database that is away.
MOST_CHECKS = MOST_URGENT = 2
turns = ThreadPoolExecutor(max_workers=MOST_TURNS, thread_name_prefix="turn")
checks, urgent = (
    ThreadPoolExecutor(max_workers=count, thread_name_prefix=name, initializer=own_connection)
    for name, count in (("check", MOST_CHECKS), ("urgent", MOST_URGENT))
)
#: Threads that wait for other services on behalf of turns, which go on meanwhile.
waiting = ThreadPoolExecutor(MOST_TURNS + MOST_WAITING, thread_name_prefix="waiting")
helpers = ThreadPoolExecutor(max_workers=MOST_HELPERS, thread_name_prefix="helper")
room = BoundedSemaphore(MOST_TURNS + MOST_WAITING)

FINISHED = object()
T = TypeVar("T")
#: Function that runs work in a thread.
Begin: TypeAlias = Callable[[Callable[[], Any]], Future[Any]]
#: Inboxes of the turns that are being streamed.
streaming: set[object] = set()


class ListenerGone(Exception):
    """Raised by `emit` after the listener is gone."""


class Full(Exception):
    """The process has no room for another turn; the visitor should try again later."""


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
        """Wait for an event; return it with all others that have arrived."""
        found = [await self.events.get()]
        while not self.events.empty():
            found.append(self.events.get_nowait())
        return found

    def conclude(self, job: asyncio.Future[None]) -> None:
        job.exception()  # Retrieved, or asyncio logs it when nobody awaits the job.
        self.events.put_nowait(FINISHED)


async def emitted_by(
    work: Callable[[Callable[[Any], None]], object],
    join: Callable[[list[Any]], Iterable[Any]] = list,
    begin: Begin | None = None,
) -> AsyncGenerator[Any]:
    """Run ``work(emit)`` in a thread, and yield what it emits as it emits it.

    Events that arrived while the reader was busy are passed through `join`, which may merge them.
    The work is started by `begin`, by default in order of arrival.

    :raises Full: when too many turns wait already.
    """
    inbox = Inbox()
    job = asyncio.wrap_future((begin or in_turn)(partial(perform, work, inbox.emit)))
    streaming.add(inbox)
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
        streaming.discard(inbox)


def in_turn(work: Callable[[], None]) -> Future[None]:
    """Run work in a thread, in order of arrival.

    :raises Full: when too many wait already.
    """
    take_room()
    begun = turns.submit(copy_context().run, with_permit, work)
    begun.add_done_callback(lambda _: room.release())
    return begun


def as_check(work: Callable[[], T]) -> Future[T]:
    """Run the check of a question, which must not wait for turns."""
    return checks.submit(copy_context().run, tidily, work)


def as_urgent(work: Callable[[], T]) -> Future[T]:
    """Run the answer to an emergency, which must wait neither for turns nor for checks."""
    return urgent.submit(copy_context().run, tidily, work)


@contextmanager
def turn_here() -> Iterator[None]:
    """Run a turn in this thread, counted like those that run in the pool.

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
    """Raise `Full` if another turn would be refused now."""
    take_room()
    room.release()


def with_permit(work: Callable[[], T]) -> T:
    with computing.held():
        return work()


def is_streaming() -> bool:
    """Return whether a turn is being streamed; call on the event loop."""
    return bool(streaming)


async def done_by(work: Callable[[], T]) -> T:
    """Run short synchronous work in a thread and return its result."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(helpers, copy_context().run, tidily, work)


def beside(work: Callable[[], T]) -> Callable[[], T]:
    """Start work that waits for another service, and return a function that waits for its result.

    It runs in the context of the turn, for the same hospital, while the turn goes on.
    """
    done = waiting.submit(copy_context().run, tidily, work)

    def result() -> T:
        with computing.lent():
            return done.result()

    return result


def soon(work: Callable[[], object]) -> None:
    """Run work in the background."""
    helpers.submit(copy_context().run, quietly, work)


def quietly(work: Callable[[], object]) -> None:
    """Run background work; log its failure."""
    try:
        tidily(work)
    except Exception:
        logger.exception("Background work failed")


def perform(work: Callable[[Callable[[Any], None]], object], emit: Callable[[Any], None]) -> None:
    tidily(lambda: work(emit))


def tidily(work: Callable[[], T]) -> T:
    """Run work, then close database connections that are unusable or obsolete."""
    try:
        return work()
    finally:
        for connection in connections.all(initialized_only=True):
            connection.close_if_unusable_or_obsolete()
