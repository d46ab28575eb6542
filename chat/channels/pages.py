"""Shared parts of all chat pages, and the script that embeds the chat in other sites."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import conditional_page, require_safe

from chat.channels.frames import answer_html
from chat.channels.protocol import LONGEST_QUESTION
from chat.channels.rate_limit import TooMany, Visitor, new_token
from chat.interface import interface_of, strings
from chat.phrases import Phrases, filled, phrases_of
from chat.selectors import live_interventions
from taxonomy.publishing.live import live_snapshot, profile_of
from taxonomy.snapshot import Profile
from zol.access.hosts import is_origin, widget_at
from zol.access.roles import may_enter
from zol.clock import hospital_now
from zol.errors import NotPublished
from zol.languages import LANGUAGES, Language
from zol.models import Hospital

View = Callable[..., HttpResponse]
#: Maximum wait stated in seconds; longer ones are given as a time of day.
SOON = 90
#: Seconds after which to retry a full server.
SECONDS_WHEN_FULL = 10
#: Approved texts in the page's language.
NOTICES = ("ai_notice", "input_hint", "offline", "rate_limited", "too_long", "error")
#: Approved texts beside an answer, in the answer's language.
BESIDE_ANSWERS = ("disclaimer", "verified_badge", "quoting_notice", "degraded")
#: Interface strings of an answer, in the answer's language even if the page's differs.
LABELS = (
    "call", "contact", "contact_hours", "sources", "source_n", "page_number", "open_page",
    "in_context", "updated", "follow_ups", "helpful", "yes", "no", "rated", "reason_title",
    "reason_wrong", "reason_incomplete", "reason_off", "reason_unclear", "think_harder", "harder",
    "copy", "copied", "print",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ApprovedTexts:
    """The approved texts of the served hospital; none before it has published."""

    phrases: Phrases | None
    language: str

    def notices(self) -> dict[str, str]:
        return self.in_language(NOTICES, self.language)

    def bulletins(self) -> list[tuple[str, str, str]]:
        """Return the bulletins of the whole hospital: heading, text and language."""
        if self.phrases is None:
            return []
        held = live_interventions().bulletins(hospital_now().date())
        announced = (b.announced(self.phrases, self.language) for b in held if b.is_general)
        return [(heading, answer_html(text), code) for heading, text, code in announced]

    def in_language(self, kinds: tuple[str, ...], language: str) -> dict[str, str]:
        """Return approved texts in a language; empty ones before the first publication."""
        if self.phrases is None:
            return dict.fromkeys(kinds, "")
        return {
            kind: self.phrases.say(kind, language, max_chars=LONGEST_QUESTION) for kind in kinds
        }


def beside_answers(approved: ApprovedTexts, profile: Profile, language: str) -> dict[str, str]:
    """Return every text shown beside an answer, in its language."""
    ui = interface_of(profile, language)
    return approved.in_language(BESIDE_ANSWERS, language) | {name: str(ui[name]) for name in LABELS}


def approved_texts(language: str) -> ApprovedTexts:
    """Return the approved texts in force."""
    try:
        return ApprovedTexts(phrases_of(live_snapshot()), language)
    except NotPublished:
        return ApprovedTexts(None, language)


def retry_text(hospital: Hospital, language: str, reason: TooMany) -> str:
    """Return the text on when a visitor over the limit may ask again."""
    offered, ui = _offered(hospital, language)
    again = timezone.localtime() + timedelta(seconds=reason.seconds)
    if reason.seconds <= SOON:
        wait = filled(ui["again_soon"], {"seconds": str(max(2, reason.seconds))})
    else:
        wait = filled(ui["again_at"], {"time": f"{again + timedelta(minutes=1):%H:%M}"})
    return f"{approved_texts(offered).notices()['rate_limited']} {wait}".strip()


def full_text(hospital: Hospital, language: str) -> str:
    """Return the text for a full server, with the seconds to wait."""
    _, ui = _offered(hospital, language)
    return filled(ui["full"], {"seconds": str(SECONDS_WHEN_FULL)})


def outage_text(hospital: Hospital, language: str) -> str:
    """Return whom to call during an outage, without the database."""
    _, ui = _offered(hospital, language)
    return f"{ui['away_title']}. {ui['away_text']}"


def _offered(hospital: Hospital, language: str) -> tuple[str, dict[str, Any]]:
    """Return the language if it is offered, else the default, with its interface strings."""
    offered = language if language in hospital.languages else hospital.default_language
    return offered, interface_of(profile_of(hospital), offered)


def visitor_of_page(request: HttpRequest) -> Visitor:
    """Return the visitor of an HTTP request."""
    token = request.GET.get("visitor", "")
    return Visitor(request.META["REMOTE_ADDR"], request.COOKIES, token)


def token_for(request: HttpRequest) -> str:
    """Return the visitor's token, or a new one."""
    visitor = visitor_of_page(request)
    return visitor.token if visitor.key else new_token()


def may_explain(request: HttpRequest, permission: str) -> bool:
    """Return whether a staff member may go from an answer to its explanation.

    Without a session, as for every patient, nothing is looked up.
    """
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    return may_enter(request.user) and request.user.has_perm(permission)


def hospital_of(request: HttpRequest) -> Hospital:
    """Return the hospital that the middleware set on a request."""
    hospital: Hospital = request.hospital  # type: ignore[attr-defined]
    return hospital


def language_of(request: HttpRequest) -> str:
    """Return the language that the middleware chose."""
    return str(request.LANGUAGE_CODE)


def page_context(request: HttpRequest, approved: ApprovedTexts) -> dict[str, Any]:
    """Return the context that the templates of all pages need."""
    hospital = hospital_of(request)
    return {
        "hospital": hospital,
        "ui": interface_of(profile_of(hospital), approved.language),
        "texts": approved.notices(),
        "bulletins": approved.bulletins(),
        "language": approved.language,
        "languages": [(code, Language(code).label) for code in hospital.languages],
        "longest_question": LONGEST_QUESTION,
        #: Query of every link on a page inside a widget's frame.
        "kept": urlencode({"widget": widget}) if (widget := request.GET.get("widget")) else "",
    }


#: Strings of the script, by their name in the interface.
WIDGET_STRINGS = {
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
    """Return the widget's script, the same for every site, with the interface in all languages."""
    context = {"words": _widget_strings()}
    return render(request, "chat/widget.js", context, content_type="text/javascript")


@cache
def _widget_strings() -> str:
    table = {
        str(language): {name: strings(language)[key] for name, key in WIDGET_STRINGS.items()}
        for language in LANGUAGES
    }
    return json.dumps(table, ensure_ascii=False)


def framed_by_widgets(view: View) -> View:
    """Allow only the origins of the request's widget key to frame a page."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if key := request.GET.get("widget"):
            # The older header accepts no list of origins; the policy below is as strict.
            response.xframe_options_exempt = True  # type: ignore[attr-defined]
            response._csp_update = {"frame-ancestors": origins_of(key)}  # type: ignore[attr-defined]
        return response

    return wrapped


def origins_of(key: str) -> list[str]:
    """Return the valid origins of a widget key; others could widen the policy."""
    row = widget_at(key)
    return [origin for origin in (row.origins if row else ()) if is_origin(origin)]
