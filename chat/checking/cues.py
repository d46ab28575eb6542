"""Cue phrases that qualify a statement, make it risky, or need no source: rows of staff."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from zol.text import fold

#: Cue kinds.
QUALIFIER, RISKY, STANDING = "qualifier", "risky", "standing"
#: Maximum words between two words of a standing phrase.
GAP = 2
#: Contradictory qualifiers of one figure.
CONTRARY = (("at_most", "at_least"), ("until", "from"), ("earlier", "later"))
LIMITS = frozenset(code for pair in CONTRARY for code in pair)
#: Target of standing rows: words allowed beside the phrases.
BESIDE = "words"


@dataclass(frozen=True)
class CueWords:
    """Phrases by language with their targets; * matches any beginning or ending."""

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
        """Return the targets of a text's phrases, with repetitions, in fixed order."""
        return _targets(self, fold(text).replace("’", "'"), language)

    def spans(self, text: str, language: str) -> Iterator[tuple[str, re.Match[str]]]:
        """Yield the phrases of a folded text, with their targets."""
        for target, pattern in self.patterns.get(language, {}).items():
            yield from ((target, found) for found in pattern.finditer(text))

    def without(self, text: str, language: str, *targets: str) -> str:
        """Return a folded text without the phrases of all or some targets."""
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
