"""Replace a document's chunks in one transaction: search sees the old or the new, never a mix.

Edits by staff survive. A chunk whose source text is unchanged stays, with its edits. An edited
chunk whose source changed replaces the most similar draft and is marked as "source changed". All
other chunks are replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from dataclasses import replace as dataclass_replace
from datetime import date
from operator import attrgetter

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from retrieval.analysis import IndexedChunk, count_tokens
from retrieval.categories import CategoryClassifier
from retrieval.embedding.base import Embedder
from retrieval.fields import packed, refitted
from retrieval.index.writing import embed_chunks, index_chunks, remove_chunks
from retrieval.index.writing import prepare as prepare_index
from retrieval.ingestion.prepare import PreparedDocument
from retrieval.ingestion.split import Draft
from retrieval.models import Chunk, CorpusState, Document, Origin
from zol.text import words

#: Least share of common words (Jaccard) for an edited chunk and a draft to be the same passage.
RESEMBLANCE = 0.3
#: Origins of dates that were read from a page.
READ = (Origin.TEXT, Origin.FILE, Origin.NAME)


#: Fields of a chunk whose change by somebody else makes a plan outdated.
COMPARED = attrgetter(
    "pk", "content", "section", "context", "questions", "source_hash", "is_edited", "is_enabled",
    "category_fixed",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlannedChunk:
    """One chunk of the new document: a draft, an existing chunk, or both."""

    draft: Draft | None
    existing: Chunk | None = None
    #: Whether to keep the existing chunk's text.
    keeps_text: bool = False
    source_changed: bool = False


def plan(
    existing: Sequence[Chunk], drafts: Sequence[Draft], *, is_same_source: bool = False
) -> tuple[PlannedChunk, ...]:
    """Return the chunks of the new document in order; existing chunks that it does not name are to
    be deleted. With `is_same_source` only ingestion changed, and no edit's source counts as
    changed."""
    matched = _same_source(existing, drafts)
    taken = {chunk.pk for chunk in matched.values()}
    loose = [chunk for chunk in existing if chunk.pk not in taken]
    resembling = _resembling(
        [chunk for chunk in loose if _is_kept(chunk)],
        {number: draft for number, draft in enumerate(drafts) if number not in matched},
    )
    planned = []
    for number, draft in enumerate(drafts):
        if same := matched.get(number):
            planned.append(PlannedChunk(draft, same, keeps_text=same.is_edited))
        elif like := resembling.get(number):
            edited = like.is_edited
            planned.append(PlannedChunk(draft, like, keeps_text=edited, source_changed=edited))
        else:
            planned.append(PlannedChunk(draft))
    placed = {chunk.pk for chunk in resembling.values()}
    orphans = [chunk for chunk in loose if chunk.is_edited and chunk.pk not in placed]
    planned += [
        PlannedChunk(None, chunk, keeps_text=True, source_changed=True) for chunk in orphans
    ]
    if is_same_source:
        return tuple(dataclass_replace(each, source_changed=False) for each in planned)
    return tuple(planned)


def _is_kept(chunk: Chunk) -> bool:
    """Return whether a chunk stays with its passage: staff edited, disabled or categorised it."""
    return chunk.is_edited or chunk.category_fixed or not chunk.is_enabled


def _same_source(existing: Sequence[Chunk], drafts: Sequence[Draft]) -> dict[int, Chunk]:
    """Pair drafts, by position, with chunks that were cut from the same text."""
    by_hash: dict[str, list[Chunk]] = {}
    for chunk in existing:
        by_hash.setdefault(chunk.source_hash, []).append(chunk)
    return {
        number: by_hash[draft.source_hash].pop(0)
        for number, draft in enumerate(drafts)
        if by_hash.get(draft.source_hash)
    }


def _resembling(chunks: Sequence[Chunk], drafts: dict[int, Draft]) -> dict[int, Chunk]:
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
    found: dict[int, Chunk] = {}
    placed: set[int] = set()
    for resemblance, number, chunk in pairs:
        if resemblance < RESEMBLANCE or -number in found or chunk.pk in placed:
            continue
        found[-number] = chunk
        placed.add(chunk.pk)
    return found


def _resemblance(chunk: Chunk, draft: Draft) -> float:
    ours, theirs = set(words(chunk.content)), set(words(draft.content))
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0


#: Attempts to plan a replacement while somebody edits a chunk.
TRIES = 5


class ConcurrentEdit(Exception):
    """The document was changed between planning and writing."""


@dataclass(frozen=True, slots=True)
class DocumentOutcome:
    """The state of a document after ingestion."""

    status: Document.Status
    content_hash: str
    prepared: PreparedDocument
    reason: str = ""
    #: Whether only ingestion changed since.
    is_same_source: bool = False
    has_instructions: bool = False
    #: Date of writing, and its origin.
    dated: tuple[date | None, str] = (None, "")


def replace(
    document: Document,
    drafts: Sequence[Draft],
    embedder: Embedder,
    outcome: DocumentOutcome,
    classifier: CategoryClassifier,
    *,
    settle: Callable[[], None],
) -> None:
    """Replace a document's chunks and index rows by drafts; `settle` joins the transaction."""
    for attempt in range(1, TRIES + 1):
        existing = _chunks_of(document)
        planned = plan(existing, drafts, is_same_source=outcome.is_same_source)
        texts = [_indexed(each, document.title) for each in planned]
        # The provider is asked outside the transaction, which would otherwise wait for it.
        vectors = embed_chunks(texts, embedder)
        try:
            with transaction.atomic():
                prepare_index(embedder)
                index_chunks(_write(document, outcome, classifier, existing, planned), vectors)
                bump_revision(document.hospital_id)
                settle()
        except ConcurrentEdit:
            if attempt == TRIES:
                raise
            continue
        return


