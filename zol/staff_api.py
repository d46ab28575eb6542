"""What the views of the staff API have in common."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from zol.errors import StepRefused
from zol.tenancy import acting


class StaffView(APIView):
    """A view for the staff, signed in or with a key: what it writes is written in their name."""

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        with ExitStack() as self._named:
            return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self._named.enter_context(acting(request.user))

    def handle_exception(self, exc: Exception) -> Response:
        """Say why a step is refused, in the words that the page uses."""
        if isinstance(exc, StepRefused):
            return Response({"detail": str(exc)}, status=status.HTTP_409_CONFLICT)
        return super().handle_exception(exc)
