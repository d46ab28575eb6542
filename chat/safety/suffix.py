"""Machine-made suffixes, told apart by their characters: a first form.

Signals over windows of a question; one alone never blocks. Words are not judged by language, so
that Greek or Turkish is never blocked for not being Dutch.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from math import log2

WINDOW, STEP = 60, 20
#: A window with more punctuation and symbols than this share is unusual; prose has about 0.03.
SYMBOLS = 0.16
#: Characters in a row that are neither letters, digits nor spaces.
RUN = 4
#: Share of words that mix letters with symbols or capitals inside.
MIXED = 0.2
#: Bits per character; a sentence of 60 characters has 3.5 to 4.4.
ENTROPY = 4.7
NEEDED = 2
_RUN = re.compile(rf"[^\w\s]{{{RUN},}}")
_ELLIPSIS = re.compile(r"([.!?-])\1+")
_MIXED = re.compile(r"[^\W\d_][^\w\s'’./:@-]+[^\W\d_]|[a-z][A-Z]")


@dataclass(frozen=True, slots=True)
class Suffix:
    """Which signals a text gives; blocked when several do."""

    signals: tuple[str, ...] = ()
    window: str = ""

    def __bool__(self) -> bool:
        return len(self.signals) >= NEEDED


def check(text: str) -> Suffix:
    """Return the signals of the most unusual window of a text."""
    calm = _ELLIPSIS.sub(r"\1", text)
    starts = range(0, max(1, len(calm) - WINDOW + STEP), STEP)
    windows = (calm[start : start + WINDOW] for start in starts)
    return max((_judge(window) for window in windows), key=lambda suffix: len(suffix.signals))


def _judge(window: str) -> Suffix:
    words = window.split()
    if not words:
        return Suffix()
    symbols = sum(not (letter.isalnum() or letter.isspace()) for letter in window)
    measured = {
        "symbols": len(window) >= WINDOW // 2 and symbols / len(window) > SYMBOLS,
        "run": bool(_RUN.search(window)),
        "mixed": len(words) > NEEDED and _mixed(words) > MIXED,
        "entropy": _entropy(window) > ENTROPY,
    }
    return Suffix(tuple(name for name, given in measured.items() if given), window)


def _mixed(words: list[str]) -> float:
    return sum(bool(_MIXED.search(word)) for word in words) / len(words)


def _entropy(window: str) -> float:
    counts = Counter(window)
    total = len(window)
    return -sum(n / total * log2(n / total) for n in counts.values())
