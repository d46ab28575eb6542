"""The chat's WebSocket consumer: questions in, events out. Protocol: docs/protocol.md."""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from contextlib import aclosing
from functools import partial
from typing import Any

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.conf import settings
from django.db import Error
from django.http.cookie import parse_cookie

from chat import services
from chat.behaviours import Mode
from chat.channels import sessions
from chat.channels.frames import presented
from chat.channels.pages import SECONDS_WHEN_FULL, full_text, outage_text, retry_text
from chat.channels.protocol import (
    LONGEST_FRAME,
    LONGEST_QUESTION,
    TurnListener,
    accepted,
    coalesced,
    converse,
    key_of,
    queue_for,
    send_stop,
    stop_in,
)
from chat.channels.rate_limit import TooMany, Visitor, count_question
from chat.models import Conversation, Feedback, Message
from chat.services import TurnRequest, TurnResult
from zol.postgres.pool import RETRY_AFTER, stores_nothing
from zol.runtime.bridge import Full, done_by, emitted_by
from zol.runtime.stopping import TurnStopped
from zol.tenancy import serving
from zol.text import storable
from zol.web.programs import web_processes

logger = logging.getLogger(__name__)

#: Close code of an idle socket; the page reopens it at the next key press.
IDLE = 4000
#: Maximum sockets per address over all processes, each of which allows its share.
MOST_OF_ADDRESS = 100
#: Open sockets by address, the most recently used last.
_open: defaultdict[str, dict[ChatConsumer, None]] = defaultdict(dict)


