"""Ingest one document, from its stored bytes to the index.

A worker locks the document (`zol.postgres.locks`), so an item in state "processing" whose document
is not locked was abandoned. A worker that lost its lock holds an outdated claim and cannot write
its result. A page's date of writing is read from a line that announces it, the file's metadata, or
its name.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import replace as dataclass_replace
from datetime import date, datetime, time, timedelta
from functools import partial

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from lingua import Language

from retrieval.categories import classifier_of
from retrieval.embedding.base import Embedder
from retrieval.fields import scoped
from retrieval.index import ensure_index_matches
from retrieval.ingestion.knowledge import (
    addresses_assistant,
    calendar_of,
    current_snapshot,
    patterns_of,
    spellings_of,
)
from retrieval.ingestion.prepare import PreparedDocument, prepare
from retrieval.ingestion.store import ConcurrentEdit, DocumentOutcome, replace
from retrieval.models import Document, IngestionItem, IngestionRun, Origin, Original
from retrieval.models.documents import original_path
from retrieval.reading import PDF
from retrieval.reading.metadata import FileFacts
from retrieval.scope import scope_of
from taxonomy.dates.reading import read
from taxonomy.dates.words import Calendar
from zol.errors import OnlyImages, UnreadableDocument
from zol.postgres import locks
from zol.text import fold

#: Earliest plausible year of a page.
EARLIEST = date(1995, 1, 1)
#: Most words between an announcement and its date.
BETWEEN = 3
_YEAR = r"(?:19|20)\d\d"
#: Dates in figures: month and year, a full date as in file names, and a year alone.
_MONTH = re.compile(
    rf"(?<!\d)(?:({_YEAR})[-/._](0?[1-9]|1[0-2])|(0?[1-9]|1[0-2])[-/._]({_YEAR}))(?!\d)"
)
_DAY = re.compile(rf"(?<!\d)({_YEAR})[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)")
_ALONE = re.compile(rf"(?<!\d)({_YEAR})(?!\d)")


def written_on(
    facts: FileFacts, name: str, language: str, words: Calendar, today: date
) -> tuple[date | None, str]:
    """Return the date on which a page was last written, and its origin."""
    found = {
        Origin.TEXT: max(_announced(facts.dated, language, words, today), default=None),
        Origin.FILE: date.fromisoformat(facts.changed_on) if facts.changed_on else None,
        Origin.NAME: next(_in_figures(name), None),
    }
    for origin, day in found.items():
        if day and EARLIEST <= day <= today:
            return day, str(origin)
    return None, ""


def _announced(lines: Iterable[str], language: str, words: Calendar, today: date) -> Iterator[date]:
    """Yield the dates that lines announce as the date of writing: "Versie 2023-04"."""
    known = words.words.get(language)
    if known is None or known.written is None:
        return
    for line in lines:
        folded = fold(line)
        cue = known.written.search(folded)
        if cue is None:
            continue
        rest = folded[cue.end() :]
        figures = re.search(r"\d", rest)
        if figures is None or len(rest[: figures.start()].split()) > BETWEEN:
            continue
        yield from (day for day in _days(rest, language, words, today) if EARLIEST <= day <= today)


def _days(text: str, language: str, words: Calendar, today: date) -> Iterator[date]:
    """Yield the first date of a text that has a year; the first day of a month or year."""
    now = datetime.combine(today + timedelta(days=1), time())
    for moment in read(text, language, now, words):
        if re.search(_YEAR, moment.text) and moment.first <= today:
            yield moment.first
            return
    yield from _in_figures(text)


def _in_figures(text: str) -> Iterator[date]:
    if day := _DAY.search(text):
        with suppress(ValueError):
            yield date(int(day[1]), int(day[2]), int(day[3]))
    if month := _MONTH.search(text):
        yield date(int(month[1] or month[4]), int(month[2] or month[3]), 1)
    if year := _ALONE.search(text.replace("_", " ")):
        yield date(int(year[1]), 1, 1)


def keep_original(
    hospital_id: int, data: bytes, media_type: str, *, write: bool = True
) -> Original:
    """Store a file's bytes once, by hash, and return the row."""
    sha256 = hashlib.sha256(data).hexdigest()
    original, _ = Original.objects.get_or_create(
        hospital_id=hospital_id,
        sha256=sha256,
        defaults={"media_type": media_type, "size": len(data)},
    )
    path, storage = original_path(original, ""), default_storage
    # A file that a crash cut short is written again.
    if write and not (storage.exists(path) and storage.size(path) == len(data)):
        storage.delete(path)
        storage.save(path, ContentFile(data))
    if original.file.name != path:
        original.file.name = path
        original.save(update_fields=["file"])
    return original


State = IngestionItem.State
#: States in which an item waits for a worker.
WAITING = (State.DISCOVERED, State.FAILED)
UNFINISHED = (*WAITING, State.PROCESSING)
#: Attempts before an item fails for good.
MOST_ATTEMPTS = 3
NEEDS_SCRIPT = (
    "A script fills this page, so only its frame could be read: upload its text as a file"
)
#: The lock's name among all advisory locks of the database.
LOCK = "retrieval.ingestion"


def held(document_id: int) -> AbstractContextManager[bool]:
    """Lock a document during the block; yield False if it is locked already."""
    return locks.held(f"{LOCK}.{document_id}")


