"""Vectors of the statements of chunks: made when a chunk is indexed, read when it may be quoted.

A statement costs about two milliseconds to embed, so that an answer, which weighs two dozen of
them, would wait for that more than for all else. A number takes one byte: a cosine moves by less
than 0.001.

Each row has a key of all that it was made of. If the key differs (the text was cut or edited since,
or the model is another), the row counts as missing.
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
from retrieval.embedding.base import Embedder, EncoderPassage, ReadsInContext
from retrieval.index.vectors import reading
from retrieval.models import ChunkStatements
from retrieval.passage import Passage
from retrieval.statements import EDITION, heading_of, quotable
from retrieval.vectors import Matrix, normalised
from zol.tenancy import required_hospital_id

#: The largest number of a byte with a sign.
LARGEST = 127
#: What the keys of 1.1.0 say beside: the edition of a model that is gone. The vectors of its rows
#: are still right, so that an upgrade needs no `reindex`.
BEFORE = "e83dfd755bfe4115887e35f9a36648629515d25758a06ff5329db624a41ccb49"
#: Chunks whose vectors a process remembers, about five kilobytes each: never out of date, since
#: the key tells what they were made of.
MOST_RECENT = 4_096
_recent: dict[tuple[int, bytes], StoredStatements] = {}
_reading = Lock()


@dataclass(frozen=True, slots=True)
class StoredStatements:
    """The vectors of a chunk's statements as they are stored."""

    key: bytes
    vectors: bytes


def read(
    chunks: Sequence[IndexedChunk], embedder: Embedder
) -> tuple[Matrix, list[StoredStatements | None]]:
    """Return the vector of each chunk, and what is kept of its statements: nothing where the
    provider does not compare sentences.

    Asks the provider, so call it outside a transaction.
    """
    told = [written(chunk) for chunk in chunks]
    if not isinstance(embedder, ReadsInContext):
        return embedder.embed_documents([each.text for each in told]), [None] * len(chunks)
    whole, rows = embedder.embed_passages(told)
    return whole, [
        StoredStatements(key_of(chunk.content, chunk.section, embedder), _packed(found).tobytes())
        for chunk, found in zip(chunks, rows, strict=True)
    ]


def written(chunk: IndexedChunk) -> EncoderPassage:
    """Return a chunk as an encoder reads it that takes statements from where they stand."""
    said = quotable(chunk.content)
    return EncoderPassage(
        about(chunk),
        tuple((heading_of(line, chunk.section), line.text) for line in said),
        embedded_text(chunk),
    )


def keep(chunk_ids: Sequence[int], kept: Sequence[StoredStatements | None]) -> None:
    """Keep the vectors of chunks, in the place of what was kept of them."""
    rows = [
        ChunkStatements(
            hospital_id=required_hospital_id(), chunk_id=pk, key=each.key, vectors=each.vectors
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
def kept_of(passages: Iterable[Passage], embedder: Embedder) -> Mapping[int, Matrix]:
    """Return the stored vectors of passages' statements, by chunk, in one query."""
    wanted = {
        passage.chunk_id: keys_of(passage.text, passage.section, embedder) for passage in passages
    }
    ours = required_hospital_id()
    found = {
        pk: kept
        for pk, (key, _) in wanted.items()
        if (kept := _recent.get((ours, key))) is not None
    }
    unread = wanted.keys() - found.keys()
    if unread:
        rows = ChunkStatements.objects.filter(pk__in=unread).values_list("pk", "key", "vectors")
        new = {
            pk: StoredStatements(wanted[pk][0], bytes(vectors))
            for pk, key, vectors in rows
            if bytes(key) in wanted[pk]
        }
        _keep_recent({(ours, each.key): each for each in new.values()})
        found |= new
    return _unpacked(found, embedder.dimensions)


def told_now(passages: Sequence[Passage], embedder: Embedder) -> list[Matrix]:
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
    return keys_of(content, section, embedder)[0]


def keys_of(content: str, section: str, embedder: Embedder) -> tuple[bytes, bytes]:
    """Return that hash, and the one that 1.1.0 gave to the same vectors."""
    made_by = (embedder.name, embedder.model, embedder.dimensions)
    return _key(EDITION, *made_by, section, content), _key(
        EDITION, *made_by, BEFORE, section, content
    )


@lru_cache(maxsize=MOST_RECENT)
def _key(*made_of: str | int) -> bytes:
    return blake2b(json.dumps(made_of).encode(), digest_size=16).digest()


def _packed(rows: Matrix) -> NDArray[np.int8]:
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=1e-9)
    packed: NDArray[np.int8] = np.rint(rows * (LARGEST / largest)).astype(np.int8)
    return packed


def _unpacked(kept: Mapping[int, StoredStatements], dimensions: int) -> Mapping[int, Matrix]:
    """Return what is kept of all chunks; the vectors unpacked in one go."""
    if not kept:
        return {}
    stored_rows = [each.vectors for each in kept.values()]
    rows = np.frombuffer(b"".join(stored_rows), dtype=np.int8).reshape(-1, dimensions)
    ends = np.cumsum([len(each) // dimensions for each in stored_rows])
    vectors = np.split(normalised(rows.astype(np.float32)), ends[:-1])
    return dict(zip(kept, vectors, strict=True))
