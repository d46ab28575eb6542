"""The engine that asks a language model."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from chat.checking.base import Claim
from chat.engines.base import Engine
from chat.engines.model import answer, classify
from chat.question.classification import Classification
from chat.tools import Tools
from chat.turn import Context, Turn
from zol.errors import LLMError

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelEngine:
    """Classifies with the standard tier and generates the answer with a model; on failure its spare
    stands in, call by call."""

    spare: Engine
    name: ClassVar[str] = "model"

    def classify(self, turn: Turn, tools: Tools) -> Classification:
        """Classify a message; on failure note the reason for the trace and ask the spare."""
        try:
            return classify.classify(turn, tools)
        except LLMError as error:
            logger.warning("Classification failed; falling back", exc_info=True)
            tools.models.failures.append(repr(error))
            return self.spare.classify(turn, tools)

    def generate(self, context: Context, shown: Sequence[Claim], tools: Tools) -> Iterator[Claim]:
        """Yield a model's claims. On failure the caller uses `spare`, because only the caller knows
        what was shown."""
        return answer.generate(context, tools)
