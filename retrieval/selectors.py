"""Queries on the corpus, as plain values, and on category mismatches."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from operator import itemgetter
from statistics import fmean
from time import monotonic
from typing import Any, TypeAlias

from django.db import connection
from django.db.models import Avg, Count, F, Func, Q, QuerySet
from django.db.models.functions import Coalesce, Left, Round, TruncDate
from django.utils import timezone

from retrieval.embedding import get_embedder
from retrieval.fields import unpacked
from retrieval.index import as_search_failed, ensure_index_matches
from retrieval.models import CategoryMismatch, Chunk, CorpusState, Document
from retrieval.models.documents import DocumentCategory
from retrieval.passage import Page, Pages, Passage, Source
from zol import phones
from zol.models import Hospital
from zol.tenancy import required_hospital_id
from zol.text import fold

#: Seconds between checks for a changed corpus.
BELIEVED = 0.5
#: Letters of a page's opening in a citation.
OPENING = 400
#: Most further chunks of an answer's pages.
MOST_OF_PAGES = 40
_pages: dict[int, tuple[float, int, Pages]] = {}


def corpus_revision() -> int:
    """Return how often the served hospital's corpus has changed."""
    return CorpusState.objects.values_list("revision", flat=True).first() or 0


def live_pages() -> Pages:
    """Return the searchable pages of the served hospital, reloaded when the corpus has changed."""
    hospital_id, now = required_hospital_id(), monotonic()
    seen_at, revision, pages = _pages.get(hospital_id, (0.0, -1, Pages()))
    if revision >= 0 and now - seen_at < BELIEVED:
        return pages
    current = corpus_revision()
    if current != revision:
        ensure_index_matches(get_embedder())
        pages = read_pages()
    _pages[hospital_id] = (now, current, pages)
    return pages


def cached_pages() -> Pages:
    """Return the cached pages of the served hospital; none before the first load."""
    return _pages.get(required_hospital_id(), (0.0, -1, Pages()))[2]


def forget_pages() -> None:
    _pages.clear()


def read_pages() -> Pages:
    by_url: dict[str, Page] = {}
    by_title: dict[str, Page] = {}
    by_path: dict[str, Page] = {}
    for page in _openings(_searchable()):
        if page.url:
            by_url.setdefault(page.url, page)
        by_title.setdefault(fold(page.title), page)
        by_path[page.path] = page
    return Pages(by_url, by_title, by_path, _contacts())


def is_page(url: str) -> bool:
    """Return whether an address belongs to a searchable page of the served hospital."""
    return _searchable().filter(document__url=url).exists()


def _searchable() -> QuerySet[Chunk]:
    return Chunk.objects.filter(is_enabled=True, document__status=Document.Status.READY)


def _contacts() -> tuple[Page, ...]:
    """Return the pages with the hospital's telephone number in any format, contact pages first."""
    hospital = Hospital.objects.get(pk=required_hospital_id())
    code, own = phones.parted(hospital.phone, hospital.country)
    if not own:
        return ()
    written = rf"(^|\D|(\+|00){code})\D{{0,3}}0?\D{{0,2}}" + r"\D{0,3}".join(own) + r"(\D|$)"
    giving = _searchable().filter(content__regex=written)
    about = giving.filter(document__category=DocumentCategory.CONTACT)
    return (
        *_openings(about),
        *_openings(giving.exclude(document__category=DocumentCategory.CONTACT)),
    )


def _openings(chunks: QuerySet[Chunk]) -> Iterator[Page]:
    """Yield the pages of chunks in staff order, each with its first chunk."""
    rows = chunks.order_by("document_id", "ordinal", "pk").distinct("document_id").values_list(
        "document__position", "document_id", "document__title", "document__url",
        "document__language", "pk", Left("content", OPENING), "document__updated_on",
        "document__path", "document__translation_of", "document__replaced_by",
    )  # fmt: skip
    for _position, *values in sorted(rows, key=itemgetter(0, 1)):
        yield Page(*values)


#: Raw SQL, because Django takes longer to build these queries than they take to run.
_OF_A_PASSAGE = """
    c.id, c.document_id, c.content, c.category, c.section, c.page, c.ordinal, c.entity_kinds,
    c.questions, c.fields"""
_AT_PLACES = f"""
    SELECT {_OF_A_PASSAGE} FROM unnest(%s::bigint[], %s::int[]) AS place (document_id, ordinal)
    JOIN retrieval_chunk c USING (document_id, ordinal) WHERE c.is_enabled"""
_OF_PAGES = f"""
    SELECT {_OF_A_PASSAGE} FROM retrieval_chunk c
    WHERE c.document_id = ANY(%s) AND c.is_enabled AND c.id <> ALL(%s)
    ORDER BY c.document_id, c.ordinal LIMIT %s"""


