"""Whether words are about the campus that is asked about, or about another one; and which places
and people they name."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache

from chat.checks.knowledge import knowledge_of
from chat.engines.embedded.scoring import anywhere
from taxonomy.kinds import Kind
from taxonomy.snapshot import Snapshot
from taxonomy.vocabulary import Thing
from zol.text import spaced, words


def campuses_in(snapshot: Snapshot) -> Callable[[str], frozenset[str]]:
    """Return what tells the keys of the campuses that a text names."""
    return snapshot.derived(_reader)


def _reader(snapshot: Snapshot) -> Callable[[str], frozenset[str]]:
    names = [
        (spaced(text), campus.key)
        for campus in snapshot.vocabulary.of_kind(Kind.CAMPUS)
        for text in (campus.name, *(alias.text for alias in campus.aliases))
    ]

    @lru_cache(maxsize=8_192)
    def named(text: str) -> frozenset[str]:
        said = spaced(text)
        return frozenset(key for name, key in names if name in said)

    return named


def names_one(snapshot: Snapshot) -> Callable[[str], bool]:
    """Return what tells whether a text names a campus, department or doctor."""
    people, campuses = snapshot.derived(knowledge_of).names, campuses_in(snapshot)
    return lambda text: bool(campuses(text)) or any(people.find(words(text)))


def is_at(campuses: Collection[Thing], snapshot: Snapshot) -> Callable[[str], bool | None]:
    """Return what tells whether a text is about one of these campuses; None: it names none."""
    wanted = frozenset(campus.key for campus in campuses)
    named = campuses_in(snapshot)

    def tell(text: str) -> bool | None:
        found = named(text)
        return not wanted.isdisjoint(found) if found else None

    return tell if wanted else anywhere
