"""What reads pages for an answer fails in one way, which a stage has a fallback for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError

from zol.errors import SearchFailed


@contextmanager
def reading() -> Iterator[None]:
    """Say that the search failed where the database did; also as a decorator, `@reading()`."""
    try:
        yield
    except DatabaseError as error:
        raise SearchFailed(str(error)) from error
