"""Names, attack patterns and date words by which ingestion reads a document."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable
from threading import Lock
from typing import Any

import regex
from cachetools import TTLCache, cached

from taxonomy.dates.words import MOMENT, Calendar, calendar
from taxonomy.publishing.live import draft_snapshot, live_snapshot
from taxonomy.snapshot import Snapshot
from zol.errors import NotPublished
from zol.tenancy import required_hospital_id
from zol.text import fold, words

logger = logging.getLogger(__name__)

#: Labels of the models of attack patterns and cues, in an app above this one.
PATTERNS, CUES = "chat.injectionpattern", "chat.cue"
#: Seconds for which a draft is cached.
BELIEVED = 5.0


def current_snapshot() -> Snapshot:
    """Return the served hospital's published version, or its draft."""
    try:
        return live_snapshot()
    except NotPublished:
        return _draft(required_hospital_id())


@cached(TTLCache(maxsize=1_000, ttl=BELIEVED), lock=Lock())
def _draft(_hospital_id: int) -> Snapshot:
    return draft_snapshot()


def calendar_of(snapshot: Snapshot) -> Calendar:
    """Return the reader of dates on pages; use it through `snapshot.derived(calendar_of)`."""
    rows = (row for row in snapshot.rows_of(CUES) if row["kind"] == MOMENT)
    return calendar(rows, snapshot.profile.country)


#: Longest name in words.
LONGEST_NAME = 5
#: Shortest name in letters; shorter abbreviations are also ordinary words.
SHORTEST_NAME = 3


class EntitySpellings:
    """The spellings of a hospital's entities, compiled once for many texts."""

    def __init__(self, spellings: Iterable[tuple[str, str]]) -> None:
        """Take pairs of a spelling and its kind."""
        self._kinds: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._lengths: dict[str, set[int]] = defaultdict(set)
        for text, kind in spellings:
            found = words(text)
            if 0 < len(found) <= LONGEST_NAME and sum(map(len, found)) >= SHORTEST_NAME:
                self._kinds[found].add(kind)
                self._lengths[found[0]].add(len(found))

    def kinds_in(self, text: str) -> tuple[str, ...]:
        """Return the kinds of the entities named in a text, sorted."""
        found = words(text)
        kinds: set[str] = set()
        for start, word in enumerate(found):
            for length in self._lengths.get(word, ()):
                kinds |= self._kinds.get(found[start : start + length], set())
        return tuple(sorted(kinds))


def spellings_of(snapshot: Snapshot) -> EntitySpellings:
    """Return a version's spellings; use it through `snapshot.derived(spellings_of)`."""
    return EntitySpellings(
        (text, str(thing.kind))
        for thing in snapshot.vocabulary.things
        for text in (thing.name, *(spelling.text for spelling in thing.aliases))
    )


#: Time limit in seconds per pattern and page: staff may write one that backtracks endlessly.
LONGEST_SEARCH = 1.0


def compiled(patterns: Iterable[str]) -> tuple[Any, ...]:
    """Compile the patterns; log invalid ones."""
    found = []
    for pattern in patterns:
        try:
            found.append(regex.compile(pattern))
        except regex.error as error:
            logger.warning("The attack pattern %r cannot be used: %s", pattern, error)
    return tuple(found)


def addresses_assistant(text: str, patterns: Iterable[Any]) -> bool:
    """Return whether a text contains instructions to an assistant."""
    folded = fold(text)
    return any(_is_in(folded, pattern) for pattern in patterns)


def _is_in(folded: str, pattern: Any) -> bool:
    try:
        return pattern.search(folded, timeout=LONGEST_SEARCH) is not None
    except TimeoutError:
        logger.warning("The attack pattern %r takes too long and is left out", pattern.pattern)
        return False


def patterns_of(snapshot: Snapshot) -> tuple[Any, ...]:
    """Return a version's attack patterns; use it through `snapshot.derived(patterns_of)`."""
    return compiled(row["pattern"] for row in snapshot.rows_of(PATTERNS))
