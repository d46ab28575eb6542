"""One document from its kept bytes to the index."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from enum import StrEnum

from django.conf import settings
from lingua import Language

from retrieval.embedding.base import Embedder
from retrieval.index.state import ensure_index_matches
from retrieval.ingestion.knowledge import knowledge
from retrieval.ingestion.prepare import Description, Prepared, prepare
from retrieval.ingestion.read.process import PDF
from retrieval.ingestion.store import Outcome, replace
from retrieval.models import Document
from zol.errors import OnlyImages, UnreadableDocument

#: Part of every content hash: raise it when ingestion makes other chunks of the same bytes.
EDITION = 3


class Ending(StrEnum):
    """How processing a document can end well."""

    PROCESSED = "processed"
    UNCHANGED = "unchanged"
    EMPTY = "empty"


def process(
    document: Document,
    embedder: Embedder,
    *,
    settle: Callable[[Ending, str], None],
    tell: Callable[[str], None],
) -> None:
    """Bring a document into the index; `settle` says in the same transaction how it ended, `tell`
    before that how far a long one is.

    A document whose content hash is that of its last ingestion is left as it is.
    """
    ensure_index_matches(embedder)
    content_hash = hash_of(document)
    is_settled = document.status in (Document.Status.READY, Document.Status.EMPTY)
    if is_settled and document.content_hash == content_hash:
        settle(Ending.UNCHANGED, "")
        return
    prepared, reason = _prepared(document, tell)
    ending = Ending.PROCESSED if prepared.drafts else Ending.EMPTY
    status = Document.Status.READY if prepared.drafts else Document.Status.EMPTY
    replace(
        document,
        prepared,
        embedder,
        Outcome(status, content_hash, reason),
        settle=lambda: settle(ending, reason),
    )


def _prepared(document: Document, tell: Callable[[str], None]) -> tuple[Prepared, str]:
    """Return the drafts of a document, and why it has none or what is doubtful in them."""
    if document.original is None:
        raise UnreadableDocument("The page was never fetched")
    about = Description(
        title=document.title,
        media_type=document.original.media_type,
        language=document.language,
        category_override=document.category_override,
        ocr=_ocr_languages(document.language),
    )
    remark = ""

    def note(said: str) -> None:
        nonlocal remark
        remark = said
        tell(said)

    try:
        with document.original.file.open("rb") as file:
            data = file.read()
    except FileNotFoundError as error:
        raise UnreadableDocument("The file of the page is gone from the storage") from error
    try:
        prepared = prepare(data, about, knowledge(), note)
    except OnlyImages as error:
        return Prepared(), str(error)
    return prepared, remark if prepared.drafts else "No text was found"


def _ocr_languages(own: str) -> str:
    """Return the languages of OCR as Tesseract names them, that of the document before others."""
    code = {each.iso_code_639_1.name.lower(): each.iso_code_639_3.name for each in Language.all()}
    first = code.get(own, "").lower()
    return "+".join(sorted(settings.OCR.split("+"), key=lambda language: language != first))


def hash_of(document: Document) -> str:
    """Return the hash of all that a document's chunks are made of, its bytes first."""
    made_of = [
        EDITION,
        document.original.sha256 if document.original else "",
        document.original.media_type if document.original else "",
        document.title,
        document.language,
        document.category_override,
    ]
    if settings.OCR and made_of[2] == PDF:
        made_of.append(settings.OCR)
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()
