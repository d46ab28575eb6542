"""How the chunks of a document become its new ones, so that what people did to them survives.

A chunk whose source is unchanged stays, with its edits. An edited chunk whose source changed stays
too, in the place of the piece that resembles it most, and is marked. Everything else is replaced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.ingestion.prepare import Draft
from zol.text import words

#: Share of words that an edited chunk and a new piece must have in common to be the same passage.
RESEMBLANCE = 0.3


@dataclass(frozen=True, slots=True)
class Existing:
    """A chunk as it stands, as far as ingestion minds."""

    pk: int
    content: str
    section: str
    context: str
    questions: tuple[str, ...]
    source_hash: str
    is_edited: bool
    #: Switched off, pinned, or put in a category by hand: kept as long as its passage exists.
    is_marked: bool


@dataclass(frozen=True, slots=True)
class Place:
    """One chunk of the document to be, in order: a draft, an existing chunk, or both."""

    draft: Draft | None
    existing: Existing | None = None
    #: The text of the existing chunk stays.
    keeps_text: bool = False
    source_changed: bool = False


def plan(existing: Sequence[Existing], drafts: Sequence[Draft]) -> tuple[Place, ...]:
    """Return what stands where in the document to be; chunks in no place are to be deleted."""
    matched = _same_source(existing, drafts)
    taken = {chunk.pk for chunk in matched.values()}
    loose = [chunk for chunk in existing if chunk.pk not in taken]
    resembling = _resembling(
        [chunk for chunk in loose if chunk.is_edited or chunk.is_marked],
        {number: draft for number, draft in enumerate(drafts) if number not in matched},
    )
    places = [
        _place(draft, matched.get(number), resembling.get(number))
        for number, draft in enumerate(drafts)
    ]
    placed = {chunk.pk for chunk in resembling.values()}
    orphans = [chunk for chunk in loose if chunk.is_edited and chunk.pk not in placed]
    places += [Place(None, chunk, keeps_text=True, source_changed=True) for chunk in orphans]
    return tuple(places)


def _place(draft: Draft, same: Existing | None, resembling: Existing | None) -> Place:
    if same is not None:
        return Place(draft, same, keeps_text=same.is_edited)
    if resembling is not None:
        edited = resembling.is_edited
        return Place(draft, resembling, keeps_text=edited, source_changed=edited)
    return Place(draft)


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
