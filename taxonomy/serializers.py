"""What the API of releases takes and gives."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from taxonomy.models import Release
from taxonomy.publishing.steps import NEXT, STEPS

OPTIONAL: dict[str, Any] = {"default": None, "allow_null": True}


class ReleaseIn(serializers.Serializer[Any]):
    title = serializers.CharField(max_length=120)
    note = serializers.CharField(required=False, default="", allow_blank=True)


class StepIn(serializers.Serializer[Any]):
    """What comes with a step: its text (comment, reason), its time, the version looked at."""

    text = serializers.CharField(required=False, default="", allow_blank=True, max_length=4_000)
    at = serializers.DateTimeField(required=False, default=None, allow_null=True)
    seen = serializers.IntegerField(required=False, default=None, allow_null=True)


class ActivateIn(serializers.Serializer[Any]):
    why = serializers.CharField(max_length=4_000)


class StepRefusal(serializers.Serializer[Any]):
    detail = serializers.CharField()


class ReleaseOut(serializers.ModelSerializer[Release]):
    state_name = serializers.CharField(source="get_state_display")
    next = serializers.SerializerMethodField()
    version = serializers.IntegerField(source="version.number", **OPTIONAL)
    base = serializers.IntegerField(source="base.number", **OPTIONAL)
    created_by = serializers.CharField(**OPTIONAL)
    submitted_by = serializers.CharField(**OPTIONAL)
    approved_by = serializers.CharField(**OPTIONAL)
    published_by = serializers.CharField(**OPTIONAL)
    broken_by = serializers.CharField(**OPTIONAL)
    urgent_by = serializers.CharField(**OPTIONAL)
    reviewed_by = serializers.CharField(**OPTIONAL)
    comments = serializers.SerializerMethodField()
    steps = serializers.SerializerMethodField()

    class Meta:
        model = Release
        fields = [
            "id", "title", "note", "state", "state_name", "next", "version", "base", "created_at",
            "created_by", "submitted_at", "submitted_by", "approved_at", "approved_by", "reason",
            "goes_live_at", "published_at", "published_by", "broken", "broken_reason",
            "broken_by", "previewed_at", "urgent_by", "urgent_reason", "reviewed_by", "reviewed_at",
            "comments", "steps",
        ]  # fmt: skip

    def get_next(self, release: Release) -> str:
        return str(NEXT[release.state])

    def get_comments(self, release: Release) -> list[dict[str, str]]:
        return [
            {"by": str(comment.by), "at": comment.at.isoformat(), "text": comment.text}
            for comment in release.comments.select_related("by")
        ]

    def get_steps(self, release: Release) -> list[str]:
        """The steps that are this account's to take now."""
        user = self.context["user"]
        return [
            step.name
            for step in STEPS.values()
            if step.is_possible(release, user)
            and not (step.name == "approve" and user.pk in release.authors)
        ]


class ChangeOut(serializers.Serializer[Any]):
    field = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class ItemOut(serializers.Serializer[Any]):
    sort = serializers.ChoiceField(["added", "changed", "removed"])
    name = serializers.CharField()
    changes = ChangeOut(many=True)


class SectionOut(serializers.Serializer[Any]):
    code = serializers.CharField()
    title = serializers.CharField()
    items = ItemOut(many=True)


class DifferencesOut(serializers.Serializer[Any]):
    total = serializers.IntegerField()
    moved = serializers.IntegerField()
    sections = SectionOut(many=True)


class VersionOut(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    note = serializers.CharField()
    is_live = serializers.BooleanField()
    published_at = serializers.DateTimeField(source="release.published_at")
    published_by = serializers.CharField(source="release.published_by", **OPTIONAL)
