"""What a chat model is: two methods, and an account of what they cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

Role: TypeAlias = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an answer may be, and how long it may take."""

    #: Tokens of the answer; 0 leaves it to the endpoint.
    tokens: int = 0
    #: Seconds until the first piece, and between two pieces.
    patience: float = 10.0
    #: Seconds in all, however steadily the pieces come.
    seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a model, as it is accounted for."""

    endpoint: str
    model: str
    seconds: float
    tokens_in: int = 0
    tokens_out: int = 0
    #: Why it gave nothing, or broke off; empty when it went well.
    failure: str = ""


@dataclass(slots=True)
class Meter:
    """Collects the calls of a turn."""

    calls: list[Call] = field(default_factory=list)

    def record(self, call: Call) -> None:
        self.calls.append(call)


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer."""

    text: str
    model: str = ""


class LLM(Protocol):
    """A chat model. Implementations raise only `zol.errors.LLMError`."""

    def reply(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        limits: Limits = Limits(),
        meter: Meter | None = None,
    ) -> Reply:
        """Return the whole answer, as JSON fitting ``schema`` if one is given."""

    def stream(
        self,
        messages: Sequence[Message],
        *,
        limits: Limits = Limits(),
        meter: Meter | None = None,
    ) -> Iterator[str]:
        """Yield the answer piece by piece; a caller who leaves off ends the request."""
