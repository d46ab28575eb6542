"""Strings of the interface where no view has put them: error pages, and values to fill in."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import template
from django.utils.translation import get_language_from_request

from chat.channels.frames import answer_of
from chat.interface import strings
from chat.phrases import filled
from taxonomy.publishing.live import profile_of
from zol import phones
from zol.text import web_address

register = template.Library()


@register.simple_tag(takes_context=True)
def say(context: template.Context, name: str) -> str:
    """Return a string in the language of the page, or of the browser where no page was made; with
    the hospital's values filled in, where the hospital is known."""
    said = str(strings(page_language(context))[name])
    hospital = getattr(context.get("request"), "hospital", None)
    return filled(said, asdict(profile_of(hospital))) if hospital else said


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


register.filter(web_address)


@register.filter
def dialled(number: str, home: str) -> str:
    """Return a number as a link dials it: {{ hospital.phone|dialled:hospital.country }}."""
    return phones.dialled(number, home)
