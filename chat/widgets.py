"""The script with which another site embeds the chat."""

from __future__ import annotations

import json
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page, require_safe

from chat.interface import strings
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
