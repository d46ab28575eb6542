"""Vectors of the statements of chunks: made when a chunk is indexed, read when it may be quoted.

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
from itertools import chain, islice
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from retrieval.embedding.base import Embedder, ReadsInContext, Written
from retrieval.failing import reading
from retrieval.index.text import IndexedChunk, about, embedded_text
from retrieval.models import ChunkStatements
from retrieval.passage import Passage
from retrieval.statements import EDITION, compared_texts, heading_of, quotable
from retrieval.vectors import Matrix, normalised
from zol.tenancy import required_hospital_id

#: The largest number of a byte with a sign.
LARGEST = 127
#: Chunks whose vectors a process remembers, about five kilobytes each: never out of date, since
#: the key tells what they were made of.
MOST_RECENT = 4_096
_recent: dict[tuple[int, bytes], bytes] = {}
_reading = Lock()


@dataclass(frozen=True, slots=True)
class Heard:
    """The vectors of a chunk's statements, as they are kept."""

    key: bytes
    vectors: bytes


def read(chunks: Sequence[IndexedChunk], embedder: Embedder) -> tuple[Matrix, list[Heard | None]]:
    """Return the vector of each chunk, and what is kept of its statements: nothing where the
    provider does not compare sentences.

    Asks the provider, so call it outside a transaction.
    """
    if isinstance(embedder, ReadsInContext):
        whole, rows = embedder.embed_passages([written(chunk) for chunk in chunks])
        return whole, [
            _heard(chunk, found, embedder) for chunk, found in zip(chunks, rows, strict=True)
        ]
    whole = embedder.embed_documents([embedded_text(chunk) for chunk in chunks])
    if not embedder.compares_sentences:
        return whole, [None] * len(chunks)
    texts = [compared_texts(chunk.content, chunk.section) for chunk in chunks]
    # Pages repeat themselves, and each other.
    place = {text: n for n, text in enumerate(dict.fromkeys(chain.from_iterable(texts)))}
    every = embedder.embed_documents(list(place))
    return whole, [
        _heard(chunk, every[[place[text] for text in group]], embedder)
        for chunk, group in zip(chunks, texts, strict=True)
    ]


def written(chunk: IndexedChunk) -> Written:
    """Return a chunk as an encoder reads it that takes statements from where they stand."""
    said = quotable(chunk.content)
    return Written(
        about(chunk),
        tuple((heading_of(line, chunk.section), line.text) for line in said),
        embedded_text(chunk),
    )


def _heard(chunk: IndexedChunk, rows: Matrix, embedder: Embedder) -> Heard:
    key = key_of(chunk.content, chunk.section, embedder)
    return Heard(key, _packed(rows).tobytes())


def keep(chunk_ids: Sequence[int], kept: Sequence[Heard | None]) -> None:
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
        update_fields=["hospital", "key", "vectors"],
    )


@reading()
def vectors_of(passages: Iterable[Passage], embedder: Embedder) -> Mapping[int, Matrix]:
    """Return the vectors of the statements of passages, by chunk, in one query."""
    wanted = {
        passage.chunk_id: key_of(passage.text, passage.section, embedder) for passage in passages
    }
    ours = required_hospital_id()
    found = {
        pk: kept for pk, key in wanted.items() if (kept := _recent.get((ours, key))) is not None
    }
    unread = wanted.keys() - found.keys()
    if unread:
        rows = ChunkStatements.objects.filter(pk__in=unread).values_list("pk", "key", "vectors")
        new = {pk: bytes(vectors) for pk, key, vectors in rows if bytes(key) == wanted[pk]}
        _keep_recent({(ours, wanted[pk]): vectors for pk, vectors in new.items()})
        found |= new
    return _unpacked(found, embedder.dimensions)


def _keep_recent(read: Mapping[tuple[int, bytes], bytes]) -> None:
    with _reading:
        _recent.update(read)
        for key in list(islice(_recent, max(0, len(_recent) - MOST_RECENT))):
            del _recent[key]


def key_of(content: str, section: str, embedder: Embedder) -> bytes:
    """Return the hash of all that the vectors of a text are made of."""
    return _key(EDITION, embedder.name, embedder.model, embedder.dimensions, section, content)


@lru_cache(maxsize=MOST_RECENT)
def _key(*made_of: str | int) -> bytes:
    return blake2b(json.dumps(made_of).encode(), digest_size=16).digest()


def _packed(rows: Matrix) -> NDArray[np.int8]:
    largest = np.abs(rows).max(axis=1, keepdims=True, initial=1e-9)
    packed: NDArray[np.int8] = np.rint(rows * (LARGEST / largest)).astype(np.int8)
    return packed


def _unpacked(kept: Mapping[int, bytes], dimensions: int) -> Mapping[int, Matrix]:
    """Return the vectors of all chunks, unpacked in one go."""
    if not kept:
        return {}
    rows = np.frombuffer(b"".join(kept.values()), dtype=np.int8).reshape(-1, dimensions)
    vectors = normalised(rows.astype(np.float32))
    ends = np.cumsum([len(each) // dimensions for each in kept.values()])
    return dict(zip(kept, np.split(vectors, ends[:-1]), strict=True))
