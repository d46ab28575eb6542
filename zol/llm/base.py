"""Messages to chat models, limits and records of calls, and answers that fit a schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from math import inf
from operator import getitem
from time import monotonic
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from pydantic import TypeAdapter, ValidationError

from zol.errors import StructuredCallError
from zol.runtime.stopping import Stop, current_stop

Role: TypeAlias = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits to the length of an answer and to its time, for all attempts together."""

    #: Tokens of the answer; 0 leaves it to the endpoint.
    tokens: int = 0
    #: Seconds until the first word, reasoning not counted as one.
    patience: float = 10.0
    #: Seconds in all.
    seconds: float = 60.0
    #: Seconds between two pieces.
    stall: float = 5.0


@dataclass(frozen=True, slots=True)
class Call:
    """Record of one request to a model."""

    endpoint: str
    model: str
    seconds: float
    tokens_in: int = 0
    tokens_out: int = 0
    #: Why it failed or broke off; empty when it did not.
    failure: str = ""
    #: Name of the requested schema; "text" without one.
    purpose: str = "text"
    #: Seconds until the first word; 0 when none came.
    first_word: float = 0.0


@dataclass(slots=True)
class Meter:
    """Collects the calls of a turn, and limits their total time."""

    calls: list[Call] = field(default_factory=list)
    #: Time limit of all calls together, in seconds from the first one.
    seconds: float = inf
    stop: Stop = field(default_factory=current_stop)
    _began: float = 0.0

    def record(self, call: Call) -> None:
        self.calls.append(call)

    @property
    def ends_at(self) -> float:
        """Deadline of all calls (as `monotonic` counts); the first access starts the time."""
        self._began = self._began or monotonic()
        return self._began + self.seconds

    @property
    def left(self) -> float:
        """Seconds left for calls."""
        return max(0.0, self.ends_at - monotonic())


class LLM(Protocol):
    """A chat model, for code that may not import the client.

    Implementations raise only subclasses of `zol.errors.LLMError`, and `TurnStopped`.
    """

    def reply(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        limits: Limits = Limits(),
        meter: Meter | None = None,
    ) -> str:
        """Return the whole answer; with a schema, one JSON object that fits it."""

    def stream(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        limits: Limits = Limits(),
        meter: Meter | None = None,
    ) -> Iterator[str]:
        """Yield the answer piece by piece; closing the iterator ends the request.

        With a schema, the pieces together are one JSON object.
        """


T = TypeVar("T")
#: Keywords of JSON Schema that some endpoints refuse; `structured_call` validates lengths itself.
UNKNOWN_TO_SOME = frozenset({"default", "title", "maxLength", "minLength"})


def strict_schema(form: TypeAdapter[Any], name: str) -> dict[str, Any]:
    """Return the JSON schema of a type in strict form: all fields required, no others allowed."""
    return {**_strict(form.json_schema(by_alias=True)), "title": name}


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(each) for each in node]
    if not isinstance(node, dict):
        return node
    kept: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):
            kept[key] = {name: _strict(each) for name, each in value.items()}
        elif key not in UNKNOWN_TO_SOME:
            kept[key] = _strict(value)
    if "properties" in kept:
        kept |= {"required": list(kept["properties"]), "additionalProperties": False}
    return kept


@cache
def _form_of(answer: Any, name: str) -> tuple[TypeAdapter[Any], dict[str, Any]]:
    form: TypeAdapter[Any] = TypeAdapter(answer)
    return form, strict_schema(form, name)


def structured_call(  # noqa: PLR0913 (who is asked what, how, and for how long)
    llm: LLM,
    messages: Sequence[Message],
    answer: type[T],
    *,
    name: str = "answer",
    attempts: int = 2,
    limits: Limits = Limits(),
    meter: Meter | None = None,
) -> T:
    """Return an ``answer``; if a reply does not fit, send the mistakes and ask again.

    All attempts together keep to the limits. Texts and lists that are too long are cut.

    :raises StructuredCallError: when no reply fits. An `LLMError` of the model is passed on.
    """
    form: TypeAdapter[T]
    form, schema = _form_of(answer, name)  # type: ignore[arg-type]  # classes are hashable
    ends_at = monotonic() + limits.seconds
    for _ in range(attempts):
        within = replace(limits, seconds=ends_at - monotonic())
        reply = llm.reply(messages, schema=schema, limits=within, meter=meter)
        try:
            return _fitting(form, reply)
        except ValidationError as error:
            mistakes = "; ".join(
                f"{'.'.join(map(str, each['loc'])) or 'the answer'}: {each['msg']}"
                for each in error.errors(include_url=False, include_input=False)
            )
            complaint = Message("user", f"That does not fit the schema. {mistakes}")
            messages = [*messages, Message("assistant", reply), complaint]
    raise StructuredCallError(f"No {answer.__name__} after {attempts} attempts: {mistakes}")


def _fitting(form: TypeAdapter[T], text: str) -> T:
    """Return the parsed reply, with texts and lists cut that are only too long."""
    try:
        return form.validate_json(text)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        if any(each["type"] not in ("string_too_long", "too_long") for each in found):
            raise
        data = json.loads(text)
        for each in found:
            *path, last = each["loc"]
            try:
                at = reduce(getitem, path, data)
                at[last] = at[last][: each["ctx"]["max_length"]]
            except LookupError:  # In a union of types, whose name is part of the location.
                raise error from None
        return form.validate_json(json.dumps(data))
