"""Rows of the checks that cannot do what they are for: found when they are saved, and shown.

A row that does not work switches nothing else off: it is left out, and staff are told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from chat.safety.injection import InjectionPatterns
from chat.safety.slots import COUNT, NUMBER, SHORTEST_PART, pattern, rule

#: Slots that need no rows: numbers are told by their form.
BUILTIN = frozenset({COUNT, NUMBER})


def unfilled(text: str, filled: Iterable[str]) -> tuple[str, ...]:
    """Return the slots of a rule that no row fills: the rule would never hold."""
    known = BUILTIN | set(filled)
    return tuple(sorted(set(rule("", text).slots) - known))


def is_wordless(text: str) -> bool:
    """Tell whether a phrase holds no word to look for."""
    return not pattern(text)


def is_too_wide(text: str) -> bool:
    """Tell whether a phrase stands for part of a word that is in far too many words."""
    words = pattern(text)
    return text.lstrip().startswith("*") and bool(words) and len(words[0][0]) < SHORTEST_PART


def broken_pattern(row: Mapping[str, Any]) -> str:
    """Return why a pattern of an attack does not work; nothing when it does."""
    broken = InjectionPatterns([row]).broken
    return broken[0][1] if broken else ""
