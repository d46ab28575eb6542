"""The engine without a model: facts by code, sentences by quotation, in fixed words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chat.answering.composition import Composition, compose
from chat.checking.base import Claim
from chat.question.classification import UNREAD, Classification
from chat.tools import Tools
from chat.turn import EMBEDDED, Context, Turn


@dataclass(frozen=True, slots=True)
class ComposedClaim(Claim):
    """A piece of an answer that code has put together, with its own sources and marks."""

    composition: Composition | None = None


@dataclass(frozen=True, slots=True)
class EmbeddedEngine:
    """Reads by examples and small networks; answers with facts and quotations."""

    name: ClassVar[str] = EMBEDDED

    def classify(self, turn: Turn, tools: Tools) -> Classification:
        return tools.read(turn, tools.snapshot).classification or UNREAD

    def generate(self, context: Context, shown: Sequence[Claim], tools: Tools) -> Iterator[Claim]:
        """Yield the pieces of the composed answer, without those that were shown already."""
        told = {claim.text for claim in shown}
        composition = compose(context, tools)
        for piece in composition.pieces:
            if piece not in told:
                yield ComposedClaim(piece, composition=composition)
