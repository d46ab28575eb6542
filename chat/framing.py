"""Pages in a frame: those of a widget's key, and only on the origins of its list."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

from zol.hosts import is_origin
from zol.models import WidgetKey

View = Callable[..., HttpResponse]


def framed_by_widgets(view: View) -> View:
    """Let the origins of the request's widget key show a page in a frame, and nobody else."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if key := request.GET.get("widget"):
            # This older header knows no list of origins; the policy below is as strict as it.
            response.xframe_options_exempt = True  # type: ignore[attr-defined]
            response._csp_update = {"frame-ancestors": origins_of(key)}  # type: ignore[attr-defined]
        return response

    return wrapped


def origins_of(key: str) -> list[str]:
    """Return the origins on the list of a widget key; anything else could widen the policy."""
    row = WidgetKey.objects.filter(key=key, is_active=True).first()
    return [origin for origin in (row.origins if row else ()) if is_origin(origin)]
