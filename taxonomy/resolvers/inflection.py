"""Names of several words, each of which may be inflected: "grauen Star" is a "grauer Star"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from taxonomy.lexicon import LANGUAGES, Lexicon
from taxonomy.resolvers.entries import Entries, Entry, by_key
from taxonomy.tokens import root

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
    return {code: by_key(found) for code, found in pairs.items()}
