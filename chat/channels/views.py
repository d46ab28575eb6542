"""Patients' pages: the chat, its version without script, and the viewer of cited documents."""

from __future__ import annotations

import re
from contextlib import nullcontext
from functools import partial, wraps
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from chat import services
from chat.behaviours import Behaviour
from chat.channels.document_viewer import Piece, parts_of
from chat.channels.frames import at_section, presented
from chat.channels.pages import (
    ApprovedTexts,
    View,
    approved_texts,
    beside_answers,
    framed_by_widgets,
    full_text,
    hospital_of,
    language_of,
    may_explain,
    page_context,
    retry_text,
    token_for,
    visitor_of_page,
)
from chat.channels.protocol import LONGEST_QUESTION, answering_from_memory, queue_for, stop_of
from chat.channels.rate_limit import TooMany, count_question
from chat.models import Message
from chat.services import TurnResult
from chat.turn import EMBEDDED, Turn
from retrieval.fields import unpacked
from retrieval.models import Chunk, Document
from taxonomy.publishing.live import live_snapshot, profile_of
from zol import phones
from zol.errors import ExpectedError
from zol.runtime.bridge import Full, turn_here

YEAR = 365 * 24 * 3600

#: A whole tag with its attributes; or a citation mark between tags.
_TAG_OR_MARK = re.compile(r"(<[^>\"]*(?:\"[^\"]*\"[^>\"]*)*>)|\[(\d+)\]")


def remembers_language(view: View) -> View:
    """Remember the language of `?language=` in a cookie."""

    @wraps(view)
    def wrapped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        language = language_of(request)
        if request.GET.get("language") == language:
            response.set_cookie(
                settings.LANGUAGE_COOKIE_NAME,
                language,
                max_age=YEAR,
                secure=settings.HTTPS,
                httponly=True,
                samesite="Lax",
            )
        return response

    return wrapped


@require_safe
@gzip_page
@framed_by_widgets
@cache_control(private=True, no_cache=True)
@remembers_language
def chat(request: HttpRequest) -> HttpResponse:
    """Show the chat, with the data for its script."""
    approved = approved_texts(language_of(request))
    frame = page_context(request, approved)
    if approved.phrases is None:
        return render(request, "chat/not_ready.html", frame, status=503)
    frame["visitor"] = token_for(request)
    page = page_of(request, approved, frame)
    more = {"page": page, "examples": approved.phrases.examples(approved.language)}
    response = render(request, "chat/chat.html", frame | more)
    if "mend" in page:
        patch_cache_control(response, no_store=True)
    return response


def page_of(request: HttpRequest, approved: ApprovedTexts, frame: dict[str, Any]) -> dict[str, Any]:
    """Return the data for the page's script."""
    hospital = hospital_of(request)
    widget = request.GET.get("widget", "")
    known = {"widget": widget, "visitor": frame["visitor"]}
    query = urlencode({name: value for name, value in known.items() if value})
    page = {
        "socket": "/ws/chat/" + (f"?{query}" if query else ""),
        "widget": widget,
        "hospital": hospital.slug,
        "emergency": hospital.emergency_phone,
        "emergency_dialled": phones.dialled(hospital.emergency_phone, hospital.country),
        "language": approved.language,
        "content_language": hospital.default_language,
        "longest": LONGEST_QUESTION,
        "ui": frame["ui"],
        "texts": frame["texts"],
        "beside": {
            code: beside_answers(approved, profile_of(hospital), code)
            for code in hospital.languages
        },
    }
    if may_explain(request, "chat.view_message"):
        turn = unquote(reverse("admin:chat_message_change", args=["{message}"]))
        page["mend"] = {"title": gettext("Correct this"), "turn": turn}
    return page


@require_safe
@gzip_page
@framed_by_widgets
@cache_control(private=True, no_store=True)
@remembers_language
def search(request: HttpRequest) -> HttpResponse:
    """Answer a question on a page of its own; nothing is stored."""
    question = request.GET.get("q", "")
    turn = Turn(question, language=language_of(request))
    is_asked = 0 < len(question) <= LONGEST_QUESTION
    stopped = queue_for(question)(partial(stop_of, lambda: turn)).result() if is_asked else None
    with answering_from_memory() if stopped else nullcontext():
        return results(request, turn, stopped)


