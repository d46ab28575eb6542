"""Check that an index was made with the configured embedding; send vectors in binary."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from django.db import DatabaseError, Error, connection
from pgvector import HalfVector
from pgvector.psycopg.halfvec import HalfVectorBinaryDumper, HalfVectorDumper
from psycopg import adapters

from retrieval.embedding import get_embedder
from retrieval.embedding.base import Embedder
from retrieval.models import CorpusState
from zol.errors import SearchFailed, WrongIndex
from zol.models import Hospital
from zol.tenancy import required_hospital_id, serving

# Before the first connection, which copies these. The dumpers have no type number, so statements
# must cast (`%s::halfvec`); the one registered last is preferred.
adapters.register_dumper(HalfVector, HalfVectorDumper)
adapters.register_dumper(HalfVector, HalfVectorBinaryDumper)


def ensure_index_matches(embedder: Embedder, *, claim: bool = False) -> None:
    """Raise `WrongIndex` if another embedding made the served hospital's index.

    A hospital without an index matches; `claim` then records the embedding.
    """
    hospital_id = required_hospital_id()
    made_with = _made_with(hospital_id)
    if made_with is None:
        if claim:
            note_embedding(embedder)
        return
    if made_with == _identity(embedder):
        return
    slug = Hospital.objects.values_list("slug", flat=True).get(pk=hospital_id)
    made, asked = ("{} {} ({} numbers)".format(*each) for each in (made_with, _identity(embedder)))
    raise WrongIndex(
        f"The index of {slug} was made with {made}, but the settings say {asked}. "
        f"Make it anew: manage.py reindex --hospital {slug}"
    )


def is_outdated(embedder: Embedder) -> bool:
    """Return whether another embedding made the served hospital's index."""
    made_with = _made_with(required_hospital_id())
    return made_with is not None and made_with != _identity(embedder)


def note_embedding(embedder: Embedder) -> None:
    """Record the embedding of the served hospital's index."""
    CorpusState.objects.update_or_create(
        hospital_id=required_hospital_id(),
        defaults={
            "provider": embedder.name,
            "model": embedder.model,
            "dimensions": embedder.dimensions,
        },
    )


def _made_with(hospital_id: int) -> tuple[str, str, int] | None:
    state = CorpusState.objects.filter(hospital_id=hospital_id).first()
    return (state.provider, state.model, state.dimensions) if state and state.provider else None


def _identity(embedder: Embedder) -> tuple[str, str, int]:
    return embedder.name, embedder.model, embedder.dimensions


def refuse_wrong_indexes() -> None:
    """Raise `WrongIndex` if other embeddings made the indexes of all hospitals.

    If only some differ, the others are served; the readiness check reports these, and a database
    that cannot be reached. The check runs in a thread, because some servers import the application
    on a running event loop, where Django refuses to query the database.
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        thread.submit(_refuse_wrong_indexes).result()


def _refuse_wrong_indexes() -> None:
    wrong, right = [], 0
    try:
        for hospital in Hospital.objects.all():
            with serving(hospital):
                try:
                    ensure_index_matches(get_embedder())
                    right += _made_with(hospital.pk) is not None
                except WrongIndex as error:
                    wrong.append(error)
    except Error:
        return
    finally:
        connection.close()
    if wrong and not right:
        raise wrong[0]


@contextmanager
def as_search_failed() -> Iterator[None]:
    """Raise `SearchFailed` for an error of the database; also a decorator."""
    try:
        yield
    except DatabaseError as error:
        raise SearchFailed(str(error)) from error
