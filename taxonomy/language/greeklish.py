"""Greek that is typed in Latin letters: "thelo rantevou" is "θελω ραντεβου".

People spell it as it sounds or as it looks ("x" is a chi or a xi, "h" an eta or a chi), so that a
word is looked up by what its spellings have in common. A text is taken for Greek only when most of
its words are Greek in this way, and some of them are words of no other language. Alarms rest on it:
of fifteen dangers that people typed so, twelve are heard with it and eight without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product

from taxonomy.language import dictionary
from taxonomy.language.lexicon import Lexicon, lexicon_of
from taxonomy.language.tokens import Token, folded, tokens
from taxonomy.publishing.snapshot import SharedValue, Snapshot

GREEK = "el"
#: Share of the words that must be Greek where so many are nothing else, and where fewer are.
MOST, TELLING = 0.6, 2
NEARLY_ALL = 0.75
#: Letters before the ending of a word that a form of it is known by.
ROOTED_FROM = 6
#: A word this short is telling for nobody.
TELLING_FROM = 3
#: Readings of one word that are tried.
READINGS = 48
#: Texts of which it is remembered what they are in Greek letters.
REMEMBERED = 1_024
#: Greek letters that make one sound together, and each alone.
_TOGETHER = (
    ("ου", "u"), ("αι", "e"), ("ει", "i"), ("οι", "i"), ("υι", "i"), ("αυ", "av"), ("ευ", "ev"),
    ("μπ", "b"), ("ντ", "d"), ("γκ", "g"), ("γγ", "g"),
)  # fmt: skip
_ALONE = str.maketrans({
    "ξ": "ks", "ψ": "ps", "θ": "th", "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z",
    "η": "i", "ι": "i", "κ": "k", "λ": "l", "μ": "m", "ν": "n", "ο": "o", "π": "p", "ρ": "r",
    "σ": "s", "ς": "s", "τ": "t", "υ": "i", "φ": "f", "χ": "x", "ω": "o",
})  # fmt: skip
#: Latin letters by what they may stand for, longer ones first.
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
    """The words of Greek by how they sound. Immutable once built."""

    def __init__(
        self, own: Iterable[str], ordinary: Iterable[str] = (), lexicon: Lexicon | None = None
    ) -> None:
        self._lexicon = lexicon or Lexicon()
        self._words: dict[str, str] = {}
        self._roots: dict[str, str] = {}
        for word in own:
            key = _heard(word)
            self._words.setdefault(key, word)
            if len(root := _ENDING.sub("", key)) >= ROOTED_FROM:
                self._roots.setdefault(root, word)
        for word in ordinary:
            self._words.setdefault(_heard(word), word)
        # What was asked before is read again with every question that follows it.
        self.in_greek = lru_cache(maxsize=REMEMBERED)(self._in_greek)

    def find(self, word: str) -> str:
        """Return the Greek word that a folded Latin one may be; empty when it is none."""
        readings = tuple(_readings(word))
        for known, keys in (
            (self._words, readings),
            (self._roots, (_ENDING.sub("", key) for key in readings)),
        ):
            if found := next((known[key] for key in keys if key in known), ""):
                return found
        return ""

    def _in_greek(self, text: str) -> str:
        """Return a text in Greek letters where it is Greek in Latin ones, else as it is."""
        spoken = [token for token in tokens(text) if not token.folded.isdigit()]
        if len(spoken) < TELLING or not all(token.folded.isascii() for token in spoken):
            return text
        meant = {token: found for token in spoken if (found := self.find(token.folded))}
        if not self._is_greek([token.folded for token in spoken], meant):
            return text
        for token in sorted(meant, key=lambda token: -token.start):
            text = text[: token.start] + meant[token] + text[token.end :]
        return text

    def _is_greek(self, spoken: Sequence[str], meant: Mapping[Token, str]) -> bool:
        """Tell whether so many words are Greek, and nothing else, that the text must be."""
        telling = {token.folded for token in meant if self._is_telling(token.folded)}
        share = len(meant) / len(spoken)
        if len(telling) >= TELLING and share >= MOST:
            return True
        joining = self._lexicon.stop_words(GREEK).intersection(meant.values())
        return bool(telling) and len(joining) >= TELLING and share >= NEARLY_ALL

    def _is_telling(self, word: str) -> bool:
        is_known = dictionary.has(word) or self._lexicon.knows(word)
        return len(word) >= TELLING_FROM and not is_known


def greeklish_of(snapshot: Snapshot) -> Greeklish:
    """Return a version's reader of Greek in Latin letters; use it through `snapshot.derived`."""
    return _readers.of(snapshot.derived(lexicon_of))


def build(lexicon: Lexicon) -> Greeklish:
    """Return a reader that knows a lexicon, and the ordinary words of Greek."""
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


def _heard(word: str) -> str:
    for letters, sound in _TOGETHER:
        word = word.replace(letters, sound)
    return _DOUBLED.sub(r"\1", word.translate(_ALONE))


def _readings(word: str) -> Iterator[str]:
    """Yield how a word of Latin letters may sound in Greek, the likeliest first."""
    choices = [_LETTERS.get(part, (part,)) for part in _LATIN.findall(word)]
    for number, sounds in enumerate(product(*choices)):
        if number == READINGS:
            return
        yield _DOUBLED.sub(r"\1", "".join(sounds))
