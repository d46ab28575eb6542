"""Which statements are out of date: figures of an old page that a newer one gives as well, and all
of an old page that a newer one about the same thing has succeeded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import repeat

from chat.answering.answer_types import Sort
from chat.answering.quotation.features import StatementSet
from chat.answering.quotation.segments import given_in
from retrieval.passage import Passage, Source

#: Answers that change while a page stays as it is.
CHANGING = frozenset({Sort.PHONE, Sort.EMAIL, Sort.AMOUNT, Sort.TIME, Sort.COUNT, Sort.DURATION})
#: The age from which a page may be out of date, and by which another must be newer to be believed.
OLD, NEWER = timedelta(days=4 * 365), timedelta(days=365)


def is_old(source: Source, today: date) -> bool:
    """Whether a page was not touched for so long that its figures may have changed."""
    return source.updated_on is not None and today - source.updated_on > OLD


def outdated(seen: StatementSet, today: date) -> list[bool]:
    """Return for each statement whether a newer page on the subject gives the same sort of answer,
    or has taken the place of its page: the newest counts."""
    succeeded = _succeeded(seen, today)
    given = changing(seen)
    if not given:
        return succeeded
    newest = _newest(seen, given)
    sources = (passage.source for passage in each_of(seen))
    return [
        is_succeeded
        or (is_old(source, today) and any(_is_beaten(source, newest.get(sort)) for sort in sorts))
        for source, sorts, is_succeeded in zip(sources, given, succeeded, strict=True)
    ]


def _succeeded(seen: StatementSet, today: date) -> list[bool]:
    """Return for each statement whether its page is old, and a newer one bears the name of the same
    thing that is asked about, in the same language."""
    named = [
        means
        for term, means in zip(seen.reading.wanted.terms, seen.reading.meaning, strict=True)
        if term.is_thing and means
    ]
    newest: dict[tuple[int, str], date] = {}
    bearing: list[list[tuple[int, str]]] = []
    for passage, cutting in zip(seen.passages, seen.cuttings, strict=True):
        source = passage.source
        bears = [
            (place, source.language)
            for place, means in enumerate(named)
            if means.is_in(cutting.title)
        ]
        bearing.append(bears)
        for key in bears if source.updated_on else ():
            newest[key] = max(newest.get(key, date.min), source.updated_on or date.min)
    beaten = [
        is_old(passage.source, today)
        and any(_is_beaten(passage.source, newest.get(key)) for key in bears)
        for passage, bears in zip(seen.passages, bearing, strict=True)
    ]
    return [is_out for is_out, size in zip(beaten, seen.sizes, strict=True) for _ in range(size)]


def _is_beaten(source: Source, newest: date | None) -> bool:
    return bool(newest and source.updated_on and newest - source.updated_on > NEWER)


def changing(seen: StatementSet) -> Sequence[frozenset[Sort]]:
    """Return for each statement the sorts of answer that are asked for, change, and are given by
    it; nothing where none is asked for."""
    asked, sorts = seen.reading.wanted.sorts & CHANGING, seen.reading.sorts
    if not asked or sorts is None:
        return []
    return [asked & given for each in seen.cuttings for given in given_in(each, sorts)]


def each_of(seen: StatementSet) -> Iterator[Passage]:
    """Yield the passage of each statement."""
    for passage, size in zip(seen.passages, seen.sizes, strict=True):
        yield from repeat(passage, size)


def _newest(seen: StatementSet, given: Sequence[frozenset[Sort]]) -> dict[Sort, date]:
    """Return for each such sort the newest page on the subject that gives it."""
    newest: dict[Sort, date] = {}
    on_subject: Sequence[float] = seen.subject(seen.whole).tolist()
    for passage, is_on, sorts in zip(each_of(seen), on_subject, given, strict=True):
        updated = passage.source.updated_on
        if not is_on or updated is None:
            continue
        for sort in sorts:
            newest[sort] = max(newest.get(sort, date.min), updated)
    return newest
