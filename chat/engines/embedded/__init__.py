"""The embedded engine: classifies by code, answers with published facts and page lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chat.checking.base import Claim
from chat.engines.base import Engine
from chat.engines.embedded.answer import generate
from chat.question.classification import UNREAD, Classification
from chat.tools import Tools
from chat.turn import EMBEDDED, Context, Turn


@dataclass(frozen=True, slots=True)
class EmbeddedEngine:
    """Classifies by examples and small networks; answers with lines of the evidence."""

    name: ClassVar[str] = EMBEDDED
    spare: ClassVar[Engine | None] = None

    def classify(self, turn: Turn, tools: Tools) -> Classification:
        return tools.reading.read(turn, tools.snapshot).classification or UNREAD

    def generate(self, context: Context, shown: Sequence[Claim], tools: Tools) -> Iterator[Claim]:
        return generate(context, shown, tools)