def results(request: HttpRequest, turn: Turn, answered: TurnResult | None) -> HttpResponse:
    """Show the immediate answer to a question, or else take its turn."""
    approved, question = approved_texts(turn.language), turn.question
    frame = page_context(request, approved) | {"question": question}
    if approved.phrases is None:
        return render(request, "chat/not_ready.html", frame, status=503)
    # An immediate answer must not wait for the database, which has the hospital's networks.
    frame["visitor"] = token_for(request) if answered is None else request.GET.get("visitor", "")
    if not question:
        return render(request, "chat/search.html", frame)
    if len(question) > LONGEST_QUESTION:
        return _form_with_error(request, frame, frame["texts"]["too_long"], status=400)
    try:
        if answered is None or not answered.is_emergency:
            count_question(visitor_of_page(request))
        if answered is None:
            with turn_here():
                answered = services.take_turn(turn)
    except TooMany as reason:
        words = retry_text(hospital_of(request), approved.language, reason)
        return _form_with_error(request, frame, words, status=429)
    except (Full, ExpectedError) as reason:
        is_full = isinstance(reason, Full)
        words = full_text(hospital_of(request), approved.language) if is_full else ""
        return _form_with_error(request, frame, words or frame["texts"]["error"], status=503)
    # The next question starts with an empty field.
    asked = {"answer": shown(answered, approved), "asked": question, "question": ""}
    mends = {"mends": may_explain(request, "chat.view_intentexample")}
    return render(request, "chat/search.html", frame | asked | mends)


def _form_with_error(
    request: HttpRequest, frame: dict[str, Any], words: str, *, status: int
) -> HttpResponse:
    """Show the form again with the error in words."""
    return render(request, "chat/search.html", frame | {"mistake": words}, status=status)


def shown(answered: TurnResult, approved: ApprovedTexts) -> dict[str, Any]:
    """Return an answer as a page without script shows it."""
    message = Message(**services.fields_of(answered))
    answer = presented(message)
    quoted = [each for each in answer["citations"] if each["passage"]]
    is_quoting = message.engine == EMBEDDED and bool(quoted)
    return answer | {
        "html": linked(answer["html"], {citation["n"] for citation in answer["citations"]}),
        "is_emergency": message.behaviour == Behaviour.EMERGENCY,
        "quotes": is_quoting and not any(each["translated"] for each in quoted),
        "beside": beside_answers(approved, live_snapshot().profile, message.language),
    }


def linked(html: str, numbers: set[int]) -> str:
    """Turn the citation marks of an answer into links to its list of sources."""

    def link(found: re.Match[str]) -> str:
        tag, mark = found.groups()
        if tag or int(mark) not in numbers:
            return found.group()
        return f'<a class="cite" href="#bron-{mark}">{mark}</a>'

    return _TAG_OR_MARK.sub(link, html)


#: Policy that keeps an original document from running or loading anything.
HARMLESS = "sandbox; default-src 'none'"
#: URL: a passage, further quoted passages of its document, and whether the page as a whole is
#: cited.
ADDRESS = r"^bron/(?P<chunk_id>\d{1,18})(?P<also>(?:-\d{1,18}){0,9})/(?P<whole>heel/)?$"


def readable_chunk(chunk_id: int) -> Chunk:
    """Return a chunk that visitors of this hospital may see, with its document."""
    chunks = Chunk.objects.select_related("document__original")
    return get_object_or_404(
        chunks, pk=chunk_id, is_enabled=True, document__status=Document.Status.READY
    )


@require_safe
@gzip_page
@framed_by_widgets
@cache_control(private=True, no_cache=True)
@remembers_language
def source(request: HttpRequest, chunk_id: str, also: str = "", whole: str = "") -> HttpResponse:
    """Show a document with the cited passages highlighted; none where nothing was quoted."""
    chunk = readable_chunk(int(chunk_id))
    cited = () if whole else (chunk.pk, *map(int, also.split("-")[1:]))
    rows = chunk.document.chunks.filter(is_enabled=True).order_by("ordinal")
    pieces = [Piece(*row) for row in rows.values_list("pk", "content", "section", "page")]
    parts = parts_of(pieces, cited)
    places = unpacked(chunk.content, chunk.section, chunk.fields) if cited else ()
    at = {
        "url": chunk.document.url, "page": chunk.page if cited else 0,
        "anchor": next((place.anchor for place in places if place.anchor), ""),
    }  # fmt: skip
    frame = page_context(request, approved_texts(language_of(request)))
    return render(
        request,
        "chat/source.html",
        frame
        | {
            "document": chunk.document,
            "category": frame["ui"]["categories"].get(chunk.document.category, ""),
            "chunk": chunk,
            "own_page": at_section(at),
            "parts": parts,
            "first_cited": next((part.id for part in parts if part.is_cited), 0),
        },
    )


@require_safe
@cache_control(private=True, max_age=3600)
def original(request: HttpRequest, chunk_id: int) -> HttpResponse:
    """Serve the original page or brochure as a file that cannot run scripts on our site."""
    document = readable_chunk(chunk_id).document
    kept = document.original
    if kept is None:
        raise Http404("No original was stored")
    try:
        with kept.file.open("rb") as file:
            response = HttpResponse(file.read(), content_type=kept.media_type)
    except FileNotFoundError as error:
        raise Http404("The original is gone") from error
    name = PurePosixPath(document.path).name or kept.sha256
    response.headers["Content-Disposition"] = content_disposition_header(
        as_attachment=True, filename=name
    )
    response.headers["Content-Security-Policy"] = HARMLESS
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
