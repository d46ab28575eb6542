"""What the index of a hospital was made with."""

from __future__ import annotations

from retrieval.embedding.base import Embedder, ReadsInContext
from retrieval.models import ChunkStatements, CorpusState
from zol.errors import WrongIndex
from zol.models import Hospital
from zol.tenancy import required_hospital_id


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
