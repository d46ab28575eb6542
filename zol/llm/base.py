"""Chat models: two methods, an account of what they cost, answers of a given shape, and fallback.

One model stands in for another: the first that can answers. An endpoint that fails several times in
a row is left alone for a while.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

import pybreaker
from pydantic import TypeAdapter, ValidationError

from zol.errors import LLMError, LLMTimeout, LLMUnavailable, StructuredCallError

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
        self, messages: Sequence[Message], *, limits: Limits = Limits(), meter: Meter | None = None
    ) -> Iterator[str]:
        """Yield the answer piece by piece; a caller who leaves off ends the request."""


T = TypeVar("T")
#: Models that cannot be held to a schema often wrap their JSON in a code fence.
_FENCE = re.compile(r"^\s*```(?:json)?\s*|\s*```\s*$")


def structured_call(
    llm: LLM,
    messages: Sequence[Message],
    answer: type[T],
    *,
    attempts: int = 2,
    limits: Limits = Limits(),
    meter: Meter | None = None,
) -> T:
    """Return an ``answer``; show the model its mistake and ask again if need be.

    :raises StructuredCallError: when no reply fits. An `LLMError` of the model itself passes.
    """
    form = TypeAdapter(answer)
    schema = form.json_schema()
    for _ in range(attempts):
        reply = llm.reply(messages, schema=schema, limits=limits, meter=meter)
        try:
            return form.validate_json(_FENCE.sub("", reply.text))
        except ValidationError as error:
            mistakes = "; ".join(
                f"{'.'.join(map(str, each['loc'])) or 'the answer'}: {each['msg']}"
                for each in error.errors(include_url=False, include_input=False)
            )
            complaint = Message("user", f"That does not fit the schema. {mistakes}")
            messages = [*messages, Message("assistant", reply.text), complaint]
    raise StructuredCallError(f"No {answer.__name__} after {attempts} attempts: {mistakes}")


logger = logging.getLogger(__name__)

#: Failures in a row after which an endpoint is left alone, and for how many seconds.
MOST_FAILURES = 5
PAUSE = 30.0


class CircuitBreaker:
    """A model that is left alone for a while after it failed several times in a row."""

    def __init__(self, model: LLM, breaker: pybreaker.CircuitBreaker) -> None:
        self.model = model
        self.breaker = breaker

    def reply(self, messages: Sequence[Message], **how: Any) -> Reply:
        return self._through(lambda: self.model.reply(messages, **how))

    def stream(self, messages: Sequence[Message], **how: Any) -> Iterator[str]:
        pieces = self.model.stream(messages, **how)
        try:
            # Getting the first piece tells whether the endpoint is there.
            first = self._through(lambda: next(iter(pieces), ""))
            yield first
            while piece := self._through(lambda: next(pieces, "")):
                yield piece
        finally:
            pieces.close()  # type: ignore[attr-defined]

    def _through(self, ask: Callable[[], T]) -> T:
        try:
            return self.breaker.call(ask)  # type: ignore[no-any-return]
        except pybreaker.CircuitBreakerError as error:
            raise LLMUnavailable(f"{self.breaker.name} is being left alone: {error}") from error


class Fallback:
    """Asks models in order, until one answers."""

    def __init__(self, models: Sequence[LLM]) -> None:
        self.models = tuple(models)

    def reply(self, messages: Sequence[Message], **how: Any) -> Reply:
        for model in self.models[:-1]:
            try:
                return model.reply(messages, **how)
            except LLMError as error:
                logger.warning("Asking the next model: %r", error)
        return self.models[-1].reply(messages, **how)

    def stream(self, messages: Sequence[Message], **how: Any) -> Iterator[str]:
        """Yield the answer of the first model that begins one; a broken answer is not continued."""
        for model in self.models[:-1]:
            pieces = model.stream(messages, **how)
            try:
                first = next(pieces)
            except StopIteration:
                logger.warning("Asking the next model: the answer was empty")
                continue
            except LLMError as error:
                logger.warning("Asking the next model: %r", error)
                continue
            yield first
            yield from pieces
            return
        yield from self.models[-1].stream(messages, **how)


def circuit_breaker(name: str, *failures: type[Exception]) -> pybreaker.CircuitBreaker:
    """Return a breaker that opens on an endpoint's failures, not on a model's odd replies."""
    counted = failures or (LLMTimeout, LLMUnavailable)
    return pybreaker.CircuitBreaker(
        fail_max=MOST_FAILURES,
        reset_timeout=PAUSE,
        name=name,
        throw_new_error_on_trip=False,
        exclude=[lambda error: not isinstance(error, counted)],
    )
