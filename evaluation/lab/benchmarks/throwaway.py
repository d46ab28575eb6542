"""A hospital that exists while something is measured, and leaves nothing behind."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from retrieval.index.writing import drop_index
from zol.models import Hospital
from zol.tenancy import serving

#: Every table that a measurement fills, children first.
TABLES = ("retrieval_chunk", "retrieval_document", "retrieval_corpusstate")


@contextmanager
def throwaway_hospital(language: str) -> Iterator[Hospital]:
    """Serve a hospital of this content language until the block ends, however it ends."""
    name = f"benchmark-{secrets.token_hex(4)}"
    hospital = Hospital.objects.create(
        slug=name, name=name, short_name=name, default_language=language
    )
    try:
        with serving(hospital):
            yield hospital
    finally:
        remove(hospital)


def remove(hospital: Hospital) -> None:
    """Remove a hospital that has pages and nothing else."""
    with serving(hospital):
        drop_index()
        with connection.cursor() as cursor:
            for table in TABLES:
                cursor.execute(f"DELETE FROM {table} WHERE hospital_id = %s", [hospital.pk])
            cursor.execute("DELETE FROM zol_hospital WHERE id = %s", [hospital.pk])
