"""Detect attacks: prompt injection and machine-made suffixes.

Prompt injections are matched by regular expressions, which are rows, on folded text. `broken`
reports those that do not compile; the others still work.

Suffixes found by adversarial search are detected by a logistic regression (`python -m lab
fit_suffix_detector`) over sequences of token kinds: known word, unknown word, number, sign. Their
mix of words and signs differs from human text in every language.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log1p
from typing import Any

import numpy as np
import regex

from chat.safety.phrases import DEFAULTS, defaults, rows_of
from taxonomy.language import dictionary
from taxonomy.language.lexicon import lexicon_of
from taxonomy.language.tokens import folded
from taxonomy.snapshot import Snapshot
from zol.text import fold, squash, storable

ROWS, FILE = "chat.injectionpattern", "injection_patterns"
logger = logging.getLogger(__name__)
#: Time limit of a pattern in seconds, since staff may write one that never ends, and of a second
#: try: the limit counts the CPU time of all threads of the process.
TIME, SECOND_TRY = 0.02, 0.1
#: Texts that make exponentially backtracking patterns time out.
HARD = ("a" * 400 + "!", "a b " * 120 + "!", " " * 400 + "!", "1" * 400 + "!", "ab" * 200 + "\n")
#: Size of the cache of page texts without a match.
CACHED = 4_096
#: Invisible characters that split forbidden words.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
#: Markup and role tokens, and other angle brackets except "< 5 jaar".
_TAG = re.compile(r"<[/!?|a-z][^<>]{0,200}>|[<>](?!\s*=?\s*\d)", re.IGNORECASE)
#: Citation-like marks.
_NUMBER = re.compile(r"\[(\d[\d.]*)\]")


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack with its evidence; false if there is none."""

    description: str = ""
    evidence: str = ""

    def __bool__(self) -> bool:
        return bool(self.evidence)


class InjectionPatterns:
    """The patterns of attacks. Immutable once built."""

    def __init__(self, rows: Iterable[Mapping[str, Any]] = ()) -> None:
        self._patterns: list[tuple[Any, str]] = []
        broken = []
        for row in rows:
            try:
                compiled = regex.compile(str(row["pattern"]), regex.IGNORECASE)
            except regex.error as error:
                broken.append((str(row["pattern"]), str(error)))
            else:
                self._patterns.append((compiled, str(row.get("description") or "")))
        self._harmless: set[str] = set()
        #: Invalid patterns with the reason, for staff.
        self.broken = tuple(broken)

    @property
    def is_on(self) -> bool:
        return bool(self._patterns)

    def check(self, text: str) -> Attack:
        """Return the attack of the first matching pattern; line breaks hide no match."""
        return self._check(text)[0]

    def check_page(self, text: str) -> Attack:
        """Return the attack in a text of a page; harmless texts are cached, since pages are quoted
        often."""
        if text in self._harmless:
            return Attack()
        attack, is_whole = self._check(text)
        if is_whole and not attack:
            if len(self._harmless) >= CACHED:
                self._harmless.clear()
            self._harmless.add(text)
        return attack

    def _check(self, text: str) -> tuple[Attack, bool]:
        """Return the attack in a text, and whether all patterns finished in time."""
        folded, is_whole = fold(_INVISIBLE.sub("", text)), True
        for reading in dict.fromkeys((folded, squash(folded))):
            for pattern, description in self._patterns:
                found = _found(pattern, reading)
                if found:
                    return Attack(description or pattern.pattern, found), True
                is_whole = is_whole and found is not None
        return Attack(), is_whole

    def material(self, text: str) -> str:
        """Return a text of a page or row as one line of a prompt; empty if it holds an attack.

        All such texts enter a prompt through this method, so that their authors can neither
        instruct a model nor imitate another line or source.
        """
        line = as_line(text)
        return "" if self.check_page(line) else line


def as_line(text: str) -> str:
    """Return a text on one line, without markup, invisible characters and citation marks."""
    return squash(_NUMBER.sub(r"(\1)", _TAG.sub(" ", storable(_INVISIBLE.sub("", text)))))


def _found(pattern: Any, text: str) -> str | None:
    """Return the match of a pattern within its time limit; None on time-out.

    The interpreter lock is not released: waiting for it again would take longer than the search.
    """
    for seconds in (TIME, SECOND_TRY):
        try:
            match = pattern.search(text, timeout=seconds, concurrent=False)
        except TimeoutError:
            continue
        return str(match[0]) if match else ""
    logger.warning("A pattern timed out and was skipped: %s", pattern.pattern)
    return None


