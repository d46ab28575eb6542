"""Strings of the interface (labels, buttons, stages), in one JSON file for each language.

Texts that staff approve (notices, refusals, disclaimers) are rows: `chat/phrases.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from chat.phrases import filled
from taxonomy.snapshot import Profile

FOLDER = Path(__file__).parent

#: Language for visitors whose browser asks for none of ours.
FALLBACK = "en"


@cache
def strings(language: str) -> Mapping[str, Any]:
    """Return the strings of a language as they are written, with their placeholders."""
    path = FOLDER / f"{language}.json"
    if not path.exists():
        return strings(FALLBACK)
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def interface_of(profile: Profile, language: str) -> dict[str, Any]:
    """Return the strings of a language with the hospital's values filled in.

    Other placeholders ({n}, {count}) stay for the caller to fill in.
    """
    values = asdict(profile)
    return {name: _filled(text, values) for name, text in strings(language).items()}


def _filled(text: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(text, str):
        return filled(text, values)
    if isinstance(text, list):
        return [_filled(item, values) for item in text]
    return {name: _filled(item, values) for name, item in text.items()}
