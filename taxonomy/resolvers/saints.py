"""Names of saints, of whom hospitals have many: "St. Jan", "Saint-Jan" and "Sint-Jan" are one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from taxonomy.lexicon import Lexicon
from taxonomy.resolvers.entries import Entry
from taxonomy.tokens import folded, join, sound

#: The concept of the lexicon that holds the words for a saint.
SAINT = "saint"


def of_saints(entries: Iterable[Entry], lexicon: Lexicon) -> Iterator[Entry]:
    """Yield every name of a saint with each of the other words for one."""
    concept = lexicon.concepts.get(SAINT)
    spoken = concept.words.values() if concept else ()
    saints = sorted({join(folded(word)) for words in spoken for word in words})
    for entry in entries:
        for at in (place for place, word in enumerate(entry.words[:-1]) if word in saints):
            for other in saints:
                if other != entry.words[at]:
                    yield _written(entry, (*entry.words[:at], other, *entry.words[at + 1 :]))


def _written(entry: Entry, words: tuple[str, ...]) -> Entry:
    heard = join(sound(word) for word in words)
    return replace(entry, words=words, key=join(words), heard=heard)
