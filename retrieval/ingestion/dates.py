"""When a page was written: by a line of it that says so, by its file's own data, by its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date, datetime, time, timedelta

from retrieval.ingestion.read.head import FileFacts
from retrieval.models import Origin
from taxonomy.dates.reading import read
from taxonomy.dates.words import MOMENT, Calendar, calendar
from taxonomy.publishing.snapshot import Snapshot
from zol.text import fold

#: The rows of words, which belong to an app above this one.
CUES = "chat.cue"
#: No page of a hospital's site is older.
FIRST = date(1995, 1, 1)
#: Words between what announces the day and the day.
BETWEEN = 3
_YEAR = r"(?:19|20)\d\d"
#: A month with its year in figures, a day in a file's name, and a year alone.
_MONTH = re.compile(
    rf"(?<!\d)(?:({_YEAR})[-/._](0?[1-9]|1[0-2])|(0?[1-9]|1[0-2])[-/._]({_YEAR}))(?!\d)"
)
_DAY = re.compile(rf"(?<!\d)({_YEAR})[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])(?!\d)")
_ALONE = re.compile(rf"(?<!\d)({_YEAR})(?!\d)")


def written_on(
    facts: FileFacts, name: str, language: str, words: Calendar, today: date
) -> tuple[date | None, str]:
    """Return the day on which a page was last written, and where that is known from."""
    found = {
        Origin.TEXT: max(_announced(facts.dated, language, words, today), default=None),
        Origin.FILE: date.fromisoformat(facts.changed_on) if facts.changed_on else None,
        Origin.NAME: next(_in_figures(name), None),
    }
    for origin, day in found.items():
        if day and FIRST <= day <= today:
            return day, str(origin)
    return None, ""


def calendar_of(snapshot: Snapshot) -> Calendar:
    """Return what reads the days on pages; use it through `snapshot.derived(calendar_of)`."""
    rows = (row for row in snapshot.rows_of(CUES) if row["kind"] == MOMENT)
    return calendar(rows, snapshot.profile.country)


def _announced(lines: Iterable[str], language: str, words: Calendar, today: date) -> Iterator[date]:
    """Give the days that lines announce as that of writing: "Versie 2023-04"."""
    known = words.words.get(language)
    if known is None or known.written is None:
        return
    for line in lines:
        folded = fold(line)
        cue = known.written.search(folded)
        if cue is None:
            continue
        said = folded[cue.end() :]
        figures = re.search(r"\d", said)
        if figures is None or len(said[: figures.start()].split()) > BETWEEN:
            continue
        yield from (day for day in _days(said, language, words, today) if FIRST <= day <= today)


def _days(said: str, language: str, words: Calendar, today: date) -> Iterator[date]:
    """Give the first day that a text with a year names; of a month or a year its first one."""
    now = datetime.combine(today + timedelta(days=1), time())
    for moment in read(said, language, now, words):
        if re.search(_YEAR, moment.said) and moment.first <= today:
            yield moment.first
            return
    yield from _in_figures(said)


def _in_figures(said: str) -> Iterator[date]:
    if day := _DAY.search(said):
        with suppress(ValueError):
            yield date(int(day[1]), int(day[2]), int(day[3]))
    if month := _MONTH.search(said):
        yield date(int(month[1] or month[4]), int(month[2] or month[3]), 1)
    if year := _ALONE.search(said.replace("_", " ")):
        yield date(int(year[1]), 1, 1)
