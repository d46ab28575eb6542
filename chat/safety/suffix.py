"""Machine-made suffixes: text that was searched for by a program to make a model misbehave.

Four signals over windows of words that slide over the question; one alone never blocks. Each has a
threshold per language, fitted by `manage.py fit_suffix_detector` and kept in rows. Nothing here
asks in which script or language somebody writes: a sentence that no dictionary knows gives one
signal at most.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from typing import Any

from chat.safety.rows import defaults
from taxonomy import dictionary
from taxonomy.lexicon import lexicon_of
from taxonomy.snapshot import Snapshot
from taxonomy.tokens import folded
from taxonomy.vocabulary import Thing
from zol.text import fold

ROWS = "chat.suffixthreshold"
FILE = "suffix_thresholds"
#: How far a row may loosen what was fitted.
LOOSENED = 1.5
#: Share of words outside every dictionary; bits per character; length of a run of specials; share
#: of words with characters that no prose has inside a word.
DICTIONARY, ENTROPY, RUN, SPECIAL = "dictionary", "entropy", "run", "special"
SIGNALS = (DICTIONARY, ENTROPY, RUN, SPECIAL)
#: Words of a window, and what a signal needs to say anything: words, and characters.
WINDOW, LEAST_WORDS, LEAST_LETTERS = 8, 4, 30
NEEDED = 2
#: What people write between words; everything else that is no letter belongs to code.
PROSE = frozenset(".,;:!?'\"()-–—…«»„“”‘’/%€&+°@®•·")
#: A run of ordinary punctuation is remarkable only from this length on: '!?").'
LONG = 5
_TRIM = "".join(PROSE)
_MARK = re.compile(r"\[[\w-]+\]")
_REPEATED = re.compile(r"([^\w\s])\1+")
#: Lines to fill in, signs that stand alone, arrows and faces, and what stands before a name: #genk.
_DRAWN = re.compile(
    r"_{2,}|(?<!\S)[^\w\s](?!\S)|[-=]+>|<[-=]+|(?<!\S)[#@](?=\w)"
    r"|(?<!\S)(?:[:;=8xX][-'^o]?[()\[\]{}DdPp/\\|3*@$]+|\^[_.]?\^|[<>]3|[-oO][_.][-oO])(?!\S)"
)
_RUN = re.compile(r"(?:[^\w\s]|_){2,}")
_JOINTS = re.compile(r"[\W_]+")
_CAPITAL_INSIDE = re.compile(r"[^\W\d_A-Z]{2}[A-ZÀ-ÝΑ-Ω]")
_INSIDE = re.compile(r"[^\W\d_](?:[^\w\s'’./:@&+,-]+|[.,:;!?]{2,})[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Suffix:
    """Which signals a window of a text gives; true when several do."""

    signals: tuple[str, ...] = ()
    window: str = ""

    def __bool__(self) -> bool:
        return len(self.signals) >= NEEDED


@dataclass(frozen=True, slots=True)
class _Word:
    """What one word, as written, adds to the signals."""

    text: str
    folded: str
    is_counted: bool
    is_unknown: bool
    run: int
    is_special: bool


Thresholds = Mapping[str, Mapping[str, float]]


def _nobodys(word: str) -> bool:
    return False


class SuffixDetector:
    """Judges windows by thresholds. Immutable once built."""

    def __init__(
        self, rows: Iterable[Mapping[str, Any]] = (), is_ours: Callable[[str], bool] = _nobodys
    ) -> None:
        self._thresholds = thresholds(rows)
        self._is_ours = lru_cache(maxsize=20_000)(is_ours)

    def check(self, text: str) -> Suffix:
        """Return the first window of a text that gives several signals, if any."""
        # Most questions have no odd word: they need no dictionary, and need not wait for it.
        if not any(_is_special(word) for word in calm(text).split()):
            return Suffix()
        words = self._words(text)
        limits = self._thresholds[dictionary.likeliest_language(word.folded for word in words)]
        for window in _windows(words):
            if not any(word.is_special for word in window):
                continue
            if given := tuple(name for name in SIGNALS if MEASURES[name](window) >= limits[name]):
                suffix = Suffix(given, " ".join(word.text for word in window))
                if suffix:
                    return suffix
        return Suffix()

    def measure(self, text: str) -> list[dict[str, float]]:
        """Return the four values of every window, from which thresholds are fitted."""
        return [
            {name: measure(window) for name, measure in MEASURES.items()}
            for window in _windows(self._words(text))
        ]

    def _words(self, text: str) -> list[_Word]:
        return [_word(word, self._is_ours) for word in calm(text).split()]


def calm(text: str) -> str:
    """Return a text without redaction's marks and drawn faces, and with "!!!" as one sign."""
    return _REPEATED.sub(r"\1", _DRAWN.sub(" ", _MARK.sub(" ", text)))


