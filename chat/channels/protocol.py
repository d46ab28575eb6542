"""Messages of the chat's protocol (docs/protocol.md), and immediate answers.

Emergencies, attacks and interventions are answered from memory, without waiting for a turn
(`as_check` and `as_urgent` of `zol.runtime.bridge`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from chat import services
from chat.channels.frames import frame_of, presented
from chat.models import Conversation, Message
from chat.safety.emergencies.phrases import red_flags_of
from chat.services import Later, TurnRequest, TurnResult
from chat.turn import Exchange, Turn
from taxonomy.publishing.live import answering_from, snapshot_at_hand, snapshot_in_memory
from zol.errors import ExpectedError
from zol.runtime.bridge import Begin, ListenerGone, as_check, as_urgent, quietly
from zol.runtime.stopping import Stop, stopped_by

PROTOCOL = 1
LONGEST_QUESTION = 1_000
LONGEST_FRAME = 8_192
logger = logging.getLogger(__name__)


class TurnListener:
    """The receiver of a turn's frames. It may disconnect, or stop the turn."""

    def __init__(self) -> None:
        self.emit: Any = None
        self.stopping = Stop()
        self._progress: dict[str, Any] | None = None

    def stop(self) -> None:
        self.stopping.set()

    def send(self, frame: dict[str, Any] | None) -> None:
        self.stopping.refuse()
        if frame is None or self.emit is None:
            return
        if frame["type"] == "progress":
            # Several stages share a phase.
            before, self._progress = self._progress, frame
            if before == frame:
                return
        try:
            self.emit(frame)
        except ListenerGone:
            self.emit = None


def key_of(text: Any) -> UUID | None:
    """Return the message id in a visitor's text; None if it is none."""
    try:
        return UUID(text) if isinstance(text, str) else None
    except ValueError:
        return None


def coalesced(frames: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Coalesce queued frames: keep the last of consecutive progress frames and join consecutive
    tokens."""
    for kind, group in groupby(frames, key=itemgetter("type")):
        if kind == "progress":
            *_, last = group
            yield last
        elif kind == "token":
            yield {"type": kind, "text": "".join(frame["text"] for frame in group)}
        else:
            yield from group


def converse(
    listener: TurnListener, conversation: Conversation, asked: TurnRequest, later: Later = quietly
) -> Message:
    """Answer one question and send every frame to the listener, the whole answer last.

    Remaining work is passed to `later` after the answer was sent.
    """
    afterwards: list[Callable[[], None]] = []
    with stopped_by(listener.stopping):
        message = services.answer(
            conversation,
            asked,
            emit=lambda event: listener.send(frame_of(event)),
            on_created=lambda row: listener.send(accepted(row, conversation)),
            later=afterwards.append,
        )
    listener.send({"type": "answer", **presented(message)})
    for work in afterwards:
        later(work)
    return message


def accepted(message: Message, conversation: Conversation) -> dict[str, Any]:
    """Return the frame that confirms a question, with the ids to resume it by."""
    return {
        "type": "accepted",
        "protocol": PROTOCOL,
        "message": str(message.pk),
        "conversation": str(conversation.pk),
        "secret": conversation.secret,
    }


def queue_for(question: str) -> Begin:
    """Return the queue in which to check a question: red flags go before all others.

    It reads memory only (0.2 ms), so the event loop may call it.
    """
    snapshot = snapshot_in_memory()
    is_urgent = snapshot is not None and snapshot.derived(red_flags_of).signs(question)
    return as_urgent if is_urgent else as_check


def stop_in(conversation: Conversation, asked: TurnRequest, running: str = "") -> TurnResult | None:
    """Return the immediate answer to a question of a conversation; None if it needs a turn.

    `running` is a question that is still being answered: it counts as the exchange before.
    """

    def turn() -> Turn:
        turn = services.turn_of(conversation, asked)
        before = (Exchange(running, "", ()),) if running else ()
        return replace(turn, history=(*turn.history, *before))

    return stop_of(turn)


def stop_of(turn: Callable[[], Turn]) -> TurnResult | None:
    """Return the immediate answer; None if it needs a turn, which repeats a check that failed."""
    try:
        with answering_from_memory():
            return services.stop_of(turn())
    except ExpectedError:
        return None
    except Exception:
        logger.exception("The check before a turn failed")
        return None


def send_stop(
    listener: TurnListener, conversation: Conversation, asked: TurnRequest, stopped: TurnResult
) -> Message:
    """Store a question with its immediate answer, and send its frames."""
    with answering_from_memory():
        message = services.keep_stop(conversation, asked, stopped)
        listener.send(accepted(message, conversation))
        listener.send({"type": "answer", **presented(message)})
    return message


@contextmanager
def answering_from_memory() -> Iterator[None]:
    """Answer from a version in memory, without waiting for a newer one."""
    with answering_from(snapshot_at_hand()):
        yield
