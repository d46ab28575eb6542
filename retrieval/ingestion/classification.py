"""Classify chunks by the category keywords of published versions, in the background.

Each chunk stores its category for the last versions, by a key of their keywords; the category of
the live version is also copied to the column that staff and release 1.1.0 read. Batches are
committed one by one, so an interrupted task continues where it stopped.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet
from django.db.models.fields.json import KeyTextTransform

from retrieval.categories import IS_FIXED, LETTERS, ROWS, CategoryClassifier
from retrieval.models import Chunk
from taxonomy.models import LivePointer, Release, Version
from taxonomy.models.releases import WAITING
from taxonomy.publishing.content import kept_rows

#: Chunks classified at a time, and versions whose categories are kept.
BATCH, KEPT = 500, 10
#: Only if the text is still the classified one: it may have been replaced meanwhile.
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


def classify_chunks() -> None:
    """Classify the served hospital's chunks by the live keywords, then by those of waiting
    releases."""
    coming = Release.objects.filter(state__in=WAITING, version__isnull=False)
    digests = [*_digests(LivePointer.objects.all()), *_digests(coming.order_by("-pk"))]
    for digest in dict.fromkeys(digests):
        if unclassified(digest[:LETTERS]).exists():
            _classify(CategoryClassifier(kept_rows({ROWS: digest})[ROWS]))
    if key := live_key():
        with connection.cursor() as cursor:
            cursor.execute(_SHOW, [key, key])


def _digests(rows: QuerySet[Any]) -> list[str]:
    """Return the digests of the keywords in the rows' versions."""
    found = rows.values_list(KeyTextTransform(ROWS, "version__digests"), flat=True)
    return [digest for digest in found if digest]


def live_key() -> str:
    """Return the key of the live keywords; empty before anything is published."""
    return next(iter(_digests(LivePointer.objects.all())), "")[:LETTERS]


def unclassified(key: str) -> QuerySet[Chunk]:
    """Return the chunks without a category for a key; none for an empty key."""
    if not key:
        return Chunk.objects.none()
    is_fixed = Q(category_fixed=True) | Q(category_evidence__has_key="override")
    return Chunk.objects.exclude(is_fixed).exclude(categories__has_key=key)


def _classify(classifier: CategoryClassifier) -> None:
    last = Version.objects.order_by("-number").values_list("digests", flat=True)[:KEPT]
    kept = [live_key(), *(each.get(ROWS, "")[:LETTERS] for each in last)]
    rows = unclassified(classifier.key).order_by("pk")
    fields = rows.values_list("pk", "content", "document__title", "section")
    while batch := list(fields[:BATCH]):
        _write(classifier, kept, batch)


def _write(
    classifier: CategoryClassifier, kept: list[str], batch: Iterable[tuple[int, str, str, str]]
) -> None:
    classified = [
        (pk, text, classifier.category_of(text, title, section))
        for pk, text, title, section in batch
    ]
    with connection.cursor() as cursor:
        cursor.execute(_KEEP, [classifier.key, kept, *map(list, zip(*classified, strict=True))])
