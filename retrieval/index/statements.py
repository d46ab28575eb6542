"""The statements of chunks: their vectors, and what the reader looks at of each, made when a chunk
is indexed and read when it may be quoted.

A statement costs about two milliseconds to embed, so that an answer, which weighs two dozen of
them, would wait for that more than for all else. A number takes one byte: a cosine moves by less
than 0.001.

What was kept bears a key of all that it was made of. Where the key is another one (the text was cut
or edited since, or the model is another), it is as if nothing had been kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from retrieval.analysis import IndexedChunk, about, embedded_text
from retrieval.embedding.base import Embedder, EncoderPassage, Keep, ReadsInContext, Window
from retrieval.index.vectors import reading
from retrieval.models import ChunkStatements
from retrieval.passage import Passage
from retrieval.reader import WIDTH, NarrowedStates, reader
from retrieval.reader.pieces import packed, stored, unpacked
from retrieval.statements import EDITION, heading_of, quotable
from retrieval.vectors import Matrix, normalised
from zol.tenancy import required_hospital_id

#: The largest number of a byte with a sign.
LARGEST = 127
#: Chunks whose vectors a process remembers, about five kilobytes each: never out of date, since
#: the key tells what they were made of.
MOST_RECENT = 4_096
_recent: dict[tuple[int, bytes], StoredStatements] = {}
_reading = Lock()


@dataclass(frozen=True, slots=True)
class StoredStatements:
    """What is kept of a chunk's statements: their vectors, and their pieces for the reader, none
    where the provider does not read passages in context."""

    key: bytes
    vectors: bytes
    pieces: bytes = b""


@dataclass(frozen=True, slots=True, eq=False)
class StatementVectors:
    """The statements of a chunk: a row for each, and what the reader looks at, where it is kept."""

    vectors: Matrix
    pieces: Sequence[NarrowedStates] = ()


def read(
    chunks: Sequence[IndexedChunk], embedder: Embedder
) -> tuple[Matrix, list[StoredStatements | None]]:
    """Return the vector of each chunk, and what is kept of its statements: nothing where the
    provider does not compare sentences.

    Asks the provider, so call it outside a transaction.
    """
    told = [written(chunk) for chunk in chunks]
    if not embedder.compares_sentences:
        return embedder.embed_documents([each.text for each in told]), [None] * len(chunks)
    narrowed = StateCollector([len(each.statements) for each in told])
    whole, rows = embedded(told, embedder, narrowed.keep)
    in_context = isinstance(embedder, ReadsInContext)
    pieces = narrowed.stored() if in_context else [b""] * len(chunks)
    return whole, [
        _heard(chunk, found, embedder, kept)
        for chunk, found, kept in zip(chunks, rows, pieces, strict=True)
    ]


def embedded(
    passages: Sequence[EncoderPassage], part: Embedder, keep: Keep | None = None
) -> tuple[Matrix, list[Matrix]]:
    """Return a row for each passage, and the rows of each one's statements."""
    if isinstance(part, ReadsInContext):
        return part.embed_passages(passages, keep)
    whole = part.embed_documents([each.text for each in passages])
    # Pages repeat themselves, and each other.
    texts = {said: n for n, said in enumerate(dict.fromkeys(_said(passages)))}
    every = part.embed_documents(list(texts))
    return whole, [every[[texts[said] for said in _said([each])]] for each in passages]


def _said(passages: Sequence[EncoderPassage]) -> list[str]:
    return [f"{heading}: {text}" for each in passages for heading, text in each.statements]


def written(chunk: IndexedChunk) -> EncoderPassage:
    """Return a chunk as an encoder reads it that takes statements from where they stand."""
    said = quotable(chunk.content)
    return EncoderPassage(
        about(chunk),
        tuple((heading_of(line, chunk.section), line.text) for line in said),
        embedded_text(chunk),
    )


