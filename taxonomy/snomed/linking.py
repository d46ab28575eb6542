"""The part of SNOMED CT that can lead to something of a hospital, read when a version is loaded.

What is read follows from the published entities' SNOMED codes, which a person accepted, and from
the release that is loaded. See docs/decisions/ for why it is held in memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Subquery

from taxonomy.models import SnomedRelease
from taxonomy.publishing.snapshot import SharedValue
from taxonomy.snomed.tables import USED
from taxonomy.vocabulary import ReferenceTerm, Terminology, Thing, Vocabulary

#: Terms of one hospital at most, those of its own concepts first, then the nearest below.
MOST_TERMS = 200_000
#: Other words for one thing that a search is enriched with.
SYNONYMS = 3
_TERMS = f"""
    SELECT key, language, size, concept, 0 AS distance FROM taxonomy_snomeddescription
    WHERE concept = ANY(%(concepts)s::bigint[]) AND key <> '' AND {USED}
    UNION ALL
    SELECT d.key, d.language, d.size, a.ancestor, a.distance
    FROM taxonomy_snomedisa a JOIN taxonomy_snomeddescription d ON d.concept = a.descendant
    WHERE a.ancestor = ANY(%(concepts)s::bigint[]) AND d.key <> '' AND {USED}
    ORDER BY distance LIMIT %(most)s"""
_SYNONYMS = f"""
    SELECT concept, term FROM taxonomy_snomeddescription
    WHERE concept = ANY(%(concepts)s::bigint[]) AND language = %(language)s
    AND sort = 's' AND {USED}
    ORDER BY acceptability DESC, length(term), id"""
_BROADER = """
    SELECT descendant, ancestor FROM taxonomy_snomedisa
    WHERE descendant = ANY(%(concepts)s::bigint[]) AND ancestor = ANY(%(concepts)s::bigint[])
    ORDER BY distance, ancestor"""

ByConcept = Mapping[int, tuple[Thing, ...]]


def current_release() -> Subquery:
    """Return the number of the release in use as part of another query: one round trip less."""
    current = SnomedRelease.objects.filter(is_current=True).order_by().values("pk")
    return Subquery(current[:1])


def current_release_id() -> int:
    """Return the number of the release in use; 0 when none is loaded."""
    found = SnomedRelease.objects.filter(is_current=True).values_list("pk", flat=True).first()
    return found or 0


def terminology_of(vocabulary: Vocabulary, language: str, release_id: int) -> Terminology:
    """Return what SNOMED CT knows of a hospital's things; nothing is asked when it knows none."""
    stamped = by_concept(vocabulary)
    if not (release_id and stamped):
        return Terminology()
    asked = _LinkingQuery(release_id, language, tuple(stamped.items()))
    return _terminologies.of(asked).among(vocabulary.things)


@dataclass(frozen=True, slots=True)
class _LinkingQuery:
    """Cache key of a terminology; a release never changes."""

    release: int
    language: str
    stamped: tuple[tuple[int, tuple[Thing, ...]], ...]


def _read(of: _LinkingQuery) -> Terminology:
    stamped = dict(of.stamped)
    asked = {"concepts": list(stamped), "language": of.language, "most": MOST_TERMS}
    terms = (
        ReferenceTerm(str(key), str(language), int(size), stamped[concept], int(distance))
        for key, language, size, concept, distance in _rows(_TERMS, asked)
    )
    return Terminology(terms, _synonyms(asked, stamped), _broader(asked, stamped))


#: Reading takes seconds of a large release, and what it says of the same things is the same.
_terminologies = SharedValue(_read)


def by_concept(vocabulary: Vocabulary) -> ByConcept:
    """Return the things that are stamped with a concept, by its number."""
    found: dict[int, list[Thing]] = defaultdict(list)
    for thing in vocabulary.things:
        code = thing.get("snomed")
        if code.isascii() and code.isdigit():
            found[int(code)].append(thing)
    return {concept: tuple(things) for concept, things in found.items()}


def _rows(sql: str, asked: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, asked)
        while rows := cursor.fetchmany(10_000):
            yield from rows


def _synonyms(asked: Mapping[str, Any], stamped: ByConcept) -> dict[Thing, list[str]]:
    found: dict[Thing, list[str]] = defaultdict(list)
    for concept, term in _rows(_SYNONYMS, asked):
        for thing in stamped[concept]:
            if len(found[thing]) < SYNONYMS:
                found[thing].append(str(term))
    return found


def _broader(asked: Mapping[str, Any], stamped: ByConcept) -> dict[Thing, list[Thing]]:
    found: dict[Thing, list[Thing]] = defaultdict(list)
    for descendant, ancestor in _rows(_BROADER, asked):
        for thing in stamped[descendant]:
            found[thing].extend(stamped[ancestor])
    return found
