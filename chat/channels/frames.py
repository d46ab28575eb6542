"""Frames of the protocol, and answers as sanitised HTML.

Links lead only to the hospital's own pages and numbers. Any other link, copied from a page by a
model or written by mistake, is shown as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import nh3
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override
from markdown_it import MarkdownIt

from chat.models import Message
from chat.phrases import phrases_of
from chat.safety.emergencies.alarm import situations_of
from chat.turn import StageStarted, Suggested, Token
from retrieval.selectors import is_page
from taxonomy.publishing.live import snapshot_at_hand
from taxonomy.snapshot import Snapshot
from zol import phones
from zol.access.hosts import bare_host, hospital_at, host_of
from zol.errors import NotPublished
from zol.models import Hospital
from zol.tenancy import required_hospital_id
from zol.text import web_address

#: Markdown features that are not used.
_UNUSED = ["image", "autolink", "reference", "html_block", "html_inline", "strikethrough"]
#: An unambiguous host with optional port.
_PLACE = re.compile(r"[a-z0-9.-]+(?::\d+)?", re.IGNORECASE)


def markdown_with(allows: Callable[[str], bool]) -> MarkdownIt:
    """Return a Markdown parser that links allowed addresses only."""
    made = MarkdownIt("js-default", {"html": False, "linkify": False, "breaks": True})
    made.disable(_UNUSED).validateLink = allows  # type: ignore[assignment,method-assign]
    return made


def markdown_of(snapshot: Snapshot) -> MarkdownIt:
    """Return a Markdown parser that links the corpus, the hospital's domains and its known numbers;
    use it through `snapshot.derived(markdown_of)`."""
    domain = host_of(snapshot.profile.website).removeprefix("www.")
    numbers = known_numbers(snapshot)

    def allows(address: str) -> bool:
        try:
            scheme, place, path, *_ = urlsplit(address)
        except ValueError:
            return False
        if scheme == "tel":
            return phones.dialled(unquote(path), snapshot.profile.country) in numbers
        if scheme not in ("https", "http") or not _PLACE.fullmatch(place):
            return False
        host = bare_host(place)
        if domain and f".{host}".endswith(f".{domain}"):
            return True
        found = hospital_at(host)
        return (found is not None and found.pk == snapshot.hospital_id) or is_page(address)

    return markdown_with(allows)


def known_numbers(snapshot: Snapshot) -> frozenset[str]:
    """Return the numbers of a hospital, its departments and its country's help lines."""
    profile = asdict(snapshot.profile)
    written = [number for name, number in profile.items() if name.endswith("phone")]
    written += [line["number"] for line in phrases_of(snapshot).lines]
    written += [situation.phone for situation in snapshot.derived(situations_of)]
    written += [str(thing.get("phone") or "") for thing in snapshot.vocabulary.things]
    home = snapshot.profile.country
    return frozenset(phones.dialled(number, home) for number in written if number)


_without_links = markdown_with(lambda address: False)
_ALLOWED = {
    "p", "ul", "ol", "li", "strong", "em", "blockquote", "br", "a", "table", "tr", "td", "th",
}  # fmt: skip


#: Digits of short numbers, such as 112 and 1733.
SHORT = range(2, 6)
#: Digits from which a short number is rarely a count.
UNAMBIGUOUS = 4
#: A link as a whole, or any other tag.
_TAG = r'<a\b.*?</a>|<[^>"]*(?:"[^"]*"[^>"]*)*>'
_TAGS = re.compile(f"({_TAG})", re.DOTALL)
#: A tag, or a possible short number between tags.
_PIECES = re.compile(
    rf"(?P<tag>{_TAG})"
    r"|(?<![\w€$£.,/:+-])(?<![\d€$£][ \u00a0\u202f])(?P<short>\d{2,5})(?![\w%]|[.,:/-]\d|\s?[€%])",
    re.DOTALL,
)
#: A citation mark.
_CITED = re.compile(r"\[(\d+)\]")
#: What follows a house number: a comma or a short word, then a town.
_TOWN = re.compile(r",? (?:\w{1,3} )?[^\W_a-zα-ω]")


@dataclass(frozen=True, slots=True)
class Numbers:
    """Country of a hospital, and its emergency and helpline numbers."""

    #: The country; empty where no hospital is known.
    home: str = ""
    known: frozenset[str] = frozenset()
    #: The emergency number, linked wherever it occurs.
    emergency: str = ""

    def is_meant(self, found: re.Match[str]) -> bool:
        """Return whether a number is a telephone number, no count or house number."""
        number = found["short"]
        before, after = found.string[: found.start()], found.string[found.end() :]
        if number not in self.known:
            return False
        if before.endswith("<strong>") and after.startswith("</strong>"):
            return True
        is_unambiguous = len(number) >= UNAMBIGUOUS or number == self.emergency
        name = before.split()[-1] if before.endswith(" ") and before.strip() else ""
        return is_unambiguous and not (name[:1].isupper() and _TOWN.match(after))


