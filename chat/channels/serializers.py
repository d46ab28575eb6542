"""What goes in and out of the chat's HTTP interface, field by field, checked and described."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from chat.behaviours import Behaviour, Mode
from chat.safety.emergencies.situations import Danger
from retrieval.models.documents import DocumentCategory


class Question(serializers.Serializer[Any]):
    """A question, and the conversation it belongs to, if any."""

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
    parts = serializers.ListField(
        child=serializers.CharField(),
        help_text="How much of each table or list is shown where it is not all: 6/18.",
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
    """The department that the answer sends to; an empty object when it sends to none."""

    name = serializers.CharField(required=False)
    phone = serializers.CharField(required=False)
    dialled = serializers.CharField(required=False, help_text="The number as a link dials it.")
    email = serializers.CharField(required=False)
    hours = serializers.CharField(required=False)
    url = serializers.CharField(required=False)
    places = Place(many=True, required=False)


class Answer(serializers.Serializer[Any]):
    """A whole answer."""

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
    """Why there is no answer."""

    code = serializers.CharField()
    message = serializers.CharField(help_text="The same in words, in the language of the request.")
    seconds = serializers.IntegerField(required=False, help_text="When to try again.")
