"""The script with which another site embeds the chat, and pages in the frame that it makes."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page, require_safe

from chat.interface import strings
from zol.access.hosts import is_origin, widget_at
from zol.languages import LANGUAGES

#: What the script says, by its name in the script and in the interface.
SAID = {
    "open": "page_title",
    "title": "assistant",
    "close": "widget_close",
    "loading": "widget_loading",
    "refused": "widget_refused",
    "elsewhere": "widget_elsewhere",
}


@require_safe
@cache_control(public=True, max_age=300)
@conditional_page
@gzip_page
def script(request: HttpRequest) -> HttpResponse:
    """Hand over the script, the same for every site; it knows the languages of the interface."""
    context = {"words": _words()}
    return render(request, "chat/widget.js", context, content_type="text/javascript")


@cache
def _words() -> str:
    said = {
        str(language): {name: strings(language)[key] for name, key in SAID.items()}
        for language in LANGUAGES
    }
    return json.dumps(said, ensure_ascii=False)


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
    row = widget_at(key)
    return [origin for origin in (row.origins if row else ()) if is_origin(origin)]
