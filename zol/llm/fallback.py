"""One model standing in for another: the first that can answers."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import pybreaker

from zol.errors import LLMError, LLMTimeout, LLMUnavailable
from zol.llm.base import LLM, Limits, Message, Meter, Reply

logger = logging.getLogger(__name__)
T = TypeVar("T")

#: Failures in a row after which an endpoint is left alone, and for how many seconds.
MOST_FAILURES = 5
PAUSE = 30.0


class Guarded:
    """A model that is left alone for a while after it failed several times in a row."""

    def __init__(self, model: LLM, breaker: pybreaker.CircuitBreaker) -> None:
        self.model = model
        self.breaker = breaker

    def reply(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        limits: Limits = Limits(),
        meter: Meter | None = None,
    ) -> Reply:
        ask = lambda: self.model.reply(messages, schema=schema, limits=limits, meter=meter)  # noqa: E731
        return self._through(ask)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        limits: Limits = Limits(),
        meter: Meter | None = None,
    ) -> Iterator[str]:
        pieces = self.model.stream(messages, limits=limits, meter=meter)
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

    def reply(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        limits: Limits = Limits(),
        meter: Meter | None = None,
    ) -> Reply:
        for model in self.models[:-1]:
            try:
                return model.reply(messages, schema=schema, limits=limits, meter=meter)
            except LLMError as error:
                logger.warning("Asking the next model: %r", error)
        return self.models[-1].reply(messages, schema=schema, limits=limits, meter=meter)

    def stream(
        self,
        messages: Sequence[Message],
        *,
        limits: Limits = Limits(),
        meter: Meter | None = None,
    ) -> Iterator[str]:
        """Yield the answer of the first model that begins one; a broken answer is not continued."""
        for model in self.models[:-1]:
            pieces = model.stream(messages, limits=limits, meter=meter)
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
        yield from self.models[-1].stream(messages, limits=limits, meter=meter)


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
