"""Answer questions of the hospital's other channels over HTTP.

The answer is one JSON object, or the events of the socket if `text/event-stream` is accepted.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.encoders import JSONEncoder
from rest_framework.views import APIView

from chat.behaviours import Behaviour, Channel, Mode
from chat.channels import sessions
from chat.channels.frames import presented
from chat.channels.pages import (
    SECONDS_WHEN_FULL,
    approved_texts,
    full_text,
    hospital_of,
    language_of,
    outage_text,
    retry_text,
    visitor_of_page,
)
from chat.channels.protocol import (
    LONGEST_QUESTION,
    TurnListener,
    coalesced,
    converse,
    queue_for,
    send_stop,
    stop_in,
)
from chat.channels.rate_limit import TooMany, count_question
from chat.interface import interface_of
from chat.models import Conversation, Message
from chat.safety.emergencies.alarm import Danger
from chat.services import TurnRequest
from retrieval.models.documents import DocumentCategory
from taxonomy.publishing.live import profile_of
from zol.access.parsers import TextParser
from zol.errors import ExpectedError
from zol.postgres.pool import AWAY, hand_back
from zol.runtime.bridge import Begin, Full, emitted_by, refuse_when_full, soon, turn_here
from zol.tenancy import serving
from zol.text import storable


class Question(serializers.Serializer[Any]):
    """The request: a question, optionally in a conversation."""

    question = serializers.CharField(allow_blank=True, trim_whitespace=True)
    language = serializers.CharField(required=False, max_length=2, default="")
    conversation = serializers.CharField(required=False, max_length=40, default="")
    secret = serializers.CharField(required=False, max_length=64, default="")
    mode = serializers.ChoiceField([str(mode) for mode in Mode], required=False, default="standard")
    categories = serializers.ListField(
        child=serializers.ChoiceField(DocumentCategory.choices),
        required=False,
        default=list,
        help_text="Categories of pages to search; none leaves the choice to the question.",
    )


class SourceShape(serializers.Serializer[Any]):
    """A source of an answer; `[n]` in the text refers to it."""

    n = serializers.IntegerField()
    title = serializers.CharField()
    url = serializers.CharField(help_text="The hospital's page; may be empty.")
    page = serializers.IntegerField(help_text="Page of a PDF, else 0.")
    passage = serializers.CharField(
        help_text="What was quoted, all of a table that is shown in part; else empty."
    )
    translated = serializers.CharField(
        help_text="What the answer says instead of it, where it is translated; else empty."
    )
    updated_on = serializers.CharField(help_text="When the page was last changed; may be empty.")
    updated = serializers.CharField(help_text="The same, as people write it in the language.")
    viewer = serializers.CharField(
        help_text="Our page with the quoted passages highlighted, if any; may be empty."
    )


class Place(serializers.Serializer[Any]):
    """A campus where a department is."""

    name = serializers.CharField()
    address = serializers.CharField()


class ContactShape(serializers.Serializer[Any]):
    """The department that the answer refers to; an empty object if none."""

    name = serializers.CharField(required=False)
    phone = serializers.CharField(required=False)
    dialled = serializers.CharField(required=False, help_text="The number as a link dials it.")
    email = serializers.CharField(required=False)
    hours = serializers.CharField(required=False)
    url = serializers.CharField(required=False)
    places = Place(many=True, required=False)


class Answer(serializers.Serializer[Any]):
    """The response: an answer with its sources."""

    conversation = serializers.CharField(help_text="Its id; empty where it is not kept.")
    secret = serializers.CharField(help_text="Who knows it may go on with the conversation.")
    message = serializers.UUIDField()
    text = serializers.CharField(help_text="Markdown, with [n] where a source is cited.")
    html = serializers.CharField(help_text="The same, cleaned.")
    language = serializers.CharField()
    behaviour = serializers.ChoiceField([str(behaviour) for behaviour in Behaviour])
    warning = serializers.ChoiceField([str(danger) for danger in Danger])
    citations = SourceShape(many=True)
    follow_ups = serializers.ListField(child=serializers.CharField())
    contact = ContactShape()
    verified = serializers.BooleanField()
    certainty = serializers.CharField(
        help_text="fact, curated, sure, near or nothing; empty where it refuses or sends to 112."
    )
    degraded = serializers.BooleanField()
    cached = serializers.BooleanField()
    mode = serializers.ChoiceField([str(mode) for mode in Mode])
    kept = serializers.BooleanField(help_text="False where the database stores nothing now.")


class RefusalShape(serializers.Serializer[Any]):
    """The response when there is no answer."""

    code = serializers.CharField()
    message = serializers.CharField(help_text="The same in words, in the language of the request.")
    seconds = serializers.IntegerField(required=False, help_text="When to try again.")


logger = logging.getLogger(__name__)
#: A function that runs a turn for a listener.
Converse: TypeAlias = Callable[..., Message]


#: HTTP status of each code of a refusal.
STATUS = {
    "bad_message": 400, "empty": 400, "too_long": 400, "unknown_conversation": 404,
    "rate_limited": 429, "not_ready": 503, "full": 503, "error": 503,
}  # fmt: skip
#: Interface strings of error codes; the others are approved texts of the same name.
STRINGS = {
    "empty": "error_empty",
    "unknown_conversation": "error_gone",
    "not_ready": "not_ready_text",
}


class EventStream(BaseRenderer):
    """Server-sent events; a refusal is the only event of its stream."""

    media_type = "text/event-stream"
    format = "event-stream"
    charset = "utf-8"

    def render(self, data: Any, media_type: Any = None, context: Any = None) -> bytes:
        return event_of({"type": "error", **data}).encode()


class ChatView(APIView):
    """Answers one question. Anonymous; id and secret identify a conversation."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    parser_classes = (TextParser,)
    renderer_classes = (JSONRenderer, EventStream)

    @extend_schema(
        request=Question,
        responses={
            (200, "application/json"): Answer,
            (200, "text/event-stream"): OpenApiResponse(
                str, description="accepted, progress, token, answer, suggestions or error"
            ),
            **dict.fromkeys((400, 404, 415, 429, 503), RefusalShape),
        },
    )
    def post(self, request: Request) -> HttpResponseBase:
        """Answer a question. The fields of the answer: docs/protocol.md."""
        try:
            asked = Question(data=request.data)
        except (ParseError, UnsupportedMediaType, RecursionError) as error:
            return self.refuse("bad_message", getattr(error, "status_code", 400))
        if not asked.is_valid():
            return self.refuse("bad_message", fields=asked.errors)
        question = storable(asked.validated_data["question"])
        if not question:
            return self.refuse("empty")
        if len(question) > LONGEST_QUESTION:
            return self.refuse("too_long", max_chars=LONGEST_QUESTION)
        return self.answer(question, asked.validated_data)

    def answer(self, question: str, asked: dict[str, Any]) -> HttpResponseBase:
        conversation = self.conversation(asked)
        if conversation is None:
            return self.refuse("unknown_conversation")
        mode, categories = Mode(asked["mode"]), tuple(asked["categories"])
        request = TurnRequest(question, mode=mode, categories=categories)
        queue = queue_for(question)
        stopped = queue(partial(stop_in, conversation, request)).result()
        try:
            if stopped is None or not stopped.is_emergency:
                count_question(visitor_of_page(self.request))
            if stopped is None:
                return self.take_turn(conversation, request)
        except TooMany as reason:
            words = retry_text(hospital_of(self.request), language_of(self.request), reason)
            return later("rate_limited", words, reason.seconds)
        except Full:
            words = full_text(hospital_of(self.request), language_of(self.request))
            return later("full", words, SECONDS_WHEN_FULL)
        if self.is_stream:
            sending = partial(send_stop, conversation=conversation, asked=request, stopped=stopped)
            return stream(sending, conversation, queue)
        # Stored in the thread of the check, because threads of turns have no database connection.
        sending = partial(send_stop, TurnListener(), conversation, request, stopped)
        return reply_of(queue(sending).result(), conversation)

    def take_turn(self, conversation: Conversation, request: TurnRequest) -> HttpResponseBase:
        """Take a turn after the questions that arrived before.

        :raises Full: if too many are waiting.
        """
        if approved_texts("").phrases is None:
            return self.refuse("not_ready")
        if self.is_stream:
            refuse_when_full()
            turn = partial(converse, conversation=conversation, asked=request)
            return stream(turn, conversation)
        try:
            # Work after the answer is queued, so that the response does not wait for it.
            with turn_here():
                message = converse(TurnListener(), conversation, request, later=soon)
        except ExpectedError:
            return self.refuse("error")
        return reply_of(message, conversation)

    @property
    def is_stream(self) -> bool:
        return bool(self.request.accepted_renderer.format == EventStream.format)

    def conversation(self, asked: dict[str, Any]) -> Conversation | None:
        """Return the named conversation or a new one; None if the secret is wrong."""
        if asked["conversation"]:
            with suppress(*AWAY):  # An emergency is answered in a new conversation.
                return sessions.find(asked["conversation"], asked["secret"])
        hospital = hospital_of(self.request)
        language = asked["language"] or language_of(self.request)
        return sessions.start(hospital, language, channel=Channel.API)

    def refuse(self, code: str, status: int = 0, **details: Any) -> Response:
        """Refuse with a code and a message."""
        language = language_of(self.request)
        words = interface_of(profile_of(hospital_of(self.request)), language)
        notices = approved_texts(language).notices()
        text = words.get(STRINGS.get(code, "")) or notices.get(code) or notices["error"]
        body = {"code": code, "message": text or words["not_ready_text"], **details}
        return Response(body, status=status or STATUS[code])


