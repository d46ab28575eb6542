"""Replace a document in one transaction: search sees the old or the new one, never a mix.

Staff edits survive. A chunk whose source is unchanged stays, with its edits. An edited chunk whose
source changed takes the place of the most similar piece and is marked. All others are replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from dataclasses import replace as dataclass_replace
from datetime import date

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from retrieval.analysis import IndexedChunk
from retrieval.embedding.base import Embedder
from retrieval.fields import packed, refitted
from retrieval.index.writing import IndexEntry, embedded, index_chunks, remove_chunks
from retrieval.index.writing import prepare as prepare_index
from retrieval.ingestion.prepare import Draft, PreparedDocument
from retrieval.models import Chunk, CorpusState, Document, Origin
from retrieval.subjects import Subjects
from zol.text import words

#: Share of words that an edited chunk and a new piece must have in common to be the same passage.
RESEMBLANCE = 0.3
#: Origins of dates that were read from a page.
READ = (Origin.TEXT, Origin.FILE, Origin.NAME)


@dataclass(frozen=True, slots=True)
class Existing:
    """The parts of a stored chunk that planning compares."""

    pk: int
    content: str
    section: str
    context: str
    questions: tuple[str, ...]
    source_hash: str
    is_edited: bool
    #: Disabled or categorised by hand: kept as long as its passage exists.
    is_marked: bool


@dataclass(frozen=True, slots=True)
class Place:
    """One chunk of the new document, in order: a draft, an existing chunk, or both."""

    draft: Draft | None
    existing: Existing | None = None
    #: Whether to keep the existing chunk's text.
    keeps_text: bool = False
    source_changed: bool = False


def plan(
    existing: Sequence[Existing], drafts: Sequence[Draft], *, is_same_source: bool = False
) -> tuple[Place, ...]:
    """Return the chunks of the new document in order; chunks in no place are to be deleted. A
    source that ingestion merely reads differently does not count as changed under an edit."""
    matched = _same_source(existing, drafts)
    taken = {chunk.pk for chunk in matched.values()}
    loose = [chunk for chunk in existing if chunk.pk not in taken]
    resembling = _resembling(
        [chunk for chunk in loose if chunk.is_edited or chunk.is_marked],
        {number: draft for number, draft in enumerate(drafts) if number not in matched},
    )
    places = []
    for number, draft in enumerate(drafts):
        if same := matched.get(number):
            places.append(Place(draft, same, keeps_text=same.is_edited))
        elif like := resembling.get(number):
            edited = like.is_edited
            places.append(Place(draft, like, keeps_text=edited, source_changed=edited))
        else:
            places.append(Place(draft))
    placed = {chunk.pk for chunk in resembling.values()}
    orphans = [chunk for chunk in loose if chunk.is_edited and chunk.pk not in placed]
    places += [Place(None, chunk, keeps_text=True, source_changed=True) for chunk in orphans]
    if is_same_source:
        return tuple(dataclass_replace(place, source_changed=False) for place in places)
    return tuple(places)


def _same_source(existing: Sequence[Existing], drafts: Sequence[Draft]) -> dict[int, Existing]:
    """Pair drafts with chunks that were cut from the very same text, in order."""
    by_hash: dict[str, list[Existing]] = {}
    for chunk in existing:
        by_hash.setdefault(chunk.source_hash, []).append(chunk)
    return {
        number: by_hash[draft.source_hash].pop(0)
        for number, draft in enumerate(drafts)
        if by_hash.get(draft.source_hash)
    }


def _resembling(chunks: Sequence[Existing], drafts: dict[int, Draft]) -> dict[int, Existing]:
    """Pair chunks with the drafts that resemble them most, best pairs first."""
    pairs = sorted(
        (
            (_resemblance(chunk, draft), -number, chunk)
            for chunk in chunks
            for number, draft in drafts.items()
        ),
        key=lambda pair: (pair[0], pair[1], -pair[2].pk),
        reverse=True,
    )
    found: dict[int, Existing] = {}
    placed: set[int] = set()
    for resemblance, number, chunk in pairs:
        if resemblance < RESEMBLANCE or -number in found or chunk.pk in placed:
            continue
        found[-number] = chunk
        placed.add(chunk.pk)
    return found


def _resemblance(chunk: Existing, draft: Draft) -> float:
    ours, theirs = set(words(chunk.content)), set(words(draft.content))
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0


#: Attempts to plan a replacement while somebody edits a chunk.
TRIES = 5


class ConcurrentEdit(Exception):
    """Raised if somebody edits the document between planning and writing; plan again."""


@dataclass(frozen=True, slots=True)
class DocumentOutcome:
    """The state of a document after ingestion."""

    status: Document.Status
    content_hash: str
    reason: str = ""
    #: Whether only ingestion changed since.
    is_same_source: bool = False
    #: Date of writing, and its origin.
    written_on: date | None = None
    written_from: str = ""


def replace(
    document: Document,
    prepared: PreparedDocument,
    embedder: Embedder,
    outcome: DocumentOutcome,
    subjects: Subjects,
    *,
    settle: Callable[[], None],
) -> None:
    """Replace a document's chunks and index rows by the prepared ones; `settle` joins the
    transaction."""
    for attempt in range(1, TRIES + 1):
        existing = read_existing(document.pk)
        places = plan(existing, prepared.drafts, is_same_source=outcome.is_same_source)
        texts = [_indexed(place, document.title) for place in places]
        # The provider is asked outside the transaction, which would otherwise wait for it.
        entries = embedded(texts, embedder)
        try:
            with transaction.atomic():
                prepare_index(embedder)
                planned = zip(places, entries, strict=True)
                _write(document, prepared, outcome, subjects, existing, planned)
                settle()
        except ConcurrentEdit:
            if attempt == TRIES:
                raise
            continue
        return


def read_existing(document_id: int) -> tuple[Existing, ...]:
    rows = Chunk.objects.filter(document_id=document_id).order_by("ordinal", "pk")
    return tuple(
        Existing(
            pk=row.pk,
            content=row.content,
            section=row.section,
            context=row.context,
            questions=tuple(row.questions),
            source_hash=row.source_hash,
            is_edited=row.is_edited,
            is_marked=row.category_fixed or not row.is_enabled,
        )
        for row in rows
    )


def _indexed(place: Place, title: str, chunk_id: int = 0) -> IndexedChunk:
    """Return a place as search will read it."""
    told = place.existing if place.keeps_text and place.existing else place.draft
    assert told is not None, "a place holds a draft or keeps a text"  # noqa: S101 (for types)
    return IndexedChunk(
        chunk_id=chunk_id,
        title=title,
        content=told.content,
        section=told.section,
        context=told.context,
        questions=told.questions,
    )


def _write(
    document: Document,
    prepared: PreparedDocument,
    outcome: DocumentOutcome,
    subjects: Subjects,
    existing: Sequence[Existing],
    planned: Iterable[tuple[Place, IndexEntry]],
) -> None:
    fresh, planned = Document.objects.select_for_update().get(pk=document.pk), list(planned)
    if read_existing(document.pk) != existing:
        raise ConcurrentEdit
    _write_document(fresh, prepared, outcome)
    kept = {place.existing.pk for place, _ in planned if place.existing}
    gone = [chunk.pk for chunk in existing if chunk.pk not in kept]
    remove_chunks(gone)
    Chunk.objects.filter(pk__in=gone).delete()
    rows = Chunk.objects.in_bulk(kept)
    entries = []
    for ordinal, (place, entry) in enumerate(planned):
        row = rows[place.existing.pk] if place.existing else Chunk(document=fresh)
        _fill(row, place, fresh, ordinal)
        if not (row.category_fixed or place.keeps_text):
            _categorise(row, fresh, subjects)
        row.save()
        entries.append(dataclass_replace(entry, chunk=_indexed(place, fresh.title, row.pk)))
    index_chunks(entries)
    bump_revision(fresh.hospital_id)


def _write_document(
    document: Document, prepared: PreparedDocument, outcome: DocumentOutcome
) -> None:
    document.status = outcome.status
    document.content_hash = outcome.content_hash
    document.reason = outcome.reason
    document.has_instructions = prepared.has_instructions
    if not document.summary_edited:
        document.summary = prepared.summary
    # What a pack or staff said of its date stays.
    if document.updated_on is None or document.updated_from in READ:
        document.updated_on, document.updated_from = outcome.written_on, outcome.written_from
    document.alternates = prepared.facts.alternates
    document.processed_at = timezone.now()
    document.save(
        update_fields=[
            "status", "content_hash", "reason", "has_instructions", "summary", "processed_at",
            "updated_on", "updated_from", "alternates",
        ]
    )  # fmt: skip


def _fill(row: Chunk, place: Place, document: Document, ordinal: int) -> None:
    row.hospital_id = document.hospital_id
    row.ordinal = ordinal
    row.source_changed = row.source_changed or place.source_changed
    draft = place.draft
    if draft is None:
        return
    row.source_hash = draft.source_hash
    row.page = draft.page
    places = draft.places
    if place.keeps_text:
        places = refitted(places, (draft.section, draft.content), (row.section, row.content))
    row.fields = packed(row.content if place.keeps_text else draft.content, places)
    row.categories = {}
    if not place.keeps_text:
        row.content, row.section, row.context = draft.content, draft.section, draft.context
        row.questions, row.tokens = list(draft.questions), draft.tokens
        row.entity_kinds = list(draft.entity_kinds)


def _categorise(row: Chunk, document: Document, subjects: Subjects) -> None:
    """Set category and evidence; the category that staff gave the document overrides keywords."""
    if override := document.category_override:
        row.category, row.category_evidence = override, {"override": override}
        return
    judged = subjects.classifier.classify(row.content, title=document.title, section=row.section)
    row.category, row.category_evidence = judged.category, judged.evidence()
    row.categories = {subjects.key: judged.category}


def bump_revision(hospital_id: int) -> None:
    """Invalidate every cached answer of the corpus."""
    changed = CorpusState.objects.filter(hospital_id=hospital_id).update(revision=F("revision") + 1)
    if not changed:
        CorpusState.objects.create(hospital_id=hospital_id, revision=1)
