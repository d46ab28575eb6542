"""Serialise a hospital's names, category keywords and attack patterns for the reader process.

They are those of the published version; of the draft until one is published.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from threading import Lock

from cachetools import TTLCache, cached

from retrieval.models import CategoryKeyword
from retrieval.subjects import ROWS, keywords
from taxonomy.models import Alias, Entity
from taxonomy.publishing.live import live_snapshot
from taxonomy.publishing.snapshot import Snapshot
from zol.errors import NotPublished
from zol.records.versioned import versioned_models
from zol.tenancy import required_hospital_id

#: Label of the attack patterns' model, in an app above this one.
PATTERNS = "chat.injectionpattern"
#: Seconds for which a draft is cached.
BELIEVED = 5.0


def knowledge() -> str:
    """Return the served hospital's names, keywords and patterns, serialised for `understood`.

    It is serialised once for each published version.
    """
    try:
        return live_snapshot().derived(_published)
    except NotPublished:
        return _of_draft(required_hospital_id())


@cached(TTLCache(maxsize=1_000, ttl=BELIEVED), lock=Lock())
def _of_draft(hospital_id: int) -> str:
    """Return the same for the draft of the served hospital."""
    own = tuple(CategoryKeyword.objects.values())
    return json.dumps([[*keywords(own)], [*_draft_spellings()], [*_draft_patterns()]])


def _published(snapshot: Snapshot) -> str:
    spellings = [
        (text, str(thing.kind))
        for thing in snapshot.vocabulary.things
        for text in (thing.name, *(spelling.text for spelling in thing.aliases))
    ]
    patterns = [row["pattern"] for row in snapshot.rows_of(PATTERNS)]
    return json.dumps([[*keywords(snapshot.rows_of(ROWS))], spellings, patterns])


def _draft_spellings() -> Iterator[tuple[str, str]]:
    active = Entity.Status.ACTIVE
    yield from Entity.objects.filter(status=active).values_list("name", "kind")
    yield from Alias.objects.filter(entity__status=active).values_list("text", "entity_kind")


def _draft_patterns() -> Iterator[str]:
    for model in versioned_models():
        if model.row_set() == PATTERNS:
            for row in model._default_manager.all():
                yield row.freeze()["pattern"]
