"""Chat models behind any endpoint with OpenAI's API: OpenAI, Azure, vLLM, Ollama, …"""

from __future__ import annotations

import json
import re
import weakref
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from functools import cached_property
from typing import Any

import httpx2
import openai

from zol.errors import CutShort, LLMError, LLMTimeout, LLMUnavailable, SchemaRefused, UnusableReply
from zol.llm import refusals
from zol.llm.attempts import ModelRequest
from zol.llm.calls import close_later
from zol.runtime.breaker import Breaker

#: Older names of options, for endpoints that refuse the current name.
SUBSTITUTES = {"max_completion_tokens": "max_tokens"}
#: Options that are left out where an endpoint refuses them.
OPTIONAL = frozenset({"temperature", "stream_options", *SUBSTITUTES.values()})
#: Names for the schema in error messages of endpoints that refuse it.
SCHEMA = frozenset({"response_format", "json_schema", "schema", "strict"})
#: Values of `finish_reason` for a withheld answer, and for one that was cut.
WITHHELD, TOO_LONG = frozenset({"content_filter"}), "length"
#: Last event of a stream.
DONE = "[DONE]"
#: Maximum size of a reply in bytes, with reasoning and protocol.
MOST_BYTES = 4_000_000
#: Seconds until a retry, after a failure and after a rate limit without `Retry-After`.
SOON, WHEN_BUSY = 0.25, 1.0
FIRST_SERVER_ERROR = 500


def connected(owner: object, *, key: str, base_url: str, **options: Any) -> openai.OpenAI:
    """Return a client that closes its connections when its owner is garbage-collected.

    Otherwise sockets may be collected before the client that closes them.
    """
    # A local endpoint often needs no key, but the client does.
    client = openai.OpenAI(api_key=key or "none", base_url=base_url or None, **options)
    weakref.finalize(owner, client.close)
    return client


class Endpoint:
    """An endpoint: the client and the circuit breaker that its models share.

    The breaker opens on failures of the endpoint, not on unusable replies of a model.
    """

    def __init__(self, name: str, *, api_key: str = "", base_url: str = "") -> None:
        self.name = name
        self.breaker = Breaker(name, LLMTimeout, LLMUnavailable)
        self._key, self._base_url = api_key, base_url

    @cached_property
    def client(self) -> openai.AsyncOpenAI:
        web = openai.DefaultAsyncHttpxClient(event_hooks={"response": [bounded]})
        client = openai.AsyncOpenAI(
            api_key=self._key or "none",
            base_url=self._base_url or None,
            max_retries=0,
            http_client=web,
        )
        weakref.finalize(self, close_later, client.close)
        return client


