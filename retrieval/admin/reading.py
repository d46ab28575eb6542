"""What the reader keeps of a document beside what it leaves out, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from retrieval.admin.reasons import in_words
from retrieval.ingestion.process import NEEDS_SCRIPT
from retrieval.ingestion.read import refuse_unread
from retrieval.ingestion.read.blocks import Block, Sort
from retrieval.ingestion.read.process import reader
from retrieval.ingestion.read.visible import Why
from retrieval.models import Document
from zol.errors import OnlyImages, UnreadableDocument

#: Seconds that somebody waits for it, letters shown of a part, and parts shown.
LONGEST, SHOWN, MOST = 20.0, 400, 400
REASONS: Mapping[Why, Any] = {
    Why.SCRIPT: gettext_lazy("script, style or field: not text"),
    Why.HIDDEN: gettext_lazy("nobody sees it"),
    Why.STRUCK: gettext_lazy("struck out"),
    Why.NAVIGATION: gettext_lazy("navigation"),
    Why.COOKIES: gettext_lazy("cookie banner"),
    Why.FOOTER: gettext_lazy("footer"),
    Why.HEADER: gettext_lazy("header of the site"),
    Why.DIALOG: gettext_lazy("dialog"),
    Why.FORM: gettext_lazy("form"),
    Why.LINKS: gettext_lazy("links to other pages"),
    Why.BESIDE: gettext_lazy("beside the content"),
    Why.BEFORE: gettext_lazy("before the title"),
    Why.DATE: gettext_lazy("only a date"),
    Why.REPEATED: gettext_lazy("repeated at the edge of pages"),
}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A part that was left out."""

    text: str
    why: str


def show_reading(request: HttpRequest, document: Document, context: dict[str, Any]) -> HttpResponse:
    """Show a document as it is read now; why not where it cannot be."""
    kept: list[Block] = []
    left_out: list[LeftOut] = []
    try:
        kept, left_out = _read(document)
        wrong = "" if kept else "No text was found"
    except (UnreadableDocument, OnlyImages) as error:
        wrong = str(error)
    if document.reason == NEEDS_SCRIPT:
        wrong = NEEDS_SCRIPT
    own = {
        "title": _("What was read"), "document": document, "kept": kept[:MOST],
        "left_out": left_out[:MOST], "wrong": in_words(wrong),
        "more": max(len(kept), len(left_out)) > MOST, "opts": Document._meta,
    }  # fmt: skip
    return render(request, "admin/retrieval/reading.html", context | own)


def _read(document: Document) -> tuple[list[Block], list[LeftOut]]:
    original = document.original
    if original is None:
        raise UnreadableDocument("The page was never fetched")
    try:
        with original.file.open("rb") as file:
            data = file.read()
    except FileNotFoundError as error:
        raise UnreadableDocument("The file of the page is gone from the storage") from error
    refuse_unread(data, original.media_type)
    asked = {"media_type": original.media_type, "ocr": ""}
    work = "retrieval.ingestion.read.process:compare"
    blocks, left_out = reader.ask(work, data, asked, longest=LONGEST)
    shown = ((Truncator(text).chars(SHOWN), str(REASONS[Why(why)])) for text, why in left_out)
    kept = [Block(Sort(sort), *rest) for sort, *rest in blocks]
    return kept, [LeftOut(*each) for each in shown]
