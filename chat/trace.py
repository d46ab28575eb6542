"""What can be seen of a turn from outside, while it runs and afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Phase(StrEnum):
    """The five steps that a patient is shown."""

    UNDERSTANDING = "UNDERSTANDING"
    SEARCHING = "SEARCHING"
    ANALYZING = "ANALYZING"
    GENERATING = "GENERATING"
    EVALUATING = "EVALUATING"

    @property
    def percent(self) -> int:
        return {"UNDERSTANDING": 5, "SEARCHING": 25, "ANALYZING": 50, "GENERATING": 70}.get(
            self, 95
        )


@dataclass(frozen=True, slots=True)
class Started:
    """A stage has begun."""

    stage: str
    phase: Phase


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer, in order."""

    text: str


@dataclass(frozen=True, slots=True)
class Retracted:
    """All tokens so far are taken back."""

    reason: str


class TurnStopped(Exception):
    """Raised where a turn emits, once its visitor has stopped it."""


@dataclass(frozen=True, slots=True)
class Record:
    """What a stage did: kept with the message, so that any answer can be explained."""

    stage: str
    seconds: float
    detail: Mapping[str, Any] = field(default_factory=dict)
    #: What went wrong, when a fallback answered instead.
    failure: str = ""

    @property
    def plain(self) -> dict[str, Any]:
        """The record by field. Its detail is of plain values: copying it would take longer than
        some stages do."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


class Witness:
    """Passes events on, and remembers the stages, so that a failed turn is explained too."""

    def __init__(self, emit: Callable[[Any], None]) -> None:
        self._emit = emit
        self._begun = ""
        self._records: list[Record] = []

    def __call__(self, event: Any) -> None:
        if isinstance(event, Started):
            self._begun = event.stage
        elif isinstance(event, Record):
            self._begun = ""
            self._records.append(event)
        self._emit(event)

    def until(self, reason: BaseException) -> tuple[Record, ...]:
        """Return the stages up to a failure; not its words, which may be the visitor's."""
        failed = Record(self._begun or "before any stage", 0.0, failure=type(reason).__name__)
        return (*self._records, failed)
