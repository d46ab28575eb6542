"""The parts of a question that asks several things at once: plain conjunctions only."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from chat.understanding.cues import CONNECTIVE, Said
from taxonomy.tokens import Token

_SENTENCE = re.compile(r"[?!.]+\s+|\n+")
#: A connective lighter than this joins words, not questions.
CLEAR = 2.0
MOST = 4


def split(
    text: str, words: Sequence[Token], said: Said, says_something: Callable[[str], bool]
) -> tuple[str, ...]:
    """Return the parts of a question; nothing when it is one question.

    A part that says nothing by itself ("en waar?") belongs to the one before it.
    """
    parts: list[str] = []
    for piece in _pieces(text, words, said):
        if parts and not says_something(piece):
            parts[-1] = f"{parts[-1]} {piece}"
        elif piece:
            parts.append(piece)
    if len(parts) > 1 and not says_something(parts[0]):
        parts[:2] = [f"{parts[0]} {parts[1]}"]
    return tuple(parts[:MOST]) if len(parts) > 1 else ()


def _pieces(text: str, words: Sequence[Token], said: Said) -> list[str]:
    cuts = [(found.start(), found.end()) for found in _SENTENCE.finditer(text)]
    for cue in said.of(CONNECTIVE):
        if cue.weight >= CLEAR and cue.start > 0:
            first = words[cue.start]
            cuts.append((first.start, first.end))
    pieces, start = [], 0
    for cut, resume in sorted(cuts):
        if cut >= start:
            pieces.append(text[start:cut].strip(" ,;"))
            start = resume
    return [piece for piece in [*pieces, text[start:].strip(" ,;")] if piece]