class OpenAIModel:
    """One model of one endpoint.

    An option that the endpoint refuses is left out of later requests, except for the schema, which
    the answer needs.
    """

    def __init__(
        self,
        model: str,
        endpoint: Endpoint,
        *,
        temperature: float | None = 0.0,
        effort: str = "",
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self.model = model
        self.endpoint = endpoint
        #: Options of every request; reasoning models take no temperature.
        self._always: dict[str, Any] = {"extra_body": extra} if extra else {}
        if effort:
            self._always["reasoning_effort"] = effort
        elif temperature is not None:
            self._always["temperature"] = temperature
        self._refused: frozenset[str] = frozenset()

    async def pieces(self, asked: ModelRequest, note: Callable[[Any], None]) -> AsyncIterator[str]:
        """Yield the answer as it arrives; `note` is called with the token usage."""
        options, is_ended = response_format(asked.schema), asked.is_whole
        if not asked.is_whole:
            options |= {"stream": True, "stream_options": {"include_usage": True}}
        with expected_errors(self):
            response = await self._create(asked, options)
            async with aclosing(self._parts(response, is_whole=asked.is_whole)) as parts:
                async for part in parts:
                    note(part.get("usage"))
                    for choice in part.get("choices") or ():
                        if text := self._text_in(choice):
                            yield text
                        is_ended = is_ended or bool(choice.get("finish_reason"))
                        if choice.get("finish_reason") == TOO_LONG:
                            raise CutShort(f"{self.model} reached the tokens that it was given")
            if not is_ended:
                raise LLMUnavailable(f"{self.endpoint.name} broke off")

    async def _parts(
        self, response: httpx2.Response, *, is_whole: bool
    ) -> AsyncGenerator[Mapping[str, Any]]:
        """Yield the parts of a reply, one or a stream of events, as parsed JSON: the client's own
        parser builds ten objects for each token."""
        try:
            if is_whole:
                yield json.loads(await response.aread())
                return
            async for line in response.aiter_lines():
                sent = line.removeprefix("data:").strip()
                if sent == DONE:
                    return
                if line.startswith("data:") and sent:
                    part = json.loads(sent)
                    if part.get("error"):
                        raise LLMUnavailable(f"{self.endpoint.name} reported an error")
                    yield part
        finally:
            await response.aclose()

    def _text_in(self, choice: Mapping[str, Any]) -> str:
        """Return the text of a choice; raise if the model refuses to answer."""
        message = choice.get("message") or choice.get("delta") or {}
        if message.get("refusal") or choice.get("finish_reason") in WITHHELD:
            # Without the refusal's text, which may repeat a patient's question.
            raise UnusableReply(f"{self.model} refused to answer")
        return message.get("content") or ""

    async def _create(self, asked: ModelRequest, options: Mapping[str, Any]) -> httpx2.Response:
        """Send a request; replace or drop an option that the endpoint refuses, and resend."""
        wanted = {**self._always, **options}
        if asked.limits.tokens:
            wanted["max_completion_tokens"] = asked.limits.tokens
        messages = [{"role": message.role, "content": message.text} for message in asked.messages]
        while True:
            accepted = self._accepted(wanted)
            try:
                reply = await self.endpoint.client.chat.completions.with_raw_response.create(
                    model=self.model,
                    messages=messages,  # type: ignore[arg-type]
                    timeout=asked.limits.seconds,
                    **accepted,
                )
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                refused = refused_option(error, accepted)
                if not refused:
                    raise
                if refused == "response_format":
                    text = f"{self.endpoint.name} refuses the schema {asked.purpose}: {self.model}"
                    refusals[self.endpoint.name, self.model] = text
                    raise SchemaRefused(text) from None
                self._refused |= {refused}
            else:
                if asked.schema is not None:
                    refusals.pop((self.endpoint.name, self.model), None)
                return reply.http_response

    def _accepted(self, options: Mapping[str, Any]) -> dict[str, Any]:
        accepted = {}
        for name, value in options.items():
            known = SUBSTITUTES.get(name, name) if name in self._refused else name
            if known not in self._refused:
                accepted[known] = value
        return accepted


async def bounded(response: httpx2.Response) -> None:
    """Limit the size of a reply."""
    response.stream = BoundedStream(response.stream)  # type: ignore[arg-type]


class BoundedStream(httpx2.AsyncByteStream):
    """Stream of a reply that fails beyond `MOST_BYTES`."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for part in self._stream:
            read += len(part)
            if read > MOST_BYTES:
                raise UnusableReply("A reply does not end")
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


def refused_option(error: openai.APIStatusError, options: Mapping[str, Any]) -> str:
    """Return the option that an error message names; an empty text when it names none."""
    complaint = f"{error.param or ''} {error.message}" if hasattr(error, "param") else error.message
    words = set(re.findall(r"[a-z_]+", complaint))
    if "response_format" in options and words & SCHEMA:
        return "response_format"
    removable = [name for name in options if name in OPTIONAL | SUBSTITUTES.keys()]
    return next((name for name in removable if name in words), "")


def response_format(schema: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the option that requests JSON of a schema."""
    if schema is None:
        return {}
    named = {"name": schema.get("title", "answer"), "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


@contextmanager
def expected_errors(model: OpenAIModel) -> Iterator[None]:
    """Translate errors of the client into subclasses of `LLMError`."""
    try:
        yield
    except LLMError:
        raise
    except (openai.APITimeoutError, httpx2.TimeoutException) as error:
        raise LLMTimeout(redacted(error)) from None
    except (openai.OpenAIError, httpx2.HTTPError) as error:
        if isinstance(cause := error.__cause__, LLMError):
            raise cause from None
        failed = LLMUnavailable(f"{model.endpoint.name}: {redacted(error)}")
        failed.retry_after = retry_after(error)
        raise failed from None
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        # The reply does not follow OpenAI's API.
        form = type(error).__name__
        raise UnusableReply(f"The answer is not in OpenAI's form: {form}") from None


def retry_after(error: Exception) -> float | None:
    """Return the seconds until a retry; None where a retry is useless."""
    match error:
        case openai.RateLimitError(response=response):
            try:
                return max(SOON, float(response.headers.get("retry-after", WHEN_BUSY)))
            except ValueError:  # A date, which is too far away.
                return None
        case openai.APIStatusError(status_code=status) if status < FIRST_SERVER_ERROR:
            return None
        case _:
            return SOON


def redacted(error: Exception) -> str:
    """Return the type and status of an error, without its text or traceback: these may repeat a
    patient's question or a key."""
    return f"{type(error).__name__} {getattr(error, 'status_code', '')}".strip()
