"""What must be true before a process answers anybody."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from django.db import OperationalError, ProgrammingError, connection

from retrieval.embedding import get_embedder
from retrieval.index.state import ensure_index_matches
from zol.models import Hospital
from zol.tenancy import serving


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
