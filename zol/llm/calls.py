"""Run all model calls of a process on one event loop, each with a deadline and cancellable.

Callers are the threads of turns. Each waits on a queue until its deadline, so an endpoint that
hangs delays no other turn, and a turn that is stopped cancels its calls.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from zol.errors import CutShort, LLMError, LLMTimeout, LLMUnavailable
from zol.llm.attempts import ModelRequest, Race, failure_of
from zol.llm.base import Limits, Message, Meter
from zol.runtime.processor import computing

if TYPE_CHECKING:
    from zol.llm.openai import OpenAIModel

#: Seconds that a call may take to end after its deadline or cancellation.
GRACE = 0.3


class CallLoop:
    """The event loop of the calls, in its own thread; a forked process makes a new one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._made_by = 0
        self._loop: asyncio.AbstractEventLoop

    def get(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._made_by != os.getpid():
                self._made_by, self._loop = os.getpid(), asyncio.new_event_loop()
                Thread(target=self._loop.run_forever, name="models", daemon=True).start()
            return self._loop


loop = CallLoop()


def close_later(close: Callable[[], Awaitable[None]]) -> None:
    """Close a client on the event loop of its connections."""
    running = loop.get()
    running.call_soon_threadsafe(lambda: running.create_task(close()))  # type: ignore[arg-type]


class Running:
    """A coroutine on the event loop of the calls; `over` is called with its exception, or None."""

    def __init__(
        self, work: Coroutine[Any, Any, None], over: Callable[[BaseException | None], None]
    ) -> None:
        self._loop, self._work, self._over = loop.get(), work, over
        self._loop.call_soon_threadsafe(self._begin)

    def cancel(self) -> None:
        self._loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        self._task.cancel()

    def _begin(self) -> None:
        self._task = self._loop.create_task(self._work)
        self._task.add_done_callback(
            lambda task: self._over(None if task.cancelled() else task.exception())
        )


class TierModels:
    """The models of a tier, one at each endpoint, in order of preference.

    The next one is asked too when one fails before its first word or has sent nothing for `hedge`
    seconds (0: only when it fails). The whole answer is that of the first model to answer.
    """

    def __init__(
        self,
        models: Sequence[OpenAIModel],
        *,
        hedge: float = 0.0,
        slots: asyncio.Semaphore | None = None,
    ) -> None:
        self.models = tuple(models)
        self._hedge = hedge or None
        self._slots = slots or asyncio.Semaphore(1_000)

    def reply(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        limits: Limits = Limits(),
        meter: Meter | None = None,
    ) -> str:
        return "".join(self._pieces(asked(messages, schema, limits, meter, is_whole=True)))

    def stream(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        limits: Limits = Limits(),
        meter: Meter | None = None,
    ) -> Iterator[str]:
        yield from self._pieces(asked(messages, schema, limits, meter, is_whole=False))

    def _pieces(self, request: ModelRequest) -> Iterator[str]:
        """Yield the pieces of the answer in the caller's thread."""
        stop = request.meter.stop
        stop.refuse()
        queue: SimpleQueue[str | BaseException | None] = SimpleQueue()
        running = Running(self._answer(request, queue.put), queue.put)
        is_over = False
        try:
            with stop.notifying(running.cancel):
                while not is_over:
                    found = _next(queue, request)
                    is_over = not isinstance(found, str)
                    if isinstance(found, BaseException):
                        raise found
                    if found:
                        yield found
            stop.refuse()
        finally:
            running.cancel()
            # Wait until the call is in the meter.
            with suppress(Empty):
                while not is_over:
                    is_over = not isinstance(queue.get(timeout=GRACE), str)

    async def _answer(self, request: ModelRequest, put: Callable[[str], None]) -> None:
        """Pass on the answer of the first model to answer, within the limits."""
        try:
            async with asyncio.timeout_at(request.ends_at), self._slots:
                attempt, piece = await Race(self.models, request, self._hedge).first()
                failure = ""
                try:
                    while piece:
                        put(piece)
                        if attempt.words.is_complete:
                            break
                        async with asyncio.timeout(request.limits.stall):
                            piece = await attempt.next()
                except LLMUnavailable as error:
                    failure = CutShort.__name__
                    raise CutShort(str(error)) from None
                except (LLMError, TimeoutError, asyncio.CancelledError) as error:
                    failure = failure_of(error, request)
                    raise
                finally:
                    await attempt.close(failure)
        except TimeoutError:
            raise LLMTimeout(f"No answer ({request.purpose}) in time") from None


def asked(
    messages: Sequence[Message],
    schema: Mapping[str, Any] | None,
    limits: Limits,
    meter: Meter | None,
    *,
    is_whole: bool,
) -> ModelRequest:
    """Return a request that begins now; its deadline is at most that of the turn."""
    meter, now = meter or Meter(), monotonic()
    ends_at = min(now + limits.seconds, meter.ends_at)
    first_by = ends_at if is_whole else min(now + limits.patience, ends_at)
    return ModelRequest(messages, schema, limits, meter, is_whole, first_by, ends_at)


def _next(
    queue: SimpleQueue[str | BaseException | None], request: ModelRequest
) -> str | BaseException | None:
    """Wait for the next piece; meanwhile another turn can compute."""
    with suppress(Empty):
        return queue.get_nowait()
    try:
        with computing.lent():
            return queue.get(timeout=max(0.0, request.ends_at - monotonic()) + GRACE)
    except Empty:
        raise LLMTimeout(f"No answer ({request.purpose}) in time") from None
