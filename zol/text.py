"""Comparing words as people write them."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import combining, normalize

#: Letters that no decomposition takes apart, but that people type without their stroke.
_STROKES = str.maketrans({"ß": "ss", "ø": "o", "Ø": "o", "ł": "l", "ı": "i", "æ": "ae", "œ": "oe"})
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def fold(text: str) -> str:
    """Return the text in lower case without accents: "Reümatologie" as "reumatologie"."""
    if text.isascii():  # Most text is; then there is nothing else to do, five times as fast.
        return text.lower()
    plain = text.casefold().translate(_STROKES)
    if plain.isascii():
        return plain
    decomposed = normalize("NFKD", plain)
    return decomposed.translate({ord(mark): None for mark in set(decomposed) if combining(mark)})


def words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text, in order; punctuation is left out."""
    return tuple(match.replace("’", "'") for match in _WORD.findall(fold(text)))


@lru_cache(maxsize=4_096)
def word_set(text: str) -> frozenset[str]:
    """Return the folded words of a text. Remembered: passages come back question after question."""
    return frozenset(words(text))


def storable(text: str) -> str:
    """Return the text without control characters and halves of characters, and trimmed.

    A space takes their place. Visitors can send them; no database and no model takes them.
    """
    return _UNSTORABLE.sub(" ", text).strip()


def squash(text: str) -> str:
    """Return the text on one line with single spaces."""
    return " ".join(text.split())
