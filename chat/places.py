"""Values in groups, changed as if they stood side by side: each name has one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

T = TypeVar("T")


def places_of(**groups: Any) -> dict[str, str]:
    """Return the group in which each field of some dataclasses stands."""
    return {each.name: place for place, group in groups.items() for each in fields(group)}


def placed(value: T, places: Mapping[str, str], changes: Mapping[str, Any]) -> T:
    """Return a dataclass with changes to its own fields and to those of its groups."""
    own = {name: each for name, each in changes.items() if name not in places}
    inner: dict[str, dict[str, Any]] = {}
    for name in changes.keys() & places.keys():
        inner.setdefault(places[name], {})[name] = changes[name]
    for place, each in inner.items():
        own[place] = replace(own.get(place, getattr(value, place)), **each)
    return replace(value, **own)  # type: ignore[type-var]
