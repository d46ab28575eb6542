"""The visitor's side of the chat: questions in, events out. The protocol: docs/protocol.md."""

from __future__ import annotations

import asyncio
import json
import logging
from functools import partial
from threading import Event
from typing import Any
from uuid import UUID

from channels.generic.websocket import AsyncJsonWebsocketConsumer

from chat import services, sessions
from chat.behaviours import Mode
from chat.models import Conversation, Feedback, Message
from chat.presentation import frame_of, presented
from chat.trace import TurnStopped
from zol.bridge import ListenerGone, done_by, emitted_by
from zol.tenancy import serving
from zol.text import storable

logger = logging.getLogger(__name__)

PROTOCOL = 1
LONGEST_QUESTION = 1_000
LONGEST_FRAME = 8_192


class ChatConsumer(AsyncJsonWebsocketConsumer):
    """One visitor's socket. Answers one question at a time."""

    conversation: Conversation | None = None
    #: The message being answered, and who listens to it; None when nothing runs.
    answered: str = ""
    listener: Listener | None = None
    task: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        await self.accept()

    async def receive(
        self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any
    ) -> None:
        if text_data is None or len(text_data) > LONGEST_FRAME:
            await self.refuse("bad_message")
            return
        await super().receive(text_data=text_data, **kwargs)

    async def receive_json(self, content: Any, **kwargs: Any) -> None:
        match content:
            case {"type": "ask", "question": str(question)}:
                await self.ask(storable(question), content)
            case {"type": "stop", "message": str(message)}:
                await self.stop(message)
            case {"type": "escalate", "message": str(message)}:
                await self.escalate(message, content)
            case {"type": "feedback", "message": str(message), "good": bool(good)}:
                await self.rate(message, good, content)
            case {"type": "resume", "conversation": str(conversation), "secret": str(secret)}:
                await self.resume(conversation, secret)
            case {"type": "forget"}:
                await self.forget()
            case _:
                await self.refuse("bad_message")

    async def ask(self, question: str, content: dict[str, Any], mode: Mode = Mode.STANDARD) -> None:
        """Answer a question in a task of its own, so that a stop can come in between."""
        if not question:
            await self.refuse("empty")
        elif len(question) > LONGEST_QUESTION:
            await self.refuse("too_long", max_chars=LONGEST_QUESTION)
        elif self.listener is not None:
            await self.refuse("busy")
        else:
            self.listener = Listener()
            language = str(content.get("language", ""))[:2]
            answering = self.answer(self.listener, question, language, mode)
            self.task = asyncio.create_task(answering)

    async def answer(self, mine: Listener, question: str, language: str, mode: Mode) -> None:
        """Send each event of a turn as it happens; a failure is told in words."""
        try:
            async for frame in emitted_by(partial(self.work, mine, question, language, mode)):
                if frame["type"] == "answer":
                    self.let_next_in(mine)
                await self.send_json(frame)
        except TurnStopped:
            self.let_next_in(mine)
            await self.send_json({"type": "stopped", "message": self.answered})
        except Exception:
            self.let_next_in(mine)
            logger.exception("A turn failed")
            await self.refuse("error")
            raise

    def let_next_in(self, answered: Listener) -> None:
        """Take questions again, before the visitor reads the frame that says this one is over."""
        if self.listener is answered:
            self.listener = None

    async def stop(self, message_id: str) -> None:
        """Stop the answer that is being written; there may be none any more."""
        if self.listener is None:
            await self.send_json({"type": "stopped", "message": message_id})
        else:
            self.listener.stop()

    def work(
        self, listening: Listener, question: str, language: str, mode: Mode, emit: Any
    ) -> None:
        """Run one turn in a thread of its own; what it emits is sent to the visitor.

        Once the visitor is gone the answer is still finished and kept, so that it can be resumed.
        """
        listening.emit = emit
        hospital = self.scope["hospital"]
        with serving(hospital):
            self.conversation = self.conversation or sessions.start(
                hospital, language, channel=self.scope.get("channel", "web")
            )
            message = services.answer(
                self.conversation,
                question,
                mode=mode,
                emit=lambda event: listening.send(frame_of(event)),
                on_created=lambda row: listening.send(self.accept_question(row)),
            )
            listening.send({"type": "answer", **presented(message)})

    def accept_question(self, message: Message) -> dict[str, Any]:
        self.answered = str(message.pk)
        return accepted(message, self.conversation)

    async def escalate(self, message_id: str, content: dict[str, Any]) -> None:
        """Answer a question of this conversation again, thinking harder."""
        message = await self.own_message(message_id)
        if message is None:
            await self.refuse("unknown_message")
            return
        await self.ask(message.question, content, Mode.ESCALATED)

    async def rate(self, message_id: str, good: bool, content: dict[str, Any]) -> None:  # noqa: FBT001
        message = await self.own_message(message_id)
        if message is None:
            await self.refuse("unknown_message")
            return
        reason = content.get("reason", "")
        if reason not in Feedback.Reason.values:
            await self.refuse("bad_message")
            return
        await self.in_hospital(services.rate, message, is_good=good, reason=reason)
        await self.send_json({"type": "rated", "message": message_id})

    async def resume(self, conversation: str, secret: str) -> None:
        """Take up a conversation again: everything that was finished is sent once more."""
        found = await self.in_hospital(sessions.find, conversation, secret)
        if found is None:
            await self.refuse("unknown_conversation")
            return
        self.conversation = found
        messages = await self.in_hospital(sessions.finished, found)
        await self.send_json(
            {"type": "resumed", "conversation": conversation, "messages": messages}
        )

    async def forget(self) -> None:
        """Erase the conversation of this socket; an answer that is being written is stopped first,

        so that it is not written into what is gone.
        """
        if self.listener is not None and self.task is not None:
            self.listener.stop()
            await asyncio.wait([self.task])
        if self.conversation is not None:
            await self.in_hospital(services.forget, self.conversation)
            self.conversation = None
        await self.send_json({"type": "forgotten"})

    async def own_message(self, message_id: str) -> Message | None:
        try:
            key = UUID(message_id)
        except ValueError:
            return None
        conversation = self.conversation
        if conversation is None:
            return None
        return await self.in_hospital(
            lambda: Message.objects.filter(pk=key, conversation=conversation).first()
        )

    async def in_hospital(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        """Do a little work of the database as the socket's hospital."""

        def serve() -> Any:
            with serving(self.scope["hospital"]):
                return work(*args, **kwargs)

        return await done_by(serve)

    async def refuse(self, code: str, **details: Any) -> None:
        await self.send_json({"type": "error", "code": code, **details})

    @classmethod
    async def decode_json(cls, text_data: str) -> Any:
        try:
            return json.loads(text_data)
        except (ValueError, RecursionError):
            return None


class Listener:
    """Somebody who may leave, which is no error, or stop the turn, which ends it."""

    def __init__(self) -> None:
        self.emit: Any = None
        self._stopped = Event()

    def stop(self) -> None:
        self._stopped.set()

    def send(self, frame: dict[str, Any] | None) -> None:
        if self._stopped.is_set():
            raise TurnStopped
        if frame is None or self.emit is None:
            return
        try:
            self.emit(frame)
        except ListenerGone:
            self.emit = None


def accepted(message: Message, conversation: Conversation | None) -> dict[str, Any]:
    """Say that a question was taken, and by which names it can be resumed."""
    return {
        "type": "accepted",
        "protocol": PROTOCOL,
        "message": str(message.pk),
        "conversation": str(conversation.pk) if conversation else "",
        "secret": conversation.secret if conversation else "",
    }
