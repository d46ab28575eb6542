"""Machine-made suffixes: text that was searched for by a program to make a model misbehave.

Every word and sign is reduced to what it is (a word of one of our languages, a word of none, a
number, a sign), and a logistic regression over what follows on what, learned by `python -m lab
fit_suffix_detector`, judges each stretch of a question. In which letters or language somebody
writes tells nothing; how words and signs are mixed tells people from programs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log1p

import numpy as np
import regex

from chat.safety.rows import DEFAULTS
from taxonomy import dictionary
from taxonomy.lexicon import lexicon_of
from taxonomy.publishing.snapshot import Snapshot
from taxonomy.tokens import folded
from taxonomy.vocabulary import Thing
from zol.text import fold

FILE = DEFAULTS / "suffix_weights.npz"
#: The trait that every stretch has.
BIAS = ""
#: Pieces of a stretch, and how far apart two begin; pieces of a trait, at most.
STRETCH, APART, LONGEST = 16, 4, 3
#: Things that no prose has, below which a text is a person's.
NEEDED = 2
#: What a piece is: a word of some language, a word of none, one in capitals, one with capitals
#: inside, a single letter, a number, a space; else a sign, which is itself.
KNOWN, UNKNOWN, CAPITALS, JOINED, LETTER, NUMBER, SPACE = "wuUCl0 "
#: What people write between words; a text with nothing else is no program's.
PROSE = frozenset(".,;:!?'\"()-–—…«»„“”‘’/%€&+°@®•·¿¡")
#: Marks of the redaction; pictures as phones write them, with their skins, joints and flags.
_UNREAD = regex.compile(
    r"\[[\w-]+\]|\p{RI}{2}|[0-9#*]\uFE0F?\u20E3"
    r"|\p{Extended_Pictographic}"
    r"[\p{Extended_Pictographic}\p{Emoji_Modifier}\u200D\uFE0F\U000E0020-\U000E007F]*"
)
#: A word, a number, a space, or one sign however often: "!!!" says no more than "!".
_PIECE = regex.compile(r"\p{L}[\p{L}\p{M}]*|\p{Nd}+|\s+|(.)\1*", regex.DOTALL)
_JOINED = regex.compile(r"\p{Ll}{2}\p{Lu}|\p{Lu}{2}\p{Ll}{2}|\p{Ll}\p{Lu}\p{Ll}")
IsOurs = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Suffix:
    """The stretch of a text that is most like a program's; false when a person writes so too."""

    odds: float = 0.0
    stretch: str = ""

    def __bool__(self) -> bool:
        return self.odds > 0


def _nobodys(_word: str) -> bool:
    return False


class SuffixDetector:
    """Judges texts by the weights of traits. Immutable once built."""

    def __init__(self, weights: Mapping[str, float], is_ours: IsOurs = _nobodys) -> None:
        self._weights, self._is_ours = weights, is_ours

    def check(self, text: str) -> Suffix:
        """Return the stretch of a text that is most like a program's, if any is."""
        likeliest = Suffix()
        for stretch in stretches(text):
            found = traits(stretch, self._is_ours)
            odds = sum(self._weights.get(trait, 0.0) * value for trait, value in found.items())
            if odds > likeliest.odds:
                likeliest = Suffix(odds, "".join(stretch))
        return likeliest


def stretches(text: str) -> list[Sequence[str]]:
    """Return the stretches of a text that may be a program's, in pieces.

    There are none in a text with less than two things that prose lacks, whatever its words: it
    needs no dictionary. A name has capitals inside, a quotation ends with two signs.
    """
    pieces = [found[0] for found in _PIECE.finditer(_UNREAD.sub(" ", text).strip())]
    if _oddities(pieces) < NEEDED:
        return []
    last = max(0, len(pieces) - STRETCH)
    cut = (pieces[at : at + STRETCH] for at in (*range(0, last, APART), last))
    return [stretch for stretch in cut if _oddities(stretch)]


def traits(stretch: Sequence[str], is_ours: IsOurs = _nobodys) -> dict[str, float]:
    """Return what follows on what in a stretch, up to three pieces, by how often it does."""
    sorts = [_sort(piece, is_ours) for piece in stretch]
    counts = Counter(
        "".join(sorts[at : at + size])
        for size in range(1, LONGEST + 1)
        for at in range(len(sorts) - size + 1)
    )
    return {BIAS: 1.0} | {trait: log1p(count) for trait, count in counts.items()}


def suffix_detector_of(snapshot: Snapshot) -> SuffixDetector:
    """Return a version's detector; use it through `snapshot.derived(suffix_detector_of)`."""
    lexicon = snapshot.derived(lexicon_of)
    names = (
        name for thing in snapshot.vocabulary.things for name in (thing.name, *_aliases(thing))
    )
    ours = frozenset(word for name in names for word in folded(name))
    return SuffixDetector(weights(), lambda word: lexicon.knows(word) or word in ours)


def weights() -> dict[str, float]:
    """Return the learned weight of each trait."""
    with np.load(FILE) as kept:
        return dict(zip(kept["traits"].tolist(), kept["weights"].tolist(), strict=True))


def _aliases(thing: Thing) -> Iterable[str]:
    return (alias.text for alias in thing.aliases)


def _oddities(pieces: Sequence[str]) -> int:
    """Count what no prose has: other signs, capitals inside words, two signs side by side."""
    are_signs = [not (piece[0].isalnum() or piece[0].isspace()) for piece in pieces]
    odd = sum(
        piece[0] not in PROSE if is_sign else _JOINED.search(piece) is not None
        for piece, is_sign in zip(pieces, are_signs, strict=True)
    )
    return odd + sum(a and b for a, b in pairwise(are_signs))


def _sort(piece: str, is_ours: IsOurs) -> str:
    first = piece[0]
    if first.isspace() or first.isdigit():
        return SPACE if first.isspace() else NUMBER
    if not first.isalpha():
        return first
    if len(piece) == 1:
        return LETTER
    word = fold(piece)
    if dictionary.has(word) or is_ours(word):
        return KNOWN
    if _JOINED.search(piece):
        return JOINED
    return CAPITALS if piece.isupper() else UNKNOWN