def thresholds(rows: Iterable[Mapping[str, Any]]) -> Thresholds:
    """Return the limits by language and signal: rows where there are any, else as fitted.

    A row can loosen a limit by half, not switch a signal off.
    """
    fitted = _by_language(defaults(FILE))
    found = {language: dict(limits) for language, limits in fitted.items()}
    for language, limits in _by_language(rows).items():
        for signal, value in limits.items():
            found[language][signal] = min(value, LOOSENED * fitted[language][signal])
    return found


def suffix_detector_of(snapshot: Snapshot) -> SuffixDetector:
    """Return a version's detector; use it through `snapshot.derived(suffix_detector_of)`."""
    lexicon = snapshot.derived(lexicon_of)
    names = (
        name for thing in snapshot.vocabulary.things for name in (thing.name, *_aliases(thing))
    )
    ours = frozenset(word for name in names for word in folded(name))
    return SuffixDetector(
        snapshot.rows_of(ROWS), is_ours=lambda word: lexicon.knows(word) or word in ours
    )


def _aliases(thing: Thing) -> Iterable[str]:
    return (alias.text for alias in thing.aliases)


def _by_language(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for row in rows:
        found.setdefault(str(row["language"]), {})[str(row["signal"])] = float(row["value"])
    return found


@lru_cache(maxsize=50_000)
def _word(text: str, is_ours: Callable[[str], bool]) -> _Word:
    bare = text.strip(_TRIM)
    parts = [fold(part) for part in _JOINTS.split(bare) if part]
    return _Word(
        text=text,
        folded=fold(bare),
        is_counted=bool(bare),
        is_unknown=bool(bare)
        and not (parts and all(_is_ordinary(part, is_ours) for part in parts)),
        run=_longest_run(text),
        is_special=_is_special(text),
    )


@lru_cache(maxsize=50_000)
def _is_special(text: str) -> bool:
    codes = any(not (letter.isalnum() or letter in PROSE) for letter in text)
    odd = codes or _longest_run(text) or _CAPITAL_INSIDE.search(text) or _INSIDE.search(text)
    return bool(odd)


def _longest_run(text: str) -> int:
    return max((len(found) for found in _RUN.findall(text) if _is_odd(found)), default=0)


def _is_ordinary(word: str, is_ours: Callable[[str], bool]) -> bool:
    """Tell whether a folded word is in a dictionary, or a number, a code or an initial."""
    if len(word) < NEEDED or (word.isalnum() and not word.isalpha()):
        return True
    return dictionary.has(word) or is_ours(word)


def _is_odd(run: str) -> bool:
    return len(run) >= LONG or any(letter not in PROSE for letter in run)


def _windows(words: Sequence[_Word]) -> Iterable[Sequence[_Word]]:
    for at in range(max(1, len(words) - WINDOW + 1)):
        yield words[at : at + WINDOW]


def _unknown(window: Sequence[_Word]) -> float:
    counted = sum(word.is_counted for word in window)
    unknown = sum(word.is_unknown for word in window)
    return unknown / counted if counted >= LEAST_WORDS else 0.0


def _entropy(window: Sequence[_Word]) -> float:
    """Return the bits per character, where all letters are one character and so is punctuation.

    Which letters somebody writes tells the language; which signs stand between them tells prose
    from code.
    """
    written = " ".join(word.text for word in window)
    if len(written) < LEAST_LETTERS:
        return 0.0
    counts = Counter(map(_sort, written))
    return -sum(n / len(written) * log2(n / len(written)) for n in counts.values())


def _run(window: Sequence[_Word]) -> float:
    return max((word.run for word in window), default=0)


def _special(window: Sequence[_Word]) -> float:
    return sum(word.is_special for word in window) / WINDOW


MEASURES: Mapping[str, Callable[[Sequence[_Word]], float]] = {
    DICTIONARY: _unknown,
    ENTROPY: _entropy,
    RUN: _run,
    SPECIAL: _special,
}


@lru_cache(maxsize=4_096)
def _sort(letter: str) -> str:
    if letter.isalnum():
        return "a"
    if letter.isspace():
        return " "
    return "." if letter in PROSE else letter