def page_texts(paths: Collection[str]) -> dict[str, str]:
    """Return the searchable texts of pages, by path."""
    rows = Chunk.objects.filter(
        document__path__in=paths, document__status=Document.Status.READY
    ).order_by("document_id", "ordinal")
    texts: dict[str, list[str]] = {}
    for path, content in rows.values_list("document__path", "content"):
        texts.setdefault(path, []).append(content)
    return {path: " ".join(pieces) for path, pieces in texts.items()}


@as_search_failed()
def neighbours_of(passages: Sequence[Passage]) -> Mapping[int, Sequence[Passage]]:
    """Return the chunks just before and after each passage, in one query."""
    wanted: dict[tuple[int, int], list[int]] = defaultdict(list)
    for passage in passages:
        for ordinal in (passage.ordinal - 1, passage.ordinal + 1):
            wanted[passage.source.document_id, ordinal].append(passage.chunk_id)
    if not wanted:
        return {}
    sources = {passage.source.document_id: passage.source for passage in passages}
    found: dict[int, list[Passage]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_AT_PLACES, list(map(list, zip(*wanted, strict=True))))
        rows = cursor.fetchall()
    for row in rows:
        neighbour = _passage(row, sources)
        for chunk_id in wanted[neighbour.source.document_id, neighbour.ordinal]:
            found[chunk_id].append(neighbour)
    return found


@as_search_failed()
def rest_of(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return the other chunks of the passages' pages, in one query and reading order."""
    sources = {passage.source.document_id: passage.source for passage in passages}
    if not sources:
        return ()
    known = [passage.chunk_id for passage in passages]
    with connection.cursor() as cursor:
        cursor.execute(_OF_PAGES, [[*sources], known, MOST_OF_PAGES])
        rows = cursor.fetchall()
    return tuple(_passage(row, sources) for row in rows)


def _passage(row: Sequence[Any], sources: Mapping[int, Source]) -> Passage:
    chunk_id, document_id, text, category, section, page, ordinal, kinds, questions, kept = row
    return Passage(
        chunk_id=chunk_id,
        text=text,
        source=sources[document_id],
        category=category,
        section=section,
        page=page,
        ordinal=ordinal,
        entity_kinds=tuple(kinds),
        questions=tuple(questions),
        places=unpacked(text, section, json.loads(kept)),
    )


#: Mismatch rate from which an answer counts as off the subject.
HIGH = 0.6
#: Most days in a chart.
MOST_DAYS = 90
#: Turns of the running mean; mean below which the warning ends; and measurements read.
LAST, UNTIL, LOOKED_AT = 50, 0.5, 1_000


def off_subject() -> float:
    """Return the mean mismatch rate of the last turns while it is high, else 0. It becomes high
    above `HIGH` and stays so until it falls below `UNTIL`."""
    rows = CategoryMismatch.objects.order_by("-pk").values_list("message_id", "mismatch_rate")
    found = groupby(reversed(rows[:LOOKED_AT]), key=itemgetter(0))
    turns = [fmean(rate for _, rate in group) for _, group in found]
    mean, is_high = 0.0, False
    for end in range(LAST, len(turns) + 1):
        mean = fmean(turns[end - LAST : end])
        is_high = mean >= UNTIL if is_high else mean > HIGH
    return mean if is_high else 0.0


def cell_counts() -> Mapping[tuple[str, str], tuple[int, int]]:
    """Return for each matrix cell, by row and category, the number of recent questions with
    passages in it, and of those whose first passage it changed."""
    since = timezone.now() - timedelta(days=MOST_DAYS)
    rows = CategoryMismatch.objects.filter(created_at__gte=since).order_by()
    asked, changed = (
        {
            (row, category): count
            for row, category, count in rows.annotate(cell=Func(F(name), function="unnest"))
            .values("steering_row", "cell")
            .values_list("steering_row", "cell", Count("pk"))
        }
        for name in ("categories", "changed_by")
    )
    return {cell: (count, changed.get(cell, 0)) for cell, count in asked.items()}


#: Figures of a group of answers: their number, mean mismatch rate, and number above `HIGH`.
Figures: TypeAlias = dict[str, Any]
_MEASURES = {
    "answers": Count("pk"),
    "rate": Round(Coalesce(Avg("mismatch_rate"), 0.0), precision=4),
    "high": Count("pk", filter=Q(mismatch_rate__gt=HIGH)),
}


def overall(rows: QuerySet[CategoryMismatch]) -> Figures:
    return rows.order_by().aggregate(**_MEASURES)


def by_day(rows: QuerySet[CategoryMismatch]) -> list[Figures]:
    """Return the last days with measurements, oldest first."""
    found: QuerySet[Any] = rows.order_by().annotate(day=TruncDate("created_at")).values("day")
    return list(found.annotate(**_MEASURES).order_by("-day")[:MOST_DAYS])[::-1]


def by_name(rows: QuerySet[CategoryMismatch], field: str) -> list[Figures]:
    """Return the figures for each value of a field, as its name, worst first."""
    found: QuerySet[Any] = rows.order_by().values(name=F(field)).annotate(**_MEASURES)
    return sorted(found, key=lambda each: (-each["rate"], each["name"]))