def _chunks_of(document: Document) -> list[Chunk]:
    return list(Chunk.objects.filter(document_id=document.pk).order_by("ordinal", "pk"))


def _indexed(planned: PlannedChunk, title: str, chunk_id: int = 0) -> IndexedChunk:
    kept = planned.existing if planned.keeps_text and planned.existing else planned.draft
    assert kept is not None, "it has a draft or keeps a text"  # noqa: S101 (for types)
    texts = kept.content, kept.section, kept.context, tuple(kept.questions)
    return IndexedChunk(chunk_id, title, *texts)


def _write(
    document: Document,
    outcome: DocumentOutcome,
    classifier: CategoryClassifier,
    existing: Sequence[Chunk],
    planned: Sequence[PlannedChunk],
) -> list[IndexedChunk]:
    """Write the document and its chunks; return these as search indexes them."""
    fresh = Document.objects.select_for_update().get(pk=document.pk)
    if [*map(COMPARED, _chunks_of(document))] != [*map(COMPARED, existing)]:
        raise ConcurrentEdit
    _write_document(fresh, outcome)
    kept = {each.existing.pk for each in planned if each.existing}
    gone = [chunk.pk for chunk in existing if chunk.pk not in kept]
    remove_chunks(gone)
    Chunk.objects.filter(pk__in=gone).delete()
    rows = Chunk.objects.in_bulk(kept)
    written = []
    for ordinal, each in enumerate(planned):
        row = rows[each.existing.pk] if each.existing else Chunk(document=fresh)
        _fill(row, each, fresh, ordinal)
        if not (row.category_fixed or each.keeps_text):
            _categorise(row, fresh, classifier)
        row.save()
        written.append(_indexed(each, fresh.title, row.pk))
    return written


def _write_document(document: Document, outcome: DocumentOutcome) -> None:
    document.status = outcome.status
    document.content_hash = outcome.content_hash
    document.reason = outcome.reason
    document.has_instructions = outcome.has_instructions
    if not document.summary_edited:
        document.summary = outcome.prepared.summary
    # A date of the pack or of staff stays.
    if document.updated_on is None or document.updated_from in READ:
        document.updated_on, document.updated_from = outcome.dated
    document.alternates = outcome.prepared.facts.alternates
    document.processed_at = timezone.now()
    document.save(
        update_fields=[
            "status", "content_hash", "reason", "has_instructions", "summary", "processed_at",
            "updated_on", "updated_from", "alternates",
        ]
    )  # fmt: skip


def _fill(row: Chunk, planned: PlannedChunk, document: Document, ordinal: int) -> None:
    row.hospital_id = document.hospital_id
    row.ordinal = ordinal
    row.source_changed = row.source_changed or planned.source_changed
    draft = planned.draft
    if draft is None:
        return
    row.source_hash = draft.source_hash
    row.page = draft.page
    row.categories = {}
    if planned.keeps_text:
        before, after = (draft.section, draft.content), (row.section, row.content)
        row.fields = packed(row.content, refitted(draft.places, before, after))
        return
    row.content, row.section, row.context = draft.content, draft.section, draft.context
    row.questions, row.tokens = list(draft.questions), count_tokens(draft.content)
    row.entity_kinds = list(draft.entity_kinds)
    row.fields = packed(draft.content, draft.places)


def _categorise(row: Chunk, document: Document, classifier: CategoryClassifier) -> None:
    """Set the category; one that staff gave the document overrides the keywords."""
    if override := document.category_override:
        row.category, row.category_evidence = override, {"override": override}
        return
    row.category = classifier.category_of(row.content, document.title, row.section)
    row.category_evidence, row.categories = {}, {classifier.key: row.category}


def bump_revision(hospital_id: int) -> None:
    """Invalidate every cached answer of the corpus."""
    changed = CorpusState.objects.filter(hospital_id=hospital_id).update(revision=F("revision") + 1)
    if not changed:
        CorpusState.objects.create(hospital_id=hospital_id, revision=1)
