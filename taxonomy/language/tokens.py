"""A question taken apart into words that can be compared with the words of the taxonomy."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from threading import local
from typing import NamedTuple, TypeVar

import Stemmer
from rapidfuzz.distance import OSA
from rapidfuzz.process import extract

from zol.text import fold, without_idle_signs

#: An apostrophe ends a word, so that "l'hôpital", "Peeters'in" and "D'Hondt" all fall apart alike.
_WORD = re.compile(r"[^\W_]+")
_GREEK = str.maketrans({
    "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i",
    "κ": "k", "λ": "l", "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s",
    "ς": "s", "τ": "t", "υ": "i", "φ": "f", "χ": "ch", "ψ": "ps", "ω": "o",
})  # fmt: skip
#: Ways of writing one sound, in the order in which they are made equal.
_SOUNDS = (
    ("ou", "u"), ("ae", "e"), ("oe", "e"), ("ie", "i"), ("ij", "i"), ("y", "i"), ("ph", "f"),
    ("th", "t"), ("dt", "t"), ("gh", "g"), ("ck", "k"), ("qu", "k"), ("c", "k"), ("z", "s"),
    ("x", "ks"),
)  # fmt: skip
#: Letters by which it is told whether more words may follow.
_BEGINNING = 6
_DOUBLED = re.compile(r"([a-z])\1+")
#: Endings of a Turkish noun: plural, owner and case; the stemmer knows no folded letters.
_TURKISH = re.compile(
    r"(?:l[ae]r)?(?:[iu]?m[iu]z|[iu]?n[iu]z|[iu]m|[iu]n|(?<=[aeiou])[mn]|s?[iu])?"
    r"(?:n?[iu]n|n?d[ae]n?|t[ae]n?|y?l[ae]|[yn]?[iuae])?$"
)
#: The sound that a last letter has when an ending follows it.
_HARDENED = {"g": "k", "b": "p", "d": "t", "z": "s", "v": "f"}
_SHORTEST_ROOT = 3
#: The vowels in which Italian words differ by number and gender, and the h that keeps their sound.
_ITALIAN = re.compile(r"h?[aeio]+$")
#: Letters of a Romanian stem that are the same in all its forms.
_ROMANIAN = 6
#: Snowball's names for the stemmers of the languages that are spoken here.
STEMMERS = {
    "nl": "dutch", "en": "english", "fr": "french", "de": "german",
    "tr": "turkish", "it": "italian", "ro": "romanian", "el": "greek",
}  # fmt: skip


_fold = lru_cache(maxsize=65_536)(fold)
Key = TypeVar("Key")
Value = TypeVar("Value")


class Token(NamedTuple):
    """A word, as written and as compared."""

    text: str
    folded: str
    start: int
    end: int


def normalise(text: str) -> str:
    """Return the text with every accented letter as one character and without idle signs, so that
    positions hold."""
    return unicodedata.normalize("NFC", without_idle_signs(text))


def tokens(text: str) -> tuple[Token, ...]:
    """Return the words of a normalised text, in order, with where they stand."""
    return tuple(
        Token(found[0], _fold(found[0]), found.start(), found.end())
        for found in _WORD.finditer(text)
    )


def folded(text: str) -> tuple[str, ...]:
    if text.isascii():  # Three times as fast.
        return tuple(_WORD.findall(text.lower()))
    return tuple(_fold(found) for found in _WORD.findall(normalise(text)))


def join(parts: Iterable[str]) -> str:
    """Return words as one, so that "borst onderzoek" equals "borstonderzoek"."""
    return "".join(parts)


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, tuple[Value, ...]]:
    """Return the values of each key, each once, in order."""
    groups: dict[Key, list[Value]] = defaultdict(list)
    for key, value in pairs:
        # Nearly always the first: compared, not hashed.
        if not (found := groups[key]) or value not in found:
            found.append(value)
    return {key: tuple(found) for key, found in groups.items()}


def beginnings(keys: Iterable[str]) -> frozenset[str]:
    """Return how keys begin, for `starts`."""
    found: set[str] = set()
    for key in keys:
        if key[:_BEGINNING] not in found:  # Else all shorter ones are.
            found.update(key[:size] for size in range(1, _BEGINNING + 1))
    return frozenset(found)


def starts(key: str, begin: frozenset[str]) -> bool:
    """Tell whether words, joined, may be the beginning of a key, or all of it."""
    return key[:_BEGINNING] in begin


def keys_of(words: Iterable[str], start: int, begin: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield words as one, one more at a time, and where they end: while a key may begin so."""
    key = ""
    for end, word in enumerate(words, start + 1):
        key += word
        if not starts(key, begin):
            return
        yield end, key


@lru_cache(maxsize=65_536)
def sound(word: str) -> str:
    """Return how a folded word sounds, roughly: "syphilis" and "syfilis" are alike."""
    heard = word.replace("ου", "ou").translate(_GREEK)
    for written, said in _SOUNDS:
        heard = heard.replace(written, said)
    return _DOUBLED.sub(r"\1", heard)


class _Stemmers(local):
    """Snowball keeps state while it works, so each thread has its own."""

    def __init__(self) -> None:
        self.by_language = {code: Stemmer.Stemmer(name) for code, name in STEMMERS.items()}


_stemmers = _Stemmers()


@lru_cache(maxsize=65_536)
def stem(word: str, language: str) -> str:
    """Return a folded word without its inflection; unchanged in a language that we do not stem."""
    stemmer = _stemmers.by_language.get(language)
    return fold(stemmer.stemWord(word)) if stemmer else word


def base(word: str, language: str) -> str:
    """Return a folded word as its inflected forms are looked up; the Turkish stemmer needs letters
    that folding takes away."""
    return root(word, language) if language == "tr" else stem(word, language)


@lru_cache(maxsize=65_536)
def root(word: str, language: str) -> str:
    """Return a folded word of a name of several words without its inflection.

    Goes further than `stem`: "grijs" and "grijze", "kanseri" and "kanserinde" are alike. A word
    that stands alone would lose too much; beside others the rest of the name makes up for it.
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


#: Letters from which a word may be misspelt; how like it must be; from which length on two letters
#: may be wrong, below it one.
FUZZY_FROM, CUTOFF = 5, 0.8
TWO_ERRORS_FROM, MOST_ERRORS = 9, 2

#: Words by how they begin and the length of what may be one of them misspelt.
ByLength = dict[tuple[str, int], tuple[str, ...]]


def by_length(words: Iterable[tuple[str, str]]) -> ByLength:
    """Group words, each behind how it begins, by the length of what may be one of them misspelt."""
    groups: dict[tuple[str, int], list[str]] = defaultdict(list)
    for begin, word in words:
        for length in range(len(word) - MOST_ERRORS, len(word) + MOST_ERRORS + 1):
            if abs(length - len(word)) <= _errors(length):
                groups[begin, length].append(word)
    return {place: tuple(found) for place, found in groups.items()}


def closest(word: str, choices: Sequence[str]) -> tuple[float, tuple[str, ...]]:
    """Return the choices that a word comes closest to, and how close (0 to 1); none if none is."""
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
