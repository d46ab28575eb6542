"""Subjects of chunks, by the keywords of one version.

Each chunk keeps its category by the key of those keywords, so going back to a version goes back to
its categories. A chunk that is not judged yet is judged when it is found.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from retrieval.ingestion.linking import CategoryClassifier, Keyword
from taxonomy.publishing.snapshot import Rows, SharedValue, Snapshot, digest_of_rows

ROWS = "retrieval.categorykeyword"
#: Letters of a key, and chunks whose categories a process remembers.
LETTERS, REMEMBERED = 12, 10_000
#: Whether staff set the category of a chunk `c`, for every version.
IS_FIXED = "(c.category_fixed OR c.category_evidence ? 'override')"
#: The category of a chunk `c` by a key; null if not judged.
JUDGED = f"CASE WHEN {IS_FIXED} THEN c.category ELSE c.categories ->> %s::text END"


def key_of(rows: Rows) -> str:
    """Return the key of a version's keywords."""
    return digest_of_rows(ROWS, rows)[:LETTERS]


class Subjects:
    """The category keywords of a version, with their key."""

    def __init__(self, rows: Rows) -> None:
        self.key = key_of(rows)
        self.classifier = CategoryClassifier(keywords(rows))
        #: The category of a text, its title and its section.
        self.judge = lru_cache(REMEMBERED)(self._judge)

    def _judge(self, text: str, title: str, section: str) -> str:
        return self.classifier.classify(text, title=title, section=section).category


def keywords(rows: Rows) -> Iterable[Keyword]:
    return (
        Keyword(row["category"], row["language"], row["keyword"], float(row["weight"]))
        for row in rows
    )


#: One for all versions and hospitals with the same keywords.
_known: SharedValue[Rows, Subjects] = SharedValue(Subjects)


def subjects_of(snapshot: Snapshot) -> Subjects:
    """Return a version's subjects; use it through `snapshot.derived`."""
    return _known.of(snapshot.rows_of(ROWS))
