"""What the index of a hospital was made with, and the check of it before a process answers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from django.db import OperationalError, ProgrammingError, connection

from retrieval.embedding import get_embedder
from retrieval.embedding.base import Embedder, ReadsInContext
from retrieval.models import ChunkStatements, CorpusState
from zol.errors import WrongIndex
from zol.models import Hospital
from zol.tenancy import required_hospital_id, serving


def ensure_index_matches(embedder: Embedder, *, claim: bool = False) -> None:
    """Raise `WrongIndex` when the served hospital's index was made by another embedding.

    An index that nobody has made yet matches everything; `claim` notes down who makes it.
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
    raise WrongIndex(
        f"The index of {slug} was made with {_words(*made_with)}, but the settings say "
        f"{_words(*_identity(embedder))}. "
        f"Make it anew: manage.py reindex --hospital {slug}"
    )


def is_outdated(embedder: Embedder) -> bool:
    """Return whether the served hospital's index was made by another embedding, or keeps nothing
    that the reader looks at though the embedding could give it."""
    hospital_id = required_hospital_id()
    made_with = _made_with(hospital_id)
    if made_with is not None and made_with != _identity(embedder):
        return True
    kept = ChunkStatements.objects.filter(hospital_id=hospital_id, pieces=b"")
    return isinstance(embedder, ReadsInContext) and kept.exists()


def note_embedding(embedder: Embedder) -> None:
    """Note with what the served hospital's index is made."""
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


def _words(provider: str, model: str, dimensions: int) -> str:
    return f"{provider} {model} ({dimensions} numbers)"


def refuse_wrong_indexes() -> None:
    """Raise `WrongIndex` when any hospital's index was made by another embedding than ours.

    A database that is away or empty is not this check's business: readiness tells of that. The
    check has a thread of its own: some servers import us on a running event loop, where Django
    refuses to read the database.
    """
    with ThreadPoolExecutor(max_workers=1) as thread:
        thread.submit(_refuse_wrong_indexes).result()


def _refuse_wrong_indexes() -> None:
    try:
        _compare_all()
    finally:
        connection.close()


def _compare_all() -> None:
    try:
        hospitals = list(Hospital.objects.all())
    except (OperationalError, ProgrammingError):
        return
    for hospital in hospitals:
        with serving(hospital):
            ensure_index_matches(get_embedder())
