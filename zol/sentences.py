"""A text as sentences, without a list of abbreviations.

A full stop ends a sentence when a capital, a digit or an opening quote follows, unless the word
before it is so short that it is rather an abbreviation: "Dr. Peeters", "nr. 5", "tel. 089".
"""

from __future__ import annotations

import re

from zol.text import fold

#: A word of at most this many letters before a full stop may be an abbreviation.
SHORT = 3
_END = re.compile(r"[.!?;…]+[\"'”\u2019)\]]*\s+(?=[\"'“\u2018(\[]?[^\W_a-z])")
_VOWELS = "aeiouy\u03b1\u03b5\u03b7\u03b9\u03bf\u03c5\u03c9"  # Latin, then Greek.
_LAST_WORD = re.compile(r"([^\W\d_]+)\.$")


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, in order; joined with spaces they are the text again."""
    found, start = [], 0
    for match in _END.finditer(text):
        candidate = text[start : match.end()].strip()
        if _is_abbreviated(candidate, text[match.end()]):
            continue
        found.append(candidate)
        start = match.end()
    if rest := text[start:].strip():
        found.append(rest)
    return tuple(found)


def _is_abbreviated(candidate: str, following: str) -> bool:
    last = _LAST_WORD.search(candidate)
    if last is None or len(last[1]) > SHORT:
        return False
    return last[1][0].isupper() or following.isdigit() or not _has_vowel(last[1])


def _has_vowel(word: str) -> bool:
    """Say whether a short word can be spoken, as "bus" can and "nr" cannot."""
    return any(letter in _VOWELS for letter in fold(word))
