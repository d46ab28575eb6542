"""Hours in sentences of pages, on the days asked about: "Saturday 19 December 2026: closed"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial

from chat.checking.base import Line, LineKind
from chat.phrases import calendar_of
from chat.sources.published import meant_days
from chat.tools import Tools
from chat.turn import Context
from taxonomy.dates.words import Calendar, is_holiday
from taxonomy.facts.print import said_on
from taxonomy.facts.spoken import SpokenHours, spoken
from taxonomy.publishing.snapshot import Snapshot

#: Forms of a line that may say all hours; a row of a table says those of one day.
SPOKEN = frozenset({LineKind.SENTENCE, LineKind.ITEM})


@dataclass(frozen=True, slots=True)
class PageHours:
    """Adds a line for each day asked about to lines with opening hours."""

    days: tuple[date, ...]
    language: str
    calendar: Calendar
    snapshot: Snapshot

    def dated(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield lines, each followed by the days that it names: what it says of others, and of
        public holidays, is not known."""
        for line in lines:
            yield line
            if not self.days or line.kind not in SPOKEN:
                continue
            hours = self.snapshot.derived(_reader_of)(line.text, line.language)
            for day in self.days if hours else ():
                if hours and day.isoweekday() in hours.named:
                    text = said_on(hours.hours, day, self.language, self.calendar)
                    like = replace(line, kind=LineKind.MOMENT, mark="", original="")
                    yield replace(like, text=text, language=self.language)


def page_hours(ctx: Context, tools: Tools, language: str) -> PageHours:
    """Return what says the hours of a turn's days in a language."""
    calendar = tools.snapshot.derived(calendar_of)
    days = dict.fromkeys(d for d in meant_days(ctx) if not is_holiday(d, calendar.country))
    return PageHours(tuple(days), language, calendar, tools.snapshot)


def _reader_of(snapshot: Snapshot) -> partial[SpokenHours | None]:
    calendar = snapshot.derived(calendar_of)
    return partial(lru_cache(maxsize=4_096)(lambda text, code: spoken(text, code, calendar)))
