"""Milliseconds of looking words up in SNOMED CT, for `manage.py benchmark`.

Measured on the release that is loaded, for a hospital with as many stamped things as a large one.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from django.db import connection

from taxonomy.kinds import Kind
from taxonomy.snomed.linking import current_release_id, terminology_of
from taxonomy.terminology import Terminology
from taxonomy.tokens import folded
from taxonomy.vocabulary import Thing, Vocabulary

#: Conditions, treatments and examinations of a large hospital (spec 01).
THINGS = 480
QUESTIONS = 2_000
LOOK_UP = "SNOMED: all words of a question"
#: Words that follow each other and are looked up together, at most.
LONGEST = 7
_STAMPED = """
    SELECT ancestor FROM taxonomy_snomedisa GROUP BY ancestor
    HAVING count(*) BETWEEN 5 AND 500 ORDER BY ancestor LIMIT %s"""
_TERMS = "SELECT term FROM taxonomy_snomeddescription ORDER BY id LIMIT %s"


def look_ups() -> Iterator[tuple[str, list[float]]]:
    """Yield what was measured and its seconds; nothing when no release is loaded."""
    release = current_release_id()
    if not release:
        return
    stamped = _column(_STAMPED, THINGS)
    things = [Thing(Kind.CONDITION, str(c), str(c), data={"snomed": str(c)}) for c in stamped]
    started = perf_counter()
    terminology = terminology_of(Vocabulary(things), "nl", release)
    yield f"SNOMED: read {len(terminology):,} terms", [perf_counter() - started]
    questions = [f"kan ik terecht met {term} en wanneer" for term in _column(_TERMS, QUESTIONS)]
    yield LOOK_UP, [_seconds(str(question), terminology) for question in questions]


def _column(sql: str, count: int) -> list[object]:
    with connection.cursor() as cursor:
        cursor.execute(sql, [count])
        return [row[0] for row in cursor.fetchall()]


def _seconds(question: str, terminology: Terminology) -> float:
    words = folded(question)
    started = perf_counter()
    for start in range(len(words)):
        key = ""
        for word in words[start : start + LONGEST]:
            key += word
            terminology.find(key)
    return perf_counter() - started
