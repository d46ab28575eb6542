"""Names that give themselves away: "mijn naam is …", "ik ben …", "Jan Peeters hier".

What surely announces a name ("mijn naam is") is followed by one also without capitals. What may
("ik ben") is, when a capital stands there, or a word of the rows of first names: "ik ben jan
peeters" is somebody, "ik ben zwanger" is not. Words of the hospital and of the language are spared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from taxonomy.tokens import Token, folded

#: Sorts of cues: what announces a name, what is one, and what may stand between two of its words.
SELFNAME, FIRST, PARTICLE = "selfname", "firstname", "nameparticle"
#: A cue that the name stands before: "Jan Peeters hier".
BEHIND = "behind"
#: A cue of this weight announces a name even without capitals: "mijn naam is".
CERTAIN = 3.0
#: Words of a name, particles not counted.
NAME_WORDS = 4

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Cue:
    words: tuple[str, ...]
    is_certain: bool
    is_behind: bool
    language: str


class Names:
    """Finds the names that words announce. Immutable once built."""

    def __init__(
        self, rows: Iterable[Mapping[str, Any]], is_known: Callable[[str, str], bool]
    ) -> None:
        self._by_first: dict[str, list[_Cue]] = {}
        self._first_names: set[str] = set()
        self._particles: set[str] = set()
        for row in rows:
            words = folded(str(row["text"]))
            if row["kind"] == FIRST:
                self._first_names.update(words)
            elif row["kind"] == PARTICLE:
                self._particles.update(words)
            elif row["kind"] == SELFNAME and words:
                is_certain, is_behind = float(row["weight"]) >= CERTAIN, row["target"] == BEHIND
                cue = _Cue(words, is_certain, is_behind, str(row["language"]))
                self._by_first.setdefault(words[0], []).append(cue)
        for cues in self._by_first.values():
            cues.sort(key=lambda cue: -len(cue.words))
        self._is_known = is_known

    def find(self, words: tuple[Token, ...]) -> list[Span]:
        """Return where names stand, from which word up to which."""
        spans: list[Span] = []
        for at, word in enumerate(words):
            for cue in self._by_first.get(word.folded, ()):
                end = at + len(cue.words)
                if tuple(token.folded for token in words[at:end]) == cue.words:
                    spans += self._before(words, at, cue) if cue.is_behind else ()
                    spans += () if cue.is_behind else self._after(words, end, cue)
                    break
        return spans

    def _after(self, words: tuple[Token, ...], at: int, cue: _Cue) -> list[Span]:
        """Take the words that can be a name: with a capital, unless it surely is one."""
        if at >= len(words):
            return []
        begins = words[at].folded in self._first_names
        end, reach = at, at
        while reach < len(words) and end - at < NAME_WORDS:
            if self._is_name(words[reach], cue, also_small=begins):
                end = reach + 1
            elif end == at or words[reach].folded not in self._particles:
                break
            reach += 1
        if end == at or not (cue.is_certain or begins or self._is_new(words[at], cue)):
            return []
        return [(at, end)]

    def _before(self, words: tuple[Token, ...], at: int, cue: _Cue) -> list[Span]:
        """Take what a text begins with, when it is nothing but a name of two words or more."""
        named = words[:at]
        if not 2 <= len(named) <= NAME_WORDS or not self._is_name(named[0], cue):
            return []
        rest = (self._is_name(word, cue) or word.folded in self._particles for word in named[1:])
        return [(0, at)] if all(rest) else []

    def _is_new(self, word: Token, cue: _Cue) -> bool:
        return not self._is_known(word.folded, cue.language)

    def _is_name(self, word: Token, cue: _Cue, *, also_small: bool = False) -> bool:
        if any(character.isdigit() for character in word.text) or word.folded in self._by_first:
            return False
        if word.folded in self._first_names and (also_small or word.text[0].isupper()):
            return True
        can_be = cue.is_certain or also_small or word.text[0].isupper()
        return can_be and self._is_new(word, cue)
