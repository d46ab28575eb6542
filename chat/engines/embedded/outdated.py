"""Which statements are out of date: figures of an old page that a newer one gives as well."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from chat.engines.embedded.kinds import Sort
from chat.engines.embedded.scoring import Statement
from chat.engines.embedded.traits import Seen
from retrieval.passage import Source

#: Answers that change while a page stays as it is.
CHANGING = frozenset({Sort.PHONE, Sort.EMAIL, Sort.AMOUNT, Sort.TIME, Sort.COUNT, Sort.DURATION})
#: The age from which a page may be out of date, and by which another must be newer to be believed.
OLD, NEWER = timedelta(days=4 * 365), timedelta(days=365)


def is_old(source: Source, today: date) -> bool:
    """Whether a page was not touched for so long that its figures may have changed."""
    return source.updated_on is not None and today - source.updated_on > OLD


def outdated(seen: Seen, today: date) -> list[bool]:
    """Return for each statement whether a newer page on the subject gives the same sort of answer:
    the newest counts."""
    if not seen.reading.wanted.sorts & CHANGING:
        return [False] * len(seen.pool)
    newest = _newest(seen)
    return [
        is_old(statement.passage.source, today)
        and any(_is_beaten(statement, newest.get(sort)) for sort in changing(statement, seen))
        for statement in seen.pool
    ]


def _is_beaten(statement: Statement, newest: date | None) -> bool:
    updated = statement.passage.source.updated_on
    return bool(newest and updated and newest - updated > NEWER)


def changing(statement: Statement, seen: Seen) -> frozenset[Sort]:
    """Return the sorts of answer that are asked for, change, and are given by a statement."""
    if seen.reading.sorts is None:
        return frozenset()
    asked = seen.reading.wanted.sorts & CHANGING
    return asked & seen.reading.sorts.given(statement.text)


def _newest(seen: Seen) -> dict[Sort, date]:
    """Return for each such sort the newest page on the subject that gives it."""
    newest: dict[Sort, date] = {}
    on_subject: Sequence[float] = seen.subject(seen.whole).tolist()
    for statement, is_on in zip(seen.pool, on_subject, strict=True):
        updated = statement.passage.source.updated_on
        if not is_on or updated is None:
            continue
        for sort in changing(statement, seen):
            newest[sort] = max(newest.get(sort, date.min), updated)
    return newest
