"""Words that qualify a statement, make it risky, or may be said without a source: rows of staff."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from zol.text import fold

#: Kinds of cues.
QUALIFIER, RISKY, STANDING = "qualifier", "risky", "standing"
#: Words that may stand between two of a standing phrase.
GAP = 2
#: Qualifiers that exclude one another beside one figure.
CONTRARY = (("at_most", "at_least"), ("until", "from"), ("earlier", "later"))
LIMITS = frozenset(code for pair in CONTRARY for code in pair)
#: A target of standing rows: words that may stand beside the phrases.
BESIDE = "words"


@dataclass(frozen=True)
class CueWords:
    """Phrases by language and what they point to; a * stands for any beginning or ending."""

    patterns: Mapping[str, Mapping[str, re.Pattern[str]]] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]], *, gap: int = 0) -> CueWords:
        phrases: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for row in rows:
            said = phrases[str(row["language"])][str(row["target"])]
            said += [_pattern(each, gap) for each in str(row["text"]).split("|")]
        return cls(
            {
                code: {target: re.compile(_either(said)) for target, said in targets.items()}
                for code, targets in phrases.items()
            }
        )

    def targets(self, text: str, language: str) -> tuple[str, ...]:
        """Return what phrases of a text point to, as often as they stand there, in fixed order."""
        return _targets(self, fold(text).replace("’", "'"), language)

    def spans(self, text: str, language: str) -> Iterator[tuple[str, re.Match[str]]]:
        """Yield the phrases of a folded text, with what they point to."""
        for target, pattern in self.patterns.get(language, {}).items():
            yield from ((target, found) for found in pattern.finditer(text))

    def without(self, text: str, language: str, *targets: str) -> str:
        """Return a folded text without these words, or those of some targets."""
        for target, pattern in self.patterns.get(language, {}).items():
            text = text if targets and target not in targets else pattern.sub(" ", text)
        return text

    __hash__ = object.__hash__


@lru_cache(maxsize=8_192)
def _targets(cues: CueWords, text: str, language: str) -> tuple[str, ...]:
    return tuple(sorted(target for target, _ in cues.spans(text, language)))


def _pattern(phrase: str, gap: int) -> str:
    between = rf"\W+(?:\w+\W+){{0,{gap}}}?" if gap else r"\W+"
    words = fold(phrase).replace("’", "'").split()
    return between.join(re.escape(word).replace(r"\*", r"\w*") for word in words)


def _either(patterns: Iterable[str]) -> str:
    longest_first = sorted(set(patterns), key=lambda each: (-len(each), each))
    return rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)"
