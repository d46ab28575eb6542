"""Answers of a given shape."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from zol.errors import StructuredCallError
from zol.llm.base import LLM, Limits, Message, Meter

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
