"""Judge chunks by the category keywords of versions, in the background.

Verdicts are kept batch by batch, so a killed judge is resumed where it was. Chunks keep those of
the last versions; that of the live one is also their category, as staff and version 1.1.0 see it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTextTransform

from retrieval.models import Chunk
from retrieval.subjects import IS_FIXED, LETTERS, ROWS, Subjects
from taxonomy.models import LivePointer, Release, Version
from taxonomy.models.releases import WAITING
from taxonomy.publishing.content import kept_rows

#: Chunks judged at a time, and versions whose categories are kept.
BATCH, KEPT = 500, 10
#: Of the waiting text and no other: it may have been replaced meanwhile.
_KEEP = """
    UPDATE retrieval_chunk c
    SET categories = jsonb_build_object(%s::text, said.category) || coalesce((
        SELECT jsonb_object_agg(key, value) FROM jsonb_each(c.categories)
        WHERE key = ANY(%s::text[])), '{}')
    FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS said (id, text, category)
    WHERE c.id = said.id AND c.content = said.text"""
_SHOW = f"""
    UPDATE retrieval_chunk c SET category = c.categories ->> %s::text
    WHERE NOT {IS_FIXED} AND c.category <> c.categories ->> %s::text"""


def judge_chunks() -> None:
    """Judge the served hospital's chunks by what is live, then by what waits to go live."""
    coming = Release.objects.filter(state__in=WAITING, version__isnull=False)
    digests = [*_digests(LivePointer.objects.all()), *_digests(coming.order_by("-pk"))]
    for digest in dict.fromkeys(digests):
        if waiting_for(digest[:LETTERS]).exists():
            _judge(Subjects(kept_rows({ROWS: digest})[ROWS]))
    if key := live_key():
        with connection.cursor() as cursor:
            cursor.execute(_SHOW, [key, key])


def _digests(rows: QuerySet[Any]) -> list[str]:
    """Return the digests of the keywords of the versions that rows have."""
    found = rows.values_list(KeyTextTransform(ROWS, "version__digests"), flat=True)
    return [digest for digest in found if digest]


def live_key() -> str:
    """Return the key of the live keywords; empty before anything is published."""
    return next(iter(_digests(LivePointer.objects.all())), "")[:LETTERS]


def waiting_for(key: str) -> QuerySet[Chunk]:
    """Return the chunks that are not judged by the keywords of a key; none without one."""
    if not key:
        return Chunk.objects.none()
    is_fixed = Q(category_fixed=True) | Q(category_evidence__has_key="override")
    return Chunk.objects.exclude(is_fixed).exclude(categories__has_key=key)


def _judge(subjects: Subjects) -> None:
    last = Version.objects.order_by("-number").values_list("digests", flat=True)[:KEPT]
    kept = [live_key(), *(each.get(ROWS, "")[:LETTERS] for each in last)]
    rows = waiting_for(subjects.key).order_by("pk")
    fields = rows.values_list("pk", "content", "document__title", "section")
    while batch := list(fields[:BATCH]):
        _write(subjects, kept, batch)


def _write(subjects: Subjects, kept: list[str], batch: Iterable[tuple[int, str, str, str]]) -> None:
    said = [(pk, text, subjects.judge(text, title, section)) for pk, text, title, section in batch]
    with connection.cursor() as cursor:
        cursor.execute(_KEEP, [subjects.key, kept, *map(list, zip(*said, strict=True))])
