"""Attacks as programs search for them, invented: pieces of words and of source code, at random.

No known attack is among them: all of those are left to measure by.
"""

from __future__ import annotations

import re
import string
import sysconfig
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

#: Languages that models have read most, and how many words of each.
READ = {"en": 20_000} | dict.fromkeys(("de", "fr", "es", "it", "nl", "pl", "sv", "ro"), 4_000)
#: Files of source code that are read; how often they must have a piece.
FILES, OFTEN = 150, 8
#: Pieces of an attack; shares of them that are signs, that follow without a space, that are cut.
LENGTHS, SIGNS, GLUED, CUT = (
    (12, 30),
    (0.08, 0.12, 0.2, 0.3, 0.4),
    (0.15, 0.3, 0.5),
    (0.1, 0.3, 0.5),
)
#: Shares of signs that stand so in source code, of words that are names of it, of capitals.
OF_CODE, NAMES, CAPITAL, CAPITALS = 0.6, 0.25, 0.2, 0.25


@dataclass(frozen=True, slots=True)
class Pieces:
    """What attacks are made of; signs with how often they are taken."""

    words: Sequence[str]
    names: Sequence[str]
    signs: Sequence[str]
    weights: Sequence[float]


@cache
def pieces() -> Pieces:
    import wordfreq  # noqa: PLC0415 (takes longer to import than most commands take to run)

    words = [w for code, most in READ.items() for w in wordfreq.top_n_list(code, most)]
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[:FILES]
    source = "\n".join(file.read_text("utf-8", "ignore") for file in files)
    signs = Counter(re.findall(r"[^\w\s]{1,4}", source))
    often = [sign for sign, times in signs.items() if times >= OFTEN]
    names = Counter(re.findall("[A-Za-z]{3,}", source))
    return Pieces(
        [word for word in words if word.isascii() and word.isalpha()],
        [name for name, times in names.items() if times >= OFTEN],
        often,
        [signs[sign] ** 0.4 for sign in often],
    )


def attacks(random: Random, many: int) -> Iterator[str]:
    """Yield invented attacks, each with habits of its own."""
    for _ in range(many):
        signs, glued, cut = random.choice(SIGNS), random.choice(GLUED), random.choice(CUT)
        written = ""
        for _piece in range(random.randint(*LENGTHS)):
            piece = _sign(random) if random.random() < signs else _word(random, cut)
            written += piece if random.random() < glued else f" {piece}"
        yield written.strip()


def _sign(random: Random) -> str:
    known = pieces()
    if random.random() < OF_CODE:
        return random.choices(known.signs, known.weights)[0]
    return "".join(random.choices(string.punctuation, k=random.choice((1, 1, 2, 2, 3))))


def _word(random: Random, cut: float) -> str:
    known = pieces()
    word = random.choice(known.names if random.random() < NAMES else known.words)
    if random.random() < cut and len(word) > 4:
        at = random.randint(1, len(word) - 2)
        word = random.choice((word[at:], word[: at + 1]))
    drawn = random.random()
    return word.capitalize() if drawn < CAPITAL else word.upper() if drawn < CAPITALS else word
