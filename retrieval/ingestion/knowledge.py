"""What ingestion knows of a hospital: its names, category keywords and attack patterns.

Of the published version; of the draft while nothing is published yet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any

from retrieval.categories import Classifier, Keyword
from retrieval.ingestion.flags import compiled
from retrieval.ingestion.names import Names
from retrieval.models import CategoryKeyword
from taxonomy.models import Alias, Entity
from taxonomy.selectors import live_snapshot
from taxonomy.snapshot import Snapshot
from zol.errors import NotPublished
from zol.tenancy import required_hospital_id
from zol.versioned import versioned_models

#: The rows of attack patterns, which belong to an app above this one.
PATTERNS = "chat.injectionpattern"
#: Seconds for which a draft is believed not to have changed.
BELIEVED = 5.0
_drafts: dict[int, tuple[float, Knowledge]] = {}


@dataclass(frozen=True, slots=True)
class Knowledge:
    classifier: Classifier
    names: Names
    patterns: tuple[re.Pattern[str], ...]


def knowledge() -> Knowledge:
    """Return what is known of the served hospital, prepared once per published version."""
    try:
        return live_snapshot().derived(_published)
    except NotPublished:
        return _of_draft(required_hospital_id())


def _of_draft(hospital_id: int) -> Knowledge:
    at, prepared = _drafts.get(hospital_id, (0.0, None))
    if prepared is None or monotonic() - at > BELIEVED:
        prepared = _draft()
        _drafts[hospital_id] = (monotonic(), prepared)
    return prepared


def draft_classifier() -> Classifier:
    """Return the classifier of the keywords as staff have them now."""
    return Classifier(map(_keyword, CategoryKeyword.objects.values()))


def _keyword(row: Mapping[str, Any]) -> Keyword:
    return Keyword(row["category"], row["language"], row["keyword"], float(row["weight"]))


def _published(snapshot: Snapshot) -> Knowledge:
    spellings = (
        (text, str(thing.kind))
        for thing in snapshot.vocabulary.things
        for text in (thing.name, *(spelling.text for spelling in thing.aliases))
    )
    return Knowledge(
        Classifier(map(_keyword, snapshot.rows_of(CategoryKeyword.row_set()))),
        Names(spellings),
        compiled(row["pattern"] for row in snapshot.rows_of(PATTERNS)),
    )


def _draft() -> Knowledge:
    return Knowledge(draft_classifier(), Names(_draft_spellings()), compiled(_draft_patterns()))


def _draft_spellings() -> Iterator[tuple[str, str]]:
    active = Entity.Status.ACTIVE
    yield from Entity.objects.filter(status=active).values_list("name", "kind")
    yield from Alias.objects.filter(entity__status=active).values_list("text", "entity_kind")


def _draft_patterns() -> Iterator[str]:
    for model in versioned_models():
        if model.row_set() == PATTERNS:
            for row in model._default_manager.all():
                yield row.freeze()["pattern"]
