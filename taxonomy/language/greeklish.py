"""Transliteration of Greek typed in Latin letters: "thelo rantevou" is "θελω ραντεβου".

People spell by sound or by shape ("x" is chi or xi, "h" eta or chi), so words are looked up by a
key that all their spellings share. A text counts as Greek only if most of its words are Greek and
some exist in no other language. Alarms need this: of 15 dangers typed in Latin letters, 12 are
detected with it and 8 without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

from taxonomy.language import dictionary
from taxonomy.language.lexicon import Lexicon, lexicon_of
from taxonomy.language.tokens import Token, folded, tokens
from taxonomy.snapshot import SharedValue, Snapshot

GREEK = "el"
#: Minimum share of Greek words if at least `TELLING` of them exist in no other language; otherwise
#: `NEARLY_ALL`.
MOST, TELLING = 0.6, 2
NEARLY_ALL = 0.75
#: Minimum letters of a word without its ending to match another form of the word.
ROOTED_FROM = 6
#: Minimum letters of a word that counts as Greek only.
TELLING_FROM = 3
#: Maximum readings tried per word.
READINGS = 48
#: Cached transliterations.
REMEMBERED = 1_024
#: Sounds of Greek letter groups, and of single letters.
_TOGETHER = (
    ("ου", "u"), ("αι", "e"), ("ει", "i"), ("οι", "i"), ("υι", "i"), ("αυ", "av"), ("ευ", "ev"),
    ("μπ", "b"), ("ντ", "d"), ("γκ", "g"), ("γγ", "g"),
)  # fmt: skip
_ALONE = str.maketrans({
    "ξ": "ks", "ψ": "ps", "θ": "th", "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z",
    "η": "i", "ι": "i", "κ": "k", "λ": "l", "μ": "m", "ν": "n", "ο": "o", "π": "p", "ρ": "r",
    "σ": "s", "ς": "s", "τ": "t", "υ": "i", "φ": "f", "χ": "x", "ω": "o",
})  # fmt: skip
#: Possible sounds of Latin letters, likeliest first.
_LETTERS = {
    "ou": ("u",), "ai": ("e",), "ei": ("i",), "oi": ("i",), "yi": ("i",), "ui": ("i",),
    "au": ("av",), "af": ("av", "af"), "av": ("av",), "ay": ("av", "ai"), "eu": ("ev",),
    "ef": ("ev", "ef"), "ev": ("ev",), "ey": ("ev", "i"), "mp": ("b", "mp"), "nt": ("d",),
    "nd": ("nd", "d"), "gk": ("g",), "gg": ("g",), "ng": ("ng", "g"), "ks": ("ks",), "ps": ("ps",),
    "th": ("th", "ti"), "ch": ("x",), "kh": ("x", "ki"), "ph": ("f", "pi"), "gh": ("gi", "g"),
    "dh": ("d", "di"), "sh": ("si",), "rh": ("ri",), "lh": ("li",), "mh": ("mi",), "nh": ("ni",),
    "x": ("x", "ks"), "h": ("i", "x"), "u": ("u", "i", "th"), "b": ("b", "v"), "w": ("o",),
    "y": ("i",), "j": ("ks", "i"), "c": ("k",), "q": ("th", "k"), "8": ("th",), "3": ("ks",),
    "9": ("th",), "4": ("ps",),
}  # fmt: skip
_LATIN = re.compile("|".join(sorted(_LETTERS, key=len, reverse=True)) + "|.")
_ENDING = re.compile(r"[aeiou]+s?$")
_DOUBLED = re.compile(r"(.)\1+")


class Greeklish:
    """Index of Greek words by sound. Immutable once built."""

    def __init__(
        self, own: Iterable[str], ordinary: Iterable[str] = (), lexicon: Lexicon | None = None
    ) -> None:
        self._lexicon = lexicon or Lexicon()
        self._words: dict[str, str] = {}
        self._roots: dict[str, str] = {}
        for word in own:
            key = _sound_of(word)
            self._words.setdefault(key, word)
            if len(root := _ENDING.sub("", key)) >= ROOTED_FROM:
                self._roots.setdefault(root, word)
        for word in ordinary:
            self._words.setdefault(_sound_of(word), word)
        # Earlier questions of a conversation are transliterated again with every follow-up.
        self.in_greek = lru_cache(maxsize=REMEMBERED)(self._in_greek)

    def find(self, word: str) -> str:
        """Return the Greek word for a folded Latin one; empty if there is none."""
        readings = tuple(_readings(word))
        for known, keys in (
            (self._words, readings),
            (self._roots, (_ENDING.sub("", key) for key in readings)),
        ):
            if found := next((known[key] for key in keys if key in known), ""):
                return found
        return ""

    def _in_greek(self, text: str) -> str:
        """Return a text in Greek letters if it is Greek in Latin letters, otherwise unchanged."""
        words = [token for token in tokens(text) if not token.folded.isdigit()]
        if len(words) < TELLING or not all(token.folded.isascii() for token in words):
            return text
        meant = {token: found for token in words if (found := self.find(token.folded))}
        if not self._is_greek([token.folded for token in words], meant):
            return text
        for token in sorted(meant, key=lambda token: -token.start):
            text = text[: token.start] + meant[token] + text[token.end :]
        return text

    def _is_greek(self, words: Sequence[str], meant: Mapping[Token, str]) -> bool:
        """Return whether enough words are Greek, and only Greek, for the text to be Greek."""
        only_greek = {token.folded for token in meant if self._is_only_greek(token.folded)}
        share = len(meant) / len(words)
        if len(only_greek) >= TELLING and share >= MOST:
            return True
        joining = self._lexicon.stop_words(GREEK).intersection(meant.values())
        return bool(only_greek) and len(joining) >= TELLING and share >= NEARLY_ALL

    def _is_only_greek(self, word: str) -> bool:
        is_known = dictionary.has(word) or self._lexicon.knows(word)
        return len(word) >= TELLING_FROM and not is_known


def greeklish_of(snapshot: Snapshot) -> Greeklish:
    """Build a version's transliterator; call it through `snapshot.derived(greeklish_of)`."""
    return _readers.of(snapshot.derived(lexicon_of))


def build(lexicon: Lexicon) -> Greeklish:
    """Build a transliterator from a lexicon and the Greek dictionary."""
    own = (
        part
        for concept in lexicon.concepts.values()
        for word in concept.words.get(GREEK, ())
        for part in folded(word)
    )
    ordinary = dictionary.words_of(GREEK)
    return Greeklish(
        (word for word in own if not word.isascii()),
        (word for word in ordinary if not word.isascii()),
        lexicon,
    )


_readers = SharedValue(build)


def _sound_of(word: str) -> str:
    for letters, sound in _TOGETHER:
        word = word.replace(letters, sound)
    return _DOUBLED.sub(r"\1", word.translate(_ALONE))


def _readings(word: str) -> Iterator[str]:
    """Yield the possible Greek sounds of a word in Latin letters, likeliest first."""
    choices = [_LETTERS.get(part, (part,)) for part in _LATIN.findall(word)]
    for number, sounds in enumerate(product(*choices)):
        if number == READINGS:
            return
        yield _DOUBLED.sub(r"\1", "".join(sounds))
