"""Where a citation leads: the passage in its document, and the document as it came in."""

from __future__ import annotations

from pathlib import PurePosixPath

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from chat.framing import framed_by_widgets
from chat.pages import frame_of_page, language_of, speech_of
from chat.reading import Piece, parts_of
from chat.views import remembers_language
from retrieval.models import Chunk, Document

#: Whatever a page of the hospital holds, here it can neither run nor load anything.
HARMLESS = "sandbox; default-src 'none'"
#: A passage, others of its document that were quoted with it, and whether it is only the page.
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
    frame = frame_of_page(request, speech_of(language_of(request)))
    return render(
        request,
        "chat/source.html",
        frame
        | {
            "document": chunk.document,
            "category": frame["ui"]["categories"].get(chunk.document.category, ""),
            "chunk": chunk,
            "parts": parts,
            "first_cited": next((part.id for part in parts if part.is_cited), 0),
        },
    )


@require_safe
@cache_control(private=True, max_age=3600)
def original(request: HttpRequest, chunk_id: int) -> HttpResponse:
    """Hand over the page or brochure as it came in, as a file that cannot act on our site."""
    document = readable_chunk(chunk_id).document
    kept = document.original
    if kept is None:
        raise Http404("No original was kept")
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