class ChatConsumer(AsyncJsonWebsocketConsumer):
    """A visitor's socket, which answers one question at a time, and an emergency at any time."""

    #: No other process sends to a socket, so it does not listen on Redis.
    channel_layer_alias = ""
    conversation: Conversation | None = None
    #: The message being answered, and its listener; None if idle.
    answered: str = ""
    listener: TurnListener | None = None
    #: The question being answered.
    running: TurnRequest | None = None
    task: asyncio.Task[None] | None = None
    #: Closes the socket after a time without questions.
    closing: asyncio.Task[None]
    asked: asyncio.Event

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Handle an event of the socket, without Channels' closing of old database connections.

        Only the threads of `runtime.bridge` have connections, and they close them.
        """
        await getattr(self, get_handler_name(message))(message)

    async def connect(self) -> None:
        await self.accept()
        self.asked = asyncio.Event()
        self.closing = asyncio.create_task(self.close_when_idle())
        await self.mark_used()

    async def disconnect(self, code: int) -> None:
        self.closing.cancel()
        _open[self.scope["visitor"]].pop(self, None)
        if not _open[self.scope["visitor"]]:
            del _open[self.scope["visitor"]]

    async def mark_used(self) -> None:
        """Mark this socket as used; close the least used one of an address with too many."""
        self.asked.set()
        mine = _open[self.scope["visitor"]]
        mine.pop(self, None)
        mine[self] = None
        if len(mine) * web_processes() > MOST_OF_ADDRESS:
            others = (each for each in mine if each is not self and each.listener is None)
            if surplus := next(others, None):
                mine.pop(surplus)
                await surplus.close(code=IDLE)

    async def close_when_idle(self) -> None:
        """Close the socket after `SOCKET_IDLE_SECONDS` without a question."""
        is_needed = True
        while is_needed:
            self.asked.clear()
            try:
                await asyncio.wait_for(self.asked.wait(), settings.SOCKET_IDLE_SECONDS)
            except TimeoutError:
                is_needed = self.listener is not None
        await self.close(code=IDLE)

    async def receive(
        self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any
    ) -> None:
        if not text_data or len(text_data) > LONGEST_FRAME:
            await self.refuse("bad_message")
            return
        try:
            await super().receive(text_data=text_data, **kwargs)
        except Error as reason:
            language = getattr(self.conversation, "language", "")
            await self.explain_failure(reason, TurnRequest("", language))

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
        """Answer a question in a task of its own, so that a stop can interrupt it.

        While it runs, a second question is only checked, and answered if it is an emergency.
        """
        language, name = str(content.get("language", ""))[:2], key_of(content.get("id"))
        asked = TurnRequest(question, language, mode, message=name)
        if not question:
            await self.refuse("empty", asked)
        elif len(question) > LONGEST_QUESTION:
            await self.refuse("too_long", asked, max_chars=LONGEST_QUESTION)
        elif self.listener is not None:
            await self.mark_used()
            await self.answer(TurnListener(), asked)
        else:
            if self.conversation is not None and self.conversation._state.adding:
                self.conversation = None
            self.own_conversation(asked)
            self.listener, self.running = TurnListener(), asked
            await self.mark_used()
            self.task = asyncio.create_task(self.answer(self.listener, asked))

    async def resend(self, asked: TurnRequest) -> None:
        """Send the result of a question that was sent again after a lost connection."""
        known = await self.in_hospital(sessions.asked_before, asked.message, self.conversation)
        if known is None:
            if not await self.in_hospital(sessions.is_kept, self.conversation):
                # The conversation was erased in another window: start a new one.
                self.conversation = None
            await self.refuse("error", asked)
            return
        self.conversation = known.conversation
        await self.send_json(accepted(known, known.conversation))
        if known.state == Message.State.FINISHED:
            answer = await self.in_hospital(presented, known)
            await self.send_json({"type": "answer", **answer})

    async def answer(self, mine: TurnListener, asked: TurnRequest) -> None:
        """Send the events of a turn as they happen; explain a failure."""
        try:
            await self.stream(mine, asked)
        except Exception as reason:  # noqa: BLE001 (explained to the visitor, or logged)
            self.accept_next(mine)
            try:
                await self.explain_failure(reason, asked)
            except Error as away:
                await self.explain_failure(away, asked)

    async def stream(self, mine: TurnListener, asked: TurnRequest) -> None:
        is_second = mine is not self.listener
        with serving(self.scope["hospital"]):
            queue = queue_for(asked.question)
        stopped = await asyncio.wrap_future(queue(partial(self.check, asked, is_second)))
        if is_second and not (stopped and stopped.is_emergency):
            await self.refuse("busy", asked)
            return
        work = partial(self.work, mine, asked, stopped)
        async with aclosing(emitted_by(work, coalesced, queue if stopped else None)) as frames:
            async for frame in frames:
                if frame["type"] == "accepted" and not is_second:
                    self.answered = frame["message"]
                elif frame["type"] == "answer":
                    self.accept_next(mine)
                await self.send_json(frame)

    async def explain_failure(self, reason: Exception, asked: TurnRequest) -> None:
        """Send the reason of a failure, and when to ask again."""
        hospital, language = self.scope["hospital"], asked.language
        match reason:
            case TooMany(seconds=seconds):
                words = await self.in_hospital(retry_text, hospital, language, reason)
                await self.refuse("rate_limited", asked, words=words, seconds=seconds)
            case Full():
                words = await self.in_hospital(full_text, hospital, language)
                await self.refuse("full", asked, words=words, seconds=SECONDS_WHEN_FULL)
            case services.DuplicateQuestion():
                await self.resend(asked)
            case TurnStopped():
                await self.send_json({"type": "stopped", "message": self.answered})
            case Error() if not stores_nothing(reason):
                words = outage_text(hospital, language)
                await self.refuse("unavailable", words=words, seconds=RETRY_AFTER)
            case _:
                logger.error("A turn failed", exc_info=reason)
                await self.refuse("error", asked)

    def accept_next(self, answered: TurnListener) -> None:
        """Accept the next question as soon as the answer is ready to be sent."""
        if self.listener is answered:
            self.listener = None

    async def stop(self, message_id: str) -> None:
        """Stop the running answer, if there is one."""
        if self.listener is None:
            await self.send_json({"type": "stopped", "message": message_id})
        else:
            self.listener.stop()

    def check(self, asked: TurnRequest, is_second: bool) -> TurnResult | None:  # noqa: FBT001
        """Return the immediate answer to a question; None if it needs a turn."""
        running = self.running.question if is_second and self.running else ""
        with serving(self.scope["hospital"]):
            return stop_in(self.own_conversation(asked), asked, running)

    def work(
        self, listening: TurnListener, asked: TurnRequest, stopped: TurnResult | None, emit: Any
    ) -> None:
        """Run a turn in a thread and emit its events.

        If the visitor leaves, the answer is still finished and stored, so that it can be resumed.
        """
        listening.emit = emit
        with serving(self.scope["hospital"]):
            if stopped is None or not stopped.is_emergency:
                count_question(self.visitor)
            conversation = self.own_conversation(asked)
            if stopped is None:
                converse(listening, conversation, asked)
            else:
                send_stop(listening, conversation, asked, stopped)

    def own_conversation(self, asked: TurnRequest) -> Conversation:
        """Return the conversation of this socket, started if there is none."""
        if self.conversation is None:
            channel = self.scope.get("channel", "web")
            hospital = self.scope["hospital"]
            self.conversation = sessions.start(hospital, asked.language, channel=channel)
        return self.conversation

    @property
    def visitor(self) -> Visitor:
        headers = dict(self.scope["headers"])
        cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin1"))
        return Visitor(self.scope["visitor"], cookies, self.scope.get("token", ""))

    async def escalate(self, message_id: str, content: dict[str, Any]) -> None:
        """Answer a question of this conversation again in escalated mode."""
        if message := await self.own_message(message_id):
            await self.ask(message.question, content, Mode.ESCALATED)

    async def rate(self, message_id: str, good: bool, content: dict[str, Any]) -> None:  # noqa: FBT001
        message, reason = await self.own_message(message_id), content.get("reason", "")
        if message is None:
            return
        if reason not in Feedback.Reason.values:
            await self.refuse("bad_message")
            return
        await self.in_hospital(services.rate, message, is_good=good, reason=reason)
        await self.send_json({"type": "rated", "message": message_id})

    async def resume(self, conversation: str, secret: str) -> None:
        """Resume a conversation: send every finished answer again."""
        found = await self.in_hospital(sessions.find, conversation, secret)
        if found is None:
            await self.refuse("unknown_conversation")
            return
        self.conversation = found
        transcript = await self.in_hospital(sessions.transcript, found)
        await self.send_json({"type": "resumed", "conversation": conversation, **transcript})

    async def forget(self) -> None:
        """Erase the conversation; a running answer is stopped first, so that it is not stored
        after."""
        if self.listener is not None and self.task is not None:
            self.listener.stop()
            await asyncio.wait([self.task])
        if self.conversation is not None and not self.conversation._state.adding:
            await self.in_hospital(services.forget, self.conversation)
        self.conversation = None
        await self.send_json({"type": "forgotten"})

    async def own_message(self, message_id: str) -> Message | None:
        """Return a message of this conversation; refuse others."""
        mine = Message.objects.filter(pk=key_of(message_id), conversation=self.conversation)
        found: Message | None = await self.in_hospital(mine.first) if self.conversation else None
        if found is None:
            await self.refuse("unknown_message")
        return found

    async def in_hospital(self, work: Any, *args: Any, **kwargs: Any) -> Any:
        """Run database work as the socket's hospital."""

        def serve() -> Any:
            with serving(self.scope["hospital"]):
                return work(*args, **kwargs)

        return await done_by(serve)

    async def refuse(self, code: str, asked: TurnRequest | None = None, **details: Any) -> None:
        """Send an error; with the id of the question if it has one."""
        name = asked.message if asked else None
        named = {"message": str(name)} if name else {}
        await self.send_json({"type": "error", "code": code, **named, **details})

    @classmethod
    async def decode_json(cls, text_data: str) -> Any:
        try:
            return json.loads(text_data)
        except (ValueError, RecursionError):
            return None
