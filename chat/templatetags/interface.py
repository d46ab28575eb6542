"""Template tags: strings of the interface, and style sheets and scripts sent with the page."""

from __future__ import annotations

import re
from dataclasses import asdict
from functools import cache
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Any

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
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
    """Return an interface string in the page's language, with the hospital's values filled in."""
    text = str(strings(page_language(context))[name])
    hospital = getattr(context.get("request"), "hospital", None)
    return filled(text, asdict(profile_of(hospital))) if hospital else text


@register.simple_tag(takes_context=True)
def page_language(context: template.Context) -> str:
    """Return the language of the page; that of the browser on error pages."""
    request = context.get("request")
    if request is None:
        return "en"
    return getattr(request, "LANGUAGE_CODE", "") or get_language_from_request(request)[:2]


@register.simple_tag
def fill(text: str, **values: Any) -> str:
    """Fill in placeholders: {% fill ui.source_n n=2 %}."""
    return filled(text, values)


@register.filter
def as_answer(answer: str, language: str = "") -> str:
    """Return an answer as patients see it: {{ side.answer|as_answer:side.language }}."""
    return answer_of(answer, language) if answer else "–"


register.filter(web_address)


@register.filter
def dialled(number: str, home: str) -> str:
    """Return a number as a link dials it: {{ hospital.phone|dialled:hospital.country }}."""
    return phones.dialled(number, home)


_ADDRESS = re.compile(r'url\("([^":]+)"\)')
_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?from "\./([\w.-]+)";', re.MULTILINE)


@register.simple_tag(takes_context=True)
def styles(context: template.Context, *paths: str) -> SafeString:
    """Inline style sheets, with the nonce that the content security policy allows."""
    nonce = str(context["request"].csp_nonce)
    ours = mark_safe("".join(map(_style, paths)))  # noqa: S308 (files of the product)
    return format_html('<style nonce="{}">{}</style>', nonce, ours)


@cache
def _style(path: str) -> str:
    folder = PurePosixPath(path).parent

    def addressed(found: re.Match[str]) -> str:
        return f'url("{static(normpath(folder / found.group(1)))}")'

    return _ADDRESS.sub(addressed, _source(path))


@register.simple_tag
def module(path: str) -> SafeString:
    """Load a script, and preload all its imports in parallel."""
    preloads = format_html_join(
        "", '<link rel="modulepreload" href="{}">', [(static(one),) for one in _imports(path)]
    )
    return format_html('{}<script type="module" src="{}"></script>', preloads, static(path))


@cache
def _imports(path: str) -> tuple[str, ...]:
    """Return all modules that a module imports, directly or through others."""
    found: list[str] = [path]
    for one in found:
        folder = PurePosixPath(one).parent
        named = [str(folder / name) for name in _IMPORT.findall(_source(one))]
        found += [name for name in named if name not in found]
    return tuple(found[1:])


def _source(path: str) -> str:
    located = finders.find(path)
    if not isinstance(located, str):
        raise template.TemplateSyntaxError(f"There is no static file {path}")
    return Path(located).read_text(encoding="utf-8")
