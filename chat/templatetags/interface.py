"""Strings of the interface where no view has put them: error pages, and values to fill in."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import get_language_from_request

from chat.channels.frames import answer_of
from chat.interface import strings
from chat.phrases import filled

register = template.Library()


@register.simple_tag(takes_context=True)
def say(context: template.Context, name: str) -> str:
    """Return a string in the language of the page, or of the browser where no page was made."""
    return str(strings(page_language(context))[name])


@register.simple_tag(takes_context=True)
def page_language(context: template.Context) -> str:
    """Return the language that a page without a view is shown in."""
    request = context.get("request")
    if request is None:
        return "en"
    return getattr(request, "LANGUAGE_CODE", "") or get_language_from_request(request)[:2]


@register.simple_tag
def fill(text: str, **values: Any) -> str:
    """Fill in what the page knows: {% fill ui.source_n n=2 %}."""
    return filled(text, values)


@register.filter
def as_told(answer: str, language: str = "") -> str:
    """Return an answer as who asked sees it: {{ side.answer|as_told:side.language }}."""
    return answer_of(answer, language) if answer else "–"


@register.filter
def dialled(number: str) -> str:
    """Return a telephone number as a link dials it."""
    return "".join(sign for sign in number if sign.isdigit() or sign == "+")