def is_slow(pattern: str) -> bool:
    """Return whether a pattern times out on a text that makes patterns backtrack."""
    compiled = regex.compile(pattern, regex.IGNORECASE)
    try:
        for hard in HARD:
            compiled.search(hard, timeout=TIME)
    except TimeoutError:
        return True
    return False


def injection_patterns_of(snapshot: Snapshot) -> InjectionPatterns:
    """Return a version's patterns; use it through `snapshot.derived(injection_patterns_of)`.

    If none of them compiles, the defaults apply, so that broken rows do not switch the check off.
    """
    patterns = InjectionPatterns(rows_of(snapshot, ROWS, FILE))
    return patterns if patterns.is_on else InjectionPatterns(defaults(FILE))


WEIGHTS = DEFAULTS / "suffix_weights.npz"
#: The constant feature.
BIAS = ""
#: Pieces of a window, distance between windows, and maximum pieces of a feature.
STRETCH, APART, LONGEST = 16, 4, 3
#: Oddities below which a text is taken for human.
NEEDED = 2
#: Kinds of pieces: known word, unknown word, in capitals, with inner capitals, single letter,
#: number, space; a sign is its own kind.
KNOWN, UNKNOWN, CAPITALS, JOINED, LETTER, NUMBER, SPACE = "wuUCl0 "
#: Punctuation of prose: these signs are no oddity.
PROSE = frozenset(".,;:!?'\"()-–—…«»„“”‘’/%€&+°@®•·¿¡")
#: Redaction marks, and emoji with modifiers, joiners and flags.
_UNREAD = regex.compile(
    r"\[[\w-]+\]|\p{RI}{2}|[0-9#*]\uFE0F?\u20E3"
    r"|\p{Extended_Pictographic}"
    r"[\p{Extended_Pictographic}\p{Emoji_Modifier}\u200D\uFE0F\U000E0020-\U000E007F]*"
)
#: A word, a number, a space, or a repeated sign: "!!!" counts as "!".
_PIECE = regex.compile(r"\p{L}[\p{L}\p{M}]*|\p{Nd}+|\s+|(.)\1*", regex.DOTALL)
_JOINED = regex.compile(r"\p{Ll}{2}\p{Lu}|\p{Lu}{2}\p{Ll}{2}|\p{Ll}\p{Lu}\p{Ll}")
IsOurs = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Suffix:
    """The most machine-like window of a text; false if a person could have written it."""

    odds: float = 0.0
    stretch: str = ""

    def __bool__(self) -> bool:
        return self.odds > 0


class SuffixDetector:
    """Scores texts by weighted traits. Immutable."""

    def __init__(self, weights: Mapping[str, float], is_ours: IsOurs = lambda word: False) -> None:
        self._weights, self._is_ours = weights, is_ours

    def check(self, text: str) -> Suffix:
        """Return the most machine-like window of a text."""
        likeliest = Suffix()
        for stretch in stretches(text):
            found = traits(stretch, self._is_ours)
            odds = sum(self._weights.get(trait, 0.0) * value for trait, value in found.items())
            if odds > likeliest.odds:
                likeliest = Suffix(odds, "".join(stretch))
        return likeliest


def stretches(text: str) -> list[Sequence[str]]:
    """Return the windows of a text that could be machine-made, in pieces.

    A text with fewer than two oddities has none: a name may have inner capitals, and a quotation
    ends in two signs.
    """
    pieces = [found[0] for found in _PIECE.finditer(_UNREAD.sub(" ", text).strip())]
    if _oddities(pieces) < NEEDED:
        return []
    last = max(0, len(pieces) - STRETCH)
    cut = (pieces[at : at + STRETCH] for at in (*range(0, last, APART), last))
    return [stretch for stretch in cut if _oddities(stretch)]


def traits(stretch: Sequence[str], is_ours: IsOurs = lambda word: False) -> dict[str, float]:
    """Return the log counts of sequences of up to three kinds of pieces."""
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
    things = snapshot.vocabulary.things
    names = (name for each in things for name in (each.name, *(a.text for a in each.aliases)))
    ours = frozenset(word for name in names for word in folded(name))
    return SuffixDetector(weights(), lambda word: lexicon.knows(word) or word in ours)


def weights() -> dict[str, float]:
    """Return the learned weight of each trait."""
    with np.load(WEIGHTS) as kept:
        return dict(zip(kept["traits"].tolist(), kept["weights"].tolist(), strict=True))


def _oddities(pieces: Sequence[str]) -> int:
    """Count signs that prose lacks: unusual signs, inner capitals, two signs in a row."""
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
