"""Index entries, each one spelling of one entity, and the matches that they give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from taxonomy.language.lexicon import Lexicon
from taxonomy.language.tokens import folded, grouped, join, root, sound
from taxonomy.vocabulary import Thing
from zol.languages import LANGUAGES

#: The resolver that derives a department from a condition or complaint.
FROM_CONDITION = "department_from_condition"


@dataclass(frozen=True, slots=True)
class Match:
    """Words of a question, and the entity that they stand for."""

    thing: Thing
    #: The words as written.
    text: str
    #: The resolver that fired.
    by: str
    #: From 0 to 1; 1 for an exact name or alias.
    confidence: float = 1.0
    #: Other entities that fit equally well; callers must list them all.
    alternatives: tuple[Thing, ...] = ()
    #: Positions in the (NFC) question; equal if the match was derived from another one.
    start: int = 0
    end: int = 0
    #: Whether the words are only a synonym in the lexicon: "operatie" for Surgery.
    is_borrowed: bool = False

    @property
    def is_ambiguous(self) -> bool:
        return bool(self.alternatives)


@dataclass(frozen=True, slots=True)
class Entry:
    """One spelling of one entity."""

    thing: Thing
    words: tuple[str, ...]
    language: str
    is_name: bool
    #: Whether the spelling comes from the lexicon: another word for the same concept.
    is_borrowed: bool = False
    #: The words, joined, and their joined sounds.
    key: str = ""
    sound: str = ""

    @property
    def size(self) -> int:
        return len(self.words)


Entries = dict[str, tuple[Entry, ...]]


#: Minimum letters of the roots of a name.
ROOTS_FROM = 7
ARTICLE_LETTERS = 4
WITHOUT_ARTICLES = frozenset({"tr"})


def articles_of(lexicon: Lexicon, language: str) -> frozenset[str]:
    """Return the short stop words of a language; none for Turkish, which has no articles."""
    if language in WITHOUT_ARTICLES:
        return frozenset()
    return frozenset(w for w in lexicon.stop_words(language) if len(w) <= ARTICLE_LETTERS)


def by_roots(
    entries: Iterable[Entry], articles: Mapping[str, frozenset[str]]
) -> dict[str, Entries]:
    """Index multi-word names so that each word may be inflected: "grauen Star"."""
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


#: The concept with the words for a saint.
SAINT = "saint"


def of_saints(entries: Iterable[Entry], lexicon: Lexicon) -> Iterator[Entry]:
    """Yield names of saints with each alternative word: "Sint", "St.", "Saint"."""
    concept = lexicon.concepts.get(SAINT)
    texts = concept.words.values() if concept else ()
    saints = sorted({join(folded(word)) for words in texts for word in words})
    for entry in entries:
        for at in (place for place, word in enumerate(entry.words[:-1]) if word in saints):
            for other in saints:
                if other != entry.words[at]:
                    words = (*entry.words[:at], other, *entry.words[at + 1 :])
                    sounds = join(map(sound, words))
                    yield replace(entry, words=words, key=join(words), sound=sounds)
