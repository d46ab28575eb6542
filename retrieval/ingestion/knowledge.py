"""What ingestion knows of a hospital: by its published version, by the draft until there is one."""

from __future__ import annotations

import json
from threading import Lock

from cachetools import TTLCache, cached

from taxonomy.dates.words import MOMENT, Calendar, calendar
from taxonomy.publishing.live import draft_snapshot, live_snapshot
from taxonomy.publishing.snapshot import Snapshot
from zol.errors import NotPublished
from zol.tenancy import required_hospital_id

#: Labels of the attack patterns' and the cues' models, in an app above this one.
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


def knowledge() -> str:
    """Return names and attack patterns, serialised for `prepare.understood`."""
    return current_snapshot().derived(_serialised)


def _serialised(snapshot: Snapshot) -> str:
    spellings = [
        (text, str(thing.kind))
        for thing in snapshot.vocabulary.things
        for text in (thing.name, *(spelling.text for spelling in thing.aliases))
    ]
    patterns = [row["pattern"] for row in snapshot.rows_of(PATTERNS)]
    return json.dumps([spellings, patterns])


def calendar_of(snapshot: Snapshot) -> Calendar:
    """Return the reader of dates on pages; use it through `snapshot.derived(calendar_of)`."""
    rows = (row for row in snapshot.rows_of(CUES) if row["kind"] == MOMENT)
    return calendar(rows, snapshot.profile.country)
