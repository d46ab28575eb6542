"""Entries of the indexes: one way to write one thing of the hospital; the match that one gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from taxonomy.language.lexicon import Lexicon
from taxonomy.language.tokens import folded, grouped, join, root, sound
from taxonomy.vocabulary import AliasKind, Thing
from zol.languages import LANGUAGES

#: By what a department is known that nobody named: it follows from a condition or a complaint.
FROM_CONDITION = "department_from_condition"


@dataclass(frozen=True, slots=True)
class Match:
    """Words of a question, and the thing of the hospital that they stand for."""

    thing: Thing
    #: The words as they were written.
    text: str
    #: The resolver that fired.
    by: str
    #: From 0 to 1; 1 for an exact name or alias.
    confidence: float = 1.0
    #: Other things that fit equally well; never chosen from silently.
    alternatives: tuple[Thing, ...] = ()
    #: Where the words stand in the (NFC) question; equal when it was derived from another match.
    start: int = 0
    end: int = 0
    #: Whether only another word for the same concept names the thing: "operatie" for Surgery.
    is_borrowed: bool = False

    @property
    def is_ambiguous(self) -> bool:
        return bool(self.alternatives)


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


#: Letters that the roots of a name have together, at least.
ROOTS_FROM = 7
ARTICLE_LETTERS = 4
WITHOUT_ARTICLES = frozenset({"tr"})


def articles_of(lexicon: Lexicon, language: str) -> frozenset[str]:
    """Return short stop words; Turkish has no articles, so that there none may be missing."""
    if language in WITHOUT_ARTICLES:
        return frozenset()
    return frozenset(w for w in lexicon.stop_words(language) if len(w) <= ARTICLE_LETTERS)


def by_roots(
    entries: Iterable[Entry], articles: Mapping[str, frozenset[str]]
) -> dict[str, Entries]:
    """Index names of several words so that each of them may be inflected: "grauen Star"."""
    pairs: dict[str, list[tuple[str, Entry]]] = {code: [] for code in LANGUAGES}
    for entry in entries:
        if entry.size < 2:
            continue
        for code in (entry.language,) if entry.language in pairs else LANGUAGES:
            parts = [root(word, code) for word in entry.words if word not in articles[code]]
            key = " ".join(parts)
            if len(parts) > 1 and len(key) >= ROOTS_FROM:
                pairs[code].append((key, entry))
    return {code: grouped(found) for code, found in pairs.items()}


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
                    words = (*entry.words[:at], other, *entry.words[at + 1 :])
                    heard = join(sound(word) for word in words)
                    yield replace(entry, words=words, key=join(words), heard=heard)