@transaction.atomic
def claim(item_id: int) -> IngestionItem | None:
    """Claim a waiting item of a running run; None if there is nothing to do.

    The claim holds while its number of attempts is the stored one.
    """
    item = (
        IngestionItem.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(pk=item_id, state__in=WAITING, run__state=IngestionRun.State.RUNNING)
        .first()
    )
    if item is None:
        return None
    item.state = State.PROCESSING
    item.attempts += 1
    item.claimed_at = timezone.now()
    item.save(update_fields=["state", "attempts", "claimed_at"])
    return item


def report(claimed: IngestionItem, text: str) -> None:
    """Report the progress of a slow item to staff."""
    _held(claimed).update(reason=text[:500], claimed_at=timezone.now())


def _held(claimed: IngestionItem) -> QuerySet[IngestionItem]:
    return IngestionItem.objects.filter(
        pk=claimed.pk, state=State.PROCESSING, attempts=claimed.attempts
    )


def settle(claimed: IngestionItem, state: str, reason: str = "") -> None:
    """Store an item's final state.

    :raises ConcurrentEdit: when the claim is outdated, to roll back the transaction.
    """
    changed = _held(claimed).update(state=state, reason=reason[:500], claimed_at=timezone.now())
    if not changed:
        raise ConcurrentEdit


def abandoned(hospital_id: int) -> Iterator[IngestionItem]:
    """Yield the items in progress that no worker has locked."""
    rows = IngestionItem.objects.filter(
        hospital_id=hospital_id, state=State.PROCESSING, run__state=IngestionRun.State.RUNNING
    )
    for item in rows.order_by("pk"):
        with held(item.document_id) as is_free:
            if is_free:
                item.refresh_from_db(fields=["state", "attempts"])
                if item.state == State.PROCESSING:
                    yield item


#: Part of every content hash: increase `EDITION` when ingestion cuts the same bytes differently.
#: `FIRST` is the edition of 1.1.0.
FIRST, EDITION = 3, 5


def process(claimed: IngestionItem, embedder: Embedder) -> None:
    """Ingest the document of a claim, unless its content hash is unchanged."""
    ensure_index_matches(embedder)
    document = Document.objects.select_related("original").get(pk=claimed.document_id)
    content_hash = hash_of(document)
    is_settled = document.status in (Document.Status.READY, Document.Status.EMPTY)
    if is_settled and document.content_hash == content_hash:
        settle(claimed, State.UNCHANGED)
        return
    prepared, reason = _prepared(document, partial(report, claimed))
    snapshot, title = current_snapshot(), document.title
    dated = written_on(
        prepared.facts, document.path, document.language, snapshot.derived(calendar_of),
        timezone.localdate(),
    )  # fmt: skip
    find = snapshot.derived(scope_of).of(title, document.language)
    names = snapshot.derived(spellings_of)
    drafts = tuple(
        dataclass_replace(
            draft,
            places=scoped(draft.content, draft.places, find),
            entity_kinds=names.kinds_in(f"{title}\n{draft.section}\n{draft.content}"),
        )
        for draft in prepared.drafts
    )
    texts = (f"{draft.section}\n{draft.content}" for draft in drafts)
    everything = "\n".join((title, *texts, prepared.everything))
    replace(
        document,
        drafts,
        embedder,
        DocumentOutcome(
            Document.Status.READY if drafts else Document.Status.EMPTY,
            content_hash,
            prepared,
            reason,
            is_same_source=is_outdated(document),
            has_instructions=addresses_assistant(everything, snapshot.derived(patterns_of)),
            dated=dated,
        ),
        snapshot.derived(classifier_of),
        settle=partial(settle, claimed, State.PROCESSED if drafts else State.EMPTY, reason),
    )


def _prepared(document: Document, tell: Callable[[str], None]) -> tuple[PreparedDocument, str]:
    """Prepare a document; return it with remarks for staff, such as why it has no text."""
    data, media_type = original_of(document)
    about = {
        "title": document.title,
        "media_type": media_type,
        "language": document.language,
        "ocr": _ocr_languages(document.language),
    }
    remark = ""

    def note(text: str) -> None:
        nonlocal remark
        remark = text
        tell(text)

    try:
        prepared = prepare(data, about, note)
    except OnlyImages as error:
        return PreparedDocument(), str(error)
    if prepared.facts.needs_script:
        return prepared, NEEDS_SCRIPT
    return prepared, remark if prepared.drafts else "No text was found"


def original_of(document: Document) -> tuple[bytes, str]:
    """Return the bytes of a document and their media type."""
    if document.original is None:
        raise UnreadableDocument("The page was never fetched")
    try:
        with document.original.file.open("rb") as file:
            return file.read(), document.original.media_type
    except FileNotFoundError as error:
        raise UnreadableDocument("The file of the page is gone from the storage") from error


def _ocr_languages(own: str) -> str:
    """Return the languages of OCR in Tesseract's codes, the document's own first."""
    code = {each.iso_code_639_1.name.lower(): each.iso_code_639_3.name for each in Language.all()}
    first = code.get(own, "").lower()
    return "+".join(sorted(settings.OCR.split("+"), key=lambda language: language != first))


def is_outdated(document: Document) -> bool:
    """Return whether a document's chunks were cut by an earlier edition."""
    return document.content_hash in {hash_of(document, each) for each in range(FIRST, EDITION)}


def hash_of(document: Document, edition: int = 0) -> str:
    """Return the hash of everything that a document's chunks depend on."""
    made_of = [
        edition or EDITION,
        document.original.sha256 if document.original else "",
        document.original.media_type if document.original else "",
        document.title,
        document.language,
        document.category_override,
    ]
    if settings.OCR and made_of[2] == PDF:
        made_of.append(settings.OCR)
    return hashlib.sha256(json.dumps(made_of).encode()).hexdigest()
