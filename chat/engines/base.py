"""The engine protocol: classifies a message and generates the answer, by a model or embedded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from chat.checking.base import Claim
from chat.question.classification import Classification
from chat.tools import Tools
from chat.turn import Context, Turn


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
