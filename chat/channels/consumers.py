"""The visitor's side of the chat: questions in, events out. The protocol: docs/protocol.md."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import aclosing
from functools import partial
from typing import Any
from uuid import UUID

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.http.cookie import parse_cookie

from chat import services
from chat.behaviours import Mode
from chat.channels import sessions
from chat.channels.frames import presented
from chat.channels.pages import SECONDS_WHEN_FULL, when_again, when_full
from chat.channels.protocol import (
    LONGEST_FRAME,
    LONGEST_QUESTION,
    TurnListener,
    TurnRequest,
    accepted,
    converse,
    joined,
    key_of,
    paced,
)
from chat.channels.rate_limit import TooMany, Visitor, count_question
from chat.models import Conversation, Feedback, Message
from chat.services import Wishes
from chat.turn import TurnStopped
from zol.bridge import Full, done_by, emitted_by
from zol.tenancy import serving
from zol.text import storable

logger = logging.getLogger(__name__)


class ChatConsumer(AsyncJsonWebsocketConsumer):
    """One visitor's socket. Answers one question at a time."""

    #: Nobody else speaks to a socket, so it does not listen on Redis.
    channel_layer_alias = ""
    conversation: Conversation | None = None
    #: The message being answered, and who listens to it; None when nothing runs.
    answered: str = ""
    listener: TurnListener | None = None
    task: asyncio.Task[None] | None = None

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Handle an event of the socket.

        Channels would first look in a thread whether database connections are outdated, though only
        our own threads have any and they tidy up after themselves (`zol.bridge`).
        """
        await getattr(self, get_handler_name(message))(message)

    async def connect(self) -> None:
        await self.accept()

    async def receive(
        self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any
    ) -> None:
        if not text_data or len(text_data) > LONGEST_FRAME:
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
            case {"type": "ping"}:
                await self.send_json({"type": "pong"})
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
            self.listener = TurnListener()
            language, name = str(content.get("language", ""))[:2], key_of(content.get("id"))
            asked = TurnRequest(question, language, mode, Wishes(message=name))
            self.task = asyncio.create_task(self.answer(self.listener, asked))

    async def take_up(self, name: UUID | None) -> None:
        """Tell of a question that came before what its asker, who was cut off, did not hear."""
        known = await self.in_hospital(sessions.asked_before, name, self.conversation)
        if known is None:
            if not await self.in_hospital(sessions.is_kept, self.conversation):
                # It was forgotten in another window: the next question begins a new one.
                self.conversation = None
            await self.refuse("error")
            return
        self.conversation = known.conversation
        await self.send_json(accepted(known, known.conversation))
        if known.state == Message.State.FINISHED:
            told = await self.in_hospital(presented, known)
            await self.send_json({"type": "answer", **told})

    async def answer(self, mine: TurnListener, asked: TurnRequest) -> None:
        """Send each event of a turn as it happens; a failure is told in words."""
        try:
            await self.tell(mine, asked)
        except Exception as reason:  # noqa: BLE001 (told to the visitor, or to the log)
            self.let_next_in(mine)
            await self.tell_failure(reason, asked)

    async def tell(self, mine: TurnListener, asked: TurnRequest) -> None:
        told = emitted_by(partial(self.work, mine, asked), joined)
        async with aclosing(paced(told, self.send_json)) as frames:
            async for frame in frames:
                if frame["type"] == "accepted":
                    self.answered = frame["message"]
                elif frame["type"] == "answer":
                    self.let_next_in(mine)
                await self.send_json(frame)

    async def tell_failure(self, reason: Exception, asked: TurnRequest) -> None:
        """Tell why there is no answer, and when it is worth asking again."""
        hospital, language = self.scope["hospital"], asked.language
        match reason:
            case TooMany(seconds=seconds):
                words = await self.in_hospital(when_again, hospital, language, reason)
                await self.refuse("rate_limited", words=words, seconds=seconds)
            case Full():
                words = await self.in_hospital(when_full, hospital, language)
                await self.refuse("full", words=words, seconds=SECONDS_WHEN_FULL)
            case services.DuplicateQuestion():
                await self.take_up(asked.wishes.message)
            case TurnStopped():
                await self.send_json({"type": "stopped", "message": self.answered})
            case _:
                logger.error("A turn failed", exc_info=reason)
                await self.refuse("error")

    def let_next_in(self, answered: TurnListener) -> None:
        """Take questions again, before the visitor reads the frame that says this one is over."""
        if self.listener is answered:
            self.listener = None

    async def stop(self, message_id: str) -> None:
        """Stop the answer that is being written; there may be none any more."""
        if self.listener is None:
            await self.send_json({"type": "stopped", "message": message_id})
        else:
            self.listener.stop()

    def work(self, listening: TurnListener, asked: TurnRequest, emit: Any) -> None:
        """Run one turn in a thread of its own; what it emits is sent to the visitor.

        Once the visitor is gone the answer is still finished and kept, so that it can be resumed.
        """
        listening.emit = emit
        hospital = self.scope["hospital"]
        with serving(hospital):
            count_question(self.visitor)
            self.conversation = self.conversation or sessions.start(
                hospital, asked.language, channel=self.scope.get("channel", "web")
            )
            converse(listening, self.conversation, asked)

    @property
    def visitor(self) -> Visitor:
        headers = dict(self.scope["headers"])
        cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin1"))
        return Visitor(self.scope["visitor"], cookies)

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
        told = await self.in_hospital(sessions.told, found)
        await self.send_json({"type": "resumed", "conversation": conversation, **told})

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
        key = key_of(message_id)
        conversation = self.conversation
        if key is None or conversation is None:
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
