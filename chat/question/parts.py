"""The parts of a question that asks several things at once: plain conjunctions only."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from taxonomy.tokens import Token

#: The Greek question mark is a semicolon. A full stop ends no question, and often an abbreviation.
_ENDED = re.compile(r"[?;]+\s+|\n+")
_SEPARATORS = " ,;:-–"
MOST = 4
#: Concepts of the lexicon that ask: near the beginning of a question, in Turkish near its end.
ASKING = frozenset(
    {"what", "who", "whose", "where", "when", "how", "how_much", "how_long", "why", "which"}
)
NEAR = 3
AND = "and"
#: Those that ask where a question begins with them: "Kan ik", "Is er", "Puis-je".
OPENING = frozenset({"can", "may", "must", "be", "have", "do", "there_is"})


@dataclass(frozen=True, slots=True)
class Tests:
    """What is asked of a piece of a question."""

    #: Whether it says what it is about.
    says_something: Callable[[str], bool]
    #: The concepts of each of its words.
    concepts: Callable[[str], Sequence[Collection[str]]]


def split(text: str, words: Sequence[Token], tests: Tests) -> tuple[str, ...]:
    """Return the parts of a question; nothing when it is one question.

    What is told belongs to the question that it stands before, or else to the one before it; so
    does a part that says nothing by itself ("en waar?").
    """
    parts: list[str] = []
    told = ""
    for piece in _pieces(text, words, tests.concepts(text)):
        whole = f"{told} {piece}".strip()
        if not asks(piece, tests.concepts(piece)):
            told = whole
        elif parts and not tests.says_something(whole):
            parts[-1], told = f"{parts[-1]} {whole}", ""
        else:
            parts, told = [*parts, whole], ""
    if told and parts:
        parts[-1] = f"{parts[-1]} {told}"
    if len(parts) > 1 and not tests.says_something(parts[0]):
        parts[:2] = [f"{parts[0]} {parts[1]}"]
    return tuple(parts[:MOST]) if len(parts) > 1 else ()


def asks(piece: str, concepts: Sequence[Collection[str]]) -> bool:
    """Tell whether a piece of a question asks; `concepts` are those of its words, in order."""
    if piece.rstrip().endswith(("?", ";")) or (concepts and not OPENING.isdisjoint(concepts[0])):
        return True
    ends = (*concepts[:NEAR], *concepts[-NEAR:])
    return any(not ASKING.isdisjoint(names) for names in ends)


def joints(concepts: Sequence[Collection[str]]) -> list[int]:
    """Return where a second question is joined: "en wie", "et à quelle heure", "και σε ποιο"."""
    return [
        at
        for at, names in enumerate(concepts)
        if at
        and AND in names
        and any(not ASKING.isdisjoint(later) for later in concepts[at + 1 : at + 1 + NEAR])
    ]


def _pieces(text: str, words: Sequence[Token], concepts: Sequence[Collection[str]]) -> list[str]:
    cuts = [(found.start(), found.end()) for found in _ENDED.finditer(text)]
    cuts = [(start + len(text[start:end].rstrip()), end) for start, end in cuts]
    cuts += [(words[at].start, words[at].end) for at in joints(concepts)]
    pieces, start = [], 0
    for cut, resume in sorted(cuts):
        if cut >= start:
            pieces.append(_trimmed(text[start:cut]))
            start = resume
    return [piece for piece in [*pieces, _trimmed(text[start:])] if piece]


def _trimmed(piece: str) -> str:
    """Return a piece without what separated it; a mark that asks stays."""
    return piece.lstrip(_SEPARATORS).rstrip(_SEPARATORS.replace(";", ""))
