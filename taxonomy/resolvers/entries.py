"""One way to write one thing of the hospital, as the indexes keep it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from taxonomy.kinds import AliasKind
from taxonomy.vocabulary import Thing


@dataclass(frozen=True, slots=True)
class Entry:
    """One way to write one thing."""

    thing: Thing
    words: tuple[str, ...]
    language: str
    is_name: bool
    kind: AliasKind = AliasKind.SYNONYM
    #: Whether only the lexicon says so, by another word for the same concept.
    is_borrowed: bool = False
    key: str = ""
    heard: str = ""

    @property
    def size(self) -> int:
        return len(self.words)


Entries = dict[str, tuple[Entry, ...]]


def by_key(pairs: Iterable[tuple[str, Entry]]) -> Entries:
    grouped: dict[str, list[Entry]] = defaultdict(list)
    for key, entry in pairs:
        # Nearly always the first: compared, not hashed.
        if not (found := grouped[key]) or entry not in found:
            found.append(entry)
    return {key: tuple(found) for key, found in grouped.items()}
