"""Medical words with a letter wrong, read as what was meant: "griepp" is the flu.

Only a word that nobody knows is respelt, and only where one medical word of the lexicon, or several
for the same, are a letter away: names of the hospital's own things are resolved elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from rapidfuzz.distance import OSA

from taxonomy.dictionary import is_word_of
from taxonomy.lexicon import Lexicon
from taxonomy.misspelt import FUZZY_FROM, ByLength, by_length, closest
from taxonomy.tokens import folded

#: Letters from which a word with a letter wrong is hardly ever another one.
SHORTEST = FUZZY_FROM + 1
#: Lexicons whose words are remembered by length; every hospital has one.
REMEMBERED = 8


def respelt(
    words: Sequence[str], lexicon: Lexicon, language: str, kinds: frozenset[str], named: set[int]
) -> list[str]:
    """Return folded words, those that are misspelt as they were meant; names stay."""
    return [
        word if at in named else _meant(word, lexicon, language, kinds)
        for at, word in enumerate(words)
    ]


def _meant(word: str, lexicon: Lexicon, language: str, kinds: frozenset[str]) -> str:
    if len(word) < SHORTEST or not word.isalpha() or _is_known(word, lexicon, language):
        return word
    choices = _spellings(lexicon, language, kinds).get((word[0], len(word)), ())
    _, nearest = closest(word, choices)
    near = [known for known in nearest if OSA.distance(word, known) == 1]
    return near[0] if near and _mean_the_same(near, lexicon, language) else word


def _is_known(word: str, lexicon: Lexicon, language: str) -> bool:
    return bool(lexicon.find(word, language)) or lexicon.knows(word) or is_word_of(word, language)


def _mean_the_same(words: Collection[str], lexicon: Lexicon, language: str) -> bool:
    meant = {lexicon.written(word, language)[0].name for word in words}
    return len(meant) == 1


@lru_cache(maxsize=REMEMBERED)
def _spellings(lexicon: Lexicon, language: str, kinds: frozenset[str]) -> ByLength:
    """Return the single words of some kinds of concepts, by their first letter and length."""
    spoken = (
        parts[0]
        for concept in lexicon.concepts.values()
        if concept.kind in kinds
        for parts in map(folded, concept.words.get(language, ()))
        if len(parts) == 1 and len(parts[0]) >= FUZZY_FROM
    )
    return by_length((word[0], word) for word in dict.fromkeys(spoken))
