"""What a page needs at once, sent with it or named in it: no second journey before it is seen."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path, PurePosixPath

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_ADDRESS = re.compile(r'url\("([^":]+)"\)')
_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?from "\./([\w.-]+)";', re.MULTILINE)


@register.simple_tag(takes_context=True)
def styles(context: template.Context, *paths: str) -> SafeString:
    """Put style sheets into the page: the policy allows what carries this answer's nonce."""
    nonce = str(context["request"].csp_nonce)
    ours = mark_safe("".join(map(_style, paths)))  # noqa: S308 (files of the product)
    return format_html('<style nonce="{}">{}</style>', nonce, ours)


@cache
def _style(path: str) -> str:
    folder = PurePosixPath(path).parent

    def addressed(found: re.Match[str]) -> str:
        parts: list[str] = []
        for part in (folder / found.group(1)).parts:
            parts = parts[:-1] if part == ".." else [*parts, part]
        return f'url("{static("/".join(parts))}")'

    return _ADDRESS.sub(addressed, _source(path))


@register.simple_tag
def module(path: str) -> SafeString:
    """Load a script, and all that it imports at the same time instead of one after another."""
    preloads = format_html_join(
        "", '<link rel="modulepreload" href="{}">', [(static(one),) for one in _imports(path)]
    )
    return format_html('{}<script type="module" src="{}"></script>', preloads, static(path))


@cache
def _imports(path: str) -> tuple[str, ...]:
    """Return every module that a module needs, nearest first."""
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
