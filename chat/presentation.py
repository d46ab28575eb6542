"""How an answer and the events of a turn look from outside: to the page and the API."""

from __future__ import annotations

import re
from typing import Any

import nh3
from markdown_it import MarkdownIt

from chat import phones
from chat.models import Message
from chat.trace import Retracted, Started, Token

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


#: A link as a whole, or any other tag.
_TAG = re.compile(r'(<a\b.*?</a>|<[^>"]*(?:"[^"]*"[^>"]*)*>)', re.DOTALL)


def html_of(text: str) -> str:
    """Return Markdown as HTML that can do no harm; a telephone number can be dialled."""
    html = nh3.clean(_markdown.render(text), tags=_ALLOWED, url_schemes={"https", "http", "tel"})
    return "".join(part if part.startswith("<") else _dialable(part) for part in _TAG.split(html))


def _dialable(text: str) -> str:
    for phone in reversed([*phones.find(text)]):
        number = text[phone.start : phone.end]
        dialled = "".join(
            sign for sign in number.replace("(0)", "") if sign.isdigit() or sign == "+"
        )
        text = f'{text[: phone.start]}<a href="tel:{dialled}">{number}</a>{text[phone.end :]}'
    return text


def frame_of(event: Any) -> dict[str, Any] | None:
    """Return what a visitor is told of an event; staff read the rest in the trace."""
    match event:
        case Started(phase=phase):
            return {"type": "progress", "stage": phase, "percent": phase.percent}
        case Token(text=text):
            return {"type": "token", "text": text}
        case Retracted(reason=reason):
            return {"type": "retract", "reason": reason}
    return None


def presented(message: Message) -> dict[str, Any]:
    """Return a stored answer as the page shows it."""
    return {
        "message": str(message.pk),
        "text": message.answer,
        "html": html_of(message.answer),
        "language": message.language,
        "behaviour": message.behaviour,
        "citations": [cited(citation) for citation in message.citations],
        "follow_ups": message.follow_ups,
        "contact": message.contact,
        "verified": message.verified,
        "degraded": message.degraded,
        "cached": message.cached,
        "mode": message.mode,
    }


def cited(citation: dict[str, Any]) -> dict[str, Any]:
    """Return a citation with the address of our own viewer of its passage."""
    chunk = citation["chunk_id"]
    return {
        "n": citation["n"],
        "url": citation["url"],
        "title": citation["title"],
        "page": citation["page"],
        "passage": citation["passage"],
        "viewer": f"/bron/{chunk}/" if chunk else "",
    }
