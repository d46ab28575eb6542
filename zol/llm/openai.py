"""Chat models behind any endpoint that speaks OpenAI's form: OpenAI, Azure, vLLM, Ollama, …"""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from time import monotonic
from typing import Any

import openai

from zol.errors import LLMError, LLMTimeout, LLMUnavailable, UnusableReply
from zol.llm.base import Call, Limits, Message, Meter, Reply
from zol.processor import computing

#: What endpoints call an option, when they refuse the usual name or cannot do it at all.
SUBSTITUTES = {"max_completion_tokens": "max_tokens"}
#: Options that an answer can do without.
OPTIONAL = frozenset({"temperature", "response_format", "stream_options", *SUBSTITUTES.values()})
#: Ways of ending that leave no answer.
WITHHELD = frozenset({"content_filter"})


def connected(owner: object, *, key: str, base_url: str, **options: Any) -> openai.OpenAI:
    """Return a client that closes its connections when its owner goes.

    Left to the collector, sockets may be found before the client that would have closed them.
    """
    # An endpoint of one's own often has no key, but the client wants one.
    client = openai.OpenAI(api_key=key or "none", base_url=base_url or None, **options)
    weakref.finalize(owner, client.close)
    return client


class OpenAIModel:
    """One model of one endpoint; an option that the endpoint refuses is left out from then on."""

    def __init__(
        self,
        model: str,
        *,
        endpoint: str,
        api_key: str,
        base_url: str = "",
        temperature: float = 0.0,
        max_retries: int = 1,
    ) -> None:
        self.model = model
        self.endpoint = endpoint
        self._key = api_key
        self._base_url = base_url
        self._temperature = temperature
        self._max_retries = max_retries
        self._refused: frozenset[str] = frozenset()

    @cached_property
    def _client(self) -> openai.OpenAI:
        return connected(
            self, key=self._key, base_url=self._base_url, max_retries=self._max_retries
        )

    def reply(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        limits: Limits = Limits(),
        meter: Meter | None = None,
    ) -> Reply:
        with _Account(self, meter) as account, expected_errors(), computing.lent():
            response = self._create(messages, limits, **response_format(schema))
            account.note(response.usage)
            choices = response.choices or ()
            if not choices or choices[0].message is None:
                raise UnusableReply(f"{self.model} gave no answer")
            choice = choices[0]
            refuse_withheld(choice.finish_reason, getattr(choice.message, "refusal", None))
            if not choice.message.content:
                raise UnusableReply(f"{self.model} gave an empty answer")
            return Reply(choice.message.content, self.model)

    def stream(
        self, messages: Sequence[Message], *, limits: Limits = Limits(), meter: Meter | None = None
    ) -> Iterator[str]:
        deadline = monotonic() + limits.seconds
        with _Account(self, meter) as account, expected_errors(), computing.lent():
            usage = {"stream": True, "stream_options": {"include_usage": True}}
            with self._create(messages, limits, **usage) as chunks:
                is_ended = False
                for chunk in chunks:
                    if monotonic() > deadline:
                        raise LLMTimeout(f"{self.model} took over {limits.seconds:g} s")
                    account.note(chunk.usage)
                    for choice in chunk.choices or ():
                        refuse_withheld(
                            choice.finish_reason, getattr(choice.delta, "refusal", None)
                        )
                        is_ended = is_ended or bool(choice.finish_reason)
                        if choice.delta and choice.delta.content:
                            yield choice.delta.content
            if not is_ended:
                raise LLMUnavailable(f"{self.model} broke off in the middle of its answer")

    def _create(self, messages: Sequence[Message], limits: Limits, **options: Any) -> Any:
        """Ask; an option that the endpoint refuses is replaced or left out, and asked again."""
        options |= {"temperature": self._temperature}
        if limits.tokens:
            options["max_completion_tokens"] = limits.tokens
        said = [{"role": message.role, "content": message.text} for message in messages]
        while True:
            accepted = self._accepted(options)
            try:
                return self._client.chat.completions.create(
                    model=self.model,
                    messages=said,  # type: ignore[arg-type]
                    timeout=limits.patience,
                    **accepted,
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                refused = refused_option(error, accepted)
                if not refused:
                    raise
                self._refused |= {refused}

    def _accepted(self, options: Mapping[str, Any]) -> dict[str, Any]:
        accepted = {}
        for name, value in options.items():
            known = SUBSTITUTES.get(name, name) if name in self._refused else name
            if known not in self._refused:
                accepted[known] = value
        return accepted


class _Account:
    """Measures one call, and hands it to the meter however it ends."""

    def __init__(self, model: OpenAIModel, meter: Meter | None) -> None:
        self._model, self._meter = model, meter
        self._started = monotonic()
        self._in = self._out = 0

    def note(self, usage: Any) -> None:
        if usage:
            self._in = usage.prompt_tokens or 0
            self._out = usage.completion_tokens or 0

    def __enter__(self) -> _Account:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: Any
    ) -> None:
        if self._meter is None:
            return
        failure = "" if error is None else type(error).__name__
        seconds = monotonic() - self._started
        model = self._model
        self._meter.record(Call(model.endpoint, model.model, seconds, self._in, self._out, failure))


def refused_option(error: openai.APIStatusError, options: Mapping[str, Any]) -> str:
    """Return which of the options an endpoint complains about; empty when it is none of them."""
    complaint = f"{error.param or ''} {error.message}" if hasattr(error, "param") else error.message
    words = set(re.findall(r"[a-z_]+", complaint))
    removable = [name for name in options if name in OPTIONAL | SUBSTITUTES.keys()]
    return next((name for name in removable if name in words), "")


def response_format(schema: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the request for JSON of a shape."""
    if schema is None:
        return {}
    wanted = {"name": "answer", "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": wanted}}


def refuse_withheld(finish_reason: str | None, refusal: str | None) -> None:
    """Raise when the model would not answer."""
    if refusal or finish_reason in WITHHELD:
        raise UnusableReply(f"The model refused: {refusal or finish_reason}")


@contextmanager
def expected_errors() -> Iterator[None]:
    """Translate the client's errors into ours, once, for both ways of asking."""
    try:
        yield
    except LLMError:
        raise
    except openai.APITimeoutError as error:
        raise LLMTimeout(str(error)) from error
    except openai.OpenAIError as error:
        raise LLMUnavailable(str(error)) from error
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        # An endpoint that answers in another form than it promised.
        raise UnusableReply(f"The answer is not in OpenAI's form: {error}") from error
