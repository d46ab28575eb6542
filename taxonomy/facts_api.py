"""Facts for the hospital's own tools: listed, and laid over the draft as a table is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from taxonomy.facts.parts import BAR
from taxonomy.facts.records import COLUMNS
from taxonomy.models import Fact
from taxonomy.services.tables import Taken, take
from taxonomy.tables.files import MOST_ROWS, Row, Table
from taxonomy.tables.sheets import fact_cells, sheet_of
from zol.roles import may_enter
from zol.staff_api import StaffView

EDIT = ("taxonomy.add_fact", "taxonomy.change_fact")


class MayUseFacts(BasePermission):
    """Staff who may see facts; who writes them has to be allowed to."""

    def has_permission(self, request: Request, view: Any) -> bool:
        needed = EDIT if request.method == "POST" else ("taxonomy.view_fact",)
        return may_enter(request.user) and request.user.has_perms(needed)


class FactsIn(serializers.Serializer[Any]):
    """Rows with the columns of the table; a value and conditions may be objects of their parts."""

    rows = serializers.ListField(child=serializers.DictField(), max_length=MOST_ROWS)
    #: Without it nothing is changed, and the answer is a preview.
    keep = serializers.BooleanField(required=False, default=False)


class FactsOut(serializers.Serializer[Any]):
    rows = serializers.ListField(child=serializers.DictField())


class TakenOut(serializers.Serializer[Any]):
    lines = serializers.ListField(child=serializers.DictField())
    mistakes = serializers.ListField(child=serializers.DictField())


class FactsView(StaffView):
    permission_classes = (MayUseFacts,)

    @extend_schema(responses=FactsOut)
    def get(self, request: Request) -> Response:
        """List the facts of the draft; `?need=` takes one need."""
        rows = Fact.objects.select_related("subject").order_by("pk")
        if need := request.query_params.get("need"):
            rows = rows.filter(need=need)
        listed = [dict(zip(COLUMNS, fact_cells(row), strict=True)) for row in rows]
        return Response({"rows": listed})

    @extend_schema(request=FactsIn, responses={200: TakenOut, 400: TakenOut})
    def post(self, request: Request) -> Response:
        """Lay facts over the draft: all of them or, with a mistake or without `keep`, none."""
        given = FactsIn(data=request.data)
        given.is_valid(raise_exception=True)
        told = given.validated_data
        rows = tuple(Row(place, cells_of(row)) for place, row in enumerate(told["rows"], start=1))
        columns = tuple(dict.fromkeys(name for row in rows for name in row.cells))
        hospital = request.hospital  # type: ignore[attr-defined]
        taken = take(hospital, sheet_of(Fact), Table(columns, rows), keep=told["keep"])
        return Response(_shown(taken), status=400 if taken.mistakes else 200)


def cells_of(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the cells of a row; an object becomes the line that a table has."""
    return {name: _cell(value) for name, value in row.items()}


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        return f" {BAR} ".join(f"{name}: {text}" for name, text in value.items())
    return "" if value is None else str(value)


def _shown(taken: Taken) -> dict[str, Any]:
    lines = [
        {"row": line.number, "state": str(line.state), "name": line.name} for line in taken.lines
    ]
    mistakes = [
        {"row": each.row, "column": each.column, "sentence": each.sentence}
        for each in taken.mistakes
    ]
    return {"lines": lines, "mistakes": mistakes}
