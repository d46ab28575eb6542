"""Fall back from one engine to another, call by call."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chat.checking.base import Claim
from chat.engines.base import Engine
from chat.question.classification import Classification
from chat.tools import Tools
from chat.turn import Context, Turn
from zol.errors import LLMError

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fallback:
    """Calls an engine, and on failure its spare; a failed `classify` does not affect `generate`.

    Reasons are added to `tools.models.failures`, for the trace.
    """

    first: Engine
    then: Engine

    @property
    def name(self) -> str:
        return self.first.name

    @property
    def spare(self) -> Engine:
        return self.then

    def classify(self, turn: Turn, tools: Tools) -> Classification:
        try:
            return self.first.classify(turn, tools)
        except LLMError as error:
            logger.warning("Classification failed; falling back", exc_info=True)
            tools.models.failures.append(repr(error))
            return self.then.classify(turn, tools)

    def generate(self, context: Context, shown: Sequence[Claim], tools: Tools) -> Iterator[Claim]:
        """Yield the first engine's claims. On failure the caller uses `spare`, because only the
        caller knows what was shown."""
        return self.first.generate(context, shown, tools)
