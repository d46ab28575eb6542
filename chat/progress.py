"""How far an answer is, told no more often than somebody can read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeAlias

Frame: TypeAlias = dict[str, Any]
Say: TypeAlias = Callable[[Frame], Awaitable[None]]

#: Seconds between two words on how far an answer is.
BETWEEN = 0.1
#: Tasks that would be thrown away if nobody held them.
_telling: set[asyncio.Task[None]] = set()


async def paced(frames: AsyncGenerator[Frame], say: Say) -> AsyncGenerator[Frame]:
    """Yield all frames but progress, which is said at most every `BETWEEN` seconds.

    Progress that still waits when a text begins is said before it; when anything else comes, never.
    """
    progress = Progress(say)
    async with aclosing(frames):
        try:
            async for frame in frames:
                if frame["type"] == "progress":
                    await progress.tell(frame)
                    continue
                if frame["type"] == "token":
                    # The text may take long: until it ends, this is where the answer is.
                    await progress.tell_held()
                progress.drop()
                yield frame
        finally:
            progress.drop()


class Progress:
    """The last word on how far an answer is, which may have to wait a moment."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._loop = asyncio.get_running_loop()
        self._next = 0.0
        self._held: Frame | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def tell(self, frame: Frame) -> None:
        self._held = frame
        wait = self._next - self._loop.time()
        if wait <= 0:
            await self.tell_held()
        elif self._timer is None:
            self._timer = self._loop.call_later(wait, self._wake)

    async def tell_held(self) -> None:
        frame = self._held
        if frame is not None:
            self.drop()
            self._next = self._loop.time() + BETWEEN
            await self._say(frame)

    def drop(self) -> None:
        self._held = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _wake(self) -> None:
        self._timer = None
        task = self._loop.create_task(self.tell_held())
        _telling.add(task)
        task.add_done_callback(_told)


def _told(task: asyncio.Task[None]) -> None:
    _telling.discard(task)
    # Whoever cannot be told learns so from the next frame; asyncio would log what nobody looks at.
    if not task.cancelled():
        task.exception()
