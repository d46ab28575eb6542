"""API of retrieval figures, for the hospital's own tools, below `/api/v1/admin/`."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.urls import path
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from retrieval.models import CategoryMismatch
from retrieval.selectors import by_day, by_name, overall
from zol.access.roles import may_enter
from zol.access.staff_api import StaffView


class MayReadFigures(BasePermission):
    """Permission for staff of this hospital who may read figures."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return may_enter(request.user) and request.user.has_perm("retrieval.view_categorymismatch")


class MismatchView(StaffView):
    """Figures of category mismatches: answers whose passages were off the question's subject."""

    permission_classes = (MayReadFigures,)

    class MismatchQuery(serializers.Serializer[Any]):
        period_days = serializers.IntegerField(min_value=1, max_value=365, default=30)
        intent = serializers.CharField(max_length=40, required=False)
        steering_row = serializers.CharField(max_length=60, required=False)
        primary_category = serializers.CharField(max_length=40, required=False)

    class MismatchFigures(serializers.Serializer[Any]):
        class Measured(serializers.Serializer[Any]):
            answers = serializers.IntegerField()
            rate = serializers.FloatField(help_text="Mean share of the best passages off subject.")
            high = serializers.IntegerField(help_text="Answers of which more than 0.6 was.")

        class Day(Measured):
            day = serializers.DateField()

        class Row(Measured):
            name = serializers.CharField()

        period_days = serializers.IntegerField()
        total = Measured()
        days = Day(many=True)
        steering_rows = Row(many=True)
        intents = Row(many=True)

    @extend_schema(parameters=[MismatchQuery], responses=MismatchFigures)
    def get(self, request: Request) -> Response:
        """Return category mismatches of a period by day, steering row and intent."""
        query = self.MismatchQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        wanted = dict(query.validated_data)
        days = wanted.pop("period_days")
        since = timezone.now() - timedelta(days=days)
        rows = CategoryMismatch.objects.filter(created_at__gte=since, **wanted)
        figures = {
            "period_days": days,
            "total": overall(rows),
            "days": by_day(rows),
            "steering_rows": by_name(rows, "steering_row"),
            "intents": by_name(rows, "intent"),
        }
        return Response(self.MismatchFigures(figures).data)


urlpatterns = [path("ops/category-mismatch", MismatchView.as_view(), name="category-mismatch")]
