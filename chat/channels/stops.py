"""Answer what must be answered at once before any queue: emergencies, attacks, decisions of staff.

All of it runs beside the turns (`zol.bridge.in_lane`, `in_front`), from what the process has at
hand.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from chat import services
from chat.channels.frames import presented
from chat.channels.protocol import TurnListener, TurnRequest, accepted
from chat.models import Conversation, Message
from chat.safety.emergencies.phrases import red_flags_of
from chat.services import TurnResult
from chat.turn import Exchange, Turn
from taxonomy.publishing.live import answering_from, snapshot_at_hand, snapshot_in_memory
from zol.bridge import Begin, in_front, in_lane
from zol.errors import ExpectedError

logger = logging.getLogger(__name__)


def way_of(question: str) -> Begin:
    """Return where to look at a question: words of an emergency go before all others.

    Reads memory alone, a fifth of a millisecond, so that the event loop may ask.
    """
    snapshot = snapshot_in_memory()
    is_urgent = snapshot is not None and snapshot.derived(red_flags_of).signs(question)
    return in_front if is_urgent else in_lane


def stop_in(conversation: Conversation, asked: TurnRequest, running: str = "") -> TurnResult | None:
    """Return the answer where a question of a conversation stops its turn; the question that is
    still being answered comes before it."""

    def turn() -> Turn:
        turn = services.turn_of(conversation, asked.question, asked.mode, asked.wishes)
        before = (Exchange(running, "", ()),) if running else ()
        return replace(turn, history=(*turn.history, *before))

    return _looked(turn)


def stop_of(turn: Turn) -> TurnResult | None:
    """Return the answer where a question that is not kept stops its turn."""
    return _looked(lambda: turn)


def tell_stop(
    listener: TurnListener, conversation: Conversation, asked: TurnRequest, stopped: TurnResult
) -> Message:
    """Store a question that stopped its turn, and send its frames to whoever listens."""
    with at_hand():
        message = services.keep_stop(
            conversation, asked.question, asked.mode, asked.wishes, stopped
        )
        listener.send(accepted(message, conversation))
        listener.send({"type": "answer", **presented(message)})
    return message


@contextmanager
def at_hand() -> Iterator[None]:
    """Answer from a version that is in memory, and never wait for a newer one."""
    with answering_from(snapshot_at_hand()):
        yield


def _looked(turn: Callable[[], Turn]) -> TurnResult | None:
    """Look whether a question stops its turn; where that fails, the turn itself looks again."""
    try:
        with at_hand():
            return services.stop_of(turn())
    except ExpectedError:
        return None
    except Exception:
        logger.exception("A question was not looked at before its turn")
        return None
