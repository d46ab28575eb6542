"""A turn that another web process takes (`zol.sharing`): what it needs, and what came of it."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS

from chat import sessions
from chat.models import Conversation
from chat.pace import TooMany, Visitor, count_question
from chat.protocol import Asked, Listener, converse, joined, key_of
from chat.services import AlreadyAsked, Wishes
from chat.trace import TurnStopped
from zol import bridge, sharing
from zol.models import Hospital
from zol.permits import computing
from zol.sharing import AskerGone, Left, Taken, TakerGone
from zol.tenancy import serving

logger = logging.getLogger(__name__)
#: Of a conversation, what whoever left the turn goes on with, in the order of the model.
FIELDS = ("id", "hospital_id", "language", "channel", "secret")


@dataclass(frozen=True, slots=True)
class Job:
    """What a turn is begun with."""

    hospital: int
    channel: str
    visitor: Visitor
    asked: Asked
    #: What is known of the conversation (`FIELDS`); none was begun yet, if empty.
    conversation: Mapping[str, Any] = field(default_factory=dict)

    @property
    def plain(self) -> dict[str, Any]:
        return {
            "hospital": self.hospital,
            "channel": self.channel,
            "address": self.visitor.address,
            "cookies": dict(self.visitor.cookies),
            "question": self.asked.question,
            "language": self.asked.language,
            "mode": self.asked.mode,
            "message": str(self.asked.wishes.message or ""),
            "conversation": self.conversation,
        }

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> Job:
        wishes = Wishes(message=key_of(plain["message"]))
        return cls(
            plain["hospital"],
            plain["channel"],
            Visitor(plain["address"], plain["cookies"]),
            Asked(plain["question"], plain["language"], plain["mode"], wishes),
            plain["conversation"],
        )


def left_to_others(job: Job) -> Left | None:
    """Leave a turn to whichever process is free first, us among them.

    None where we have time at once, where there are no others, or nobody comes to take any more.
    """
    if sharing.queue is None or computing.is_free:
        return None
    line = sharing.queue.offer(job.plain)
    return None if line is None else Left(line)


async def told_by_others(
    left: Left, listener: Listener, begin: Callable[[Conversation], None]
) -> AsyncGenerator[dict[str, Any]]:
    """Yield the frames of a turn that was left to others; `begin` is given its conversation.

    Nothing more is told once the listener has stopped it: the other process may not know yet.

    :raises TooMany, AlreadyAsked, TurnStopped: as the turn itself would.
    :raises TakerGone: when it failed, or its process ended.
    """
    bridge.told.add(left)
    is_answered = False
    try:
        async with aclosing(left.told()) as telling:
            async for told in telling:
                for kind, those in groupby(told, key=lambda each: each["told"]):
                    if kind == "frame":
                        for frame in joined(each["frame"] for each in those):
                            listener.end_if_stopped()
                            is_answered = is_answered or frame["type"] == "answer"
                            yield frame
                    elif kind == "conversation":
                        for fields in filter(None, (each["fields"] for each in those)):
                            begin(known(fields))
                    else:
                        raise_what_came(kind, next(those))
                        return
        if not is_answered:
            raise TakerGone("The process that took a turn ended before it was answered")
    finally:
        bridge.told.discard(left)


def raise_what_came(kind: str, told: Mapping[str, Any]) -> None:
    match kind:
        case "too_many":
            raise TooMany(told["seconds"])
        case "already_asked":
            raise AlreadyAsked
        case "stopped":
            raise TurnStopped
        case "failed":
            raise TakerGone("The process that took a turn failed; its log says how")


class Distant(Listener):
    """Who asked in another process, and may stop the turn from there."""

    def __init__(self, taken: Taken) -> None:
        super().__init__()
        self._taken = taken
        self.emit = self._tell

    def send(self, frame: dict[str, Any] | None) -> None:
        if self._taken.is_stopped():
            self.stop()
        super().send(frame)

    def _tell(self, frame: dict[str, Any]) -> None:
        try:
            self._taken.emit({"told": "frame", "frame": frame})
        except AskerGone as error:
            raise bridge.ListenerGone from error


def carry_out(taken: Taken) -> None:
    """Answer a question of another process's visitor, and tell that process how it ended."""
    try:
        if work := taken.work():
            taken.emit(outcome(Job.of(work), taken))
    except AskerGone:
        logger.info("Whoever left a turn is gone; its answer is kept")
    finally:
        taken.close()


def outcome(job: Job, taken: Taken) -> dict[str, Any]:
    """Run a turn for who left it; return how it ended."""
    try:
        with serving(job.hospital):
            count_question(job.visitor)
            conversation = conversation_of(job)
            # Also when there is nothing new to tell: nobody may be waiting any more.
            new = {} if job.conversation else fields_of(conversation)
            taken.emit({"told": "conversation", "fields": new})
            converse(Distant(taken), conversation, job.asked)
    except TooMany as reason:
        return {"told": "too_many", "seconds": reason.seconds}
    except AlreadyAsked:
        return {"told": "already_asked"}
    except TurnStopped:
        return {"told": "stopped"}
    except AskerGone:
        raise
    except Exception:
        logger.exception("A turn failed")
        return {"told": "failed"}
    return {"told": "answered"}


def conversation_of(job: Job) -> Conversation:
    """Return the conversation that a turn goes on with, or a new one."""
    if job.conversation:
        return known(job.conversation)
    hospital = Hospital.objects.get(pk=job.hospital)
    return sessions.start(hospital, job.asked.language, channel=job.channel)


def known(fields: Mapping[str, Any]) -> Conversation:
    """Return a conversation that another process has read or begun, without reading it again."""
    row = Conversation.from_db(DEFAULT_DB_ALIAS, FIELDS, [fields[name] for name in FIELDS])
    row.id = UUID(fields["id"])
    return row


def fields_of(conversation: Conversation) -> dict[str, Any]:
    """Return a conversation as it is told to another process."""
    plain = ((name, getattr(conversation, name)) for name in FIELDS)
    return {name: value if isinstance(value, int) else str(value) for name, value in plain}
