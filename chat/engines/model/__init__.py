"""The engine that asks a language model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chat.checking.base import Claim
from chat.engines.base import Engine
from chat.engines.model import answer, classify
from chat.question.classification import Classification
from chat.tools import Tools
from chat.turn import Context, Turn


@dataclass(frozen=True, slots=True)
class ModelEngine:
    """Classifies with the standard tier and generates the answer with a model."""

    name: ClassVar[str] = "model"
    spare: ClassVar[Engine | None] = None

    def classify(self, turn: Turn, tools: Tools) -> Classification:
        return classify.classify(turn, tools)

    def generate(self, context: Context, shown: Sequence[Claim], tools: Tools) -> Iterator[Claim]:
        return answer.generate(context, tools)
