"""Conversations of anonymous visitors, identified by an id and a secret."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from chat.behaviours import Channel
from chat.channels.frames import presented
from chat.channels.protocol import key_of
from chat.models import Conversation, Message
from chat.services import end_if_abandoned
from zol.models import Hospital

#: Period in which a repeated question is recognised.
A_MOMENT = timedelta(minutes=10)


def start(hospital: Hospital, language: str, *, channel: str = Channel.WEB) -> Conversation:
    """Return a new conversation, which is stored with its first question."""
    offered = language if language in hospital.languages else hospital.default_language
    return Conversation(
        hospital=hospital, language=offered, channel=channel, secret=secrets.token_urlsafe(24)
    )


def find(conversation: str, secret: str) -> Conversation | None:
    """Return a conversation if its secret is correct."""
    key = key_of(conversation)
    rows = Conversation.objects.select_related("hospital")
    row = rows.filter(pk=key).first() if key else None
    # Compared as bytes, because the guess may be any text.
    guess = secret.encode(errors="replace")
    return row if row and secrets.compare_digest(row.secret.encode(), guess) else None


def asked_before(name: UUID, empty: Conversation) -> Message | None:
    """Return the stored message of a question that was sent again after a lost connection.

    Its id is as hard to guess as a secret. The conversation that was started for the repetition is
    deleted if it has no other question.
    """
    recent = Message.objects.filter(created_at__gt=timezone.now() - A_MOMENT)
    found = recent.select_related("conversation").filter(pk=name).first()
    if found and found.conversation_id != empty.pk and not empty.messages.exists():
        empty.delete()
    return found


def is_kept(conversation: Conversation) -> bool:
    """Return whether a conversation still exists."""
    return Conversation.objects.filter(pk=conversation.pk).exists()


def transcript(conversation: Conversation) -> dict[str, Any]:
    """Return the answers, oldest first, and the ids of questions that failed or were stopped."""
    for running in conversation.messages.filter(state=Message.State.RUNNING):
        end_if_abandoned(running)
    rows = list(conversation.messages.order_by("created_at"))
    finished = [row for row in rows if row.state == Message.State.FINISHED]
    ended = (Message.State.FAILED, Message.State.STOPPED)
    return {
        "messages": [{"question": row.question, **presented(row)} for row in finished],
        "unanswered": [str(row.pk) for row in rows if row.state in ended],
    }