class StateCollector:
    """Collects what the reader looks at of passages, while they are read."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._spans = [np.zeros((size, 3, 2), dtype=np.uint16) for size in sizes]
        self._states: list[list[NDArray[np.int8]]] = [[] for _ in sizes]

    def keep(self, window: Window, half: Matrix) -> None:
        states, spans = self._states[window.passage], self._spans[window.passage]
        begun = sum(map(len, states))
        for number, start, end, heading in window.spans:
            spans[number] = begun + np.array([(1, window.about), heading, (start, end)])
        states.append(packed(reader().narrowed(half)))

    def stored(self) -> list[bytes]:
        return [stored(*each) for each in zip(self._states, self._spans, strict=True)]


def _heard(
    chunk: IndexedChunk, rows: Matrix, embedder: Embedder, pieces: bytes = b""
) -> StoredStatements:
    key = key_of(chunk.content, chunk.section, embedder)
    return StoredStatements(key, _packed(rows).tobytes(), pieces)


def keep(chunk_ids: Sequence[int], kept: Sequence[StoredStatements | None]) -> None:
    """Keep the vectors of chunks, in the place of what was kept of them."""
    rows = [
        ChunkStatements(
            hospital_id=required_hospital_id(),
            chunk_id=pk,
            key=each.key,
            vectors=each.vectors,
            pieces=each.pieces,
        )
        for pk, each in zip(chunk_ids, kept, strict=True)
        if each
    ]
    ChunkStatements.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["chunk"],
        update_fields=["hospital", "key", "vectors", "pieces"],
    )


@reading()
def kept_of(passages: Iterable[Passage], embedder: Embedder) -> Mapping[int, StatementVectors]:
    """Return what is kept of the statements of passages, by chunk, in one query."""
    wanted = {
        passage.chunk_id: key_of(passage.text, passage.section, embedder) for passage in passages
    }
    ours = required_hospital_id()
    found = {
        pk: kept for pk, key in wanted.items() if (kept := _recent.get((ours, key))) is not None
    }
    unread = wanted.keys() - found.keys()
    if unread:
        rows = ChunkStatements.objects.filter(pk__in=unread)
        every = rows.values_list("pk", "key", "vectors", "pieces")
        new = {
            pk: StoredStatements(wanted[pk], bytes(vectors), bytes(pieces))
            for pk, key, vectors, pieces in every
            if bytes(key) == wanted[pk]
        }
        _keep_recent({(ours, each.key): each for each in new.values()})
        found |= new
    return _unpacked(found, embedder.dimensions)


def told_now(passages: Sequence[Passage], embedder: Embedder) -> list[StatementVectors]:
    """Return what would be kept of the statements of passages, read now."""
    chunks = [
        IndexedChunk(each.chunk_id, each.source.title, each.text, each.section,
                     questions=each.questions)
        for each in passages
    ]  # fmt: skip
    _, heard = read(chunks, embedder) if chunks else (None, [])
    found = _unpacked(dict(enumerate(filter(None, heard))), embedder.dimensions)
    return list(found.values())


def _keep_recent(read: Mapping[tuple[int, bytes], StoredStatements]) -> None:
    with _reading:
        _recent.update(read)
        for key in list(islice(_recent, max(0, len(_recent) - MOST_RECENT))):
            del _recent[key]


def key_of(content: str, section: str, embedder: Embedder) -> bytes:
    """Return the hash of all that the vectors of a text are made of."""
    made_by = (embedder.name, embedder.model, embedder.dimensions, reader().edition)
    return _key(EDITION, *made_by, section, content)


@lru_cache(maxsize=MOST_RECENT)
def _key(*made_of: str | int) -> bytes:
    return blake2b(json.dumps(made_of).encode(), digest_size=16).digest()


def _packed(rows: Matrix) -> NDArray[np.int8]:
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=1e-9)
    packed: NDArray[np.int8] = np.rint(rows * (LARGEST / largest)).astype(np.int8)
    return packed


def _unpacked(
    kept: Mapping[int, StoredStatements], dimensions: int
) -> Mapping[int, StatementVectors]:
    """Return what is kept of all chunks; the vectors unpacked in one go."""
    if not kept:
        return {}
    stored_rows = [each.vectors for each in kept.values()]
    rows = np.frombuffer(b"".join(stored_rows), dtype=np.int8).reshape(-1, dimensions)
    ends = np.cumsum([len(each) // dimensions for each in stored_rows])
    vectors = np.split(normalised(rows.astype(np.float32)), ends[:-1])
    return {
        pk: StatementVectors(own, unpacked(each.pieces, WIDTH) if each.pieces else ())
        for (pk, each), own in zip(kept.items(), vectors, strict=True)
    }
