"""Where asynchronous code meets ours, which is not.

Django's own bridge runs all synchronous work of a process on one thread, so one visitor would wait
for another. Turns get threads of their own, and keep their database connection between turns.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from time import sleep
from typing import Any, TypeVar

from django.db import connections

from zol.permits import MOST_TURNS, computing

logger = logging.getLogger(__name__)

#: A thread for each turn that has begun, and some for the little that is done besides.
MOST_THREADS = MOST_TURNS + 2
threads = ThreadPoolExecutor(max_workers=MOST_THREADS, thread_name_prefix="turn")

FINISHED = object()
T = TypeVar("T")
#: What is being emitted to somebody at the moment.
told: set[object] = set()


class ListenerGone(Exception):
    """Raised where work emits, once nobody listens any more."""


class Inbox:
    """What a working thread emits, waiting to be read on the event loop."""

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
) -> AsyncGenerator[Any]:
    """Run ``work(emit)`` in a thread, and yield what it emits as it emits it.

    What came while the reader was busy is given to `join` together: it may make less of it.
    """
    inbox = Inbox()
    told.add(inbox)
    job = asyncio.wrap_future(in_turn(partial(perform, work, inbox.emit)))
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
    """Have work done in a thread, as soon as those who came before leave it a processor."""
    done: Future[None] = Future()
    run = copy_context().run

    def compute() -> None:
        if not done.set_running_or_notify_cancel():
            computing.give_back()
            return
        try:
            with computing.held():
                run(work)
        except BaseException as reason:  # noqa: BLE001 (told to whoever waits for it)
            done.set_exception(reason)
        else:
            done.set_result(None)

    computing.when_free(lambda: threads.submit(compute))
    return done


def ahead(work: Callable[[], T]) -> Future[T] | None:
    """Begin in a thread what will be needed in a moment; None where no permit to compute is left.

    So nobody waits for work that may turn out to have been for nothing. It may not ask the
    database, and what it fails with is told to nobody: whoever needs the outcome tries again.
    """
    if not computing.take():
        return None
    try:
        begun = threads.submit(_with_permit, work)
    except RuntimeError:
        # The process is ending: whoever needs it does it.
        computing.give_back()
        return None
    # Else Python changes threads after 5 ms only, when there is little left to do beside it.
    sleep(0)
    return begun


def _with_permit(work: Callable[[], T]) -> T:
    with computing.held():
        return work()


def take_on(carry_out: Callable[[], None]) -> None:
    """Do in a thread what another process left, with a permit that was taken for it."""

    def compute() -> None:
        try:
            with computing.held():
                quietly(carry_out)
        finally:
            told.discard(carry_out)

    told.add(carry_out)
    threads.submit(compute)


def is_telling() -> bool:
    """Whether somebody is being told what happens; ask on the event loop."""
    return bool(told)


async def done_by(work: Callable[[], T]) -> T:
    """Do a little synchronous work in a thread, and return what it gives."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(threads, copy_context().run, tidily, work)


def soon(work: Callable[[], object]) -> None:
    """Have work done that nobody waits for, in a thread of its own."""
    threads.submit(copy_context().run, quietly, work)


def quietly(work: Callable[[], object]) -> None:
    """Do work that nobody waits for: what goes wrong with it is told to the log alone."""
    try:
        tidily(work)
    except Exception:
        logger.exception("What was left to do afterwards failed")


def perform(work: Callable[[Callable[[Any], None]], object], emit: Callable[[Any], None]) -> None:
    tidily(lambda: work(emit))


def tidily(work: Callable[[], T]) -> T:
    """Do the work; give back database connections that are no longer good."""
    try:
        return work()
    finally:
        for connection in connections.all(initialized_only=True):
            connection.close_if_unusable_or_obsolete()
