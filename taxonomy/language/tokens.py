"""Tokens of a text, and their comparison by folding, stemming, sound and edit distance."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from threading import local
from typing import NamedTuple, TypeVar

import Stemmer
from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from zol.text import fold, without_idle_signs

#: An apostrophe ends a word: "l'hôpital", "Peeters'in" and "D'Hondt" are each two.
_WORD = re.compile(r"[^\W_]+")
_GREEK = str.maketrans({
    "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i",
    "κ": "k", "λ": "l", "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s",
    "ς": "s", "τ": "t", "υ": "i", "φ": "f", "χ": "ch", "ψ": "ps", "ω": "o",
})  # fmt: skip
#: Spellings of the same sound, in the order of their replacement.
_SOUNDS = (
    ("ou", "u"), ("ae", "e"), ("oe", "e"), ("ie", "i"), ("ij", "i"), ("y", "i"), ("ph", "f"),
    ("th", "t"), ("dt", "t"), ("gh", "g"), ("ck", "k"), ("qu", "k"), ("c", "k"), ("z", "s"),
    ("x", "ks"),
)  # fmt: skip
_DOUBLED = re.compile(r"([a-z])\1+")
#: Endings of Turkish nouns (plural, possessive, case); the stemmer does not support folded letters.
_TURKISH = re.compile(
    r"(?:l[ae]r)?(?:[iu]?m[iu]z|[iu]?n[iu]z|[iu]m|[iu]n|(?<=[aeiou])[mn]|s?[iu])?"
    r"(?:n?[iu]n|n?d[ae]n?|t[ae]n?|y?l[ae]|[yn]?[iuae])?$"
)
#: Hard forms of consonants that soften before an ending.
_HARDENED = {"g": "k", "b": "p", "d": "t", "z": "s", "v": "f"}
_SHORTEST_ROOT = 3
#: Italian endings of number and gender, with the h that keeps the sound.
_ITALIAN = re.compile(r"h?[aeio]+$")
#: Letters of a Romanian stem that all its forms share.
_ROMANIAN = 6
#: Snowball's names of the stemmers.
STEMMERS = {
    "nl": "dutch", "en": "english", "fr": "french", "de": "german",
    "tr": "turkish", "it": "italian", "ro": "romanian", "el": "greek",
}  # fmt: skip


_fold = lru_cache(maxsize=65_536)(fold)
Key = TypeVar("Key")
Value = TypeVar("Value")


class Token(NamedTuple):
    """A word, as written and folded."""

    text: str
    folded: str
    start: int
    end: int


def normalise(text: str) -> str:
    """Return the text in NFC and without invisible characters, to which positions refer."""
    return unicodedata.normalize("NFC", without_idle_signs(text))


def tokens(text: str) -> tuple[Token, ...]:
    """Return the words of a normalised text with their positions."""
    return tuple(
        Token(found[0], _fold(found[0]), found.start(), found.end())
        for found in _WORD.finditer(text)
    )


def folded(text: str) -> tuple[str, ...]:
    if text.isascii():  # Three times as fast.
        return tuple(_WORD.findall(text.lower()))
    return tuple(_fold(found) for found in _WORD.findall(normalise(text)))


def join(parts: Iterable[str]) -> str:
    """Join words, so that "borst onderzoek" equals "borstonderzoek"."""
    return "".join(parts)


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, tuple[Value, ...]]:
    """Return the distinct values of each key, in order."""
    groups: dict[Key, list[Value]] = defaultdict(list)
    for key, value in pairs:
        # Most keys have one value, so comparing is cheaper than hashing.
        if not (found := groups[key]) or value not in found:
            found.append(value)
    return {key: tuple(found) for key, found in groups.items()}


def joined(words: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield ever more joined words with their number."""
    return enumerate(accumulate(words), start=1)


@lru_cache(maxsize=65_536)
def sound(word: str) -> str:
    """Return a rough phonetic key of a folded word: "syphilis" and "syfilis" have the same."""
    found = word.replace("ου", "ou").translate(_GREEK)
    for written, sounds in _SOUNDS:
        found = found.replace(written, sounds)
    return _DOUBLED.sub(r"\1", found)


class _Stemmers(local):
    """Stemmers of one thread, since Snowball's keep state."""

    def __init__(self) -> None:
        self.by_language = {code: Stemmer.Stemmer(name) for code, name in STEMMERS.items()}


_stemmers = _Stemmers()


@lru_cache(maxsize=65_536)
def stem(word: str, language: str) -> str:
    """Return the stem of a folded word; unchanged in a language without stemmer."""
    stemmer = _stemmers.by_language.get(language)
    return fold(stemmer.stemWord(word)) if stemmer else word


def base(word: str, language: str) -> str:
    """Return the stem of a folded word; for Turkish its root, since the stemmer needs accents."""
    return root(word, language) if language == "tr" else stem(word, language)


@lru_cache(maxsize=65_536)
def root(word: str, language: str) -> str:
    """Return the root of a folded word of a multi-word name.

    It removes more than `stem`: "grijs" and "grijze", "kanseri" and "kanserinde" become equal. This
    is too much for single words; in a name the other words compensate for it.
    """
    match language:
        case "tr":
            found = _TURKISH.search(word, _SHORTEST_ROOT)
            return _hardened(word[: found.start()] if found else word)
        case "it":
            found = _ITALIAN.search(word, _SHORTEST_ROOT)
            return word[: found.start()] if found else word
        case "nl":
            return _DOUBLED.sub(r"\1", _hardened(stem(word, language).removesuffix("e")))
        case "ro":
            return stem(word, language)[:_ROMANIAN]
        case "fr":
            plural = "s" if len(word) > _SHORTEST_ROOT else ""
            singular = f"{word[:-3]}al" if word.endswith("aux") else word.removesuffix(plural)
            return stem(singular, language)
    return stem(word, language)


def _hardened(word: str) -> str:
    return word[:-1] + _HARDENED.get(word[-1:], word[-1:])


#: Minimum letters and similarity of a misspelt word; the length from which two letters may be wrong
#: instead of one.
FUZZY_FROM, CUTOFF = 5, 0.8
TWO_ERRORS_FROM, MOST_ERRORS = 9, 2


def closest(word: str, choices: Sequence[str]) -> tuple[float, tuple[str, ...]]:
    """Return the highest similarity (0 to 1) and its choices; none below the cut-off."""
    found = extract(
        word, choices, scorer=OSA.distance, score_cutoff=_errors(len(word)),
        processor=None, limit=None,
    ) if choices else ()  # fmt: skip
    best = {known: OSA.normalized_similarity(word, known) for known, _, _ in found}
    top = max(best.values(), default=0.0)
    if top < CUTOFF:
        return 0.0, ()
    return top, tuple(known for known, score in best.items() if score == top)


def _errors(length: int) -> int:
    return MOST_ERRORS if length >= TWO_ERRORS_FROM else 1
