"""How an answer and the events of a turn look from outside: to the page and the API."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any

import nh3
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override
from markdown_it import MarkdownIt

from chat.models import Message
from chat.phrases import phrases_of
from chat.turn import Retraction, StageStarted, Token
from taxonomy.live import live_snapshot
from taxonomy.snapshot import Snapshot
from zol import phones
from zol.errors import NotPublished

_markdown = MarkdownIt("js-default", {"html": False, "linkify": False, "breaks": True})
_ALLOWED = {
    "p",
    "ul",
    "ol",
    "li",
    "strong",
    "em",
    "blockquote",
    "br",
    "a",
    "table",
    "tr",
    "td",
    "th",
}


#: Digits of a number that is short, such as 112 and 1733.
SHORT = range(2, 6)
#: From so many digits on, a short number is hardly ever a count of something.
TELLING = 4
#: A link as a whole, or any other tag.
_TAG = r'<a\b.*?</a>|<[^>"]*(?:"[^"]*"[^>"]*)*>'
_TAGS = re.compile(f"({_TAG})", re.DOTALL)
#: A tag; or, between tags, what may be a short number.
_PIECES = re.compile(
    rf"(?P<tag>{_TAG})"
    r"|(?<![\w€$£.,/:+-])(?<![\d€$£][ \u00a0\u202f])(?P<short>\d{2,5})(?![\w%]|[.,:/-]\d|\s?[€%])",
    re.DOTALL,
)
#: The mark of a source.
_CITED = re.compile(r"\[(\d+)\]")
#: What follows a house number: its town.
_TOWN = re.compile(r",? (?:\w{1,3} )?[^\W_a-zα-ω]")


@dataclass(frozen=True, slots=True)
class ShortNumbers:
    """Short numbers that help: of the hospital, and of the lines of its country."""

    known: frozenset[str] = frozenset()
    #: The emergency number, which is dialled wherever it stands.
    emergency: str = ""

    def is_meant(self, found: re.Match[str]) -> bool:
        """Whether a number in a text is to be dialled, and is no count and no house number."""
        number = found["short"]
        before, after = found.string[: found.start()], found.string[found.end() :]
        if number not in self.known:
            return False
        if before.endswith("<strong>") and after.startswith("</strong>"):
            return True
        is_telling = len(number) >= TELLING or number == self.emergency
        return is_telling and not (_is_name(before) and _TOWN.match(after))


def _is_name(before: str) -> bool:
    """Whether a text ends in a word that begins with a capital, as a street does."""
    words = before.split()
    return before.endswith(" ") and bool(words) and words[-1][0].isupper()


def short_numbers_of(snapshot: Snapshot) -> ShortNumbers:
    profile = snapshot.profile
    emergency = profile.emergency_phone
    numbers = [emergency, profile.out_of_hours_phone]
    numbers += [line["number"] for line in phrases_of(snapshot).lines]
    known = frozenset(n for n in numbers if n.isdecimal() and len(n) in SHORT)
    return ShortNumbers(known, emergency)


def html_of(text: str, short: ShortNumbers = ShortNumbers()) -> str:
    """Return Markdown as HTML that can do no harm; telephone numbers can be dialled."""
    html = nh3.clean(_markdown.render(text), tags=_ALLOWED, url_schemes={"https", "http", "tel"})
    long = "".join(
        part if part.startswith("<") else _with_phones(part) for part in _TAGS.split(html)
    )
    return _PIECES.sub(partial(_short, short), long)


def html_here(text: str) -> str:
    """Return an answer of the hospital being served as HTML."""
    return html_of(text, live_snapshot().derived(short_numbers_of))


def answer_of(text: str, language: str) -> SafeString:
    """Return an answer as who asked sees it, for pages that are no chat."""
    try:
        html = html_here(text)
    except NotPublished:
        html = html_of(text)
    cited = (
        part if part.startswith("<") else _CITED.sub(r'<span class="cite">\1</span>', part)
        for part in _TAGS.split(html)
    )
    told = mark_safe("".join(cited))  # noqa: S308 (cleaned above)
    return format_html('<div class="said" lang="{}">{}</div>', language, told)


def _with_phones(text: str) -> str:
    for phone in reversed([*phones.find(text)]):
        link = _link(text[phone.start : phone.end])
        text = f"{text[: phone.start]}{link}{text[phone.end :]}"
    return text


def _short(short: ShortNumbers, found: re.Match[str]) -> str:
    return _link(found["short"]) if found["short"] and short.is_meant(found) else found.group()


def _link(number: str) -> str:
    dialled = "".join(sign for sign in number.replace("(0)", "") if sign.isdigit() or sign == "+")
    return f'<a href="tel:{dialled}">{number}</a>'


def frame_of(event: Any) -> dict[str, Any] | None:
    """Return what a visitor is told of an event; staff read the rest in the trace."""
    match event:
        case StageStarted(phase=phase):
            return {"type": "progress", "stage": phase, "percent": phase.percent}
        case Token(text=text):
            return {"type": "token", "text": text}
        case Retraction(reason=reason):
            return {"type": "retract", "reason": reason}
    return None


def presented(message: Message) -> dict[str, Any]:
    """Return a stored answer of the hospital being served as the page shows it."""
    return {
        "message": str(message.pk),
        "text": message.answer,
        "html": html_here(message.answer),
        "language": message.language,
        "behaviour": message.behaviour,
        "citations": [cited(citation, message.language) for citation in message.citations],
        "follow_ups": message.follow_ups,
        "contact": message.contact,
        "verified": message.verified,
        "certainty": message.certainty,
        "degraded": message.degraded,
        "cached": message.cached,
        "mode": message.mode,
    }


def cited(citation: dict[str, Any], language: str) -> dict[str, Any]:
    """Return a citation with the address of our own viewer, in which what was quoted is marked; a
    page of which nothing was, is shown without a mark."""
    chunks = "-".join(map(str, filter(None, (citation["chunk_id"], *citation.get("also", ())))))
    marked = "" if citation["passage"] else "heel/"
    return {
        "n": citation["n"],
        "url": citation["url"],
        "title": citation["title"],
        "page": citation["page"],
        "passage": citation["passage"],
        "translated": citation.get("translated", ""),
        "parts": list(citation.get("parts", ())),
        "updated_on": (day := citation.get("updated_on", "")),
        "updated": day_said(day, language),
        "viewer": f"/bron/{chunks}/{marked}" if chunks else "",
    }


def day_said(day: str, language: str) -> str:
    """Return a date (ISO 8601) as people write it in a language; empty where there is none."""
    if not day:
        return ""
    with override(language):
        return date_format(date.fromisoformat(day), "DATE_FORMAT")