def numbers_of(snapshot: Snapshot) -> Numbers:
    profile = snapshot.profile
    emergency = profile.emergency_phone
    numbers = [emergency, profile.out_of_hours_phone]
    numbers += [line["number"] for line in phrases_of(snapshot).lines]
    known = frozenset(n for n in numbers if n.isdecimal() and len(n) in SHORT)
    return Numbers(profile.country, known, emergency)


def html_of(text: str, numbers: Numbers = Numbers(), markdown: MarkdownIt = _without_links) -> str:
    """Return Markdown as sanitised HTML with telephone links.

    Numbers in the text become links that dial what is shown. Links that the text contains could
    dial another number than they show, so `markdown` decides which ones to keep.
    """
    html = nh3.clean(markdown.render(text), tags=_ALLOWED, url_schemes={"https", "http", "tel"})
    long = "".join(
        part if part.startswith("<") else _with_phones(part, numbers.home)
        for part in _TAGS.split(html)
    )
    return _PIECES.sub(partial(_short, numbers), long)


def answer_html(text: str) -> str:
    """Return an answer of the served hospital as HTML."""
    snapshot = snapshot_at_hand()
    return html_of(text, snapshot.derived(numbers_of), snapshot.derived(markdown_of))


def answer_of(text: str, language: str) -> SafeString:
    """Return an answer as HTML for pages outside the chat."""
    try:
        html = answer_html(text)
    except NotPublished:
        hospital = Hospital.objects.get(pk=required_hospital_id())
        html = html_of(text, Numbers(hospital.country))
    cited = (
        part if part.startswith("<") else _CITED.sub(r'<span class="cite">\1</span>', part)
        for part in _TAGS.split(html)
    )
    body = mark_safe("".join(cited))  # noqa: S308 (cleaned above)
    return format_html('<div class="said" lang="{}">{}</div>', language, body)


def _with_phones(text: str, home: str) -> str:
    for phone in reversed(phones.find(text, home)):
        if phone.is_fax:
            continue
        link = _link(text[phone.start : phone.end], phone.dialled)
        text = f"{text[: phone.start]}{link}{text[phone.end :]}"
    return text


def _short(numbers: Numbers, found: re.Match[str]) -> str:
    short = found["short"]
    return _link(short, short) if short and numbers.is_meant(found) else found.group()


def _link(number: str, dialled: str) -> str:
    return f'<a href="tel:{dialled}">{number}</a>'


def frame_of(event: Any) -> dict[str, Any] | None:
    """Return the frame that sends an event to the visitor; None if only the trace shows it."""
    match event:
        case StageStarted(phase=phase):
            return {"type": "progress", "stage": phase, "percent": phase.percent}
        case Token(text=text):
            return {"type": "token", "text": text}
        case Suggested(message=message, follow_ups=follow_ups):
            return {"type": "suggestions", "message": message, "follow_ups": list(follow_ups)}
    return None


def presented(message: Message) -> dict[str, Any]:
    """Return a stored answer of the served hospital for the page."""
    return {
        "message": str(message.pk),
        "text": message.answer,
        "html": answer_html(message.answer),
        "language": message.language,
        "behaviour": message.behaviour,
        "warning": message.warning,
        "citations": [cited(citation, message.language) for citation in message.citations],
        "follow_ups": message.follow_ups,
        "contact": dialable(message.contact, snapshot_at_hand()),
        "verified": message.verified,
        "certainty": message.certainty,
        "degraded": message.degraded,
        "cached": message.cached,
        "mode": message.mode,
        "kept": message.is_kept,
    }


def dialable(contact: dict[str, Any], snapshot: Snapshot) -> dict[str, Any]:
    """Return a contact card with the number that its link dials."""
    phone, home = contact.get("phone"), snapshot.profile.country
    return contact | {"dialled": phones.dialled(phone, home)} if phone else contact


def cited(citation: dict[str, Any], language: str) -> dict[str, Any]:
    """Return a citation for the page, with the address of its document in our viewer."""
    chunks = "-".join(map(str, filter(None, (citation["chunk_id"], *citation.get("also", ())))))
    marked = "" if citation["passage"] else "heel/"
    day = citation.get("updated_on", "")
    with override(language):
        updated = date_format(date.fromisoformat(day), "DATE_FORMAT") if day else ""
    return {
        "n": citation["n"],
        "url": web_address(at_section(citation)),
        "title": citation["title"],
        "page": citation["page"],
        "passage": citation["passage"],
        "translated": citation.get("translated", ""),
        "updated_on": day,
        "updated": updated,
        "viewer": f"/bron/{chunks}/{marked}" if chunks else "",
    }


def at_section(citation: Mapping[str, Any]) -> str:
    """Return the URL of a citation, with the PDF page or section."""
    url, page, anchor = str(citation["url"]), citation["page"], citation.get("anchor", "")
    if not url or "#" in url or not (page or anchor):
        return url
    return f"{url}#page={page}" if page else f"{url}#{quote(anchor)}"
