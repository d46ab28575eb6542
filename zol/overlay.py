"""Overrides laid over the defaults of a frozen dataclass; 0 and False are values like any other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, TypeVar

from pydantic import TypeAdapter

T = TypeVar("T")


def tuned(numbers: type[T], overrides: Mapping[str, Any]) -> T:
    """Return the dataclass with overrides laid over its defaults; unknown names are passed over."""
    known = {field.name for field in fields(numbers)}  # type: ignore[arg-type]
    values = asdict(numbers()) | {  # type: ignore[call-overload]
        name: value for name, value in overrides.items() if name in known
    }
    return TypeAdapter(numbers).validate_python(values)
