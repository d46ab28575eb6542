"""The same turn for the hospital's other channels: a question in, an answer out, as JSON."""

from __future__ import annotations

from typing import Any, NamedTuple

from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers, status
from rest_framework.exceptions import ParseError, UnsupportedMediaType
from rest_framework.parsers import JSONParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from chat import services, sessions
from chat.behaviours import Channel, Mode
from chat.consumers import LONGEST_QUESTION
from chat.interface import interface_of
from chat.models import Conversation
from chat.pages import hospital_of, language_of, speech_of
from chat.presentation import presented
from taxonomy.selectors import profile_of
from zol.errors import ExpectedError
from zol.text import storable


class Refusal(NamedTuple):
    """Why there is no answer: the status, and the code that says the same in every language."""

    status: int
    code: str


NOT_READY = Refusal(status.HTTP_503_SERVICE_UNAVAILABLE, "not_ready")
BAD_MESSAGE = Refusal(status.HTTP_400_BAD_REQUEST, "bad_message")
EMPTY = Refusal(status.HTTP_400_BAD_REQUEST, "empty")
TOO_LONG = Refusal(status.HTTP_400_BAD_REQUEST, "too_long")
UNKNOWN = Refusal(status.HTTP_404_NOT_FOUND, "unknown_conversation")
FAILED = Refusal(status.HTTP_503_SERVICE_UNAVAILABLE, "error")

#: Which string of the interface says a code; the others are approved texts of the same name.
STRINGS = {
    "empty": "error_empty",
    "unknown_conversation": "error_gone",
    "not_ready": "not_ready_text",
}


class Asked(serializers.Serializer[Any]):
    """A question, and the conversation it belongs to, if any."""

    question = serializers.CharField(allow_blank=True, trim_whitespace=True)
    language = serializers.CharField(required=False, max_length=2, default="")
    conversation = serializers.CharField(required=False, max_length=40, default="")
    secret = serializers.CharField(required=False, max_length=64, default="")
    mode = serializers.ChoiceField([str(mode) for mode in Mode], required=False, default="standard")


class ChatView(APIView):
    """Answers one question. Anonymous; a conversation is known by its id and secret."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    parser_classes = (JSONParser,)

    @extend_schema(
        request=Asked,
        responses={
            200: inline_serializer("Answer", {"message": serializers.UUIDField()}),
            400: inline_serializer("Refused", {"code": serializers.CharField()}),
        },
    )
    def post(self, request: Request) -> Response:
        """Answer a question. The fields of the answer: docs/protocol.md."""
        if not speech_of("").is_ready:
            return self.refuse(NOT_READY)
        try:
            asked = Asked(data=request.data)
        except (ParseError, UnsupportedMediaType, RecursionError) as error:
            status = getattr(error, "status_code", BAD_MESSAGE.status)
            return self.refuse(BAD_MESSAGE._replace(status=status))
        if not asked.is_valid():
            return self.refuse(BAD_MESSAGE, fields=asked.errors)
        question = storable(asked.validated_data["question"])
        if not question:
            return self.refuse(EMPTY)
        if len(question) > LONGEST_QUESTION:
            return self.refuse(TOO_LONG, max_chars=LONGEST_QUESTION)
        return self.answer(question, asked.validated_data)

    def answer(self, question: str, asked: dict[str, Any]) -> Response:
        conversation = self.conversation(asked)
        if conversation is None:
            return self.refuse(UNKNOWN)
        try:
            message = services.answer(conversation, question, mode=asked["mode"])
        except ExpectedError:
            return self.refuse(FAILED)
        return Response(
            {
                "conversation": str(conversation.pk),
                "secret": conversation.secret,
                **presented(message),
            }
        )

    def conversation(self, asked: dict[str, Any]) -> Conversation | None:
        """Return the conversation that was named, or a new one; none if the secret is wrong."""
        if asked["conversation"]:
            return sessions.find(asked["conversation"], asked["secret"])
        hospital = hospital_of(self.request)
        language = asked["language"] or language_of(self.request)
        return sessions.start(hospital, language, channel=Channel.API)

    def refuse(self, refusal: Refusal, **details: Any) -> Response:
        """Say why there is no answer, as a code and in words."""
        language = language_of(self.request)
        words = interface_of(profile_of(hospital_of(self.request)), language)
        text = words.get(STRINGS.get(refusal.code, ""), "")
        notices = speech_of(language).notices()
        said = text or notices.get(refusal.code) or notices["error"]
        return Response({"code": refusal.code, "message": said, **details}, status=refusal.status)
