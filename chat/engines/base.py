"""The seam between a turn and whoever understands and writes: a model, or the embedded engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from chat.checking.base import Claim
from chat.question.classification import Classification, MeantMoment, Mention, Part
from chat.tools import Tools
from chat.turn import Context, Turn

__all__ = ["Classification", "Engine", "MeantMoment", "Mention", "Part"]


class Engine(Protocol):
    """Understands a question and answers it; what it writes is unchecked."""

    @property
    def name(self) -> str: ...

    @property
    def spare(self) -> Engine | None:
        """The engine that goes on where this one fails; None where it cannot."""
        ...

    def classify(self, turn: Turn, tools: Tools) -> Classification:
        """Return what a message is.

        :raises zol.errors.ExpectedError: when it cannot tell; another engine is then asked.
        """
        ...

    def generate(self, context: Context, shown: Sequence[Claim], tools: Tools) -> Iterator[Claim]:
        """Yield the statements of an answer in order; `shown` is what the visitor reads already.

        :raises zol.errors.ExpectedError: when it cannot go on; who shows it has another do so.
        """
        ...