def later(code: str, words: str, seconds: int) -> Response:
    """Refuse with the seconds after which to ask again."""
    body = {"code": code, "message": words, "seconds": seconds}
    return Response(body, status=STATUS[code], headers={"Retry-After": str(seconds)})


def reply_of(message: Message, conversation: Conversation) -> Response:
    """Return the whole answer with the id and secret of its conversation."""
    names = {"conversation": str(conversation.pk), "secret": conversation.secret}
    if conversation._state.adding:
        # It was not stored: without an id, the next question starts a new conversation.
        names = dict.fromkeys(names, "")
    return Response({**names, **presented(message)})


def stream(
    turn: Converse, conversation: Conversation, begin: Begin | None = None
) -> StreamingHttpResponse:
    """Stream the frames of a turn; if the client leaves, the answer is still stored."""

    def work(emit: Callable[[Any], None]) -> None:
        listener = TurnListener()
        listener.emit = emit
        with serving(conversation.hospital_id):
            turn(listener)

    async def events() -> AsyncIterator[str]:
        try:
            async for frame in emitted_by(work, coalesced, begin):
                yield event_of(frame)
        except Exception:
            logger.exception("A turn failed")
            words = outage_text(conversation.hospital, conversation.language)
            yield event_of({"type": "error", "code": "error", "message": words})

    # The request stays open while it streams: return its database connection now.
    hand_back()
    # Ask proxies not to buffer the reply.
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingHttpResponse(events(), content_type=EventStream.media_type, headers=headers)


def event_of(frame: dict[str, Any]) -> str:
    """Return a frame of the protocol as a server-sent event."""
    data = json.dumps(frame, ensure_ascii=False, cls=JSONEncoder)
    return f"event: {frame['type']}\ndata: {data}\n\n"
