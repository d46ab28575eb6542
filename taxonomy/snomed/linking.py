"""SNOMED CT terms that lead to the entities of a hospital, read when a version is loaded.

They are the terms of the concepts that the published entities are coded with, and of all narrower
concepts. docs/decisions/006 says why they are held in memory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection

from taxonomy.models import SnomedRelease
from taxonomy.snapshot import SharedValue
from taxonomy.snomed.tables import USED
from taxonomy.vocabulary import ReferenceTerm, Terminology, Thing, Vocabulary

#: Maximum number of terms of a hospital: those of its concepts first, then of the nearest narrower.
MOST_TERMS = 200_000
#: Maximum number of synonyms of an entity that a query is enriched with.
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


def current_release_id() -> int:
    """Return the id of the release in use; 0 when none is loaded."""
    found = SnomedRelease.objects.filter(is_current=True).values_list("pk", flat=True).first()
    return found or 0


def terminology_of(vocabulary: Vocabulary, language: str, release_id: int) -> Terminology:
    """Return the terms of a hospital's entities; without coded entities nothing is queried."""
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


#: Reading a large release takes seconds; the result depends on the key only.
_terminologies = SharedValue(_read)


def by_concept(vocabulary: Vocabulary) -> ByConcept:
    """Return the entities with a SNOMED code, by concept."""
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
