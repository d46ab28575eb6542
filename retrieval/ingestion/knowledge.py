"""What ingestion knows of a hospital: its names, category keywords and attack patterns.

Of the published version; of the draft while nothing is published yet.
"""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any

from cachetools import TTLCache, cached
from lxml import etree, html

from retrieval.categories import Classifier, Keyword
from retrieval.models import CategoryKeyword
from taxonomy.models import Alias, Entity
from taxonomy.selectors import live_snapshot
from taxonomy.snapshot import Snapshot
from zol.errors import NotPublished
from zol.tenancy import required_hospital_id
from zol.text import fold, words
from zol.versioned import versioned_models

logger = logging.getLogger(__name__)


def compiled(patterns: Iterable[str]) -> tuple[re.Pattern[str], ...]:
    """Return the patterns that are regular expressions; the others are logged."""
    found = []
    for pattern in patterns:
        try:
            found.append(re.compile(pattern))
        except re.error as error:
            logger.warning("The attack pattern %r cannot be used: %s", pattern, error)
    return tuple(found)


def addresses_assistant(text: str, patterns: Iterable[re.Pattern[str]]) -> bool:
    """Say whether a text holds what only somebody instructing an assistant writes."""
    folded = fold(text)
    return any(pattern.search(folded) for pattern in patterns)


def everything_in(data: bytes, media_type: str) -> str:
    """Return all text of a web page, hidden parts, comments and attributes too."""
    if media_type != "text/html" or not data.strip():
        return ""
    try:
        tree = html.fromstring(data)
    except (etree.LxmlError, ValueError):
        return ""
    pieces = []
    for element in tree.iter():
        pieces += [element.text or "", element.tail or ""]
        if isinstance(element.tag, str):
            pieces += [element.get(name, "") for name in ("alt", "title", "content", "aria-label")]
    return " ".join(" ".join(pieces).split())


#: Words of the longest name that is looked for.
LONGEST = 5
#: Letters of the shortest one; shorter abbreviations are also ordinary words.
SHORTEST = 3


class Names:
    """The spellings of a hospital's entities, prepared once for many texts."""

    def __init__(self, spellings: Iterable[tuple[str, str]]) -> None:
        """Take pairs of spelling and kind."""
        self._kinds: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._lengths: dict[str, set[int]] = defaultdict(set)
        for text, kind in spellings:
            found = words(text)
            if 0 < len(found) <= LONGEST and sum(map(len, found)) >= SHORTEST:
                self._kinds[found].add(kind)
                self._lengths[found[0]].add(len(found))

    def kinds_in(self, text: str) -> tuple[str, ...]:
        """Return the kinds of the entities that are named, in alphabetical order."""
        found = words(text)
        kinds: set[str] = set()
        for start, word in enumerate(found):
            for length in self._lengths.get(word, ()):
                kinds |= self._kinds.get(found[start : start + length], set())
        return tuple(sorted(kinds))


#: The rows of attack patterns, which belong to an app above this one.
PATTERNS = "chat.injectionpattern"
#: Seconds for which a draft is believed not to have changed.
BELIEVED = 5.0


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


@cached(TTLCache(maxsize=1_000, ttl=BELIEVED), lock=Lock())
def _of_draft(hospital_id: int) -> Knowledge:
    """Return what the draft of the hospital says, which is the served one."""
    return Knowledge(draft_classifier(), Names(_draft_spellings()), compiled(_draft_patterns()))


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


def _draft_spellings() -> Iterator[tuple[str, str]]:
    active = Entity.Status.ACTIVE
    yield from Entity.objects.filter(status=active).values_list("name", "kind")
    yield from Alias.objects.filter(entity__status=active).values_list("text", "entity_kind")


def _draft_patterns() -> Iterator[str]:
    for model in versioned_models():
        if model.row_set() == PATTERNS:
            for row in model._default_manager.all():
                yield row.freeze()["pattern"]
