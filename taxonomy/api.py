"""Staff API of releases, with the same steps and permissions as the pages."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from taxonomy.models import Release
from taxonomy.publishing import approval
from taxonomy.publishing.differences import changes_of
from taxonomy.publishing.steps import NEXT, STEPS, StepInput
from zol.access.roles import may_enter
from zol.access.staff_api import StaffView

OPTIONAL: dict[str, Any] = {"default": None, "allow_null": True}


class ReleaseIn(serializers.Serializer[Any]):
    title = serializers.CharField(max_length=120)
    note = serializers.CharField(required=False, default="", allow_blank=True)


class StepIn(serializers.Serializer[Any]):
    """Input of a step: text (comment or reason), time, version that was reviewed."""

    text = serializers.CharField(required=False, default="", allow_blank=True, max_length=4_000)
    at = serializers.DateTimeField(required=False, default=None, allow_null=True)
    seen = serializers.IntegerField(required=False, default=None, allow_null=True)


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
        """Return the steps that this account may take now."""
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


#: Maximum number of releases in one list.
LISTED = 200


class ReleaseReaders(BasePermission):
    """Staff of this hospital who may see releases."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return may_enter(request.user) and request.user.has_perm(approval.VIEW)


class ReleaseStaffView(StaffView):
    permission_classes = (ReleaseReaders,)


def _shown(release: Release, request: Request) -> Response:
    release.refresh_from_db()
    return Response(ReleaseOut(release, context={"user": request.user}).data)


class ReleasesView(ReleaseStaffView):
    @extend_schema(responses=ReleaseOut(many=True))
    def get(self, request: Request) -> Response:
        """List releases, the newest first; `?state=` takes one state."""
        rows = Release.objects.select_related(
            "version", "base", "created_by", "submitted_by", "approved_by", "published_by",
            "broken_by", "urgent_by", "reviewed_by",
        )  # fmt: skip
        if state := request.query_params.get("state"):
            rows = rows.filter(state=state)
        context = {"user": request.user}
        return Response(ReleaseOut(rows[:LISTED], many=True, context=context).data)

    @extend_schema(request=ReleaseIn, responses={201: ReleaseOut, 409: StepRefusal})
    def post(self, request: Request) -> Response:
        """Open a release."""
        given = ReleaseIn(data=request.data)
        given.is_valid(raise_exception=True)
        release = approval.open_release(by=request.user, **given.validated_data)
        shown = ReleaseOut(release, context={"user": request.user})
        return Response(shown.data, status=status.HTTP_201_CREATED)


class ReleaseView(ReleaseStaffView):
    @extend_schema(responses=ReleaseOut)
    def get(self, request: Request, pk: int) -> Response:
        """Show a release, and the steps that are yours to take."""
        return _shown(get_object_or_404(Release, pk=pk), request)


class ChangesView(ReleaseStaffView):
    @extend_schema(responses=DifferencesOut)
    def get(self, request: Request, pk: int) -> Response:
        """Return the changes of a release by entity, field, relation and row."""
        found = changes_of(get_object_or_404(Release, pk=pk))
        values = {"total": found.total, "moved": found.moved, "sections": found.sections}
        return Response(DifferencesOut(values).data)


class StepView(ReleaseStaffView):
    @extend_schema(
        operation_id="take_step", request=StepIn, responses={200: ReleaseOut, 409: StepRefusal}
    )
    def post(self, request: Request, pk: int, name: str) -> Response:
        """Take a step: submit, approve, reject, comment, schedule, publish …"""
        if name not in STEPS:
            raise NotFound(_("This step does not exist."))
        given = StepIn(data=request.data)
        given.is_valid(raise_exception=True)
        release = get_object_or_404(Release, pk=pk)
        STEPS[name].take(release, StepInput(by=request.user, **given.validated_data))
        return _shown(release, request)


urlpatterns = [
    path("releases/", ReleasesView.as_view(), name="releases"),
    path("releases/<int:pk>/", ReleaseView.as_view(), name="release"),
    path("releases/<int:pk>/changes/", ChangesView.as_view(), name="release-changes"),
    path("releases/<int:pk>/<str:name>/", StepView.as_view(), name="release-step"),
]
