"""Base classes of the API: views for staff, and the published schema."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from zol.access.roles import may_enter
from zol.errors import StepRefused
from zol.tenancy import acting


class StaffView(APIView):
    """View for staff with a session or an API key, who are the acting user of its edits."""

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        with ExitStack() as self._named:
            return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self._named.enter_context(acting(request.user))

    def handle_exception(self, exc: Exception) -> Response:
        """Return a refused step as 409, with the message that the page shows."""
        if isinstance(exc, StepRefused):
            return Response({"detail": str(exc)}, status=status.HTTP_409_CONFLICT)
        return super().handle_exception(exc)


class SchemaView(APIView):
    """Serves the schema written by `make schema`: all of it to staff, the public part to others."""

    permission_classes = (AllowAny,)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        name = "staff.json" if may_enter(request.user) else "public.json"
        schema = (settings.BASE_DIR / "zol" / "schema" / name).read_bytes()
        headers = {"Cache-Control": "private, no-cache", "Vary": "Cookie, Authorization"}
        return HttpResponse(schema, "application/vnd.oai.openapi+json", headers=headers)

    def perform_content_negotiation(self, *args: Any) -> tuple[BaseRenderer, str]:
        return JSONRenderer(), ""  # Whatever is accepted: JSON is also YAML.
