"""The engine protocol, and the fallback from one engine to another, call by call."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from chat.checking.base import Claim
from chat.question.classification import Classification
from chat.tools import Tools
from chat.turn import Context, Turn
from zol.errors import LLMError

logger = logging.getLogger(__name__)


class Engine(Protocol):
    """Classifies a question and answers it; its output is unchecked."""

    @property
    def name(self) -> str: ...

    @property
    def spare(self) -> Engine | None:
        """Return the engine to fall back to; None if there is none."""
        ...

    def classify(self, turn: Turn, tools: Tools) -> Classification:
        """Classify a message.

        :raises zol.errors.ExpectedError: on failure; the caller falls back.
        """
        ...

    def generate(self, context: Context, shown: Sequence[Claim], tools: Tools) -> Iterator[Claim]:
        """Yield the statements of an answer in order; `shown` is what the visitor sees already.

        :raises zol.errors.ExpectedError: on failure; the caller falls back.
        """
        ...


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
